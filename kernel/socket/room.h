/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the socket room share with each other only.
 */
#ifndef _MRC_SOCKET_ROOM_H
#define _MRC_SOCKET_ROOM_H

#include <linux/net.h>
#include <linux/poll.h>
#include <linux/sockptr.h>
#include <linux/tcp.h>
#include "socket/socket.h"

struct iov_iter;

/* family.c */
void mrc_family_lock_init(struct sock *sk);
void mrc_family_restart(struct mrc_sock *msk);

/* ops.c: what the socket layer calls */
extern const struct proto_ops mrc_ops_stream;
extern const struct proto_ops mrc_ops_seqpacket;
int mrc_ops_ioctl(struct sock *sk, int cmd, unsigned long arg);
void mrc_ops_keepalive(struct sock *sk, int on);

/* port.c */
int mrc_port_connect(struct mrc_sock *msk);
int mrc_port_listen(struct mrc_sock *msk);
void mrc_port_unlisten(struct mrc_sock *msk);
void mrc_port_release(struct sock *sk);

/* connect.c */
int mrc_connect_check(struct sock *sk, struct sockaddr *uaddr, int len);
int mrc_connect_start(struct sock *sk, struct sockaddr *uaddr, int len);
int mrc_connect_undo(struct sock *sk, int flags);
void mrc_connect_start_over(struct sock *sk);
int mrc_connect_route(struct sock *sk, __be32 daddr);

/* connect6.c, inet6.c: sockets of family AF_INET6 */
#if IS_ENABLED(CONFIG_IPV6)
extern struct proto mrc_inet6_prot;
extern const struct proto_ops mrc_ops_stream6;
extern const struct proto_ops mrc_ops_seqpacket6;

int mrc_connect6_check(struct sock *sk, struct sockaddr *uaddr, int len);
int mrc_connect6_address(struct sock *sk, const struct sockaddr *uaddr,
			 int len);
int mrc_inet6_init(void);
void mrc_inet6_exit(void);
struct sock *mrc_inet6_alloc(struct net *net, struct socket *sock, int kern);
void mrc_inet6_clone(struct sock *sk);
void mrc_inet6_destroy(struct sock *sk);
int mrc_inet6_set_opt(struct sock *sk, int name, sockptr_t optval,
		      unsigned int optlen);
int mrc_inet6_get_opt(struct sock *sk, int name, char __user *optval,
		      int __user *optlen);
#else
static inline int mrc_connect6_address(struct sock *sk,
				       const struct sockaddr *uaddr, int len)
{
	return -EAFNOSUPPORT;
}

static inline int mrc_inet6_init(void)
{
	return 0;
}

static inline void mrc_inet6_exit(void)
{
}

static inline struct sock *mrc_inet6_alloc(struct net *net,
					   struct socket *sock, int kern)
{
	return ERR_PTR(-EPROTONOSUPPORT);
}

static inline void mrc_inet6_clone(struct sock *sk)
{
}

static inline void mrc_inet6_destroy(struct sock *sk)
{
}

static inline int mrc_inet6_set_opt(struct sock *sk, int name,
				    sockptr_t optval, unsigned int optlen)
{
	return -ENOPROTOOPT;
}

static inline int mrc_inet6_get_opt(struct sock *sk, int name,
				    char __user *optval, int __user *optlen)
{
	return -EOPNOTSUPP;
}
#endif

/* listen.c */
int mrc_listen_start(struct socket *sock, int backlog);
void mrc_listen_stop(struct mrc_sock *listener);
struct sock *mrc_listen_accept(struct sock *sk, int flags, int *err,
			       bool kern);

/* send.c */
int mrc_send_prepare(struct sock *sk, struct msghdr *msg, long *timeo);
int mrc_send_msg(struct sock *sk, struct msghdr *msg, size_t size);
void mrc_send_write_space(struct sock *sk);
bool mrc_send_memory_free(const struct sock *sk, int wake);

/* chunk.c */
int mrc_chunk_init(void);
void mrc_chunk_exit(void);
void mrc_chunk_free(struct mrc_txq *txq, struct mrc_chunk *chunk);
bool mrc_chunk_is_last(const struct mrc_chunk *chunk,
		       const struct page_frag *pfrag);
bool mrc_chunk_has_room(const struct mrc_chunk *chunk);
int mrc_chunk_extend(struct mrc_sock *msk, struct mrc_chunk *chunk,
		     struct iov_iter *from);
int mrc_chunk_append(struct mrc_sock *msk, struct mrc_chunk *chunk,
		     struct page_frag *pfrag, struct iov_iter *from,
		     u32 *packets);

/* chunk_write.c */
void mrc_chunk_close(struct mrc_sock *msk);
int mrc_chunk_write(struct mrc_sock *msk, struct iov_iter *from, bool *full);
int mrc_chunk_write_message(struct mrc_sock *msk, struct iov_iter *from);

/* page.c; headers begin at multiples of this, the mss is one, too */
#define MRC_PAGE_ALIGN	8

bool mrc_page_refill(struct sock *sk, struct page_frag *pfrag, u32 slot);

/* recv.c */
int mrc_recv_msg(struct sock *sk, struct msghdr *msg, size_t len, int flags,
		 int *addr_len);
