/* SPDX-License-Identifier: BSD-2-Clause */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "config.h"

#include "cli/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "cli/num.h"

static bool
is_path(const char *s)
{
	return (s != NULL && strcmp(s, "-") != 0);
}

#ifdef __linux__

#include <sys/prctl.h>
#include <sys/syscall.h>
#ifdef HAVE_LINUX_CAPABILITY_H
#include <linux/capability.h>
#endif
#ifdef HAVE_LINUX_SECCOMP_H
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#endif

/* LeakSanitizer traces its own process at the end. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

/* --- the user ------------------------------------------------------------- */

/* Who called sudo; else nobody. */
static bool
other_user(uid_t *ret_uid, gid_t *ret_gid)
{
	const char *u = getenv("SUDO_UID"), *g = getenv("SUDO_GID");
	const struct passwd *pw;
	uint64_t uid, gid;

	if (u != NULL && g != NULL &&
	    cli_num_count(u, 1, UINT32_MAX - 1, &uid) == 0 &&
	    cli_num_count(g, 1, UINT32_MAX - 1, &gid) == 0) {
		*ret_uid = (uid_t)uid;
		*ret_gid = (gid_t)gid;
		return (true);
	}
	pw = getpwnam("nobody");
	if (pw == NULL || pw->pw_uid == 0)
		return (false);
	*ret_uid = pw->pw_uid;
	*ret_gid = pw->pw_gid;
	return (true);
}

/* Could that user read all that is going to be read? */
static bool
can_read(uid_t uid, const char *const *path)
{
	bool yes = true;

	if (seteuid(uid) != 0)
		return (false);
	for (; path != NULL && *path != NULL; path++)
		if (is_path(*path) &&
		    faccessat(AT_FDCWD, *path, R_OK, AT_EACCESS) < 0 &&
		    errno == EACCES)
			yes = false;
	if (seteuid(0) != 0)
		abort(); /* neither one nor the other */
	return (yes);
}

static bool
drop_user(const struct cli_confine *c)
{
	uid_t uid;
	gid_t gid;
	size_t i;

	if (geteuid() != 0 || c->keep_user || !other_user(&uid, &gid))
		return (false);
	for (i = 0; c->writes != NULL && c->writes[i] != NULL; i++)
		if (is_path(c->writes[i]))
			return (false);
	/* Root's groups go in any case: they open what root's uid does not. */
	if (setgroups(0, NULL) != 0 || setegid(gid) != 0)
		return (false);
	if (!can_read(uid, c->reads)) {
		if (setegid(0) != 0)
			abort();
		return (false);
	}
	/* All three ids: no way back. */
	if (setresgid(gid, gid, gid) != 0 || setresuid(uid, uid, uid) != 0)
		return (false);
#ifdef SANITIZED
	(void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
#endif
	return (geteuid() == uid && setuid(0) != 0);
}

/* --- capabilities --------------------------------------------------------- */

#ifdef HAVE_LINUX_CAPABILITY_H
static bool
drop_capabilities(const struct cli_confine *c)
{
	struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct d[2] = { { 0 } }; /* valgrind knows one */
	uint64_t keep = 0, have;
	unsigned i;

	if (c->keep_ipc_lock)
		keep |= UINT64_C(1) << CAP_IPC_LOCK;
	if (c->keep_dac)
		keep |= UINT64_C(1) << CAP_DAC_OVERRIDE |
			UINT64_C(1) << CAP_DAC_READ_SEARCH |
			UINT64_C(1) << CAP_FOWNER;
	if (c->keep_admin)
		keep |= UINT64_C(1) << CAP_SYS_ADMIN;
	if (syscall(SYS_capget, &h, d) != 0)
		return (false);
	have = d[0].permitted | (uint64_t)d[1].permitted << 32;
	if ((have & ~keep) == 0)
		return (have == 0);
	/* What a program started by us could get again. */
	for (i = 0; i < 64; i++)
		(void)prctl(PR_CAPBSET_DROP, i, 0, 0, 0);
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	have &= keep;
	d[0].effective = d[0].permitted = (uint32_t)have;
	d[1].effective = d[1].permitted = (uint32_t)(have >> 32);
	d[0].inheritable = d[1].inheritable = 0;
	return (syscall(SYS_capset, &h, d) == 0);
}
#else
static bool
drop_capabilities(const struct cli_confine *c)
{
	(void)c;
	return (false);
}
#endif

/* --- files: Landlock ------------------------------------------------------ */

/*
 * The kernel's own numbers, which never change: the headers of a system are
 * often older than its kernel.
 */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule       445
#define SYS_landlock_restrict_self  446
#endif
struct ruleset {
	uint64_t files, net, scoped;
};
struct beneath {
	uint64_t allowed;
	int32_t fd;
} __attribute__((__packed__));

enum {
	FS_EXECUTE = 1 << 0,
	FS_WRITE_FILE = 1 << 1,
	FS_REMOVE_DIR = 1 << 4,
	FS_REMOVE_FILE = 1 << 5,
	FS_MAKE_ANY = 0x7f << 6, /* char, dir, reg, sock, fifo, block, sym */
	FS_MAKE_REG = 1 << 8,
	FS_REFER = 1 << 13,     /* from ABI 2 */
	FS_TRUNCATE = 1 << 14,  /* 3 */
	FS_IOCTL_DEV = 1 << 15, /* 5 */
	NET_BIND_TCP = 1 << 0,  /* 4 */
	SCOPE_SOCKETS = 1 << 0, /* 6: the abstract ones */
	RULE_BENEATH = 1,
	CREATE_VERSION = 1,
};

static long
landlock_abi(void)
{
	return (syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_VERSION));
}

