// SPDX-License-Identifier: GPL-2.0
/*
 * The address family: creating and destroying sockets, their memory limits.
 *
 * A socket of AF_MRC is an INET socket at its head, with sk_family AF_INET or
 * AF_INET6: the socket layer, security modules and cgroup programs then treat
 * it as they treat TCP. Only proto_ops say AF_MRC. What an AF_INET6 socket has
 * besides is in inet6.c. The limits are those of TCP, counted apart. Called by
 * the socket layer, in process context.
 */
#include <linux/bpf-cgroup.h>
#include <linux/module.h>
#include <linux/percpu_counter.h>
#include <linux/swap.h>
#include <net/inet_common.h>
#include <net/ip.h>
#include "path/udp.h"
#include "socket/room.h"

/* Memory limits of all sockets, pages; as those of TCP: 1/16 of RAM. */
#define MEM_SHARE	16
#define MEM_MIN_PAGES	128UL

/* Smallest buffers that stay usable when memory is short, bytes. */
static int buffer_min[] = { 4096 };

static long mem_pages[3];
static unsigned long mem_pressure;
static atomic_long_t mem_allocated;
static DEFINE_PER_CPU(int, mem_reserve);
static struct percpu_counter sockets;

static struct lock_class_key lock_key;
static struct lock_class_key slock_key;

static void enter_memory_pressure(struct sock *sk)
{
	WRITE_ONCE(mem_pressure, jiffies | 1);
}

struct proto mrc_prot = {
	.name			= "MRC",
	.owner			= THIS_MODULE,
	.obj_size		= sizeof(struct mrc_sock),
	.close			= mrc_close_end,
	.pre_connect		= mrc_connect_check,
	.connect		= mrc_connect_start,
	.disconnect		= mrc_connect_undo,
	.accept			= mrc_listen_accept,
	.ioctl			= mrc_ops_ioctl,
	.shutdown		= mrc_close_shutdown,
	.keepalive		= mrc_ops_keepalive,
	.sendmsg		= mrc_send_msg,
	.recvmsg		= mrc_recv_msg,
	.backlog_rcv		= mrc_input_backlog,
	.release_cb		= mrc_conn_release_cb,
	.get_port		= mrc_port_get,
	.put_port		= mrc_port_release,
	.stream_memory_free	= mrc_send_memory_free,
	.enter_memory_pressure	= enter_memory_pressure,
	.sockets_allocated	= &sockets,
	.memory_allocated	= &mem_allocated,
	.per_cpu_fw_alloc	= &mem_reserve,
	.memory_pressure	= &mem_pressure,
	.sysctl_mem		= mem_pages,
	.sysctl_wmem		= buffer_min,
	.sysctl_rmem		= buffer_min,
	.no_autobind		= true,
};

/**
 * mrc_family_lock_init() - give the socket lock a class of its own
 * @sk: socket that nobody else can see yet, unlocked
 *
 * The class of AF_INET would tie it to the UDP sockets that it sends through.
 */
void mrc_family_lock_init(struct sock *sk)
{
	sock_lock_init_class_and_name(sk, "slock-AF_MRC", &slock_key,
				      "sk_lock-AF_MRC", &lock_key);
}

/* Zeroes the fields from @first up to and without @end. */
#define clear_fields(msk, first, end)					\
	clear((msk), offsetof(struct mrc_sock, first),			\
	      offsetof(struct mrc_sock, end))

static void clear(struct mrc_sock *msk, size_t from, size_t to)
{
	memset((void *)msk + from, 0, to - from);
}

/**
 * mrc_family_restart() - make a socket as if it had never been connected
 * @msk: socket in state CLOSE with nothing left to free, or a raw copy
 *
 * Options, the port, the timer and the choice of controller and scheduler
 * stay.
 *
 * Context: socket lock held, or the socket is not visible yet.
 */
void mrc_family_restart(struct mrc_sock *msk)
{
	const struct mrc_sched_ops *sched = msk->sched;
	const struct mrc_rate_ops *rate_ops = msk->rate_ops;

	/* A reader may still walk over the nodes of the tables. */
	clear_fields(msk, local_cid, cid_node);
	clear_fields(msk, key, port_node);
	clear_fields(msk, txq, timer);
	clear(msk, offsetof(struct mrc_sock, timer_ns), sizeof(*msk));
	mrc_conn_init(msk);
	msk->sched = sched;
	msk->rate_ops = rate_ops;
}

/* Runs when nobody can see the socket any more; RCU callback. */
static void destruct(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);

	hrtimer_cancel(&msk->timer);
	mrc_port_put(msk);
	mrc_conn_destroy(msk);
	if (msk->listener)	/* a child that was given up before accept() */
		sock_put(msk->listener);
	sk_sockets_allocated_dec(sk);
	if (sk->sk_family == AF_INET6)
		mrc_inet6_destroy(sk);
	inet_sock_destruct(sk);
}

