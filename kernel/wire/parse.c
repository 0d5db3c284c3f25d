// SPDX-License-Identifier: GPL-2.0
/*
 * Decoding of packets that anybody may have sent.
 *
 * Every length and every number is checked here, before any state is looked
 * at, so that the callers (input from the UDP sockets, softirq) need not
 * doubt what they get. An ACK is checked as a whole before its first record
 * is handed out: it is applied whole or not at all. Reserved fields are
 * ignored. No state, no locks. Pure.
 */
#include <asm/byteorder.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "limits.h"
#include "reliable/seq.h"
#include "wire/parse.h"

/* Bytes of each message: exact, or the least for those that vary. */
static const u16 mrc_parse_size[__MRC_WIRE_TYPES] = {
	[MRC_WIRE_DATA]		= sizeof(struct mrc_wire_data),
	[MRC_WIRE_ACK]		= sizeof(struct mrc_wire_ack),
	[MRC_WIRE_INIT]		= sizeof(struct mrc_wire_init),
	[MRC_WIRE_INIT_ACK]	= sizeof(struct mrc_wire_init_ack),
	[MRC_WIRE_OPEN]		= sizeof(struct mrc_wire_open),
	[MRC_WIRE_REFUSE]	= sizeof(struct mrc_wire_refuse),
	[MRC_WIRE_JOIN]		= sizeof(struct mrc_wire_join),
	[MRC_WIRE_CHALLENGE]	= sizeof(struct mrc_wire_join),
	[MRC_WIRE_CONFIRM]	= sizeof(struct mrc_wire_join),
	[MRC_WIRE_JOINED]	= sizeof(struct mrc_wire_join),
	[MRC_WIRE_PING]		= sizeof(struct mrc_wire_ping),
	[MRC_WIRE_PONG]		= sizeof(struct mrc_wire_ping),
	[MRC_WIRE_RESET]	= sizeof(struct mrc_wire_reset),
	[MRC_WIRE_ADDR]		= sizeof(struct mrc_wire_addr),
	[MRC_WIRE_ADDR_ACK]	= sizeof(struct mrc_wire_addr),
	[MRC_WIRE_PATH]		= sizeof(struct mrc_wire_path),
};

static bool varies(enum mrc_wire_type type)
{
	return type == MRC_WIRE_DATA || type == MRC_WIRE_ACK ||
	       type == MRC_WIRE_INIT;
}

/**
 * mrc_parse_header() - is this a packet of ours, of a plausible length
 * @pkt: start of the UDP payload; only its first byte is read
 * @len: bytes of the UDP payload (of one packet of a superframe)
 * @type: result, set when the answer is MRC_PARSE_OK
 *
 * After MRC_PARSE_OK the structure that belongs to @type lies within @len;
 * for every type but DATA, ACK and INIT it fills @len exactly.
 *
 * Context: any.
 * Return: MRC_PARSE_OK or the reason to drop the packet.
 */
enum mrc_parse_error mrc_parse_header(const void *pkt, u32 len,
				      enum mrc_wire_type *type)
{
	u8 first, kind;

	if (len < sizeof(struct mrc_wire_hdr))
		return MRC_PARSE_SHORT;
	first = *(const u8 *)pkt;
	kind = first & 0x1f;
	if (first >> 5 != MRC_WIRE_VERSION)
		return MRC_PARSE_VERSION;
	if (kind >= __MRC_WIRE_TYPES)
		return MRC_PARSE_TYPE;
	if (len < mrc_parse_size[kind])
		return MRC_PARSE_SHORT;
	if (len > mrc_parse_size[kind] && !varies(kind))
		return MRC_PARSE_LENGTH;
	*type = kind;
	return MRC_PARSE_OK;
}

/**
 * mrc_parse_data() - decode the header of a data packet
 * @hdr: start of the packet; its first MRC_WIRE_DATA_LEN bytes are read,
 *	the payload need not be contiguous with them
 * @len: bytes of the packet, payload included
 * @out: result, set when the answer is MRC_PARSE_OK
 *
 * Context: any.
 * Return: MRC_PARSE_OK or the reason to drop the packet.
 */
