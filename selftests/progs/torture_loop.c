// SPDX-License-Identifier: GPL-2.0
/*
 * Moves the two streams of a transfer of mrc_torture: with two threads on a
 * socket that blocks, else with one loop around poll(), select() or epoll.
 * Ends them in the order of the plan and closes the socket.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "torture.h"

enum step { STEP_FAILED = -1, STEP_MOVED, STEP_BLOCKED, STEP_DONE };

/**
 * torture_fail() - note what went wrong first
 * @e: end
 * @format: of printf()
 *
 * Return: -1, and errno is 0.
 */
int torture_fail(struct torture_end *e, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!e->error[0])
		vsnprintf(e->error, sizeof(e->error), format, args);
	va_end(args);
	errno = 0;
	return -1;
}

static enum step failed(struct torture_end *e, const char *what)
{
	if (errno == EAGAIN || errno == EINTR)
		return STEP_BLOCKED;
	torture_fail(e, "%s: %s", what, strerror(errno));
	return STEP_FAILED;
}

static bool all_sent(const struct torture_end *e)
{
	return e->sent == e->plan->bytes[e->role];
}

/* May this side end its stream now? */
static bool may_end(const struct torture_end *e)
{
	enum torture_finish finish = e->side->finish;

	return all_sent(e) && (finish == FINISH_SHUT ||
			       finish == FINISH_LEAVE || e->rx_done);
}

static enum step step_tx(struct torture_end *e)
{
	__u32 left = e->plan->bytes[e->role] - e->sent, len;
	enum torture_finish finish = e->side->finish;
	ssize_t n;

	if (!left) {
		if (!may_end(e))
			return STEP_BLOCKED;
		e->tx_done = true;
		if (finish != FINISH_SHUT && finish != FINISH_LAST)
			return STEP_DONE;
		return shutdown(e->fd, SHUT_WR) ? failed(e, "shutdown") :
		       STEP_DONE;
	}
	len = 1 + torture_plan_below(&e->dice[0], e->side->send_chunk);
	n = torture_send_some(e, len < left ? len : left);
	if (n < 0)
		return failed(e, "send");
	if (!n) {
		torture_fail(e, "sent nothing");
		return STEP_FAILED;
	}
	e->sent += n;
	return STEP_MOVED;
}

static void rest(struct torture_end *e)
{
	struct timespec ts = {
		.tv_nsec = torture_plan_below(&e->dice[1], 5000000),
	};

	nanosleep(&ts, NULL);
}

static enum step step_rx(struct torture_end *e)
{
	ssize_t n;

	if (e->side->lazy && !torture_plan_below(&e->dice[1], 64))
		rest(e);
	n = torture_recv_some(e, 1 + torture_plan_below(&e->dice[1],
							e->side->recv_chunk));
	if (n < 0)
		return failed(e, "receive");
	e->received += n;
	if (n)
		return STEP_MOVED;
	if (e->received != e->plan->bytes[!e->role]) {
		torture_fail(e, "end after %u of %u bytes", e->received,
			     e->plan->bytes[!e->role]);
		return STEP_FAILED;
	}
	e->rx_done = true;
	return STEP_DONE;
}

/* All but the end, when that has to wait for the other side. */
static void *tx_thread(void *arg)
{
	struct torture_end *e = arg;
	enum step s = STEP_MOVED;

	while ((s == STEP_MOVED || s == STEP_BLOCKED) &&
	       (!all_sent(e) || e->side->finish == FINISH_SHUT))
		s = step_tx(e);
	return NULL;
}

static void run_block(struct torture_end *e)
{
	pthread_t tx;
	enum step s;

	if (pthread_create(&tx, NULL, tx_thread, e)) {
		torture_fail(e, "no thread");
		return;
	}
	do
		s = step_rx(e);
	while (s == STEP_MOVED || s == STEP_BLOCKED);
	/* Frees the other thread. */
	if (s == STEP_FAILED)
		shutdown(e->fd, SHUT_RDWR);
	pthread_join(tx, NULL);
	if (!e->error[0] && !e->tx_done)
		step_tx(e);
}