/* What inet_create() and inet6_create() give to every INET socket. */
static void init_inet(struct sock *sk)
{
	struct inet_sock *inet = inet_sk(sk);
	struct net *net = sock_net(sk);

	inet->pmtudisc = READ_ONCE(net->ipv4.sysctl_ip_no_pmtu_disc) ?
			 IP_PMTUDISC_DONT : IP_PMTUDISC_WANT;
	inet->uc_ttl = -1;
	inet->mc_loop = 1;
	inet->mc_ttl = 1;
	inet->mc_all = sk->sk_family == AF_INET;
}

static void init_sock(struct sock *sk, struct mrc_net *mn, int protocol)
{
	struct mrc_sock *msk = mrc_sk(sk);

	mrc_family_lock_init(sk);
	sk->sk_protocol = protocol;
	sk->sk_destruct = destruct;
	sk->sk_backlog_rcv = mrc_prot.backlog_rcv;
	sk->sk_write_space = mrc_send_write_space;
	sock_set_flag(sk, SOCK_RCU_FREE);
	sock_set_flag(sk, SOCK_USE_WRITE_QUEUE);
	WRITE_ONCE(sk->sk_sndbuf, READ_ONCE(mn->sysctl_wmem[1]));
	WRITE_ONCE(sk->sk_rcvbuf, READ_ONCE(mn->sysctl_rmem[1]));
	init_inet(sk);

	msk->mn = mn;
	mrc_tcp_opt_init(&msk->opts);
	mrc_conn_init(msk);
	mrc_conn_timer_init(msk);
	sk_sockets_allocated_inc(sk);
}

static struct sock *alloc_sock(struct net *net, struct socket *sock,
			       int protocol, int kern)
{
	struct sock *sk;

	if (protocol & MRCPROTO_IPV6)
		return mrc_inet6_alloc(net, sock, kern);
	sk = sk_alloc(net, AF_INET, GFP_KERNEL, &mrc_prot, kern);
	if (!sk)
		return ERR_PTR(-ENOMEM);
	sock->ops = sock->type == SOCK_STREAM ? &mrc_ops_stream :
						&mrc_ops_seqpacket;
	sock_init_data(sock, sk);
	return sk;
}

/* The socket layer's create(): makes the socket behind socket(AF_MRC). */
static int create(struct net *net, struct socket *sock, int protocol, int kern)
{
	struct mrc_net *mn = mrc_net_ns_get(net);
	struct sock *sk;
	int err;

	if (sock->type != SOCK_STREAM && sock->type != SOCK_SEQPACKET)
		return -ESOCKTNOSUPPORT;
	if (protocol < 0 || protocol >= IPPROTO_MAX)
		return -EINVAL;
	if (protocol & ~(MRCPROTO_IPV6 | MRCPROTO_STRICT))
		return -EPROTONOSUPPORT;
	err = mrc_udp_open(mn);
	if (err)
		return err;
	sk = alloc_sock(net, sock, protocol, kern);
	if (IS_ERR(sk))
		return PTR_ERR(sk);
	sock->state = SS_UNCONNECTED;
	init_sock(sk, mn, protocol);
	if (!kern)
		err = BPF_CGROUP_RUN_PROG_INET_SOCK(sk);
	if (!err)
		err = mrc_fallback_create(sock, kern);
	if (err) {
		sock_orphan(sk);
		sock->sk = NULL;
		sock_put(sk);
	}
	return err;
}

static const struct net_proto_family family_ops = {
	.family	= AF_MRC,
	.create	= create,
	.owner	= THIS_MODULE,
};

static void init_limits(void)
{
	unsigned long limit = max(nr_free_buffer_pages() / MEM_SHARE,
				  MEM_MIN_PAGES);

	mem_pages[0] = limit / 4 * 3;
	mem_pages[1] = limit;
	mem_pages[2] = mem_pages[0] * 2;
}

/**
 * mrc_family_init() - register the address family
 *
 * Last step of loading: sockets can be created at once.
 *
 * Context: process, module load.
 * Return: 0; -EEXIST: AF_MRC's number is in use; -ENOMEM and the like.
 */
int mrc_family_init(void)
{
	int err;

	init_limits();
	err = percpu_counter_init(&sockets, 0, GFP_KERNEL);
	if (err)
		return err;
	err = mrc_chunk_init();
	if (err)
		goto no_chunks;
	err = proto_register(&mrc_prot, 1);
	if (err)
		goto no_proto;
	err = mrc_inet6_init();
	if (err)
		goto no_inet6;
	err = mrc_fallback_init();
	if (err)
		goto no_fallback;
	err = sock_register(&family_ops);
	if (err) {
		pr_err("address family %d is taken by another module\n",
		       AF_MRC);
		goto no_family;
	}
	return 0;

no_family:
	mrc_fallback_exit();
no_fallback:
	mrc_inet6_exit();
no_inet6:
	proto_unregister(&mrc_prot);
no_proto:
	mrc_chunk_exit();
no_chunks:
	percpu_counter_destroy(&sockets);
	return err;
}

/**
 * mrc_family_exit() - take the address family away
 *
 * No socket is left: each one holds a reference to the module.
 *
 * Context: process, module unload.
 */
void mrc_family_exit(void)
{
	sock_unregister(AF_MRC);
	mrc_fallback_exit();
	mrc_inet6_exit();
	proto_unregister(&mrc_prot);
	mrc_chunk_exit();
	percpu_counter_destroy(&sockets);
}
