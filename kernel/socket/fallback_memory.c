// SPDX-License-Identifier: GPL-2.0
/*
 * Hosts that speak TCP and not AF_MRC: remembered, so that the next connect()
 * does not ask again.
 *
 * A table of fixed size per namespace, one place for each hash: a host whose
 * place is taken by another is asked again, which costs time and nothing
 * else. Written when TCP has connected after AF_MRC had no luck, erased by
 * any sign of AF_MRC from there. Guarded by mrc_net.fallback_lock; any
 * context.
 */
#include <linux/jhash.h>
#include <linux/jiffies.h>
#include "net_ns.h"
#include "path/addr.h"
#include "socket/fallback.h"

static struct mrc_fallback_host *place(struct mrc_net *mn,
				       const struct mrc_addr *addr)
{
	u32 hash = jhash2((const u32 *)addr->ip, ARRAY_SIZE(addr->ip),
			  mn->fallback_seed ^ addr->family);

	return &mn->fallback_hosts[hash % MRC_FALLBACK_HOSTS];
}

/* fallback_lock held. */
static bool is_there(const struct mrc_fallback_host *host,
		     const struct mrc_addr *addr)
{
	return host->family && mrc_addr_is(addr, host->family, host->ip);
}

/**
 * mrc_fallback_note() - a host has answered TCP, and not AF_MRC
 * @mn: namespace
 * @addr: its address, not mapped; the port is not used
 *
 * Context: any.
 */
void mrc_fallback_note(struct mrc_net *mn, const struct mrc_addr *addr)
{
	unsigned long age = READ_ONCE(mn->sysctl_fallback_memory) * HZ;
	struct mrc_fallback_host *host = place(mn, addr);

	if (!age)
		return;
	spin_lock_bh(&mn->fallback_lock);
	host->family = addr->family;
	memcpy(host->ip, addr->ip, sizeof(host->ip));
	host->until = jiffies + age;
	spin_unlock_bh(&mn->fallback_lock);
}

/**
 * mrc_fallback_forget() - a host speaks AF_MRC after all
 * @mn: namespace
 * @addr: its address, not mapped; the port is not used
 *
 * Context: any.
 */
void mrc_fallback_forget(struct mrc_net *mn, const struct mrc_addr *addr)
{
	struct mrc_fallback_host *host = place(mn, addr);

	spin_lock_bh(&mn->fallback_lock);
	if (is_there(host, addr))
		host->family = 0;
	spin_unlock_bh(&mn->fallback_lock);
}

/**
 * mrc_fallback_known() - is it known that a host has no AF_MRC
 * @mn: namespace
 * @addr: its address, not mapped; the port is not used
 *
 * Context: any.
 * Return: true when TCP should be used at once.
 */
bool mrc_fallback_known(struct mrc_net *mn, const struct mrc_addr *addr)
{
	struct mrc_fallback_host *host = place(mn, addr);
	bool known;

	spin_lock_bh(&mn->fallback_lock);
	known = is_there(host, addr);
	if (known && (time_after(jiffies, host->until) ||
		      !READ_ONCE(mn->sysctl_fallback_memory))) {
		host->family = 0;
		known = false;
	}
	spin_unlock_bh(&mn->fallback_lock);
	return known;
}