u64 mrc_recv_ready(const struct mrc_sock *msk);
int mrc_recv_may_wait(struct sock *sk, long timeo);
u32 mrc_recv_copy(struct msghdr *msg, struct sk_buff *skb, u32 done,
		  u32 bytes);
int mrc_recv_lowat(struct sock *sk, int val);

/* message.c */
int mrc_message_send(struct sock *sk, struct msghdr *msg, size_t size);
int mrc_message_recv(struct sock *sk, struct msghdr *msg, size_t len,
		     int flags);
u32 mrc_message_next_len(const struct mrc_sock *msk);

/* poll.c */
__poll_t mrc_poll_mask(struct sock *sk);
bool mrc_poll_readable(const struct mrc_sock *msk, int target);

/* close.c */
void mrc_close_end(struct sock *sk, long timeout);
void mrc_close_shutdown(struct sock *sk, int how);

/* class.c */
int mrc_class_set(struct mrc_sock *msk, sockptr_t optval, unsigned int optlen);
int mrc_class_set_tcp(struct sock *tcp, sockptr_t optval, unsigned int optlen);
void mrc_class_child(struct sock *sk, u8 class);
u8 mrc_class_of_tcp(const struct sock *tcp);

/* sockopt.c */
int mrc_sockopt_set(struct sock *sk, int level, int name, sockptr_t optval,
		    unsigned int optlen);
int mrc_sockopt_get(struct sock *sk, int level, int name,
		    char __user *optval, int __user *optlen);
int mrc_sockopt_answer(const void *val, int size, char __user *optval,
		       int __user *optlen);

/* tcp_opt.c */
int mrc_tcp_opt_set(struct mrc_sock *msk, int name, sockptr_t optval,
		    unsigned int optlen);
int mrc_tcp_opt_get(struct mrc_sock *msk, int name, char __user *optval,
		    int __user *optlen);
void mrc_tcp_opt_init(struct mrc_conn_opts *opts);

/* info.c */
int mrc_info_tcp(struct mrc_sock *msk, char __user *optval,
		 int __user *optlen);
int mrc_info_mrc(struct mrc_sock *msk, char __user *optval,
		 int __user *optlen);
int mrc_info_fallback(struct sock *tcp, u8 reason, char __user *optval,
		      int __user *optlen);

/* fallback.c */
struct mrc_fallback *mrc_fallback_of(const struct socket *sock);
int mrc_fallback_peer(const struct mrc_sock *msk, struct sockaddr_storage *to);
void mrc_fallback_adopt(struct socket *sock);
void mrc_fallback_list_add(struct mrc_fallback *fb, struct sock *tcp);
void mrc_fallback_list_del(struct mrc_fallback *fb);
int mrc_fallback_release(struct socket *sock);

/* fallback_switch.c */
void mrc_fallback_settle(struct sock *tcp);
int mrc_fallback_switch(struct mrc_sock *msk, struct sockaddr *addr, int len,
			u8 reason);
void mrc_fallback_switch_back(struct socket *sock);

/* fallback_connect.c */
int mrc_fallback_connect(struct socket *sock, struct sockaddr *uaddr, int len,
			 int flags);
int mrc_fallback_bind_socket(struct socket *sock, struct sockaddr *uaddr,
			     int len);
int mrc_fallback_listen_socket(struct socket *sock, int backlog);

/* fallback_opts.c */
void mrc_fallback_opts_init(struct mrc_sock *msk);
bool mrc_fallback_opts_changed(const struct mrc_sock *msk);
void mrc_fallback_opts_sync(struct mrc_sock *msk);

/* fallback_ops.c */
__poll_t mrc_fallback_poll(struct file *file, struct socket *sock,
			   struct poll_table_struct *wait);
int mrc_fallback_sendmsg(struct socket *sock, struct msghdr *msg, size_t size);
int mrc_fallback_recvmsg(struct socket *sock, struct msghdr *msg, size_t size,
			 int flags);
ssize_t mrc_fallback_splice_read(struct socket *sock, loff_t *ppos,
				 struct pipe_inode_info *pipe, size_t len,
				 unsigned int flags);
int mrc_fallback_lowat(struct sock *sk, int val);
int mrc_fallback_shutdown(struct socket *sock, int how);
int mrc_fallback_accept_socket(struct socket *sock, struct socket *child,
			       int flags, bool kern);
int mrc_fallback_setsockopt(struct socket *sock, int level, int name,
			    sockptr_t optval, unsigned int optlen);
int mrc_fallback_getsockopt(struct socket *sock, int level, int name,
			    char __user *optval, int __user *optlen);

/**
 * mrc_fallback_is_tcp() - is a socket that sock->sk points to a TCP one
 * @sk: socket
 *
 * Return: false for AF_MRC, whose protocol is never IPPROTO_TCP.
 */
static inline bool mrc_fallback_is_tcp(const struct sock *sk)
{
	return sk->sk_protocol == IPPROTO_TCP;
}

/**
 * mrc_socket_in() - is a socket in one of some states?
 * @sk: socket
 * @states: TCPF_* bits
 *
 * Return: true when it is; exact only under the socket lock.
 */
static inline bool mrc_socket_in(const struct sock *sk, int states)
{
	return (1 << READ_ONCE(sk->sk_state)) & states;
}

#endif /* _MRC_SOCKET_ROOM_H */
