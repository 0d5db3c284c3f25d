// SPDX-License-Identifier: GPL-2.0
/*
 * Moves the bytes of mrc_xfer, in both directions at once when asked: with
 * two threads on a blocking socket, or with one poll or epoll loop. In every
 * mode the sender shuts its side down when it is through and then waits for
 * the end of the other direction, so that "finished" means delivered.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "xfer.h"

enum step {
	STEP_FAILED = -1,
	STEP_MOVED,
	STEP_BLOCKED,
	STEP_DONE,
};

/* What both directions of the running transfer need. */
struct loop {
	int fd;
	const struct xfer_options *o;
	struct xfer_progress *p;
	struct xfer_stream tx;
	struct xfer_stream rx;
	unsigned char *buffer;
};

/**
 * xfer_loop_now() - monotonic clock
 *
 * Return: nanoseconds.
 */
__u64 xfer_loop_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static enum step failed(struct loop *l, const char *where)
{
	if (errno == EAGAIN || errno == EINTR)
		return STEP_BLOCKED;
	if (!l->p->error) {
		l->p->error = errno;
		l->p->where = where;
	}
	return STEP_FAILED;
}

static size_t next_write(const struct loop *l)
{
	const struct xfer_options *o = l->o;
	__u64 left;

	if (__atomic_load_n(&o->stop, __ATOMIC_RELAXED))
		return 0;
	if (!o->bytes)
		return xfer_loop_now() - l->p->started < o->seconds * 1e9 ?
		       o->write_size : 0;
	left = o->bytes - l->p->sent;
	return left < o->write_size ? left : o->write_size;
}

static enum step step_tx(struct loop *l)
{
	size_t len = l->o->tx ? next_write(l) : 0;
	ssize_t n;

	if (!len) {
		if (shutdown(l->fd, SHUT_WR) && errno != ENOTCONN)
			return failed(l, "shutdown");
		l->p->tx_done = true;
		return STEP_DONE;
	}
	n = send(l->fd, xfer_stream_at(&l->tx, l->p->sent), len, MSG_NOSIGNAL);
	if (n < 0)
		return failed(l, "send");
	l->p->sent += n;
	l->p->last_tx = xfer_loop_now();
	return STEP_MOVED;
}

static void note_gap(struct xfer_progress *p, __u64 now)
{
	if (p->received && now - p->last_rx > p->gap) {
		p->gap = now - p->last_rx;
		p->gap_at = p->received;
	}
	p->last_rx = now;
}

static void stall(unsigned int ms)
{
	struct timespec ts = {
		.tv_sec = ms / 1000,
		.tv_nsec = ms % 1000 * 1000000l,
	};

	nanosleep(&ts, NULL);
}

static enum step step_rx(struct loop *l)
{
	struct xfer_progress *p = l->p;
	bool first = !p->received;
	ssize_t n;

	n = recv(l->fd, l->buffer, l->o->read_size, 0);
	if (n < 0)
		return failed(l, "recv");
	if (!n) {
		p->rx_done = true;
		return STEP_DONE;
	}
	note_gap(p, xfer_loop_now());
	if (!l->o->rx) {
		p->mismatch = p->received;
		return STEP_FAILED;
	}
	if (l->o->verify) {
		p->mismatch = xfer_stream_compare(&l->rx, p->received,
						  l->buffer, n);
		if (p->mismatch >= 0)
			return STEP_FAILED;
	}
	p->received += n;
	if (first && l->o->stall_ms)
		stall(l->o->stall_ms);
	return STEP_MOVED;
}

static void *tx_thread(void *arg)
{
	enum step s;

	do
		s = step_tx(arg);
	while (s == STEP_MOVED || s == STEP_BLOCKED);
	return NULL;
}

static int run_blocking(struct loop *l)
{
	pthread_t tx;
	enum step s;

	if (!l->o->tx) {
		/* Half-close at the end only: the peer's data comes first. */
		do
			s = step_rx(l);
		while (s == STEP_MOVED || s == STEP_BLOCKED);
		tx_thread(l);
		return 0;
	}
	errno = pthread_create(&tx, NULL, tx_thread, l);
	if (errno) {
		failed(l, "pthread_create");
		return -1;
	}
	do
		s = step_rx(l);
	while (s == STEP_MOVED || s == STEP_BLOCKED);
	if (s == STEP_FAILED)
		shutdown(l->fd, SHUT_RDWR);
	pthread_join(tx, NULL);
	return 0;
}

