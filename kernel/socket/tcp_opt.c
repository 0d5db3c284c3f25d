// SPDX-License-Identifier: GPL-2.0
/*
 * Options of level IPPROTO_TCP, as programs written for TCP use them.
 *
 * Most are a number in struct mrc_conn_opts with a range, so a table serves
 * them. What AF_MRC cannot do is refused with ENOPROTOOPT (TCP_ULP: kTLS
 * stays in user space) or EOPNOTSUPP. Values are guarded by the socket lock.
 */
#include <linux/uaccess.h>
#include "rate/rate.h"
#include "socket/room.h"

/* Ranges of TCP, which ports of programs and their tests know. */
#define KEEPIDLE_MAX_S		32767
#define KEEPINTVL_MAX_S		32767
#define KEEPCNT_MAX		127
#define SYNCNT_MAX		127
#define LINGER2_MAX_S		120
#define MAXSEG_MIN		88
#define MAXSEG_MAX		32767

/* What TCP answers before anything was set. */
#define KEEPIDLE_DEFAULT_S	7200
#define KEEPINTVL_DEFAULT_S	75
#define KEEPCNT_DEFAULT		9
#define LINGER2_DEFAULT_S	60
#define MAXSEG_DEFAULT		536

/* States in which there is something to send, or a deadline. */
#define LIVE_STATES	(~(TCPF_CLOSE | TCPF_LISTEN))

/**
 * struct tcp_opt - an option that is a number
 * @name: TCP_*
 * @flag: bool in struct mrc_conn_opts; otherwise u32
 * @any: no value is refused; out of range means the nearest
 * @offset: of the field in struct mrc_conn_opts
 * @min: smallest value accepted
 * @max: largest value accepted
 * @apply: makes a new value effective, socket lock held; may be NULL
 */
struct tcp_opt {
	int name;
	bool flag;
	bool any;
	size_t offset;
	int min;
	int max;
	void (*apply)(struct mrc_sock *msk);
};

static void push(struct mrc_sock *msk)
{
	if (!mrc_socket_in(mrc_conn_sk(msk), LIVE_STATES))
		return;
	if (!msk->opts.nodelay && msk->opts.cork)
		return;
	msk->more = false;
	mrc_output_push(msk);
}

static void rearm(struct mrc_sock *msk)
{
	if (mrc_socket_in(mrc_conn_sk(msk), LIVE_STATES))
		mrc_conn_timer_update(msk);
}

static void wake_writer(struct mrc_sock *msk)
{
	mrc_conn_sk(msk)->sk_write_space(mrc_conn_sk(msk));
}

/* 0 stands for the default. */
static void default_linger2(struct mrc_sock *msk)
{
	if (!msk->opts.linger2_s)
		msk->opts.linger2_s = LINGER2_DEFAULT_S;
}

#define FLAG(tcp_name, field, func) { \
	.name = tcp_name, .flag = true, .any = true, \
	.offset = offsetof(struct mrc_conn_opts, field), .max = 1, \
	.apply = func }
#define NUMBER(tcp_name, field, lo, hi, func) { \
	.name = tcp_name, \
	.offset = offsetof(struct mrc_conn_opts, field), \
	.min = lo, .max = hi, .apply = func }
#define STRICT_FLAG(tcp_name, field) { \
	.name = tcp_name, .flag = true, \
	.offset = offsetof(struct mrc_conn_opts, field), .max = 1 }
#define CLAMPED(tcp_name, field, lo, hi, func) { \
	.name = tcp_name, .any = true, \
	.offset = offsetof(struct mrc_conn_opts, field), \
	.min = lo, .max = hi, .apply = func }

static const struct tcp_opt table[] = {
	FLAG(TCP_NODELAY, nodelay, push),
	FLAG(TCP_CORK, cork, push),
	FLAG(TCP_QUICKACK, quickack, NULL),
	STRICT_FLAG(TCP_INQ, inq),
	NUMBER(TCP_KEEPIDLE, keepidle_s, 1, KEEPIDLE_MAX_S, rearm),
	NUMBER(TCP_KEEPINTVL, keepintvl_s, 1, KEEPINTVL_MAX_S, rearm),
	NUMBER(TCP_KEEPCNT, keepcnt, 1, KEEPCNT_MAX, rearm),
	NUMBER(TCP_SYNCNT, syncnt, 1, SYNCNT_MAX, NULL),
	NUMBER(TCP_USER_TIMEOUT, user_timeout_ms, 0, INT_MAX, rearm),
	CLAMPED(TCP_LINGER2, linger2_s, -1, LINGER2_MAX_S,
		default_linger2),
	CLAMPED(TCP_DEFER_ACCEPT, defer_accept_s, 0, INT_MAX, NULL),
	CLAMPED(TCP_NOTSENT_LOWAT, notsent_lowat, INT_MIN, INT_MAX,
		wake_writer),
};

static const struct tcp_opt *find(int name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].name == name)
			return &table[i];
	return NULL;
}

static int store(struct mrc_sock *msk, const struct tcp_opt *opt, int val)
{
	void *field = (void *)&msk->opts + opt->offset;

	if (!opt->any && (val < opt->min || val > opt->max))
		return -EINVAL;
	if (opt->flag)
		*(bool *)field = val;
	else
		WRITE_ONCE(*(u32 *)field, clamp(val, opt->min, opt->max));
	if (opt->apply)
		opt->apply(msk);
	return 0;
}

static int load(const struct mrc_sock *msk, const struct tcp_opt *opt)
{
	const void *field = (const void *)&msk->opts + opt->offset;

	return opt->flag ? *(const bool *)field : *(const u32 *)field;
}

