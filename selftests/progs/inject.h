/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The packet injector: a peer of AF_MRC in user space.
 *
 * The process lives in one network namespace and sends what it likes, from
 * addresses that it makes up, to the module in another one, and reads what
 * comes back. Its sockets of AF_MRC belong to the other namespace. A test is
 * a script: send this, expect that; it runs in a process of its own and ends
 * at the first thing that is not as it must be.
 */
#ifndef MRC_SELFTESTS_INJECT_H
#define MRC_SELFTESTS_INJECT_H

#include <linux/types.h>
#include <linux/compiler.h>
#include <arpa/inet.h>
#include <endian.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <linux/mrc.h>
#include "kselftest.h"
#include "../../kernel/wire/format.h"

/* Addresses of the module's host; those of the injector are 10.9.10K.x. */
#define HOST0		inet_addr("10.9.0.2")
#define HOST1		inet_addr("10.9.1.2")
#define WITNESS		inet_addr("10.9.100.254")

#define DEAD_PORT	6999	/* nobody listens there */

/* Longest wait for what must happen, milliseconds; times MRC_SLOW. */
#define PATIENCE	10000

/* Sets of message types. */
#define TYPE(name)	(1u << MRC_WIRE_##name)
#define TYPE_ANY	(~0u)

/**
 * struct pkt - a packet that was received
 * @data: bytes after the UDP header
 * @len: their number
 * @src: source address
 * @dst: destination address
 * @sport: UDP source port, host order
 * @dport: UDP destination port, host order
 * @tos: type of service
 */
struct pkt {
	__u8 data[65536] __aligned(8);
	size_t len;
	in_addr_t src;
	in_addr_t dst;
	__u16 sport;
	__u16 dport;
	__u8 tos;
};

/**
 * struct key - key of a connection
 * @word: its halves
 */
struct key {
	__u64 word[2];
};

/**
 * struct conn - a connection as the injector sees it; all in host order but
 * the addresses
 * @ip: our address
 * @host: the module's address
 * @ev: our UDP source port, as the module sees it
 * @told: our UDP source port, as our messages say
 * @sport: our port
 * @dport: the application's port
 * @mss: what we say that we can take
 * @window: what we say that we accept
 * @cid: our id
 * @nonce: our nonce
 * @token: our token
 * @peer_cid: the module's id
 * @peer_nonce: the module's nonce
 * @peer_token: the module's token
 * @cookie: of the INIT_ACK
 * @cookie_time: of the INIT_ACK
 * @key: key
 * @psn: next packet number on path 0
 * @off: next stream offset
 * @asked: serial of the INIT
 * @serial: of ACKs and PINGs
 * @got: stream bytes received in order
 * @cum: packet number up to which all came on path 0
 * @mute: do not answer its PINGs
 */
struct conn {
	in_addr_t ip;
	in_addr_t host;
	__u16 ev;
	__u16 told;
	__u16 sport;
	__u16 dport;
	__u16 mss;
	__u64 window;
	__u64 cid;
	__u64 nonce;
	__u64 token;
	__u64 peer_cid;
	__u64 peer_nonce;
	__u64 peer_token;
	__u64 cookie;
	__u32 cookie_time;
	struct key key;
	__u32 psn;
	__u64 off;
	__u32 asked;
	__u32 serial;
	__u64 got;
	__u32 cum;
	bool mute;
};

/**
 * struct inject_test - a test
 * @name: name
 * @run: its script; returns when all was as it must be
 *
 * One whose name begins with "slow_" is only run when asked for by name.
 */
struct inject_test {
	const char *name;
	void (*run)(void);
};

extern const struct inject_test tests_open[], tests_refuse[], tests_join[],
	tests_path[], tests_data[], tests_fin[], tests_ack[], tests_reset[],
	tests_form[], tests_tail[], tests_secret[], tests_limit[],
	tests_announced[], tests_unreach[], tests_nat[];