static void
allow(int rules, const char *path, uint64_t what)
{
	struct beneath b = { what, -1 };

	b.fd = open(path, O_PATH | O_CLOEXEC);
	if (b.fd < 0)
		return;
	(void)syscall(SYS_landlock_add_rule, rules, RULE_BENEATH, &b, 0);
	(void)close(b.fd);
}

/* The folder that a name is in, which may not be there yet. */
static void
allow_folder_of(int rules, const char *path, uint64_t what)
{
	char dir[PATH_MAX];
	const char *slash = strrchr(path, '/');
	size_t n = slash == NULL ? 0 : (size_t)(slash - path);

	if (n >= sizeof dir)
		return;
	memcpy(dir, path, n);
	dir[n] = '\0';
	allow(rules, slash == NULL ? "." : n == 0 ? "/" : dir, what);
}

static bool
confine_files(const struct cli_confine *c)
{
	struct ruleset r = { 0, 0, 0 };
	long abi = landlock_abi();
	uint64_t folder = FS_WRITE_FILE | FS_MAKE_REG | FS_REMOVE_FILE;
	uint64_t file = FS_WRITE_FILE;
	int rules;
	bool ok;
	size_t i;

	if (abi < 1)
		return (false);
	r.files = FS_WRITE_FILE | FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_ANY;
	if (!c->keep_exec)
		r.files |= FS_EXECUTE;
	if (abi >= 2)
		r.files |= FS_REFER;
	if (abi >= 3) {
		r.files |= FS_TRUNCATE;
		folder |= FS_TRUNCATE;
		file |= FS_TRUNCATE;
	}
	if (abi >= 4)
		r.net = NET_BIND_TCP;
	if (abi >= 5)
		r.files |= FS_IOCTL_DEV;
	if (abi >= 6)
		r.scoped = SCOPE_SOCKETS;
	rules = (int)syscall(SYS_landlock_create_ruleset, &r, sizeof r, 0);
	if (rules < 0)
		return (false);
	allow(rules, "/dev/null", file);
	for (i = 0; c->writes != NULL && c->writes[i] != NULL; i++)
		if (is_path(c->writes[i])) {
			allow_folder_of(rules, c->writes[i], folder);
			/* A device, a pipe: no folder's file. */
			allow(rules, c->writes[i], file);
		}
	ok = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
	(void)close(rules);
	return (ok);
}

