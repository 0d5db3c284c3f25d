// SPDX-License-Identifier: GPL-2.0
/*
 * Keyed hashes over tuples, ids and messages.
 *
 * Owns no state: the secrets of a netns and the key of a connection are the
 * caller's. Each use hashes under a key of its own, or an input of a length
 * and a label that no other use has, so that a value obtained in one place is
 * worthless in another. Any context. Pure.
 */
#include <asm/byteorder.h>
#include <linux/build_bug.h>
#include <linux/string.h>

#include "wire/format.h"
#include "wire/key.h"

/* The tuple is hashed as it lies in memory: it must not have holes. */
static_assert(sizeof(struct mrc_key_tuple) == 64);

/* Labels of the two halves of a connection key, and of a challenge. */
#define LABEL_KEY_LOW	0x6d72632d6b657930ULL
#define LABEL_KEY_HIGH	0x6d72632d6b657931ULL
#define LABEL_CHALLENGE	0x6d72632d6368616cULL

/**
 * mrc_key_cookie() - cookie that proves an address
 * @secret: secrets of the netns
 * @tuple: what the cookie is bound to
 *
 * Context: any.
 * Return: the cookie, host order.
 */
u64 mrc_key_cookie(const struct mrc_key_secret *secret,
		   const struct mrc_key_tuple *tuple)
{
	return siphash(tuple, sizeof(*tuple), &secret->cookie);
}

/**
 * mrc_key_cid() - connection id that a listening host gives itself
 * @secret: secrets of the netns
 * @tuple: the question it answers
 *
 * Computed, not stored: the same question gets the same id.
 *
 * Context: any.
 * Return: connection id, never 0.
 */
u64 mrc_key_cid(const struct mrc_key_secret *secret,
		const struct mrc_key_tuple *tuple)
{
	u64 cid = siphash(tuple, sizeof(*tuple), &secret->cid);

	return cid ? cid : 1;
}

/**
 * mrc_key_nonce() - the listening host's part of a connection key
 * @secret: secrets of the netns
 * @tuple: the question it answers
 *
 * Context: any.
 * Return: nonce.
 */
u64 mrc_key_nonce(const struct mrc_key_secret *secret,
		  const struct mrc_key_tuple *tuple)
{
	return siphash(tuple, sizeof(*tuple), &secret->nonce);
}

/**
 * mrc_key_token() - what a RESET from this host for @cid carries
 * @secret: secrets of the netns
 * @cid: connection id of this host
 *
 * Works without a connection, so that a RESET can be sent for a forgotten one
 * as long as the secret lives.
 *
 * Context: any.
 * Return: token.
 */
u64 mrc_key_token(const struct mrc_key_secret *secret, u64 cid)
{
	return siphash_1u64(cid, &secret->token);
}

/**
 * mrc_key_derive() - key of a connection, the same at both ends
 * @key: result
 * @client_cid: connection id of the client
 * @server_cid: connection id of the server
 * @client_nonce: from the INIT
 * @server_nonce: from the INIT_ACK
 *
 * Context: any.
 */
void mrc_key_derive(siphash_key_t *key, u64 client_cid, u64 server_cid,
		    u64 client_nonce, u64 server_nonce)
{
	const siphash_key_t seed = { { client_nonce, server_nonce } };

	key->key[0] = siphash_3u64(client_cid, server_cid, LABEL_KEY_LOW,
				   &seed);
	key->key[1] = siphash_3u64(client_cid, server_cid, LABEL_KEY_HIGH,
				   &seed);
}

/**
 * mrc_key_mac() - MAC of a message that ends in a MAC field
 * @key: key of the connection
 * @msg: message
 * @len: its bytes, the MAC field included, at least MRC_WIRE_MAC_LEN
 *
 * Context: any.
 * Return: MAC over all but the last MRC_WIRE_MAC_LEN bytes, host order.
 */
u64 mrc_key_mac(const siphash_key_t *key, const void *msg, u32 len)
{
	return siphash(msg, len - MRC_WIRE_MAC_LEN, key);
}

/**
 * mrc_key_sign() - fill in the MAC field at the end of a message
 * @key: key of the connection
 * @msg: message, complete but for its MAC
 * @len: its bytes, the MAC field included, at least MRC_WIRE_MAC_LEN
 *
 * Context: any.
 */
void mrc_key_sign(const siphash_key_t *key, void *msg, u32 len)
{
	__be64 mac = cpu_to_be64(mrc_key_mac(key, msg, len));

	memcpy((u8 *)msg + len - MRC_WIRE_MAC_LEN, &mac, sizeof(mac));
}

/**
 * mrc_key_verify() - check the MAC field at the end of a message
 * @key: key of the connection
 * @msg: message
 * @len: its bytes, the MAC field included
 *
 * The comparison takes the same time whatever differs.
 *
 * Context: any.
 * Return: true when the MAC is right.
 */
bool mrc_key_verify(const siphash_key_t *key, const void *msg, u32 len)
{
	__be64 told;
	u64 diff;

	if (len < MRC_WIRE_HDR_LEN + MRC_WIRE_MAC_LEN)
		return false;
	memcpy(&told, (const u8 *)msg + len - MRC_WIRE_MAC_LEN, sizeof(told));
	diff = be64_to_cpu(told) ^ mrc_key_mac(key, msg, len);
	return !diff;
}

/**
 * mrc_key_challenge() - what a joining path has to send back
 * @secret: random, never sent
 * @tuple: the 4-tuple as observed, and the connection
 * @path_id: id of the new path
 *
 * Computed, not stored, so that a flood of JOINs costs no memory.
 *
 * Context: any.
 * Return: challenge.
 */
u64 mrc_key_challenge(const siphash_key_t *secret,
		      const struct mrc_key_tuple *tuple, u16 path_id)
{
	struct {
		u64 label;
		u64 path_id;
		struct mrc_key_tuple tuple;
	} input = {
		.label = LABEL_CHALLENGE,
		.path_id = path_id,
		.tuple = *tuple,
	};

	static_assert(sizeof(input) == 80);
	return siphash(&input, sizeof(input), secret);
}
