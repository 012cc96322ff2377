// SPDX-License-Identifier: GPL-2.0-only
/*
 * Damages an object in many ways and runs objcmp on each, in a child: it may
 * say same, different or bad input, but must not crash. Built with the
 * address and undefined behaviour sanitizers by corrupt.t.
 *
 * corrupt OBJECT SCRATCH SEEDS LEVEL [SHOW]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int objcmp_main(int argc, char **argv);

static unsigned long state;

static unsigned long rnd(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

int main(int argc, char **argv)
{
	unsigned char *orig, *p;
	unsigned int seeds, seed, count[4] = { 0 };
	long n, shoff;
	FILE *f;

	if (argc < 5 || !(f = fopen(argv[1], "rb")))
		return 2;
	fseek(f, 0, SEEK_END);
	n = ftell(f);
	rewind(f);
	orig = malloc(n);
	p = malloc(n);
	if (fread(orig, 1, n, f) != (size_t)n)
		return 2;
	fclose(f);
	seeds = atoi(argv[3]);
	memcpy(&shoff, orig + 40, 8);
	for (seed = 1; seed <= seeds; seed++) {
		unsigned int hits, k;
		long len = n;
		int status;
		pid_t pid;

		state = seed * 2654435761ul + 1;
		memcpy(p, orig, n);
		hits = 1 + rnd() % 4;
		for (k = 0; k < hits; k++) {
			/* headers are where it hurts */
			unsigned long at = rnd() % 3 ? rnd() % n :
				(unsigned long)shoff + rnd() % (n - shoff);

			switch (rnd() % 4) {
			case 0:
				p[at] ^= 1 << rnd() % 8;
				break;
			case 1:
				p[at] = rnd();
				break;
			case 2:
				p[at] = 0xff;
				break;
			case 3:
				memset(p + at, rnd() % 2 ? 0xff : 0,
				       n - (long)at < 8 ? n - (long)at : 8);
				break;
			}
		}
		if (seed % 10 == 0)
			len = rnd() % n;
		f = fopen(argv[2], "wb");
		if (!f || fwrite(p, 1, len, f) != (size_t)len || fclose(f))
			return 2;
		fflush(stdout);
		pid = fork();
		if (!pid) {
			char *args[] = { "objcmp", "--level", argv[4], "--key",
					 "our_key", argv[1], argv[2], NULL };
			char *zero[] = { "objcmp", "--verbose", argv[2],
					 argv[1], NULL };

			alarm(20);
			if (argc < 6 && (!freopen("/dev/null", "w", stdout) ||
					 !freopen("/dev/null", "w", stderr)))
				_exit(98);
			exit(argv[4][0] == '1' ? objcmp_main(7, args) :
						 objcmp_main(4, zero));
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			return 2;
		if (WIFEXITED(status) && WEXITSTATUS(status) <= 2) {
			count[WEXITSTATUS(status)]++;
			continue;
		}
		count[3]++;
		printf("# seed %u: status %#x\n", seed, status);
	}
	printf("# same %u, different %u, bad input %u, crashed %u\n", count[0],
	       count[1], count[2], count[3]);
	unlink(argv[2]);
	/* if all were turned away at the door nothing was tried */
	return count[3] || !count[1] || !count[2];
}