enum mrc_parse_error mrc_parse_data(const void *hdr, u32 len,
				    struct mrc_parse_data *out)
{
	const struct mrc_wire_data *wire = hdr;
	enum mrc_parse_error err;
	enum mrc_wire_type type;
	bool fin;

	err = mrc_parse_header(hdr, len, &type);
	if (err)
		return err;
	if (type != MRC_WIRE_DATA)
		return MRC_PARSE_TYPE;

	out->cid = be64_to_cpu(wire->hdr.cid);
	out->offset = be64_to_cpu(wire->offset);
	out->psn = be32_to_cpu(wire->hdr.psn);
	out->floor = be32_to_cpu(wire->floor);
	out->ts = be32_to_cpu(wire->ts);
	out->path_id = be16_to_cpu(wire->hdr.path_id);
	out->flags = wire->hdr.flags;
	out->len = len - MRC_WIRE_DATA_LEN;

	if (out->len > MRC_MSS_MAX)
		return MRC_PARSE_LENGTH;
	fin = out->flags & MRC_WIRE_F_FIN;
	if (fin != !out->len)
		return MRC_PARSE_VALUE;
	/* The stream ends before its offsets do, the FIN's own included. */
	if (out->offset >= U64_MAX - MRC_MSS_MAX)
		return MRC_PARSE_VALUE;
	if (mrc_seq_after(out->floor, out->psn))
		return MRC_PARSE_VALUE;
	return MRC_PARSE_OK;
}

/*
 * Ranges must lie above @cum, descend and not overlap. Measured from @cum
 * every number is in the near half of the sequence space, so plain comparison
 * of the distances is safe.
 */
static bool ranges_sane(const struct mrc_wire_range *range, u32 count, u32 cum)
{
	u32 limit = S32_MAX;
	u32 i, start, end;

	for (i = 0; i < count; i++) {
		start = be32_to_cpu(range[i].start) - cum;
		end = be32_to_cpu(range[i].end) - cum;
		if (start >= end || end > limit)
			return false;
		limit = start;
	}
	return true;
}

/* Bytes of the record at @body, or 0 when it is cut short or makes no sense. */
static u32 record_len(const u8 *body, u32 left)
{
	const struct mrc_wire_ack_path *path = (const void *)body;
	u32 need = sizeof(*path);

	if (left < need || path->nranges > MRC_ACK_RANGES)
		return 0;
	need += path->nranges * sizeof(struct mrc_wire_range);
	if (left < need)
		return 0;
	if (!ranges_sane((const void *)(path + 1), path->nranges,
			 be32_to_cpu(path->cum)))
		return 0;
	return need;
}

/**
 * mrc_parse_ack() - decode and check a whole ACK
 * @pkt: packet, contiguous
 * @len: its bytes
 * @out: result, set when the answer is MRC_PARSE_OK; points into @pkt
 *
 * Context: any.
 * Return: MRC_PARSE_OK or the reason to drop the packet.
 */
enum mrc_parse_error mrc_parse_ack(const void *pkt, u32 len,
				   struct mrc_parse_ack *out)
{
	const struct mrc_wire_ack *wire = pkt;
	enum mrc_parse_error err;
	enum mrc_wire_type type;
	const u8 *body;
	u32 left, used;
	u16 npaths, i;

	err = mrc_parse_header(pkt, len, &type);
	if (err)
		return err;
	if (type != MRC_WIRE_ACK)
		return MRC_PARSE_TYPE;
	npaths = be16_to_cpu(wire->npaths);
	if (npaths > MRC_ACK_PATHS)
		return MRC_PARSE_VALUE;

	body = (const u8 *)(wire + 1);
	left = len - sizeof(*wire);
	for (i = 0; i < npaths; i++) {
		used = record_len(body, left);
		if (!used)
			return MRC_PARSE_VALUE;
		body += used;
		left -= used;
	}
	if (left)
		return MRC_PARSE_LENGTH;

