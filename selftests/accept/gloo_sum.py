#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""torch.distributed over Gloo for selftests/accept: gloo_sum.py RANK ADDRESS.

Two ranks add a tensor of 4 MiB three times and meet at a barrier.
"""
import sys

import torch
import torch.distributed as dist

rank, address = int(sys.argv[1]), sys.argv[2]
dist.init_process_group('gloo', rank=rank, world_size=2,
                        init_method=f'tcp://{address}:29511')
ramp = torch.arange(1 << 20, dtype=torch.float32)
wrong = 0
for step in range(3):
    part = ramp * (rank + 1) + step
    dist.all_reduce(part)
    wrong += not torch.equal(part, ramp * 3 + 2 * step)
dist.barrier()
print('gloo rank', rank, 'wrong' if wrong else 'right', flush=True)
dist.destroy_process_group()
