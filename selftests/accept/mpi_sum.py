#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""MPI in Python for selftests/accept, the same as mpi_sum.c."""
import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
ranks = world.size * (world.size + 1) / 2
ramp = numpy.arange(1 << 20, dtype='d')
total = numpy.empty_like(ramp)
wrong = 0
for step in range(4):
    world.Allreduce(ramp * (world.rank + 1) + step, total, op=MPI.SUM)
    wrong += not numpy.array_equal(total, ramp * ranks + world.size * step)
wrong = world.reduce(wrong)
if world.rank == 0:
    print('ranks', world.size, 'sums', 'wrong' if wrong else 'right')
