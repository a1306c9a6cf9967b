/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * noring COMMAND...: run it where io_uring_setup is refused with EPERM, as the
 * seccomp filters of containers do.
 * noring -a COMMAND...: where io_setup is, with EAGAIN, as when all of
 * fs.aio-max-nr are taken.
 * 77: cannot be done here.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
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
	int no_aio = argc > 1 && strcmp(argv[1], "-a") == 0;
	unsigned call = no_aio ? SYS_io_setup : SYS_io_uring_setup;
	unsigned answer = SECCOMP_RET_ERRNO | (no_aio ? EAGAIN : EPERM);
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, answer),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof filter / sizeof *filter, filter };

	argv += no_aio;
	if (argc < 2 + no_aio)
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
