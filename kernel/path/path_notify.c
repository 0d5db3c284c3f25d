// SPDX-License-Identifier: GPL-2.0
/*
 * What this host knows at once: devices, addresses and endpoints come and go.
 *
 * Notifiers visit every connection of the namespace, in process context with
 * RTNL held; that of IPv6 addresses in softirq, too. The rest runs under the
 * socket lock.
 */
#include <linux/inetdevice.h>
#include <linux/netdevice.h>
#include <net/addrconf.h>
#include <net/if_inet6.h>
#include "conn/conn.h"
#include "conn/control.h"
#include "conn/output.h"
#include "path/path_object.h"
#include "path/udp.h"
#include "wire/build.h"

/**
 * mrc_path_send_status() - tell the peer what we think of a path
 * @msk: connection
 * @path_id: the path
 * @status: MRC_WIRE_PATH_*
 * @reason: enum mrc_wire_reason
 *
 * Sent once, on another path; a peer that misses it finds out by silence.
 *
 * Context: socket lock held.
 */
void mrc_path_send_status(struct mrc_sock *msk, u16 path_id, u8 status,
			  u8 reason)
{
	struct mrc_path *path = mrc_path_best(msk, msk->ack_path);
	struct mrc_wire_path msg = {};

	if (!path || path->id == path_id)
		return;
	mrc_build_hdr(&msg.hdr, MRC_WIRE_PATH, 0, path_id, 0, msk->remote_cid);
	msg.status = status;
	msg.reason = reason;
	mrc_control_sign_send(path, &msg, sizeof(msg));
}

/**
 * mrc_path_status_rcv() - the peer says that a path is down or gone
 * @msk: connection
 * @msg: the message, MAC verified
 *
 * Context: socket lock held.
 */
void mrc_path_status_rcv(struct mrc_sock *msk, const struct mrc_wire_path *msg)
{
	struct mrc_path *path;

	path = mrc_path_find(msk, be16_to_cpu(msg->hdr.path_id));
	if (!path)
		return;
	/* Not on the peer's word alone: the last good path is never left. */
	if (path->state == MRC_PATH_GOOD &&
	    mrc_path_count(msk, MRC_PATH_GOOD) > 1)
		mrc_path_state_set(path, MRC_PATH_ASSUMED_BAD,
				   MRC_REASON_PEER);
	if (msg->status == MRC_WIRE_PATH_GONE &&
	    path->state != MRC_PATH_GOOD && msk->npaths > 1)
		mrc_path_free(path);
}

static enum mrc_path_reason why(int err)
{
	switch (err) {
	case -ENETDOWN:
		return MRC_REASON_CARRIER;
	case -EADDRNOTAVAIL:
		return MRC_REASON_ADDRESS;
	default:
		return MRC_REASON_ROUTE;
	}
}

/* This side cannot use the path; the peer need not find out by silence. */
static void leave(struct mrc_path *path, int err)
{
	mrc_path_state_set(path, MRC_PATH_ASSUMED_BAD, why(err));
	mrc_path_send_status(path->msk, path->id, MRC_WIRE_PATH_DOWN,
			     MRC_WIRE_R_NONE);
}

/**
 * mrc_path_check_sent() - a superframe was handed to the network, or not
 * @path: path
 * @err: answer of mrc_udp_xmit()
 *
 * Context: socket lock held.
 */
void mrc_path_check_sent(struct mrc_path *path, int err)
{
	if (err && path->state == MRC_PATH_GOOD)
		leave(path, err);
}

/**
 * mrc_path_check_local() - can the paths still be used from here
 * @msk: connection
 *
 * Context: socket lock held.
 */
void mrc_path_check_local(struct mrc_sock *msk)
{
	u64 now = ktime_get_ns();
	struct mrc_path *path;
	int i, err;

	if (mrc_conn_sk(msk)->sk_state == TCP_LISTEN)
		return;
	for (i = 0; i < msk->npaths; i++) {
		path = msk->path[i];
		err = mrc_udp_path_route(path);
		if (!err)
			mrc_path_probe_now(path, now);
		else if (path->state == MRC_PATH_GOOD)
			leave(path, err);
	}
	if (mrc_conn_sk(msk)->sk_state != TCP_CLOSE)
		mrc_output_finish(msk);
}

static int visit(struct mrc_sock *msk, void *arg)
{
	mrc_conn_defer(msk, *(enum mrc_conn_deferred *)arg);
	return 0;
}

static void notify_all(struct net *net, enum mrc_conn_deferred what)
{
	u32 bucket = 0, skip = 0;

	if (atomic_read(&mrc_net_ns_get(net)->conns))
		mrc_conn_walk(net, &bucket, &skip, visit, &what);
}

/**
 * mrc_path_notify_endpoints() - the endpoints of a namespace have changed
 * @net: namespace
 *
 * Context: process.
 */
void mrc_path_notify_endpoints(struct net *net)
{
	notify_all(net, MRC_DEFER_ENDPOINTS);
}

static int device_event(struct notifier_block *nb, unsigned long event,
			void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);

	switch (event) {
	case NETDEV_UP:
	case NETDEV_DOWN:
	case NETDEV_CHANGE:
	case NETDEV_CHANGEMTU:
	case NETDEV_UNREGISTER:
		notify_all(dev_net(dev), MRC_DEFER_DEVICES);
		break;
	}
	return NOTIFY_DONE;
}

static int address_event(struct notifier_block *nb, unsigned long event,
			 void *ptr)
{
	const struct in_ifaddr *ifa = ptr;

	notify_all(dev_net(ifa->ifa_dev->dev), MRC_DEFER_DEVICES);
	return NOTIFY_DONE;
}

#if IS_ENABLED(CONFIG_IPV6)
/* Called in atomic context, too. */
static int address6_event(struct notifier_block *nb, unsigned long event,
			  void *ptr)
{
	const struct inet6_ifaddr *ifa = ptr;

	notify_all(dev_net(ifa->idev->dev), MRC_DEFER_DEVICES);
	return NOTIFY_DONE;
}

static struct notifier_block address6_nb = {
	.notifier_call = address6_event,
	.priority = -10,
};
#endif

/* After the FIB has followed the event. */
static struct notifier_block device_nb = {
	.notifier_call = device_event,
	.priority = -10,
};

static struct notifier_block address_nb = {
	.notifier_call = address_event,
	.priority = -10,
};

/**
 * mrc_path_notify_init() - listen to the changes
 *
 * Return: 0 or a negative error.
 */
int mrc_path_notify_init(void)
{
	int err = register_netdevice_notifier(&device_nb);

	if (err)
		return err;
	err = register_inetaddr_notifier(&address_nb);
	if (err)
		goto err_device;
#if IS_ENABLED(CONFIG_IPV6)
	err = register_inet6addr_notifier(&address6_nb);
	if (err)
		goto err_address;
#endif
	return 0;

#if IS_ENABLED(CONFIG_IPV6)
err_address:
	unregister_inetaddr_notifier(&address_nb);
#endif
err_device:
	unregister_netdevice_notifier(&device_nb);
	return err;
}

/**
 * mrc_path_notify_exit() - stop listening
 */
void mrc_path_notify_exit(void)
{
#if IS_ENABLED(CONFIG_IPV6)
	unregister_inet6addr_notifier(&address6_nb);
#endif
	unregister_inetaddr_notifier(&address_nb);
	unregister_netdevice_notifier(&device_nb);
}
