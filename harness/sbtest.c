// SPDX-License-Identifier: GPL-2.0-only
/*
 * sbtest: run operation sequences on any trees, machine, configuration.
 * Exit 0 if all agree with the model, 1 if not (the smallest failing sequence
 * is printed as C), 2 for bad input.
 */
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ops.h"

#define DEPTH_MAX 10240

static void bad(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("sbtest: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(2);
}

static unsigned long number(const char *what, const char *s, unsigned long max)
{
	unsigned long v;

	if (sbt_parse_u(s, max, &v))
		bad("--%s %s: not a number from 0 to %lu", what, s, max);
	return v;
}

static void help(void)
{
	unsigned int i;

	puts("usage: sbtest [OPTION...]\n"
	     "  --tree NAME      base, patched or a shared object; may be repeated\n"
	     "  --topology NAME  machine, see below, or NxM (N nodes of M CPUs)\n"
	     "  --depth N        bits, else random\n"
	     "  --shift N        -1 to 6, else random\n"
	     "  --round-robin N  0 or 1, else random\n"
	     "  --queue N        0 or 1, else random\n"
	     "  --seed N         of the random sequences (1)\n"
	     "  --sequences N    how many (1000)\n"
	     "  --ops N          operations in each (60)\n"
	     "  --seconds N      stop after so many\n"
	     "  --strict         none of the base's known faults is excused\n"
	     "  --replay SEQ     run this one, as an earlier run printed it\n"
	     "  --corpus DIR     write the sequences there for the fuzzer\n"
	     "machines:");
	for (i = 0; hs_topo_name(i); i++) {
		hs_topo_set(hs_topo_name(i));
		printf("  %-12s %s\n", hs_topo.name, hs_topo.what);
	}
}

static void corpus(const char *dir, const struct seq *s, unsigned long n)
{
	uint8_t buf[8 + SEQ_MAX * 5];
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%06lu", dir, n);
	f = fopen(path, "wb");
	if (!f)
		bad("--corpus %s: cannot write there", dir);
	fwrite(buf, 1, seq_to_bytes(s, buf, sizeof(buf)), f);
	fclose(f);
}

int main(int argc, char **argv)
{
	static const struct option opts[] = {
		{ "tree", 1, NULL, 't' }, { "topology", 1, NULL, 'm' },
		{ "depth", 1, NULL, 'd' }, { "shift", 1, NULL, 's' },
		{ "round-robin", 1, NULL, 'r' }, { "queue", 1, NULL, 'q' },
		{ "seed", 1, NULL, 'S' }, { "sequences", 1, NULL, 'n' },
		{ "ops", 1, NULL, 'o' }, { "seconds", 1, NULL, 'T' },
		{ "strict", 0, NULL, 'x' }, { "replay", 1, NULL, 'R' },
		{ "corpus", 1, NULL, 'C' }, { "help", 0, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct sbt_tree trees[8];
	unsigned long seed = 1, nr = 1000, nops = 60, secs = 0, i;
	long depth = -1, shift = -2, rr = -1, queue = -1;
	const char *replay = NULL, *dir = NULL, *topology = "two";
	const char *names[8];
	unsigned int ntrees = 0, k;
	time_t start = time(NULL);
	static struct seq s;
	char why[256];
	int c;

	while ((c = getopt_long(argc, argv, "h", opts, NULL)) != -1) {
		switch (c) {
		case 't':
			if (ntrees == 8)
				bad("--tree: at most 8");
			names[ntrees++] = optarg;
			break;
		case 'm':
			topology = optarg;
			break;
		case 'd':
			depth = number("depth", optarg, DEPTH_MAX);
			break;
		case 's':
			shift = strcmp(optarg, "-1") ?
				(long)number("shift", optarg, 6) : -1;
			break;
		case 'r':
			rr = number("round-robin", optarg, 1);
			break;
		case 'q':
			queue = number("queue", optarg, 1);
			break;
		case 'S':
			seed = number("seed", optarg, ~0UL);
			break;
		case 'n':
			nr = number("sequences", optarg, ~0UL >> 1);
			break;
		case 'o':
			nops = number("ops", optarg, SEQ_MAX);
			break;
		case 'T':
			secs = number("seconds", optarg, 1000000);
			break;
		case 'x':
			seq_exceptions = EXC_BATCH_WHOLE;
			break;
		case 'R':
			replay = optarg;
			break;
		case 'C':
			dir = optarg;
			break;
		case 'h':
			help();
			return 0;
		default:
			return 2;
		}
	}
	if (optind < argc)
		bad("%s: unexpected argument", argv[optind]);
	if (hs_topo_set(topology))
		bad("--topology %s: no such machine; sbtest --help lists them",
		    topology);
	if (replay && seq_parse(replay, &s))
		bad("--replay: not a sequence: %.60s", replay);
	if (!ntrees) {
		names[ntrees++] = "base";
		names[ntrees++] = "patched";
	}
	for (k = 0; k < ntrees; k++)
		if (sbt_load(names[k], &trees[k]))
			return 2;

	for (i = 0; i < nr && (!secs || time(NULL) - start < (time_t)secs); i++) {
		struct rnd r = { seed + i };

		if (!replay) {
			struct sbt_cfg cfg;

			seq_cfg(&r, &cfg);
			if (depth >= 0)
				cfg.depth = depth;
			if (shift >= -1)
				cfg.shift = shift;
			if (rr >= 0)
				cfg.round_robin = rr;
			if (queue >= 0)
				cfg.queue = queue;
			seq_make(&r, &cfg, nops, &s);
		}
		if (dir) {
			corpus(dir, &s, i);
			continue;
		}
		if (seq_run(&s, trees, ntrees, why, sizeof(why))) {
			printf("failed, seed %lu, after %lu operations\n",
			       seed + i, seq_ops_run);
			seq_shrink(&s, trees, ntrees);
			seq_run(&s, trees, ntrees, why, sizeof(why));
			seq_print_c(&s, why, stdout);
			printf("replay: --topology %s --replay '", topology);
			seq_print(&s, stdout);
			return 1;
		}
		if (replay)
			break;
	}
	printf("%lu sequences, %lu operations on %u trees, exceptions used: %x\n",
	       i, seq_ops_run, ntrees, seq_excused);
	return 0;
}
