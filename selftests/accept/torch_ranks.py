#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Torch for selftests/accept: torch_ranks.py ddp|rpc RANK ADDRESS.

ddp: two ranks train one layer over Gloo, each on its half of the data; every
step must end where training on all of the data ends. rpc: rank 1 calls rank 0
over TensorPipe with tensors of 4 bytes to 8 MiB, sixteen at a time.
"""
import os
import sys

import torch
import torch.distributed as dist
from torch.distributed import rpc

kind, rank, address = sys.argv[1], int(sys.argv[2]), sys.argv[3]
WIDTH = 512


def steps(model, inputs, targets):
    """Three steps of training."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        ((model(inputs) - targets) ** 2).mean().backward()
        optimizer.step()


def make_layer():
    """The same layer wherever it is made."""
    torch.manual_seed(7)
    return torch.nn.Linear(WIDTH, WIDTH)


def ddp():
    """True when the ranks together did what one would have done alone."""
    os.environ.update(MASTER_ADDR=address, MASTER_PORT='29512')
    dist.init_process_group('gloo', rank=rank, world_size=2)
    alone, layer = make_layer(), make_layer()
    inputs, targets = torch.randn(16, WIDTH), torch.randn(16, WIDTH)
    steps(alone, inputs, targets)
    mine = slice(8 * rank, 8 * rank + 8)
    steps(torch.nn.parallel.DistributedDataParallel(layer),
          inputs[mine], targets[mine])
    good = torch.allclose(layer.weight, alone.weight, atol=1e-5)
    good &= torch.allclose(layer.bias, alone.bias, atol=1e-5)
    dist.barrier()
    dist.destroy_process_group()
    return good


def double(tensor):
    """What rank 0 is asked to do."""
    return tensor * 2


def call():
    """Rank 1's part of rpc: True when all answers are right."""
    good = True
    for size in (1, 1000, 1 << 16, 1 << 21):
        tensor = torch.arange(size, dtype=torch.float32)
        good &= torch.equal(rpc.rpc_sync('rank0', double, (tensor,)),
                            tensor * 2)
    many = [rpc.rpc_async('rank0', double, (torch.full((1 << 14,), float(i)),))
            for i in range(16)]
    for i, future in enumerate(many):
        good &= bool((future.wait() == 2 * i).all())
    return good


def run_rpc():
    """True on rank 0, on rank 1 what call() says."""
    options = rpc.TensorPipeRpcBackendOptions(
        init_method=f'tcp://{address}:29513', rpc_timeout=100,
        _transports=['uv'], _channels=['basic'])
    rpc.init_rpc(f'rank{rank}', rank=rank, world_size=2,
                 backend=rpc.BackendType.TENSORPIPE,
                 rpc_backend_options=options)
    good = rank == 0 or call()
    rpc.shutdown()
    return good


done = ddp() if kind == 'ddp' else run_rpc()
print(f'{kind} rank {rank}', 'right' if done else 'wrong', flush=True)
