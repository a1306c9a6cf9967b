/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * noring COMMAND...: run it where io_uring_setup is refused with EPERM, as the
 * seccomp filters of containers do.  77: cannot be done here.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

int
main(int argc, char **argv)
{
#if defined(__linux__) && defined(SYS_io_uring_setup)
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof filter / sizeof *filter, filter };

	if (argc < 2)
		return (2);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) < 0) {
		perror("noring");
		return (77);
	}
	(void)execvp(argv[1], argv + 1);
	perror(argv[1]);
	return (126);
#else
	(void)argc;
	(void)argv;
	return (77);
#endif
}
