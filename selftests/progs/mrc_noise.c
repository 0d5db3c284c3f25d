// SPDX-License-Identifier: GPL-2.0
/*
 * mrc_noise - sends bad packets to the MRC port, seeded. Records packets that
 * leave through a device while a real connection runs, then puts into the same
 * device: random bytes, plausible headers, and the recorded packets replayed,
 * cut short, altered or with a wrong checksum. Used by cases/bad_packets.sh.
 *
 * Altered packets get a random connection id: a packet with the right id, the
 * right addresses and a right checksum is not bad but forged, and no
 * unencrypted protocol can tell it from a true one.
 *
 * Exit status: 0 all sent, 1 a call failed or nothing to record, 2 usage.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/types.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define RECORDS	512
#define LISTEN	3	/* seconds from the first packet on */
#define FRAME	1514
#define HEADERS	(ETH_HLEN + sizeof(struct iphdr) + sizeof(struct udphdr))
#define ROOM	(FRAME - HEADERS)
#define CID	8	/* offset of the connection id in the MRC header */
#define DATA	0	/* low five bits of the first byte */

enum kind {
	RANDOM,
	HEADER,
	REPLAY,
	TRUNCATE,
	ALTER,
	CHECKSUM,
	KINDS,
};

static const char * const names[KINDS] = {
	"random", "header", "replay", "truncate", "alter", "checksum",
};

/* One recorded frame, from its Ethernet header on. */
struct record {
	unsigned char frame[FRAME];
	size_t len;
};

static struct record records[RECORDS];
static unsigned int recorded;
static unsigned int recorded_data;
static const char *device;
static unsigned int port;
static unsigned int count = 1000;
static unsigned int rate = 2000;
static unsigned int patience = 30;
static __u64 seed = 1;
static unsigned int kinds = (1 << KINDS) - 1;
static unsigned long sent[KINDS];

static __u32 next_random(void)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return seed >> 33;
}

static void fill_random(unsigned char *data, size_t len)
{
	while (len--)
		*data++ = next_random();
}