/* --- calls: seccomp ------------------------------------------------------- */

#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define OUR_ARCH AUDIT_ARCH_RISCV64
#endif

#if defined(HAVE_LINUX_SECCOMP_H) && defined(OUR_ARCH)
#define HAVE_CALLS 1

static const int refused_always[] = {
#ifndef SANITIZED
	SYS_ptrace,
#endif
	SYS_process_vm_readv, SYS_process_vm_writev, SYS_kexec_load,
	SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_bpf,
	SYS_perf_event_open, SYS_userfaultfd, SYS_mount, SYS_umount2,
	SYS_pivot_root, SYS_chroot, SYS_setns, SYS_unshare, SYS_keyctl,
	SYS_add_key, SYS_request_key, SYS_open_by_handle_at, SYS_swapon,
	SYS_swapoff, SYS_reboot, SYS_acct, SYS_settimeofday, SYS_clock_settime,
	SYS_io_uring_setup
};
static const int refused_exec[] = { SYS_execve, SYS_execveat };

enum {
	NCALLS = sizeof refused_always / sizeof *refused_always +
		 sizeof refused_exec / sizeof *refused_exec,
};

static void
refuse(struct sock_filter *f, unsigned short *n, const int *calls, size_t len)
{
	const struct sock_filter no =
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	size_t i;

	for (i = 0; i < len; i++) {
		struct sock_filter is =
		    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);

		is.k = (uint32_t)calls[i];
		f[(*n)++] = is;
		f[(*n)++] = no;
	}
}

static bool
confine_calls(const struct cli_confine *c)
{
	static const struct sock_filter head[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, nr)),
#if defined(__x86_64__)
		/* x32: the same calls under other numbers */
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
#endif
	};
	static const struct sock_filter tail =
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_filter
	    f[sizeof head / sizeof *head + (size_t)2 * NCALLS + 1];
	struct sock_fprog prog;
	unsigned short n = sizeof head / sizeof *head;

	memcpy(f, head, sizeof head);
	refuse(f, &n, refused_always,
	    sizeof refused_always / sizeof *refused_always);
	if (!c->keep_exec)
		refuse(f, &n, refused_exec,
		    sizeof refused_exec / sizeof *refused_exec);
	f[n++] = tail;
	prog.len = n;
	prog.filter = f;
	return (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog, 0, 0) == 0);
}
#else
static bool
confine_calls(const struct cli_confine *c)
{
	(void)c;
	return (false);
}
#endif

unsigned
cli_confine(const struct cli_confine *c)
{
	struct cli_confine need = *c;
	unsigned done = 0;

	if (drop_user(c))
		done |= CLI_CONFINED_USER;
	else if (!c->keep_user)
		need.keep_dac = true;
	if (drop_capabilities(&need))
		done |= CLI_CONFINED_CAPABILITIES;
	/* Without it neither of the two is open to us, and it harms nobody. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return (done);
	if (confine_files(c))
		done |= CLI_CONFINED_FILES;
	if (!c->keep_calls && confine_calls(c))
		done |= CLI_CONFINED_CALLS;
	return (done);
}

void
cli_confine_offer(char *buf, size_t len)
{
	long abi = landlock_abi();
	const char *calls = ", no seccomp";

#ifdef HAVE_CALLS
	if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0)
		calls = ", seccomp";
#endif
	if (abi > 0)
		(void)snprintf(
		    buf, len, "capabilities, Landlock %ld%s", abi, calls);
	else
		(void)snprintf(buf, len, "capabilities, no Landlock%s", calls);
}

#else

unsigned
cli_confine(const struct cli_confine *c)
{
	(void)c;
	(void)is_path;
	return (0);
}

void
cli_confine_offer(char *buf, size_t len)
{
	(void)snprintf(buf, len, "none on this system");
}
#endif
