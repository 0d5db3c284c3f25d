// SPDX-License-Identifier: GPL-2.0
/*
 * Socket surface, part 8: every option number of four levels, in every state,
 * with good and bad values, on TCP and on AF_MRC side by side: result, errno,
 * length and value must be the same, and so must what an accepted socket gets
 * from its listener. Of IPv4 and of IPv6, streams and messages.
 * sock_matrix_known.c lists the differences that are meant;
 * Documentation/socket-api.rst gives the reasons. Run by
 * cases/socket_options.sh.
 */
#include "sock_fixture.h"
#include "matrix.h"

/* Room for the longest answer that is compared. */
#define ANSWER	256

enum { FRESH, LISTENER, CLIENT, SERVER, ROLES };

static const char * const role_names[] = {
	"fresh", "listener", "client", "server"
};

/* The same four sockets of one family. */
struct set {
	bool mrc;
	int fd[ROLES];
	struct sockaddr_storage addr;
};

struct outcome {
	int err;
	socklen_t len;
	unsigned char data[ANSWER];
};

static const int values[] = { 1, 30, 0, 2, 1000, 70000, INT_MAX, -1 };

/* What is compared with TCP of the same version of IP. */
static unsigned int which;
static bool six;
static int type;

/* Streams of IPv4 get all values in all states, as does what only IPv6 has. */
static bool brief(const struct option *opt)
{
	return which != STREAM4 &&
	       !(which == STREAM6 && opt->level == SOL_IPV6);
}

static unsigned int differences;

static int open_one(bool mrc, int flags)
{
	if (mrc)
		return socket(AF_MRC, type, flags |
			      (six ? MRCPROTO_IPV6 : MRCPROTO_IPV4));
	return socket(six ? AF_INET6 : AF_INET, SOCK_STREAM, 0);
}

static int open_peer(const struct set *set)
{
	socklen_t len = six ? sizeof(struct sockaddr_in6) :
			      sizeof(struct sockaddr_in);
	/* TCP clients may miss what was set on the listener just now. */
	int fd = open_one(set->mrc, MRCPROTO_STRICT);

	if (connect(fd, (const struct sockaddr *)&set->addr, len)) {
		close(fd);
		return -1;
	}
	return fd;
}

static void open_set(struct set *set, bool mrc)
{
	struct sockaddr_in6 sin6 = {
		.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT,
	};
	struct sockaddr_in sin = loopback(0);
	socklen_t len = sizeof(set->addr);
	int fd = open_one(mrc, 0);

	set->mrc = mrc;
	set->fd[FRESH] = open_one(mrc, 0);
	set->fd[LISTENER] = fd;
	if (bind(fd, six ? (void *)&sin6 : (void *)&sin,
		 six ? sizeof(sin6) : sizeof(sin)) || listen(fd, 4) ||
	    getsockname(fd, (struct sockaddr *)&set->addr, &len))
		perror("# listener");
	set->fd[CLIENT] = open_peer(set);
	set->fd[SERVER] = accept(fd, NULL, NULL);
}

static void close_set(struct set *set)
{
	int i;

	for (i = 0; i < ROLES; i++)
		close(set->fd[i]);
}

static struct outcome get(int fd, int level, int name)
{
	struct outcome out = { .len = ANSWER };

	if (getsockopt(fd, level, name, out.data, &out.len)) {
		out.err = errno;
		out.len = 0;
		memset(out.data, 0, ANSWER);
	}
	return out;
}

static struct outcome set_bytes(int fd, int level, int name, const void *data,
				socklen_t len)
{
	struct outcome out = {};

	if (setsockopt(fd, level, name, data, len))
		out.err = errno;
	return out;
}

static int first_int(const struct outcome *out)
{
	int value = 0;

	memcpy(&value, out->data, sizeof(value));
	return value;
}

/* Tells a difference once; one that is known is no fault. */
static bool same(const struct option *opt, unsigned int what,
		 const char *step, const struct outcome *tcp,
		 const struct outcome *mrc)
{
	if (tcp->err == mrc->err && tcp->len == mrc->len &&
	    !memcmp(tcp->data, mrc->data, ANSWER))
		return true;
	if (matrix_known(opt, what, tcp->err, mrc->err))
		return false;
	differences++;
	printf("# level %d option %d, %s: TCP %s, %d (%u bytes); AF_MRC %s, %d (%u bytes)\n",
	       opt->level, opt->name, step,
	       tcp->err ? strerror(tcp->err) : "ok", first_int(tcp), tcp->len,
	       mrc->err ? strerror(mrc->err) : "ok", first_int(mrc), mrc->len);
	return false;
}

static bool compare_get(const struct option *opt, unsigned int what,
			const char *step, int tcp_fd, int mrc_fd)
{
	struct outcome tcp = get(tcp_fd, opt->level, opt->name);
	struct outcome mrc = get(mrc_fd, opt->level, opt->name);

	return same(opt, what, step, &tcp, &mrc);
}

