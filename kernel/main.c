// SPDX-License-Identifier: GPL-2.0
/*
 * AF_MRC: loading and unloading.
 */
#include <linux/module.h>
#include "conn/conn.h"
#include "conn/output.h"
#include "control/netlink.h"
#include "net_ns.h"
#include "path/path_object.h"
#include "socket/socket.h"

static int __init mrc_init(void)
{
	int err;

	err = mrc_conn_table_init();
	if (err)
		return err;
	err = mrc_path_init();
	if (err)
		goto err_table;
	err = mrc_superframe_init();
	if (err)
		goto err_path;
	err = mrc_net_ns_init();
	if (err)
		goto err_superframe;
	err = mrc_path_notify_init();
	if (err)
		goto err_net_ns;
	err = mrc_netlink_init();
	if (err)
		goto err_notify;
	err = mrc_family_init();
	if (err)
		goto err_netlink;
	return 0;

err_netlink:
	mrc_netlink_exit();
err_notify:
	mrc_path_notify_exit();
err_net_ns:
	mrc_net_ns_exit();
err_superframe:
	mrc_superframe_exit();
err_path:
	mrc_path_exit();
err_table:
	mrc_conn_table_exit();
	return err;
}

static void __exit mrc_exit(void)
{
	mrc_family_exit();
	mrc_netlink_exit();
	mrc_path_notify_exit();
	mrc_net_ns_exit();
	/* Freed sockets and endpoints are waited for. */
	rcu_barrier();
	mrc_superframe_exit();
	mrc_path_exit();
	mrc_conn_table_exit();
}

module_init(mrc_init);
module_exit(mrc_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Multipath reliable connections (AF_MRC)");
MODULE_ALIAS_GENL_FAMILY("mrc");
