/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the netlink view of paths shares with the notices.
 */
#ifndef _MRC_NL_PATH_H
#define _MRC_NL_PATH_H

struct mrc_path;

int mrc_nl_path_ifindex(const struct mrc_path *path);

#endif /* _MRC_NL_PATH_H */