static void compare_set(const struct option *opt, const char *step, int tcp_fd,
			int mrc_fd, const void *data, socklen_t len)
{
	struct outcome tcp, mrc;
	char after[64];

	tcp = set_bytes(tcp_fd, opt->level, opt->name, data, len);
	mrc = set_bytes(mrc_fd, opt->level, opt->name, data, len);
	if (!same(opt, KNOWN_SET, step, &tcp, &mrc) || tcp.err)
		return;
	snprintf(after, sizeof(after), "%s, read back", step);
	compare_get(opt, KNOWN_BACK, after, tcp_fd, mrc_fd);
}

static void compare_child(const struct option *opt, const char *step,
			  struct set *tcp, struct set *mrc)
{
	int client[2] = { open_peer(tcp), open_peer(mrc) };
	int child[2] = { -1, -1 };

	if (client[0] >= 0)
		child[0] = accept(tcp->fd[LISTENER], NULL, NULL);
	if (client[1] >= 0)
		child[1] = accept(mrc->fd[LISTENER], NULL, NULL);
	if (client[0] >= 0 && client[1] >= 0) {
		compare_get(opt, KNOWN_CHILD, step, child[0], child[1]);
	} else if (client[0] != client[1] &&
		   (client[0] < 0 || client[1] < 0)) {
		differences++;
		printf("# level %d option %d, %s: connect: TCP %d, AF_MRC %d\n",
		       opt->level, opt->name, step, client[0], client[1]);
	}
	close(child[0]);
	close(child[1]);
	close(client[0]);
	close(client[1]);
}

static void try_values(const struct option *opt, int role)
{
	/* On or 1 s, 3 of whatever: linger, time-outs, and too much for int. */
	static const int pair[4] = { 1, 0, 3, 0 };
	struct set tcp, mrc;
	char step[48];
	size_t i;

	open_set(&tcp, false);
	open_set(&mrc, true);
	for (i = 0; i < (brief(opt) ? 2 : ARRAY_SIZE(values)); i++) {
		snprintf(step, sizeof(step), "%s, set to %d",
			 role_names[role], values[i]);
		compare_set(opt, step, tcp.fd[role], mrc.fd[role], &values[i],
			    sizeof(values[i]));
		if (role == LISTENER && i < 2) {
			strcat(step, ", child");
			compare_child(opt, step, &tcp, &mrc);
		}
	}
	snprintf(step, sizeof(step), "%s, set to 16 bytes", role_names[role]);
	compare_set(opt, step, tcp.fd[role], mrc.fd[role], pair, sizeof(pair));
	snprintf(step, sizeof(step), "%s, set to 1 byte", role_names[role]);
	compare_set(opt, step, tcp.fd[role], mrc.fd[role], "\1", 1);
	close_set(&tcp);
	close_set(&mrc);
}

static void try_option(const struct option *opt)
{
	struct set tcp, mrc;
	int role;

	open_set(&tcp, false);
	open_set(&mrc, true);
	for (role = 0; role < ROLES; role++)
		compare_get(opt, KNOWN_GET, role_names[role], tcp.fd[role],
			    mrc.fd[role]);
	close_set(&tcp);
	close_set(&mrc);
	try_values(opt, LISTENER);
	if (brief(opt))
		return;
	try_values(opt, FRESH);
	try_values(opt, CLIENT);
}

static unsigned int try_level(int level, int first, int last)
{
	struct option opt = { .level = level };

	differences = 0;
	for (opt.name = first; opt.name <= last; opt.name++)
		try_option(&opt);
	return differences;
}

FIXTURE(matrix) {
	int buffered;
};

FIXTURE_VARIANT(matrix) {
	unsigned int which;	/* one of STREAM4 to MESSAGE6 */
};

FIXTURE_VARIANT_ADD(matrix, stream) {
	.which = STREAM4,
};

FIXTURE_VARIANT_ADD(matrix, stream6) {
	.which = STREAM6,
};

FIXTURE_VARIANT_ADD(matrix, message) {
	.which = MESSAGE4,
};

FIXTURE_VARIANT_ADD(matrix, message6) {
	.which = MESSAGE6,
};

FIXTURE_SETUP(matrix)
{
	/* The harness ends the test without flushing. */
	self->buffered = setvbuf(stdout, NULL, _IOLBF, 0);
	which = variant->which;
	six = which & ANY6;
	type = which & STREAM ? SOCK_STREAM : SOCK_SEQPACKET;
}

FIXTURE_TEARDOWN(matrix)
{
}

/* One test, since a process of its own would not see what another has met. */
TEST_F_TIMEOUT(matrix, options, 400)
{
	matrix_choose(which);
	EXPECT_EQ(0, try_level(SOL_SOCKET, 1, 80));
	/* From 64 on they belong to netfilter. */
	EXPECT_EQ(0, try_level(SOL_IP, 0, 63));
	EXPECT_EQ(0, try_level(SOL_IPV6, 0, 63));
	EXPECT_EQ(0, try_level(SOL_IPV6, 70, 79));
	EXPECT_EQ(0, try_level(SOL_TCP, 0, 50));
	/* A difference that is gone must leave the list. */
	EXPECT_EQ(0, matrix_unused());
}

TEST_HARNESS_MAIN
