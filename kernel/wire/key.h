/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keyed hashes: cookies, connection keys, reset tokens, message MACs.
 *
 * SipHash-2-4 throughout. It proves that a message comes from somebody who
 * saw the handshake (or, for cookies, who receives at the address it gives);
 * it hides nothing. Pure.
 */
#ifndef _MRC_WIRE_KEY_H
#define _MRC_WIRE_KEY_H

#include <linux/compiler.h>
#include <linux/siphash.h>
#include <linux/types.h>

/**
 * struct mrc_key_tuple - what a cookie is bound to
 * @saddr: client's address; IPv4 in the first word, network order
 * @daddr: server's address
 * @udp_port: observed UDP source port, network order
 * @sport: client's port, network order
 * @dport: server's port, network order
 * @mss: as told by the client, network order
 * @cookie_time: seconds of the server's coarse clock
 * @family: AF_INET or AF_INET6
 * @cid: client's connection id
 * @nonce: client's nonce
 *
 * No holes: the bytes are hashed as they lie.
 */
struct mrc_key_tuple {
	__be32 saddr[4];
	__be32 daddr[4];
	__be16 udp_port;
	__be16 sport;
	__be16 dport;
	__be16 mss;
	u32 cookie_time;
	u32 family;
	u64 cid;
	u64 nonce;
} __packed __aligned(8);

/**
 * struct mrc_key_secret - secrets of a netns, random, never sent
 * @cookie: keys the cookies
 * @cid: keys the connection ids of a server
 * @nonce: keys its nonces
 * @token: keys the reset tokens
 */
struct mrc_key_secret {
	siphash_key_t cookie;
	siphash_key_t cid;
	siphash_key_t nonce;
	siphash_key_t token;
};

u64 mrc_key_cookie(const struct mrc_key_secret *secret,
		   const struct mrc_key_tuple *tuple);
u64 mrc_key_cid(const struct mrc_key_secret *secret,
		const struct mrc_key_tuple *tuple);
u64 mrc_key_nonce(const struct mrc_key_secret *secret,
		  const struct mrc_key_tuple *tuple);
u64 mrc_key_token(const struct mrc_key_secret *secret, u64 cid);
void mrc_key_derive(siphash_key_t *key, u64 client_cid, u64 server_cid,
		    u64 client_nonce, u64 server_nonce);
u64 mrc_key_mac(const siphash_key_t *key, const void *msg, u32 len);
void mrc_key_sign(const siphash_key_t *key, void *msg, u32 len);
bool mrc_key_verify(const siphash_key_t *key, const void *msg, u32 len);
u64 mrc_key_challenge(const siphash_key_t *secret, const struct mrc_key_tuple *tuple,
		      u16 path_id);

#endif /* _MRC_WIRE_KEY_H */
