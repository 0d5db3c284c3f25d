#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""gRPC for selftests/accept: grpc_echo.py server|client|zerocopy ADDRESS:PORT.

The client sends three messages of 4 MiB one by one and a stream of sixteen
of 64 KiB; everything comes back and is compared. "zerocopy" is a client that
asks for zero-copy sending.
"""
import concurrent.futures
import sys

import grpc

LIMITS = [('grpc.max_receive_message_length', 32 << 20),
          ('grpc.max_send_message_length', 32 << 20)]
ZEROCOPY = [('grpc.experimental.tcp_tx_zerocopy_enabled', 1),
            ('grpc.experimental.tcp_tx_zerocopy_send_bytes_threshold', 4096)]


class Echo(grpc.GenericRpcHandler):
    """Both methods of the service, without generated code."""

    def service(self, call):
        """Finds the handler of a method."""
        if call.method == '/accept/one':
            return grpc.unary_unary_rpc_method_handler(lambda data, _: data)
        return grpc.stream_stream_rpc_method_handler(lambda data, _: data)


def serve(target):
    """Answers until it is killed."""
    pool = concurrent.futures.ThreadPoolExecutor(4)
    server = grpc.server(pool, handlers=(Echo(),), options=LIMITS)
    if not server.add_insecure_port(target):
        sys.exit('cannot bind')
    server.start()
    server.wait_for_termination()


def call(target, options):
    """Returns the number of bytes that came back unchanged."""
    good = 0
    with grpc.insecure_channel(target, options=options) as channel:
        grpc.channel_ready_future(channel).result(timeout=50)
        one = channel.unary_unary('/accept/one')
        for byte in b'abc':
            data = bytes([byte]) * (4 << 20)
            good += len(data) * (one(data, timeout=50) == data)
        parts = [bytes([byte]) * 65536 for byte in range(16)]
        stream = channel.stream_stream('/accept/many')
        for want, got in zip(parts, stream(iter(parts), timeout=50)):
            good += len(got) * (want == got)
    return good


if sys.argv[1] == 'server':
    serve(sys.argv[2])
else:
    extra = ZEROCOPY if sys.argv[1] == 'zerocopy' else []
    print('bytes right:', call(sys.argv[2], LIMITS + extra))