/**
 * mrc_tcp_opt_init() - values of a new socket
 * @opts: zero
 */
void mrc_tcp_opt_init(struct mrc_conn_opts *opts)
{
	opts->keepidle_s = KEEPIDLE_DEFAULT_S;
	opts->keepintvl_s = KEEPINTVL_DEFAULT_S;
	opts->keepcnt = KEEPCNT_DEFAULT;
	opts->linger2_s = LINGER2_DEFAULT_S;
	opts->syncnt = MRC_INIT_TRIES;
	opts->quickack = true;
}

/*
 * TCP_CONGESTION: the controller of paths opened from now on. What is unknown
 * here mrc_fallback_setsockopt() asks TCP for.
 */
static int set_congestion(struct mrc_sock *msk, sockptr_t optval,
			  unsigned int optlen)
{
	const struct mrc_rate_ops *ops;
	char name[MRC_NAME_MAX];
	int len;

	if (optlen < 1)
		return -EINVAL;
	len = strncpy_from_sockptr(name, optval,
				   min_t(long, sizeof(name) - 1, optlen));
	if (len < 0)
		return -EFAULT;
	name[len] = 0;
	ops = mrc_rate_find(name);
	if (!ops)
		return -ENOENT;
	lock_sock(mrc_conn_sk(msk));
	msk->rate_ops = ops;
	release_sock(mrc_conn_sk(msk));
	return 0;
}

static int set_maxseg(struct mrc_sock *msk, int val)
{
	if (val && (val < MAXSEG_MIN || val > MAXSEG_MAX))
		return -EINVAL;
	msk->opts.maxseg = val;
	return 0;
}

static int set_fastopen(struct mrc_sock *msk, int val)
{
	struct net *net = sock_net(mrc_conn_sk(msk));

	if (val < 0 ||
	    !mrc_socket_in(mrc_conn_sk(msk), TCPF_CLOSE | TCPF_LISTEN))
		return -EINVAL;
	msk->opts.fastopen =
		min(val, READ_ONCE(net->core.sysctl_somaxconn));
	return 0;
}

static int set_number(struct mrc_sock *msk, int name, int val)
{
	const struct tcp_opt *opt = find(name);

	if (opt)
		return store(msk, opt, val);
	switch (name) {
	case TCP_MAXSEG:
		return set_maxseg(msk, val);
	case TCP_FASTOPEN:
		return set_fastopen(msk, val);
	case TCP_FASTOPEN_CONNECT:
		return val ? -EOPNOTSUPP : 0;
	default:
		return -ENOPROTOOPT;
	}
}

/**
 * mrc_tcp_opt_set() - setsockopt() of level SOL_TCP
 * @msk: connection
 * @name: TCP_*
 * @optval: value
 * @optlen: its bytes
 *
 * Context: process; takes the socket lock.
 * Return: 0; -ENOPROTOOPT, -EOPNOTSUPP: not here; -EINVAL: range or length;
 * -EFAULT; -ENOENT: no such rate controller.
 */
int mrc_tcp_opt_set(struct mrc_sock *msk, int name, sockptr_t optval,
		    unsigned int optlen)
{
	struct sock *sk = mrc_conn_sk(msk);
	int val, err;

	if (name == TCP_CONGESTION)
		return set_congestion(msk, optval, optlen);
	if (name == TCP_ULP)
		return -ENOPROTOOPT;
	if (optlen < sizeof(val))
		return -EINVAL;
	if (copy_from_sockptr(&val, optval, sizeof(val)))
		return -EFAULT;
	lock_sock(sk);
	err = set_number(msk, name, val);
	release_sock(sk);
	return err;
}

static int get_maxseg(const struct mrc_sock *msk)
{
	if (mrc_socket_in(mrc_conn_sk(msk),
			  TCPF_CLOSE | TCPF_LISTEN | TCPF_SYN_SENT))
		return msk->opts.maxseg ? : MAXSEG_DEFAULT;
	return msk->mss;
}

static int get_congestion(struct mrc_sock *msk, char __user *optval,
			  int __user *optlen)
{
	char name[MRC_NAME_MAX] = {};

	lock_sock(mrc_conn_sk(msk));
	strscpy(name, msk->rate_ops->name, sizeof(name));
	release_sock(mrc_conn_sk(msk));
	return mrc_sockopt_answer(name, sizeof(name), optval, optlen);
}

/**
 * mrc_tcp_opt_get() - getsockopt() of level SOL_TCP
 * @msk: connection
 * @name: TCP_*
 * @optval: user buffer
 * @optlen: its size; set to the bytes written
 *
 * Context: process; takes the socket lock.
 * Return: 0, -ENOPROTOOPT, -EINVAL or -EFAULT.
 */
int mrc_tcp_opt_get(struct mrc_sock *msk, int name, char __user *optval,
		    int __user *optlen)
{
	const struct tcp_opt *opt = find(name);
	int val;

	if (opt) {
		val = load(msk, opt);
		return mrc_sockopt_answer(&val, sizeof(val), optval, optlen);
	}
	switch (name) {
	case TCP_INFO:
		return mrc_info_tcp(msk, optval, optlen);
	case TCP_CONGESTION:
		return get_congestion(msk, optval, optlen);
	case TCP_MAXSEG:
		val = get_maxseg(msk);
		break;
	case TCP_FASTOPEN:
		val = msk->opts.fastopen;
		break;
	case TCP_FASTOPEN_CONNECT:
		val = 0;
		break;
	default:
		return -ENOPROTOOPT;
	}
	return mrc_sockopt_answer(&val, sizeof(val), optval, optlen);
}
