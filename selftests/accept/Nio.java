// SPDX-License-Identifier: GPL-2.0
/*
 * Java's sockets for selftests/accept: Nio server|client ADDRESS PORT FILE.
 *
 * On PORT a Selector serves FILE with transferTo() and closes, on PORT + 1 a
 * ServerSocket echoes. The client reads the file without blocking, echoes,
 * reads back the options that the virtual machine has set, and is refused
 * where nobody listens. It says "Nio right" when all of it is as it should be.
 */
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import jdk.net.ExtendedSocketOptions;

public class Nio {
	static Path file;

	static void echo(Socket socket) {
		try (socket) {
			socket.setTcpNoDelay(true);
			socket.getInputStream().transferTo(
				socket.getOutputStream());
			socket.shutdownOutput();
		} catch (IOException e) {
			System.err.println(e);
		}
	}

	static void listen(InetSocketAddress address) throws IOException {
		ServerSocket server = new ServerSocket();

		server.setReuseAddress(true);
		server.bind(address);
		new Thread(() -> {
			while (true) {
				try {
					Socket socket = server.accept();

					new Thread(() -> echo(socket)).start();
				} catch (IOException e) {
					System.err.println(e);
				}
			}
		}).start();
	}

	/* A key's attachment is how much of the file the client has. */
	static void send(SelectionKey key, FileChannel blob) throws IOException {
		SocketChannel channel = (SocketChannel)key.channel();
		long done = (Long)key.attachment();

		done += blob.transferTo(done, blob.size() - done, channel);
		key.attach(done);
		if (done == blob.size())
			channel.close();
	}

	static void serve(InetSocketAddress address) throws IOException {
		Selector selector = Selector.open();
		ServerSocketChannel server = ServerSocketChannel.open();
		FileChannel blob = FileChannel.open(file);

		server.setOption(StandardSocketOptions.SO_REUSEPORT, true);
		server.bind(address);
		server.configureBlocking(false);
		server.register(selector, SelectionKey.OP_ACCEPT);
		while (true) {
			selector.select();
			for (SelectionKey key : selector.selectedKeys()) {
				if (key.isAcceptable()) {
					SocketChannel channel = server.accept();

					channel.configureBlocking(false);
					channel.register(selector,
						SelectionKey.OP_WRITE, 0L);
				} else {
					send(key, blob);
				}
			}
			selector.selectedKeys().clear();
		}
	}

	static boolean fetch(InetSocketAddress address) throws IOException {
		ByteBuffer got = ByteBuffer.allocateDirect(
			(int)Files.size(file) + 1);
		SocketChannel channel = SocketChannel.open();
		Selector selector = Selector.open();
		byte[] bytes;

		channel.configureBlocking(false);
		channel.connect(address);
		channel.register(selector, SelectionKey.OP_CONNECT);
		while (!channel.finishConnect())
			selector.select();
		channel.keyFor(selector).interestOps(SelectionKey.OP_READ);
		while (channel.read(got) >= 0)
			selector.select();
		channel.close();
		bytes = new byte[got.flip().remaining()];
		got.get(bytes);
		return Arrays.equals(bytes, Files.readAllBytes(file));
	}

	static boolean options(SocketChannel channel) throws IOException {
		channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
		channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
		channel.setOption(StandardSocketOptions.SO_LINGER, 2);
		channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 30);
		channel.getOption(ExtendedSocketOptions.TCP_QUICKACK);
		channel.getOption(ExtendedSocketOptions.SO_INCOMING_NAPI_ID);
		return channel.getOption(StandardSocketOptions.TCP_NODELAY) &&
			channel.getOption(StandardSocketOptions.SO_KEEPALIVE) &&
			channel.getOption(StandardSocketOptions.SO_LINGER) == 2 &&
			channel.getOption(
				ExtendedSocketOptions.TCP_KEEPIDLE) == 30;
	}

	static boolean exchange(InetSocketAddress address) throws Exception {
		SocketChannel channel = SocketChannel.open(address);
		byte[] sent = Files.readAllBytes(file);
		boolean good = options(channel);
		Thread writer = new Thread(() -> {
			try {
				ByteBuffer left = ByteBuffer.wrap(sent);

				while (left.hasRemaining())
					channel.write(left);
				channel.shutdownOutput();
			} catch (IOException e) {
				System.err.println(e);
			}
		});
		InputStream input = channel.socket().getInputStream();

		writer.start();
		good &= Arrays.equals(input.readAllBytes(), sent);
		writer.join();
		channel.close();
		return good;
	}

	static boolean refused(InetSocketAddress address) throws IOException {
		try (SocketChannel channel = SocketChannel.open(address)) {
			return false;
		} catch (ConnectException e) {
			return true;
		}
	}

	public static void main(String[] args) throws Exception {
		int port = Integer.parseInt(args[2]);
		InetSocketAddress first = new InetSocketAddress(args[1], port);
		InetSocketAddress next = new InetSocketAddress(args[1], port + 1);
		boolean good;

		file = Path.of(args[3]);
		if (args[0].equals("server")) {
			listen(next);
			serve(first);
		}
		good = fetch(first) & exchange(next) & refused(
			new InetSocketAddress(args[1], port + 2));
		System.out.println("Nio " + (good ? "right" : "wrong"));
	}
}
