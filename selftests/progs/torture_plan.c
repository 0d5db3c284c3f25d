// SPDX-License-Identifier: GPL-2.0
/*
 * What a transfer of mrc_torture does: everything follows from the seed and
 * the number of the transfer, so both ends know it and a failure can be
 * repeated. Modes take turns in a random order: a few dozen transfers have
 * them all.
 */
#include <stdio.h>
#include <string.h>

#include "torture.h"

/**
 * torture_plan_random() - next random number
 * @state: of the generator, SplitMix64 (Steele, Lea, Flood 2014)
 *
 * Return: 64 random bits.
 */
__u64 torture_plan_random(__u64 *state)
{
	__u64 z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

/**
 * torture_plan_below() - random number with a limit
 * @state: of the generator
 * @limit: more than any result
 *
 * Return: 0 to @limit - 1.
 */
__u32 torture_plan_below(__u64 *state, __u32 limit)
{
	return torture_plan_random(state) % limit;
}

/**
 * torture_plan_fill() - the bytes that all streams are pieces of
 * @data: TORTURE_DATA bytes
 * @seed: of the run
 *
 * Nothing repeats in them, so a byte that moved is seen wherever it came from.
 */
void torture_plan_fill(unsigned char *data, __u64 seed)
{
	size_t i;
	__u64 z;

	for (i = 0; i < TORTURE_DATA; i += sizeof(z)) {
		z = torture_plan_random(&seed);
		memcpy(data + i, &z, sizeof(z));
	}
}

static bool one_in(__u64 *state, __u32 n)
{
	return !torture_plan_below(state, n);
}

/* 1 to 2^bits, every order of magnitude as likely. */
static __u32 magnitude(__u64 *state, unsigned int bits)
{
	__u32 top = 1u << torture_plan_below(state, bits + 1);

	return top - torture_plan_below(state, (top + 1) / 2);
}

/* Each of @modes values once in every @modes transfers, in random order. */
static unsigned int turn(__u64 seed, unsigned int index, unsigned int salt,
			 unsigned int modes)
{
	__u64 state = seed ^ (__u64)salt << 56 ^ (__u64)(index / modes) << 24;
	unsigned int order[16], i, k, swap;

	for (i = 0; i < modes; i++)
		order[i] = i;
	for (i = modes - 1; i > 0; i--) {
		k = torture_plan_below(&state, i + 1);
		swap = order[i];
		order[i] = order[k];
		order[k] = swap;
	}
	return order[index % modes];
}

/* Small calls are half of all, but a long stream needs larger ones. */
static __u32 plan_chunk(__u64 *state)
{
	return one_in(state, 2) ? magnitude(state, 18) :
	       magnitude(state, 10) << 8;
}

static void plan_side(struct torture_side *s, __u64 *state, __u64 seed,
		      unsigned int index, unsigned int role)
{
	s->send = turn(seed, index, 4 * role + 1, SEND_MODES);
	s->recv = turn(seed, index, 4 * role + 2, RECV_MODES);
	s->wait = turn(seed, index, 4 * role + 3, WAIT_MODES);
	s->send_chunk = plan_chunk(state);
	s->recv_chunk = plan_chunk(state);
	s->sndbuf = one_in(state, 2) ? 0 : magnitude(state, 20);
	/* Below, TCP's window opens for one small packet at a time. */
	s->rcvbuf = one_in(state, 2) ? 0 : 4096 + magnitude(state, 20);
	s->notsent = one_in(state, 8) ? 1024 + magnitude(state, 16) : 0;
	/* TCP forgets to wake a blocked reader that has a part already. */
	s->lowat = s->wait != WAIT_BLOCK && one_in(state, 6) ?
		   magnitude(state, 13) : 0;
	s->maxseg = one_in(state, 6) ? 536 + torture_plan_below(state, 865) : 0;
	s->nodelay = one_in(state, 3);
	s->cork = one_in(state, 8);
	/* A corked tail would keep the socket from being writable. */
	if (s->cork)
		s->notsent = 0;
	s->linger = one_in(state, 8);
	s->lazy = one_in(state, 4);
}

/* Ways to end that cannot wait for one another. */
static void plan_finish(struct torture_plan *p, __u64 *state)
{
	int last = torture_plan_below(state, 2);

	p->side[last].finish = torture_plan_below(state, FINISH_LEAVE);
	if (!one_in(state, 3))
		return;
	/*
	 * A server that has nothing to read may just go. A client could be
	 * overtaken by its next connection on the way to accept().
	 */
	if (p->bytes[0])
		return;
	p->side[0].finish = torture_plan_below(state, FINISH_LEAVE);
	p->side[1].finish = FINISH_LEAVE;
}

static __u32 least(__u32 a, __u32 b)
{
	return a < b ? a : b;
}

/* A stream that small calls and windows can move in a few seconds. */
static __u32 plan_bytes(const struct torture_side *from,
			const struct torture_side *to, __u64 *state)
{
	__u32 bytes = magnitude(state, 22), window = TORTURE_LONGEST;

	if (one_in(state, 16))
		bytes = 0;
	else if (bytes < 1024 && !one_in(state, 4))
		bytes <<= 10;
	if (from->sndbuf)
		window = least(window, from->sndbuf);
	if (to->rcvbuf)
		window = least(window, to->rcvbuf);
	bytes = least(bytes, from->send_chunk * 1500);
	bytes = least(bytes, to->recv_chunk * 1500);
	if (window < 65536)
		bytes = least(bytes, (window < 2048 ? 2048 : window) * 16);
	return bytes;
}

/**
 * torture_plan_make() - decide what a transfer does
 * @p: gets it
 * @seed: of the run
 * @index: number of the transfer
 */
void torture_plan_make(struct torture_plan *p, __u64 seed, unsigned int index)
{
	__u64 state = seed + index * 0xd1342543de82ef95ull;
	unsigned int direction, i;

	memset(p, 0, sizeof(*p));
	torture_plan_random(&state);
	p->index = index;
	p->net = turn(seed, index, 9, NET_MODES);
	p->path = torture_plan_below(&state, 64);
	for (i = 0; i < 2; i++)
		plan_side(&p->side[i], &state, seed, index, i);
	direction = torture_plan_below(&state, 3);
	for (i = 0; i < 2; i++) {
		/* What must come before a read has to fit everywhere. */
		if (p->side[i].rcvbuf || p->side[!i].sndbuf)
			p->side[i].lowat = 0;
		if (direction != i)
			p->bytes[i] = plan_bytes(&p->side[i], &p->side[!i],
						 &state);
		p->start[i] = torture_plan_below(&state, TORTURE_LONGEST);
	}
	plan_finish(p, &state);
}

static int side_text(const struct torture_side *s, const char *name,
		     char *text, size_t size)
{
	static const char * const sends[] = {
		"write", "writev", "sendmsg+more", "sendmmsg", "mmap",
		"sendfile", "splice", "vmsplice"
	};
	static const char * const recvs[] = {
		"read", "readv", "recvmsg", "peek", "waitall", "splice"
	};
	static const char * const waits[] = {
		"block", "poll", "select", "epoll", "epollet"
	};
	static const char * const ends[] = { "shut", "last", "close", "leave" };

	return snprintf(text, size,
			"%s: %s by %zu, %s by %zu, %s, %s, sndbuf %d rcvbuf %d notsent %d lowat %d maxseg %d%s%s%s%s",
			name, sends[s->send], s->send_chunk, recvs[s->recv],
			s->recv_chunk, waits[s->wait], ends[s->finish],
			s->sndbuf, s->rcvbuf, s->notsent, s->lowat, s->maxseg,
			s->nodelay ? " nodelay" : "", s->cork ? " cork" : "",
			s->linger ? " linger" : "", s->lazy ? " lazy" : "");
}

/**
 * torture_plan_text() - say what a transfer does
 * @p: transfer
 * @text: gets one line, without its end
 * @size: of @text
 */
void torture_plan_text(const struct torture_plan *p, char *text, size_t size)
{
	static const char * const nets[] = {
		"ipv4", "ipv6", "mapped", "dual4", "dual6"
	};
	size_t used;

	used = snprintf(text, size, "%s, %u bytes there, %u back; ",
			nets[p->net], p->bytes[0], p->bytes[1]);
	used += side_text(&p->side[0], "client", text + used, size - used);
	used += snprintf(text + used, size - used, "; ");
	side_text(&p->side[1], "server", text + used, size - used);
}
