// SPDX-License-Identifier: GPL-2.0
/*
 * The injector as listening host: the module connects to it.
 */
#include "inject.h"

/* What the client says of itself in its INIT. */
void take_init(struct conn *c, const struct pkt *pkt)
{
	const struct mrc_wire_init *msg = (const void *)pkt->data;

	must_eq(pkt->len, sizeof(*msg));
	must_eq(pkt->dport, udp_port);
	must_eq(be64toh(msg->hdr.cid), 0);
	must_eq(ntohs(msg->udp_sport), pkt->sport);
	must_eq(ntohs(msg->dport), c->sport);
	must(msg->cid && msg->nonce);
	c->host = pkt->src;
	c->dport = ntohs(msg->sport);
	c->peer_cid = be64toh(msg->cid);
	c->peer_nonce = be64toh(msg->nonce);
	c->peer_token = 0;
	key_derive(&c->key, c->peer_cid, c->cid, c->peer_nonce, c->nonce);
}

void make_init_ack(const struct conn *c, struct mrc_wire_init_ack *msg)
{
	memset(msg, 0, sizeof(*msg));
	fill_hdr(&msg->hdr, MRC_WIRE_INIT_ACK, 0, 0, c->peer_cid);
	msg->cid = htobe64(c->cid);
	msg->nonce = htobe64(c->nonce);
	msg->cookie = htobe64(c->cookie);
	msg->cookie_time = htonl(c->cookie_time);
	msg->nonce_echo = htobe64(c->peer_nonce);
	msg->token = htobe64(c->token);
}

/* The OPEN brings everything back, under the right key. */
void check_open(const struct conn *c, const struct pkt *pkt)
{
	const struct mrc_wire_open *msg = (const void *)pkt->data;

	must_eq(pkt->len, sizeof(*msg));
	must(key_verify(&c->key, msg, sizeof(*msg)));
	must(be64toh(msg->cid) == c->peer_cid);
	must(be64toh(msg->nonce) == c->peer_nonce);
	must(be64toh(msg->cookie) == c->cookie);
	must_eq(ntohl(msg->cookie_time), c->cookie_time);
	must_eq(ntohs(msg->sport), c->dport);
	must_eq(ntohs(msg->dport), c->sport);
	must_eq(ntohs(msg->udp_sport), pkt->sport);
	must(be64toh(msg->window) > 0);
}

/*
 * The module connects to us; leaves the application's socket in @fd. The OPEN
 * was taken, nothing was sent in answer to it. Returns the client's token.
 */
int conn_serve(struct conn *c, int *fd)
{
	struct mrc_wire_init_ack msg;
	const struct pkt *pkt;

	c->cookie = random64();
	c->cookie_time = random64();
	*fd = app_connect(c->ip, c->sport);
	take_init(c, expect_to(c->ip, MRC_WIRE_INIT));
	make_init_ack(c, &msg);
	watch(c);
	conn_send(c, &msg, sizeof(msg));
	pkt = expect(c, MRC_WIRE_OPEN);
	check_open(c, pkt);
	c->peer_token =
		be64toh(((const struct mrc_wire_open *)pkt->data)->token);
	app_connected(*fd);
	return *fd;
}
