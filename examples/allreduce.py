#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""All-reduce with torch.distributed over Gloo, as data-parallel training does
it in every step: each rank makes a tensor, all of them get the sum, each
checks every element. Rank 0 prints the time of every step, at last median and
p99. The program knows nothing of AF_MRC: README.md says how it is started.

usage, on every host: allreduce.py RANK RANKS ADDRESS-OF-RANK-0 [STEPS [BYTES]]

GLOO_SOCKET_IFNAME names the device whose address the ranks tell each other.
"""
import sys
import time

import torch
import torch.distributed as dist

# Values stay so small that every sum is exact.
PERIOD = 1000


def step(number, rank, ranks, ramp):
    """One step; returns the number of wrong elements."""
    want = (ramp + number) % PERIOD
    part = want * (rank + 1)
    dist.all_reduce(part)
    return int((part != want * (ranks * (ranks + 1) // 2)).sum())


def main(rank, ranks, address, steps=100, size=1 << 20):
    """Returns the exit status."""
    dist.init_process_group('gloo', rank=rank, world_size=ranks,
                            init_method=f'tcp://{address}:29511')
    ramp = torch.arange(size // 4, dtype=torch.float32)
    wrong = step(0, rank, ranks, ramp)  # opens the connections
    times = []
    for number in range(steps):
        begin = time.monotonic()
        wrong += step(number, rank, ranks, ramp)
        times.append((time.monotonic() - begin) * 1000)
        if not rank:
            print(f'step {number} {times[-1]:.1f} ms', flush=True)
    everywhere = torch.tensor([wrong])
    dist.all_reduce(everywhere)
    if not rank:
        times.sort()
        print(f'ranks {ranks} bytes {size} steps {steps}',
              f'median_ms {times[steps // 2]:.1f}',
              f'p99_ms {times[(99 * steps + 99) // 100 - 1]:.1f}',
              f'max_ms {times[-1]:.1f}',
              'wrong' if everywhere.item() else 'right', flush=True)
    dist.barrier()
    dist.destroy_process_group()
    return wrong != 0


if not 4 <= len(sys.argv) <= 6:
    sys.exit(__doc__)
sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3],
              *map(int, sys.argv[4:])))