	out->data_ack = be64_to_cpu(wire->data_ack);
	out->window = be64_to_cpu(wire->window);
	out->npaths = npaths;
	out->body = (const u8 *)(wire + 1);
	out->left = len - sizeof(*wire);
	return MRC_PARSE_OK;
}

/**
 * mrc_parse_ack_next() - take the next path record out of a checked ACK
 * @ack: from mrc_parse_ack(); moves on
 * @out: the record in host order
 *
 * Context: any; the packet must not have changed since mrc_parse_ack().
 * Return: false when there was none left.
 */
bool mrc_parse_ack_next(struct mrc_parse_ack *ack, struct mrc_ack_path *out)
{
	const struct mrc_wire_ack_path *path = (const void *)ack->body;
	const struct mrc_wire_range *range;
	u32 used, i;

	if (!ack->npaths)
		return false;
	used = record_len(ack->body, ack->left);
	if (!used)
		return false;

	out->path_id = be16_to_cpu(path->path_id);
	out->nranges = path->nranges;
	out->cum = be32_to_cpu(path->cum);
	out->ts_echo = be32_to_cpu(path->ts_echo);
	out->delay_us = be32_to_cpu(path->delay_us);
	out->rx_packets = be32_to_cpu(path->rx_packets);
	out->rx_bytes = be32_to_cpu(path->rx_bytes);
	out->ce_packets = be32_to_cpu(path->ce_packets);
	range = (const void *)(path + 1);
	for (i = 0; i < out->nranges; i++) {
		out->range[i].start = be32_to_cpu(range[i].start);
		out->range[i].end = be32_to_cpu(range[i].end);
	}
	ack->body += used;
	ack->left -= used;
	ack->npaths--;
	return true;
}

/* An address that packets can be sent to, from any link. */
static bool ipv4_sane(const __be32 ip[4])
{
	u32 addr = be32_to_cpu(ip[0]);

	/* "This" network, multicast and what lies above it. */
	return addr >> 24 && addr < 0xe0000000 && !(ip[1] | ip[2] | ip[3]);
}

static bool ipv6_sane(const __be32 ip[4])
{
	u32 first = be32_to_cpu(ip[0]);

	if (!(ip[0] | ip[1]))
		/* Loopback; not unspecified, IPv4 mapped or compatible. */
		return !ip[2] && ip[3] == cpu_to_be32(1);
	/* Link-local and multicast. */
	return (first & 0xffc00000) != 0xfe800000 && first >> 24 != 0xff;
}

/**
 * mrc_parse_addr() - decode and check an announcement
 * @wire: ADDR or ADDR_ACK, of full length
 * @out: result, set when the answer is MRC_PARSE_OK
 *
 * Context: any.
 * Return: MRC_PARSE_OK, or MRC_PARSE_VALUE: no such operation or version of
 * IP, or an address that nobody can be reached at from elsewhere.
 */
enum mrc_parse_error mrc_parse_addr(const struct mrc_wire_addr *wire,
				    struct mrc_parse_addr *out)
{
	bool sane;

	if (wire->op != MRC_WIRE_ADDR_ADD && wire->op != MRC_WIRE_ADDR_DEL)
		return MRC_PARSE_VALUE;
	if (wire->family != 4 && wire->family != 6)
		return MRC_PARSE_VALUE;
	memcpy(out->ip, wire->addr, sizeof(out->ip));
	sane = wire->family == 4 ? ipv4_sane(out->ip) : ipv6_sane(out->ip);
	if (!sane)
		return MRC_PARSE_VALUE;
	out->serial = be32_to_cpu(wire->hdr.psn);
	out->op = wire->op;
	out->version = wire->family;
	out->backup = wire->flags & MRC_WIRE_JOIN_BACKUP;
	return MRC_PARSE_OK;
}
