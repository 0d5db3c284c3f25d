// SPDX-License-Identifier: GPL-2.0
/*
 * Keyed hashes: the published test vector, and that every input counts.
 */
#include "unit.h"
#include <asm/byteorder.h>
#include "wire/format.h"
#include "wire/key.h"

static const struct mrc_key_secret secret = {
	.cookie	= { { 0x0101010101010101, 0x0202020202020202 } },
	.cid	= { { 0x0303030303030303, 0x0404040404040404 } },
	.nonce	= { { 0x0505050505050505, 0x0606060606060606 } },
	.token	= { { 0x0707070707070707, 0x0808080808080808 } },
};

static const struct mrc_key_tuple tuple = {
	.saddr = { 1 }, .daddr = { 2 }, .udp_port = 3, .sport = 4, .dport = 5,
	.mss = 6, .cookie_time = 7, .family = 2, .cid = 9, .nonce = 10,
};

/* Aumasson and Bernstein, SipHash, appendix A. */
TEST(siphash_vector)
{
	const siphash_key_t key = { { 0x0706050403020100ULL,
				      0x0f0e0d0c0b0a0908ULL } };
	u8 input[15];

	for (int i = 0; i < 15; i++)
		input[i] = i;
	EXPECT_EQ(0xa129ca6149be45e5ULL, siphash(input, sizeof(input), &key));
}

TEST(every_bit_of_the_tuple_counts)
{
	u64 cookie = mrc_key_cookie(&secret, &tuple);
	u64 cid = mrc_key_cid(&secret, &tuple);
	u64 nonce = mrc_key_nonce(&secret, &tuple);
	u64 challenge = mrc_key_challenge(&secret.cookie, &tuple, 1);

	for (int bit = 0; bit < 8 * sizeof(tuple); bit++) {
		struct mrc_key_tuple other = tuple;

		((u8 *)&other)[bit / 8] ^= 1 << bit % 8;
		ASSERT_NE(cookie, mrc_key_cookie(&secret, &other));
		ASSERT_NE(cid, mrc_key_cid(&secret, &other));
		ASSERT_NE(nonce, mrc_key_nonce(&secret, &other));
		ASSERT_NE(challenge,
			  mrc_key_challenge(&secret.cookie, &other, 1));
	}
	EXPECT_NE(challenge, mrc_key_challenge(&secret.cookie, &tuple, 2));
	EXPECT_EQ(cookie, mrc_key_cookie(&secret, &tuple));
}

TEST(every_secret_counts)
{
	struct mrc_key_secret other;

	for (int bit = 0; bit < 8 * sizeof(siphash_key_t); bit++) {
		other = secret;
		((u8 *)&other.cookie)[bit / 8] ^= 1 << bit % 8;
		((u8 *)&other.cid)[bit / 8] ^= 1 << bit % 8;
		((u8 *)&other.nonce)[bit / 8] ^= 1 << bit % 8;
		((u8 *)&other.token)[bit / 8] ^= 1 << bit % 8;
		ASSERT_NE(mrc_key_cookie(&secret, &tuple),
			  mrc_key_cookie(&other, &tuple));
		ASSERT_NE(mrc_key_cid(&secret, &tuple),
			  mrc_key_cid(&other, &tuple));
		ASSERT_NE(mrc_key_nonce(&secret, &tuple),
			  mrc_key_nonce(&other, &tuple));
		ASSERT_NE(mrc_key_token(&secret, 1),
			  mrc_key_token(&other, 1));
		ASSERT_NE(mrc_key_challenge(&secret.cookie, &tuple, 1),
			  mrc_key_challenge(&other.cookie, &tuple, 1));
	}
}

/* What one use hands out must not serve another, even under one key. */
TEST(uses_are_separate)
{
	const siphash_key_t *key = &secret.cookie;
	const struct mrc_key_secret same = { *key, *key, *key, *key };
	u64 cookie = mrc_key_cookie(&same, &tuple);

	EXPECT_NE(cookie, mrc_key_challenge(key, &tuple, 0));
	EXPECT_NE(cookie, mrc_key_token(&same, tuple.cid));
	EXPECT_NE(mrc_key_cookie(&secret, &tuple),
		  mrc_key_cid(&secret, &tuple));
	EXPECT_NE(mrc_key_cid(&secret, &tuple),
		  mrc_key_nonce(&secret, &tuple));
}

TEST(both_ends_derive_the_same_key)
{
	siphash_key_t a, b, c;

	mrc_key_derive(&a, 1, 2, 3, 4);
	mrc_key_derive(&b, 1, 2, 3, 4);
	EXPECT_EQ(0, memcmp(&a, &b, sizeof(a)));
	EXPECT_NE(a.key[0], a.key[1]);
	mrc_key_derive(&c, 2, 1, 3, 4);
	EXPECT_NE(0, memcmp(&a, &c, sizeof(a)));
	mrc_key_derive(&c, 1, 2, 4, 3);
	EXPECT_NE(0, memcmp(&a, &c, sizeof(a)));
	for (int bit = 0; bit < 64; bit++) {
		u64 flip = 1ULL << bit;
		siphash_key_t d[4];

		mrc_key_derive(&d[0], 1 ^ flip, 2, 3, 4);
		mrc_key_derive(&d[1], 1, 2 ^ flip, 3, 4);
		mrc_key_derive(&d[2], 1, 2, 3 ^ flip, 4);
		mrc_key_derive(&d[3], 1, 2, 3, 4 ^ flip);
		for (int i = 0; i < 4; i++) {
			ASSERT_NE(a.key[0], d[i].key[0]);
			ASSERT_NE(a.key[1], d[i].key[1]);
		}
	}
}

TEST(signature_guards_every_bit)
{
	static const u32 sizes[] = { 24, 28, 32, 44, 48, 76 };
	struct unit_rand rand = { 11 };
	siphash_key_t key, other;

	mrc_key_derive(&key, 1, 2, 3, 4);
	mrc_key_derive(&other, 1, 2, 3, 5);
	for (int s = 0; s < ARRAY_SIZE(sizes); s++) {
		u8 *msg = malloc(sizes[s]);

		for (u32 i = 0; i < sizes[s]; i++)
			msg[i] = unit_rand_u64(&rand);
		mrc_key_sign(&key, msg, sizes[s]);
		ASSERT_TRUE(mrc_key_verify(&key, msg, sizes[s]));
		ASSERT_FALSE(mrc_key_verify(&other, msg, sizes[s]));
		for (u32 bit = 0; bit < 8 * sizes[s]; bit++) {
			msg[bit / 8] ^= 1 << bit % 8;
			ASSERT_FALSE(mrc_key_verify(&key, msg, sizes[s]));
			msg[bit / 8] ^= 1 << bit % 8;
		}
		for (u32 len = 0; len < 24; len++)
			ASSERT_FALSE(mrc_key_verify(&key, msg, len));
		free(msg);
	}
}

TEST(mac_field_is_network_order)
{
	struct mrc_wire_ping ping = { .ts = cpu_to_be32(5) };
	siphash_key_t key;

	mrc_key_derive(&key, 1, 2, 3, 4);
	mrc_key_sign(&key, &ping, sizeof(ping));
	EXPECT_EQ(be64_to_cpu(ping.mac),
		  mrc_key_mac(&key, &ping, sizeof(ping)));
	EXPECT_EQ(be64_to_cpu(ping.mac), siphash(&ping, 24, &key));
}

TEST_HARNESS_MAIN
