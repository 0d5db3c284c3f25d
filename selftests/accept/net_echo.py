#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Python's own servers for selftests/accept: net_echo.py KIND server|client
ADDRESS PORT [FILE], with KIND socketserver, asyncio or zmq.

The client gets back what it sends, and FILE from socketserver by sendfile().
It says "net_echo right" when all is as it was.
"""
import asyncio
import socket
import socketserver
import sys

PATTERN = bytes(range(256)) * 8192
SHORT = 10


class Handler(socketserver.BaseRequestHandler):
    """Ten bytes are peeked at and say what is wanted: the file, or an echo."""

    def handle(self):
        peeked = self.request.recv(SHORT, socket.MSG_PEEK)
        word = self.request.recv(SHORT, socket.MSG_WAITALL)
        if not word.startswith(peeked):
            return
        if word.strip() == b'file':
            with open(sys.argv[5], 'rb') as file:
                self.request.sendfile(file)
            return
        while data := self.request.recv(65536):
            self.request.sendall(data)


class Server(socketserver.ThreadingTCPServer):
    """Rebinds at once and leaves threads behind when it is killed."""
    allow_reuse_address = True
    daemon_threads = True


def read_all(sock):
    """Everything until the other side is done."""
    parts = []
    while data := sock.recv(1 << 20):
        parts.append(data)
    return b''.join(parts)


def socketserver_server(address):
    """Runs for good."""
    Server(address, Handler).serve_forever()


def socketserver_client(address):
    """The file, then an echo after half a close."""
    with open(sys.argv[5], 'rb') as file:
        wanted = file.read()
    with socket.create_connection(address, timeout=50) as sock:
        sock.sendall(b'file'.ljust(SHORT))
        good = read_all(sock) == wanted
    with socket.create_connection(address, timeout=50) as sock:
        sock.settimeout(None)   # a time-out would undo MSG_WAITALL
        sock.sendall(b'echo'.ljust(SHORT))
        for start in range(0, len(PATTERN), 65536):
            part = PATTERN[start:start + 65536]
            sock.sendall(part)
            good &= sock.recv(len(part), socket.MSG_WAITALL) == part
        sock.shutdown(socket.SHUT_WR)
        return good and not sock.recv(1)


async def asyncio_answer(reader, writer):
    """Echo, with back-pressure, until the client's half is closed."""
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.write_eof()
    writer.close()


async def asyncio_serve(address):
    """Runs for good."""
    server = await asyncio.start_server(asyncio_answer, *address)
    await server.serve_forever()


async def asyncio_call(address):
    """One connection that writes and reads at the same time."""
    reader, writer = await asyncio.open_connection(*address)

    async def feed():
        writer.write(PATTERN)
        await writer.drain()
        writer.write_eof()

    task = asyncio.create_task(feed())
    got = await reader.read(-1)
    await task
    writer.close()
    return got == PATTERN


async def asyncio_calls(address):
    """Eight of them at once."""
    return all(await asyncio.gather(*(asyncio_call(address)
                                      for _ in range(8))))


def asyncio_server(address):
    """Runs for good."""
    asyncio.run(asyncio_serve(address))


def asyncio_client(address):
    """True when all is right."""
    return asyncio.run(asyncio_calls(address))


def zmq_server(address):
    """A reply for each request, a part for a part."""
    import zmq

    sock = zmq.Context().socket(zmq.REP)
    sock.bind('tcp://%s:%d' % address)
    while True:
        sock.send_multipart(sock.recv_multipart())


def zmq_client(address):
    """Messages of one byte up to 2 MiB, some of several parts."""
    import zmq

    good = True
    sock = zmq.Context().socket(zmq.REQ)
    sock.setsockopt(zmq.RCVTIMEO, 50000)
    sock.setsockopt(zmq.TCP_KEEPALIVE, 1)
    sock.connect('tcp://%s:%d' % address)
    for size in (1, 100, 1000, 65536, len(PATTERN)):
        for parts in (1, 3):
            message = [PATTERN[:size]] * parts
            sock.send_multipart(message)
            good &= sock.recv_multipart() == message
    sock.close()
    return good


kind, role, host, port = sys.argv[1:5]
done = globals()[f'{kind}_{role}']((host, int(port)))
print('net_echo', 'right' if done else 'wrong')