static int open_device(void)
{
	struct sockaddr_ll ll = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = if_nametoindex(device),
	};
	int fd = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL));

	if (fd >= 0 && bind(fd, (struct sockaddr *)&ll, sizeof(ll))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Leaves only outgoing UDP frames to the port; the headers have no options. */
static bool is_wanted(const unsigned char *frame, ssize_t len,
		      const struct sockaddr_ll *from)
{
	struct iphdr ip;
	struct udphdr udp;

	if (from->sll_pkttype != PACKET_OUTGOING ||
	    len < (ssize_t)HEADERS + 1 || len > FRAME)
		return false;
	memcpy(&ip, frame + ETH_HLEN, sizeof(ip));
	memcpy(&udp, frame + ETH_HLEN + sizeof(ip), sizeof(udp));
	return from->sll_protocol == htons(ETH_P_IP) && ip.ihl == 5 &&
	       ip.protocol == IPPROTO_UDP && udp.dest == htons(port);
}

/* Data packets are many; leave half of the room for all others. */
static void keep(const unsigned char *frame, size_t len)
{
	bool data = (frame[HEADERS] & 0x1f) == DATA;

	if (recorded == RECORDS || (data && recorded_data == RECORDS / 2))
		return;
	memcpy(records[recorded].frame, frame, len);
	records[recorded++].len = len;
	recorded_data += data;
}

static int record_frames(int fd)
{
	static unsigned char frame[65600];
	struct sockaddr_ll from;
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	time_t end = time(NULL) + patience;
	bool waiting = true;
	socklen_t fromlen;
	ssize_t len;

	while (recorded < RECORDS && time(NULL) < end) {
		if (poll(&pfd, 1, 100) <= 0)
			continue;
		fromlen = sizeof(from);
		len = recvfrom(fd, frame, sizeof(frame), MSG_DONTWAIT,
			       (struct sockaddr *)&from, &fromlen);
		if (len <= 0 || !is_wanted(frame, len, &from))
			continue;
		keep(frame, len);
		if (waiting)
			end = time(NULL) + LISTEN;
		waiting = false;
	}
	fprintf(stderr, "recorded %u packets, %u with data\n", recorded,
		recorded_data);
	return recorded ? 0 : -1;
}

static __u32 add(const void *data, size_t len, __u32 sum)
{
	const unsigned char *p = data;

	for (; len > 1; len -= 2, p += 2)
		sum += p[0] << 8 | p[1];
	return len ? sum + (p[0] << 8) : sum;
}

static __u16 fold(__u32 sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons(~sum);
}

/* Lengths and checksums for @len bytes after the UDP header. */
static void finish_headers(unsigned char *frame, size_t len)
{
	struct iphdr ip;
	struct udphdr udp;
	__u32 sum;

	memcpy(&ip, frame + ETH_HLEN, sizeof(ip));
	memcpy(&udp, frame + ETH_HLEN + sizeof(ip), sizeof(udp));
	ip.tot_len = htons(sizeof(ip) + sizeof(udp) + len);
	ip.check = 0;
	ip.check = fold(add(&ip, sizeof(ip), 0));
	udp.len = htons(sizeof(udp) + len);
	udp.check = 0;
	sum = add(&ip.saddr, 8, IPPROTO_UDP + sizeof(udp) + len);
	sum = add(&udp, sizeof(udp), sum);
	udp.check = fold(add(frame + HEADERS, len, sum));
	if (!udp.check)
		udp.check = 0xffff;
	memcpy(frame + ETH_HLEN, &ip, sizeof(ip));
	memcpy(frame + ETH_HLEN + sizeof(ip), &udp, sizeof(udp));
}

/* Writes the bytes after the UDP header; returns how many. */
static size_t make_payload(enum kind kind, unsigned char *data, size_t len)
{
	switch (kind) {
	case RANDOM:
		len = next_random() % ROOM;
		fill_random(data, len);
		break;
	case HEADER:
		/* Version and type as recorded or nearly so, the rest not. */
		len = 1 + next_random() % 200;
		fill_random(data + 1, len - 1);
		if (next_random() % 4 == 0)
			data[0] ^= 1 << next_random() % 8;
		break;
	case TRUNCATE:
		len = next_random() % len;
		break;
	case ALTER:
		data[next_random() % len] ^= 1 << next_random() % 8;
		if (len >= CID + 8)
			fill_random(data + CID, 8);
		break;
	default:
		break;
	}
	return len;
}

static int send_one(int fd, enum kind kind)
{
	struct record r = records[next_random() % recorded];
	unsigned char *data = r.frame + HEADERS;
	size_t len = make_payload(kind, data, r.len - HEADERS);

	finish_headers(r.frame, len);
	if (kind == CHECKSUM)
		data[next_random() % len] ^= 1 << next_random() % 8;
	if (send(fd, r.frame, HEADERS + len, 0) < 0)
		return errno == ENOBUFS ? 0 : -1;
	sent[kind]++;
	return 0;
}

static void pace(const struct timespec *start, unsigned int done)
{
	struct timespec at = *start;
	__u64 ns = at.tv_nsec + done * (1000000000ull / rate);

	at.tv_sec += ns / 1000000000;
	at.tv_nsec = ns % 1000000000;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static enum kind next_kind(void)
{
	enum kind kind;

	do
		kind = next_random() % KINDS;
	while (!(kinds & 1 << kind));
	return kind;
}

static int send_noise(int fd)
{
	struct timespec start;
	unsigned int i;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (i = 0; i < count; i++) {
		if (i % 16 == 0)
			pace(&start, i);
		if (send_one(fd, next_kind()))
			return -1;
	}
	return 0;
}

static void usage(void)
{
	fprintf(stderr, "mrc_noise --dev DEVICE --port PORT [--count N] ");
	fprintf(stderr, "[--rate N] [--seed N] [--patience S] [--kinds A,B]\n");
	exit(2);
}

static void set_kinds(char *words)
{
	unsigned int kind;
	char *word;

	kinds = 0;
	for (word = strtok(words, ","); word; word = strtok(NULL, ",")) {
		for (kind = 0; kind < KINDS; kind++)
			if (!strcmp(word, names[kind]))
				break;
		if (kind == KINDS)
			usage();
		kinds |= 1 << kind;
	}
	if (!kinds)
		usage();
}

static void parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "dev", required_argument, NULL, 'd' },
		{ "port", required_argument, NULL, 'p' },
		{ "count", required_argument, NULL, 'n' },
		{ "rate", required_argument, NULL, 'r' },
		{ "seed", required_argument, NULL, 's' },
		{ "patience", required_argument, NULL, 't' },
		{ "kinds", required_argument, NULL, 'k' },
		{ }
	};
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == 'd')
			device = optarg;
		else if (opt == 'p')
			port = atoi(optarg);
		else if (opt == 'n')
			count = atoi(optarg);
		else if (opt == 'r')
			rate = atoi(optarg);
		else if (opt == 's')
			seed = strtoull(optarg, NULL, 0);
		else if (opt == 't')
			patience = atoi(optarg);
		else if (opt == 'k')
			set_kinds(optarg);
		else
			usage();
	}
	if (!device || !port || !rate || optind < argc)
		usage();
}

int main(int argc, char **argv)
{
	unsigned int kind;
	int fd;

	parse(argc, argv);
	fd = open_device();
	if (fd < 0) {
		perror(device);
		return 1;
	}
	fprintf(stderr, "ready\n");
	if (record_frames(fd)) {
		fprintf(stderr, "no packet to port %u left by %s\n", port,
			device);
		return 1;
	}
	if (send_noise(fd)) {
		perror("send");
		return 1;
	}
	for (kind = 0; kind < KINDS; kind++)
		printf("%s %lu\n", names[kind], sent[kind]);
	close(fd);
	return 0;
}
