// SPDX-License-Identifier: GPL-2.0
/*
 * Page fragments that a packet fits into. Called by chunk.c with the socket
 * lock held.
 */
#include <linux/gfp.h>
#include <linux/mm.h>
#include "socket/room.h"

/* Large pages for large packets; skb_page_frag_refill() promises one page. */
static bool refill_large(struct page_frag *pfrag, u32 need, gfp_t gfp)
{
	gfp_t easy = (gfp & ~__GFP_DIRECT_RECLAIM) | __GFP_COMP |
		     __GFP_NOWARN | __GFP_NORETRY;
	int order = SKB_FRAG_PAGE_ORDER;
	struct page *page;

	if (pfrag->page) {
		if (pfrag->offset + need <= pfrag->size)
			return true;
		put_page(pfrag->page);
		pfrag->page = NULL;
	}
	page = alloc_pages(easy, order);
	if (!page) {
		order = get_order(need);
		page = alloc_pages(gfp | __GFP_COMP | __GFP_NOWARN, order);
	}
	if (!page)
		return false;
	pfrag->page = page;
	pfrag->offset = 0;
	pfrag->size = PAGE_SIZE << order;
	return true;
}

/**
 * mrc_page_refill() - make a place for one whole packet, header included
 * @sk: socket
 * @pfrag: page fragment in use; replaced when too little of it is left
 * @slot: bytes of the packet
 *
 * Context: process, socket lock held.
 * Return: false when there is no memory.
 */
bool mrc_page_refill(struct sock *sk, struct page_frag *pfrag, u32 slot)
{
	u32 need = slot + MRC_PAGE_ALIGN;
	bool ok;

	if (need <= PAGE_SIZE)
		ok = skb_page_frag_refill(need, pfrag, sk->sk_allocation);
	else
		ok = refill_large(pfrag, need, sk->sk_allocation);
	if (!ok) {
		sk->sk_prot->enter_memory_pressure(sk);
		sk_stream_moderate_sndbuf(sk);
	}
	return ok;
}
