// SPDX-License-Identifier: GPL-2.0
/*
 * SipHash-2-4 and what the wire format makes with it, written from
 * Documentation/wire-format.rst, so that a change of the module's own hashing
 * shows.
 */
#include "inject.h"

#define KEY_LOW		"0yek-crm"	/* label of the low half */
#define KEY_HIGH	"1yek-crm"	/* label of the high half */

static __u64 rotate(__u64 x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static void rounds(__u64 v[4], int n)
{
	while (n--) {
		v[0] += v[1];
		v[2] += v[3];
		v[1] = rotate(v[1], 13) ^ v[0];
		v[3] = rotate(v[3], 16) ^ v[2];
		v[0] = rotate(v[0], 32);
		v[2] += v[1];
		v[0] += v[3];
		v[1] = rotate(v[1], 17) ^ v[2];
		v[3] = rotate(v[3], 21) ^ v[0];
		v[2] = rotate(v[2], 32);
	}
}

static void absorb(__u64 v[4], __u64 word)
{
	v[3] ^= word;
	rounds(v, 2);
	v[0] ^= word;
}

__u64 key_siphash(const void *data, size_t len, const struct key *key)
{
	__u64 v[4] = {
		key->word[0] ^ 0x736f6d6570736575ull,
		key->word[1] ^ 0x646f72616e646f6dull,
		key->word[0] ^ 0x6c7967656e657261ull,
		key->word[1] ^ 0x7465646279746573ull,
	};
	const __u8 *p = data;
	size_t left;
	__u64 word;

	for (left = len; left >= 8; left -= 8, p += 8) {
		memcpy(&word, p, 8);
		absorb(v, le64toh(word));
	}
	word = 0;
	memcpy(&word, p, left);
	absorb(v, le64toh(word) | (__u64)len << 56);
	v[2] ^= 0xff;
	rounds(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static __u64 half(const char *label, const struct key *seed, __u64 client,
		  __u64 server)
{
	__u64 input[3] = { htole64(client), htole64(server) };

	memcpy(&input[2], label, 8);
	return key_siphash(input, sizeof(input), seed);
}

void key_derive(struct key *key, __u64 client_cid, __u64 server_cid,
		__u64 client_nonce, __u64 server_nonce)
{
	const struct key seed = { { client_nonce, server_nonce } };

	key->word[0] = half(KEY_LOW, &seed, client_cid, server_cid);
	key->word[1] = half(KEY_HIGH, &seed, client_cid, server_cid);
}

static __u64 mac(const struct key *key, const void *msg, size_t len)
{
	return htobe64(key_siphash(msg, len - MRC_WIRE_MAC_LEN, key));
}

void key_sign(const struct key *key, void *msg, size_t len)
{
	__u64 sum = mac(key, msg, len);

	memcpy((__u8 *)msg + len - sizeof(sum), &sum, sizeof(sum));
}

bool key_verify(const struct key *key, const void *msg, size_t len)
{
	__u64 sum = mac(key, msg, len);

	return !memcmp((const __u8 *)msg + len - sizeof(sum), &sum,
		       sizeof(sum));
}