/* Both directions until they would block; edge mode must drain fully. */
static enum step run_ready(struct loop *l, bool in, bool out)
{
	enum step rx = STEP_BLOCKED, tx = STEP_BLOCKED;
	bool drain = l->o->mode == XFER_EPOLLET;

	do {
		if (in && !l->p->rx_done)
			rx = step_rx(l);
		if (out && !l->p->tx_done && (l->o->tx || l->p->rx_done))
			tx = step_tx(l);
		if (rx == STEP_FAILED || tx == STEP_FAILED)
			return STEP_FAILED;
	} while (drain && (rx == STEP_MOVED || tx == STEP_MOVED));
	if (!l->o->tx && l->p->rx_done && !l->p->tx_done)
		return step_tx(l);
	return STEP_MOVED;
}

static bool finished(const struct loop *l)
{
	return l->p->rx_done && l->p->tx_done;
}

static int run_poll(struct loop *l)
{
	struct pollfd pfd = { .fd = l->fd };

	while (!finished(l)) {
		pfd.events = l->p->rx_done ? 0 : POLLIN;
		if (l->o->tx && !l->p->tx_done)
			pfd.events |= POLLOUT;
		if (poll(&pfd, 1, -1) < 0 && errno != EINTR) {
			failed(l, "poll");
			return -1;
		}
		if (run_ready(l, pfd.revents & (POLLIN | POLLHUP | POLLERR),
			      pfd.revents & (POLLOUT | POLLERR)) == STEP_FAILED)
			return -1;
	}
	return 0;
}

static int run_epoll(struct loop *l)
{
	struct epoll_event ev = { .events = EPOLLIN | EPOLLOUT };
	bool edge = l->o->mode == XFER_EPOLLET;
	int ep = epoll_create1(EPOLL_CLOEXEC);
	int ret = -1;

	if (edge)
		ev.events |= EPOLLET | EPOLLRDHUP;
	if (ep < 0 || epoll_ctl(ep, EPOLL_CTL_ADD, l->fd, &ev)) {
		failed(l, "epoll_ctl");
		goto out;
	}
	while (!finished(l)) {
		if (!edge) {
			ev.events = l->p->rx_done ? 0 : EPOLLIN;
			if (l->o->tx && !l->p->tx_done)
				ev.events |= EPOLLOUT;
			epoll_ctl(ep, EPOLL_CTL_MOD, l->fd, &ev);
		}
		if (epoll_wait(ep, &ev, 1, -1) < 0 && errno != EINTR) {
			failed(l, "epoll_wait");
			goto out;
		}
		if (run_ready(l, ev.events & ~(__u32)EPOLLOUT,
			      ev.events & (EPOLLOUT | EPOLLERR)) == STEP_FAILED)
			goto out;
	}
	ret = 0;
out:
	if (ep >= 0)
		close(ep);
	return ret;
}

/**
 * xfer_loop_run() - move everything that the options ask for
 * @fd: connected socket, closed on return
 * @o: options
 * @p: progress; all fields but the connect errors are set here
 *
 * Return: 0 when both directions ended, -1 otherwise (see @p).
 */
int xfer_loop_run(int fd, const struct xfer_options *o,
		  struct xfer_progress *p)
{
	const __u64 back = 0x5bd1e995u;
	struct loop l = { .fd = fd, .o = o, .p = p };
	int ret = -1;

	l.buffer = malloc(o->read_size);
	if (!l.buffer ||
	    xfer_stream_init(&l.tx, o->server ? o->seed ^ back : o->seed,
			     o->write_size) ||
	    xfer_stream_init(&l.rx, o->server ? o->seed : o->seed ^ back,
			     o->read_size)) {
		errno = ENOMEM;
		failed(&l, "malloc");
		goto out;
	}
	p->started = xfer_loop_now();
	p->last_rx = p->started;
	p->last_tx = p->started;
	if (o->mode == XFER_BLOCK)
		ret = run_blocking(&l);
	else if (o->mode == XFER_POLL)
		ret = run_poll(&l);
	else
		ret = run_epoll(&l);
out:
	close(fd);
	free(l.buffer);
	free(l.tx.bytes);
	free(l.rx.bytes);
	return finished(&l) ? ret : -1;
}