static int wait_poll(struct torture_end *e, int events)
{
	struct pollfd pfd = { .fd = e->fd, .events = events };

	return poll(&pfd, 1, -1) < 0 ? -1 : pfd.revents;
}

static int wait_select(struct torture_end *e, int events)
{
	fd_set in, out;
	int seen = 0;

	FD_ZERO(&in);
	FD_ZERO(&out);
	if (events & POLLIN)
		FD_SET(e->fd, &in);
	if (events & POLLOUT)
		FD_SET(e->fd, &out);
	if (select(e->fd + 1, &in, &out, NULL, NULL) < 0)
		return -1;
	if (FD_ISSET(e->fd, &in))
		seen |= POLLIN;
	if (FD_ISSET(e->fd, &out))
		seen |= POLLOUT;
	return seen;
}

static int wait_epoll(struct torture_end *e, int ep, int events)
{
	struct epoll_event ev = { .events = events };

	if (e->side->wait == WAIT_EPOLL &&
	    epoll_ctl(ep, EPOLL_CTL_MOD, e->fd, &ev))
		return -1;
	return epoll_wait(ep, &ev, 1, -1) < 0 ? -1 : (int)ev.events;
}

static int wait_any(struct torture_end *e, int ep)
{
	int events = e->rx_done ? 0 : POLLIN;

	if (!e->tx_done && (!all_sent(e) || may_end(e)))
		events |= POLLOUT;
	if (e->side->wait == WAIT_POLL)
		return wait_poll(e, events);
	if (e->side->wait == WAIT_SELECT)
		return wait_select(e, events);
	return wait_epoll(e, ep, events);
}

/* Edges come once: go on until both directions would block. */
static bool run_ready(struct torture_end *e, int seen)
{
	bool edge = e->side->wait == WAIT_EPOLLET;
	enum step rx, tx;

	do {
		rx = STEP_BLOCKED;
		tx = STEP_BLOCKED;
		if ((edge || seen & ~POLLOUT) && !e->rx_done)
			rx = step_rx(e);
		if (rx != STEP_FAILED && !e->tx_done &&
		    (edge || seen & ~POLLIN || may_end(e)))
			tx = step_tx(e);
		if (rx == STEP_FAILED || tx == STEP_FAILED)
			return false;
	} while (edge && (rx != STEP_BLOCKED || tx == STEP_MOVED));
	return true;
}

static void run_ready_loop(struct torture_end *e)
{
	struct epoll_event ev = { .events = EPOLLIN | EPOLLOUT | EPOLLRDHUP };
	int ep = epoll_create1(EPOLL_CLOEXEC);
	int seen;

	if (e->side->wait == WAIT_EPOLLET)
		ev.events |= EPOLLET;
	if (ep < 0 || epoll_ctl(ep, EPOLL_CTL_ADD, e->fd, &ev)) {
		failed(e, "epoll_ctl");
		goto out;
	}
	while (!e->rx_done || !e->tx_done) {
		seen = wait_any(e, ep);
		if (seen < 0 && failed(e, "wait") == STEP_FAILED)
			break;
		if (seen >= 0 && !run_ready(e, seen))
			break;
		if (e->tx_done && e->side->finish == FINISH_LEAVE)
			break;
	}
out:
	if (ep >= 0)
		close(ep);
}

/* Writes all, reads nothing. */
static void run_leave(struct torture_end *e)
{
	enum step s;

	do
		s = step_tx(e);
	while (s == STEP_MOVED);
}

/**
 * torture_loop_run() - move both streams, check one, close the socket
 * @e: end with a connected socket
 *
 * Return: 0 when all was as planned, else -1 and an error in @e.
 */
int torture_loop_run(struct torture_end *e)
{
	if (e->side->wait != WAIT_BLOCK)
		run_ready_loop(e);
	else if (e->side->finish == FINISH_LEAVE)
		run_leave(e);
	else
		run_block(e);
	if (close(e->fd) && !e->error[0])
		torture_fail(e, "close: %s", strerror(errno));
	return e->error[0] ? -1 : 0;
}
