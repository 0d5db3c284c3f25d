#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Inference with a model that is split by layers over hosts: each computes its
layer and sends what comes out to the next by gRPC; the last one answers with
a score per row, and the answer goes back the same way. A step is one batch of
four parts, which are under way together. The scores are compared with those
of the whole model in one place; weights and inputs are small whole numbers,
so both are exact. The program knows nothing of AF_MRC: README.md says how it
is started.

usage: pipeline.py worker LAYER LISTEN-ADDRESS:PORT [NEXT-ADDRESS:PORT]
       pipeline.py drive NEXT-ADDRESS:PORT [BYTESxSTEPS...]

The driver has layer 0, the last worker has the last of the three layers.
BYTES is the size of one tensor. For each BYTESxSTEPS the driver prints the
time of every step, at last median and p99.
"""
import concurrent.futures
import sys
import time

import grpc
import numpy

WIDTH = 16      # channels; one row is 64 bytes
PARTS = 4       # of a batch
METHOD = '/pipeline/forward'
LIMITS = [('grpc.max_receive_message_length', 64 << 20),
          ('grpc.max_send_message_length', 64 << 20)]


def weights(layer):
    """The fixed weights of a layer; the last one has a single output."""
    outputs = 1 if layer == 2 else WIDTH
    table = numpy.arange(WIDTH * outputs) * (layer + 3) % 5 - 2
    return table.reshape(WIDTH, outputs).astype(numpy.float32)


def compute(layer, rows):
    """One layer; all but the last one are followed by a ReLU."""
    out = rows @ weights(layer)
    if layer != 2:
        out[out < 0] = 0    # emulated CPUs crash in numpy.maximum()
    return out


def unpack(data):
    """The tensor in a message."""
    return numpy.frombuffer(data, dtype=numpy.float32).reshape(-1, WIDTH)


class Layer(grpc.GenericRpcHandler):
    """The service of one host, without generated code."""

    def __init__(self, layer, forward):
        self.layer = layer
        self.forward = forward

    def answer(self, data, _):
        """Computes, and asks the next host for the rest."""
        out = compute(self.layer, unpack(data)).tobytes()
        return self.forward(out, timeout=600) if self.forward else out

    def service(self, call):
        """Finds the handler of a method."""
        return (grpc.unary_unary_rpc_method_handler(self.answer)
                if call.method == METHOD else None)


def connect(target):
    """A function that calls the next host."""
    channel = grpc.insecure_channel(target, options=LIMITS)
    grpc.channel_ready_future(channel).result(timeout=60)
    return channel.unary_unary(METHOD)


def work(layer, listen, target=None):
    """Serves until it is ended."""
    forward = connect(target) if target else None
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(PARTS),
                         handlers=(Layer(layer, forward),), options=LIMITS)
    if not server.add_insecure_port(listen):
        sys.exit(f'cannot listen on {listen}')
    server.start()
    print('ready', flush=True)
    server.wait_for_termination()


def step(forward, inputs, wanted):
    """One batch; returns the number of parts that came back wrong."""
    calls = [forward.future(compute(0, rows).tobytes(), timeout=600)
             for rows in inputs]
    return sum(not numpy.array_equal(
        numpy.frombuffer(call.result(), dtype=numpy.float32), want)
        for call, want in zip(calls, wanted))


def measure(forward, size, steps):
    """Times some steps with tensors of a size; returns the wrong ones."""
    rows = numpy.arange(size // 4).reshape(-1, WIDTH)
    inputs = [((rows + part) % 7).astype(numpy.float32)
              for part in range(PARTS)]
    wanted = [compute(2, compute(1, compute(0, part))).ravel()
              for part in inputs]
    wrong = step(forward, inputs, wanted)   # not counted: caches are cold
    times = []
    for number in range(steps):
        begin = time.monotonic()
        wrong += step(forward, inputs, wanted)
        times.append((time.monotonic() - begin) * 1000)
        print(f'step {number} {times[-1]:.1f} ms', flush=True)
    times.sort()
    print(f'hosts 3 bytes {size} steps {steps}',
          f'median_ms {times[steps // 2]:.1f}',
          f'p99_ms {times[(99 * steps + 99) // 100 - 1]:.1f}',
          f'max_ms {times[-1]:.1f}', 'wrong' if wrong else 'right', flush=True)
    return wrong


def drive(target, *runs):
    """Returns the exit status."""
    forward = connect(target)
    wrong = 0
    for run in runs or ['16384x100', '262144x40', '1048576x20', '8388608x5']:
        wrong += measure(forward, *map(int, run.split('x')))
    return wrong != 0


if sys.argv[1:2] == ['worker'] and 4 <= len(sys.argv) <= 5:
    work(int(sys.argv[2]), *sys.argv[3:])
elif sys.argv[1:2] == ['drive'] and len(sys.argv) >= 3:
    sys.exit(drive(*sys.argv[2:]))
else:
    sys.exit(__doc__)