/* The script ends with a message when @cond is not true. */
#define must(cond) \
	must_be(__FILE__, __LINE__, #cond, (cond))
#define must_eq(is, wanted) \
	must_equal(__FILE__, __LINE__, #is, (long long)(is), (long long)(wanted))

/* mrc_inject.c */
void __printf(1, 2) __noreturn fail(const char *fmt, ...);
void must_be(const char *file, int line, const char *text, bool cond);
void must_equal(const char *file, int line, const char *text, long long is,
		long long wanted);
long long now_ms(void);
int patience(void);
__u64 random64(void);

/*
 * inject_net.c. Each test has addresses of its own, so that what is left of an
 * earlier one does not disturb it: two on the way to the first address of the
 * host, one on the way to the second; and a port for its listener.
 */
extern __u16 udp_port, app_port;
extern in_addr_t us0, other, us1;
int net_open(const char *host_ns, unsigned int test);
void net_enter_host(void);
void net_leave_host(void);
void net_send(in_addr_t src, __u16 sport, in_addr_t dst, __u8 tos,
	      const void *data, size_t len);
void net_send_icmp(in_addr_t src, in_addr_t dst, const void *msg, size_t len,
		   __u16 spoil);
void net_send_segments(in_addr_t src, __u16 sport, in_addr_t dst,
		       const void *data, size_t len, __u16 segment);
bool net_recv(struct pkt *pkt, int ms);

/* inject_key.c */
__u64 key_siphash(const void *data, size_t len, const struct key *key);
void key_derive(struct key *key, __u64 client_cid, __u64 server_cid,
		__u64 client_nonce, __u64 server_nonce);
void key_sign(const struct key *key, void *msg, size_t len);
bool key_verify(const struct key *key, const void *msg, size_t len);

/* inject_conn.c */
void fill_hdr(struct mrc_wire_hdr *hdr, int type, __u16 path, __u32 psn,
	      __u64 cid);
void conn_init(struct conn *c, in_addr_t ip);
void conn_send(const struct conn *c, const void *msg, size_t len);
void conn_sign_send(const struct conn *c, void *msg, size_t len);
void send_init(const struct conn *c);
void take_init_ack(struct conn *c, const struct pkt *pkt);
void conn_greet(struct conn *c, in_addr_t ip);
void make_open(const struct conn *c, struct mrc_wire_open *msg);
void send_open(const struct conn *c);
int conn_open(struct conn *c, int listener);
struct pkt *expect(const struct conn *c, int type);
struct pkt *expect_to(in_addr_t dst, int type);
void watch(struct conn *c);
void nothing(unsigned int types);
int pkt_type(const struct pkt *pkt);

/* inject_serve.c */
int conn_serve(struct conn *c, int *fd);
void take_init(struct conn *c, const struct pkt *pkt);
void make_init_ack(const struct conn *c, struct mrc_wire_init_ack *msg);
void check_open(const struct conn *c, const struct pkt *pkt);

/* inject_stream.c */
size_t make_data(const struct conn *c, __u8 *buf, __u64 off, const void *data,
		 size_t len, __u8 flags);
void send_at(struct conn *c, __u64 off, const void *data, size_t len);
void send_data(struct conn *c, const void *data, size_t len);
void send_fin(struct conn *c, __u64 off);
size_t make_ack(const struct conn *c, void *buf, __u64 data_ack, __u64 window,
		int npaths);
void send_ack(struct conn *c);
void send_ping(struct conn *c, __u16 path, __u32 serial);
struct pkt *expect_ack(struct conn *c, __u64 data_ack);
struct pkt *conn_read(struct conn *c, const void *data, size_t len);
void conn_read_fin(struct conn *c);
void settle(struct conn *c, unsigned int types);
void send_reset(const struct conn *c, __u64 token, __u16 reason);
void expect_reset(const struct conn *c, __u16 reason);
void conn_forgotten(struct conn *c);

/* inject_app.c */
int app_socket(void);
int app_listen(__u16 port, int backlog);
int app_accept(int listener);
int app_connect(in_addr_t dst, __u16 port);
int app_connect_any(in_addr_t dst, __u16 port);
void app_connected(int fd);
void app_read(int fd, const void *data, size_t len);
void app_write(int fd, const void *data, size_t len);
void app_end(int fd);
void app_error(int fd, int wanted);
int app_pending(int fd);
int app_state(int fd);
void app_state_is(int fd, int state);
int app_paths(int fd);
struct mrc_info *app_info(int fd);
__u64 stat_get(const char *name);
int app_listing(int cmd, void *buf, size_t size);
void app_limit(int limit, unsigned int value);

#endif /* MRC_SELFTESTS_INJECT_H */
