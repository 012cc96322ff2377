// SPDX-License-Identifier: GPL-2.0-only
/*
 * model: one load on one machine, every contender in turn with the same seed.
 * One line a contender, tab separated; --head prints the names of the columns.
 */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "load.h"

/* Adding one is a line here; its shared object is build/harness/TREE/model. */
static const struct contender contenders[] = {
	{ "base", "base", 0, "unmodified kernel" },
	{ "dptr", "dptr", 0, "words found through a table of pointers, always" },
	{ "hints", "hints", 0, "flat words, each CPU starts in its node's part" },
	{ "default", "patched", 0, "the series, default mode" },
	{ "numa", "patched", 1, "the series, NUMA mode" },
	{ "percpu", "percpu", 0, "a cache of tags for each CPU" },
};
#define CONTENDERS (sizeof(contenders) / sizeof(contenders[0]))

static struct load_cfg cfg = {
	.depth = 256, .shift = -1, .use = 0.5, .only = -1, .queues = 1,
	.batch = 1, .think = 500, .device = 5000, .warm = 0, .pairs = 200000,
	.seed = 1,
};

static const char *const places[] = { "cpu", "node", "any" };

static void help(void)
{
	unsigned int i;

	printf("usage: model --machine FILE [option]...\n"
	       "  --set NAME=VALUE     another value for a field of the machine\n"
	       "  --scale F            all latencies outside a CPU, times F\n"
	       "  --who LIST           contenders, by commas; \"all\" skips what is not built\n"
	       "  --depth N --shift N  tags; log2 of bits in a word (-1: its own choice)\n"
	       "  --node N             where the tag set lives (0)\n"
	       "  --use F              tags wanted at once, part of the depth (0.5)\n"
	       "  --only N             only node N does I/O\n"
	       "  --hot N              node 0 wants N times as much\n"
	       "  --queues N           request queues on the tag set (1)\n"
	       "  --jobs N --iodepth N jobs per queue and their depth, instead of --use\n"
	       "  --batch N            requests submitted at once (1)\n"
	       "  --place cpu|node|any where requests complete (cpu)\n"
	       "  --think NS --device NS  CPU time of a request, time in the device\n"
	       "  --sched 0|1|2        scheduler tags: none, default mode, contender's\n"
	       "  --lines N            cache lines of a request that are written (0)\n"
	       "  --untimed            no clock: a random CPU gives back a random tag of its\n"
	       "                       own and gets another; columns of its own\n"
	       "  --pairs N --warm N --seed N\n"
	       "  --label TEXT         first column\n"
	       "  --kinds              which lines travelled, to stderr\n"
	       "  --check              count transfers twice, fail if they differ\n"
	       "  --head               the names of the columns, then end\n\n"
	       "contenders:\n");
	for (i = 0; i < CONTENDERS; i++)
		printf("  %-9s%s\n", contenders[i].name, contenders[i].what);
}

static void head(void)
{
	unsigned int i;

	printf("label\tmachine\tnodes\tcpus\twho\tdepth\tuse\tqueues\tbatch\tplace\tthink_ns\tdevice_ns\tseed\t"
	       "kiops\tget_ns\tput_ns\tp50_ns\tp99_ns");
	for (i = SIM_COMPLEX; i < SIM_CLASSES; i++)
		printf("\t%s", sim_class_name[i]);
	printf("\txnode\txnode_word\txnode_bitmap\tforeign\twords\tsleeps\tfairness\tper_call\tqueued_ns\taccesses");
	for (i = 0; i < SIM_KINDS; i++)
		printf("\tx_%s", sim_kind_name[i]);
	putchar('\n');
}

static double across(const struct sim_stats *st, unsigned int k)
{
	return st->n[k][SIM_SOCKET] + st->n[k][SIM_CROSS] +
	       st->n[k][SIM_MEM_FAR];
}

static void line(const char *label, const struct sim_machine *m,
		 const struct contender *who, const struct load_result *r)
{
	double all = 0, bitmap = 0;
	unsigned int k, c;

	printf("%s\t%s\t%u\t%u\t%s\t%u\t", label, m->name, m->nr_nodes,
	       m->nr_cpus, who->name, cfg.depth);
	if (cfg.jobs)
		printf("%ux%u", cfg.jobs, cfg.iodepth);
	else
		printf("%g", cfg.use);
	printf("\t%u\t%u\t%s\t%g\t%g\t%lu", cfg.queues, cfg.batch,
	       places[cfg.place], cfg.think, cfg.device, cfg.seed);
	printf("\t%.1f\t%.1f\t%.1f\t%.0f\t%.0f", r->kiops, r->get_ns, r->put_ns,
	       r->p50, r->p99);
	for (c = SIM_COMPLEX; c < SIM_CLASSES; c++) {
		double n = 0;

		for (k = 0; k < SIM_KINDS; k++)
			n += r->st.n[k][c];
		printf("\t%.4f", n / r->pairs);
	}
	for (k = 0; k < SIM_KINDS; k++) {
		all += across(&r->st, k);
		if (k != SIM_K_ACTIVE && k != SIM_K_REQUEST)
			bitmap += across(&r->st, k);
	}
	printf("\t%.4f\t%.4f\t%.4f\t%.4f\t%.3f\t%.4f\t%.3f\t%.2f\t%.0f\t%.2f",
	       all / r->pairs,
	       (across(&r->st, SIM_K_WORD) + across(&r->st, SIM_K_CLEARED)) /
	       r->pairs, bitmap / r->pairs, r->foreign, r->words, r->sleeps,
	       r->fair, r->per_call, r->st.queued / 1000 / r->pairs,
	       r->st.accesses / r->pairs);
	for (k = 0; k < SIM_KINDS; k++)
		printf("\t%.4f", across(&r->st, k) / r->pairs);
	putchar('\n');
	fflush(stdout);
}

static void head_untimed(void)
{
	printf("label\tmachine\twho\tdepth\tuse\tonly\tpairs\tcpu\tnode\twords\tforeign\n");
}

/* "cpu" counts every transfer, "node" those between nodes. */
static void line_untimed(const char *label, const struct sim_machine *m,
			 const struct contender *who,
			 const struct load_result *r)
{
	double all = 0, across_nodes = 0;
	unsigned int k, c;

	for (k = 0; k < SIM_KINDS; k++) {
		across_nodes += across(&r->st, k);
		for (c = SIM_COMPLEX; c < SIM_CLASSES; c++)
			all += r->st.n[k][c];
	}
	printf("%s\t%s\t%s\t%u\t%g\t%d\t%.0f\t%.4f\t%.4f\t%.3f\t%lu\n", label,
	       m->name, who->name, cfg.depth, cfg.use, cfg.only, r->pairs,
	       all / r->pairs, across_nodes / r->pairs, r->words,
	       r->nr_foreign);
	fflush(stdout);
}

static void kinds(const struct contender *who, const struct load_result *r)
{
	unsigned int k, c;

	fprintf(stderr, "%s: transfers per request\n%-10s", who->name, "line");
	for (c = SIM_COMPLEX; c < SIM_CLASSES; c++)
		fprintf(stderr, " %9s", sim_class_name[c]);
	fputc('\n', stderr);
	for (k = 0; k < SIM_KINDS; k++) {
		fprintf(stderr, "%-10s", sim_kind_name[k]);
		for (c = SIM_COMPLEX; c < SIM_CLASSES; c++)
			fprintf(stderr, " %9.4f", r->st.n[k][c] / r->pairs);
		fputc('\n', stderr);
	}
}

/* Both counted from the start: the first opinion needs no warm-up here. */
static int differ(const char *who)
{
	uint64_t mine[SIM_CLASSES] = { 0 }, other[SIM_CLASSES];
	unsigned int k, c, bad = 0;

	naive_totals(other);
	for (k = 0; k < SIM_KINDS; k++)
		for (c = 0; c < SIM_CLASSES; c++)
			mine[c] += sim.st.n[k][c];
	for (c = SIM_COMPLEX; c < SIM_CLASSES; c++) {
		if (mine[c] == other[c])
			continue;
		fprintf(stderr, "model: %s: %lu transfers of class %s, the second count says %lu\n",
			who, mine[c], sim_class_name[c], other[c]);
		bad = 1;
	}
	return bad;
}

static double number(const char *opt, const char *s, double min, double max)
{
	char *end;
	double v = strtod(s, &end);

	if (end == s || *end || !(v >= min && v <= max)) {
		fprintf(stderr, "model: --%s %s: a number from %g to %g\n", opt,
			s, min, max);
		exit(2);
	}
	return v;
}

int main(int argc, char **argv)
{
	static const struct option opts[] = {
		{ "machine", 1, NULL, 'm' }, { "set", 1, NULL, 'S' },
		{ "scale", 1, NULL, 'x' }, { "who", 1, NULL, 'w' },
		{ "depth", 1, NULL, 'd' }, { "shift", 1, NULL, 's' },
		{ "node", 1, NULL, 'n' }, { "use", 1, NULL, 'u' },
		{ "only", 1, NULL, 'o' }, { "hot", 1, NULL, 'H' },
		{ "queues", 1, NULL, 'q' }, { "jobs", 1, NULL, 'j' },
		{ "iodepth", 1, NULL, 'i' }, { "batch", 1, NULL, 'b' },
		{ "place", 1, NULL, 'p' }, { "think", 1, NULL, 't' },
		{ "device", 1, NULL, 'D' }, { "sched", 1, NULL, 'c' },
		{ "lines", 1, NULL, 'l' }, { "pairs", 1, NULL, 'P' },
		{ "warm", 1, NULL, 'W' }, { "seed", 1, NULL, 'R' },
		{ "label", 1, NULL, 'L' }, { "kinds", 0, NULL, 'k' },
		{ "check", 0, NULL, 'C' }, { "head", 0, NULL, 'E' },
		{ "untimed", 0, NULL, 'U' },
		{ "help", 0, NULL, 'h' }, { NULL, 0, NULL, 0 },
	};
	const char *label = "-", *who = "all", *name = "";
	bool want_kinds = false, check = false, all;
	struct sim_machine m = { .nr_cpus = 0 };
	unsigned int i, found = 0;
	int o, at, fail = 0;
	double scale = 1;

	while ((o = getopt_long(argc, argv, "", opts, &at)) != -1) {
		name = o == '?' ? "" : opts[at].name;
		switch (o) {
		case 'm':
			if (sim_machine_load(&m, optarg))
				return 2;
			break;
		case 'S':
			if (sim_machine_set(&m, optarg))
				return 2;
			break;
		case 'x': scale = number(name, optarg, 0.01, 100); break;
		case 'w': who = optarg; break;
		case 'd': cfg.depth = number(name, optarg, 1, 65535); break;
		case 's': cfg.shift = number(name, optarg, -1, 6); break;
		case 'n': cfg.node = number(name, optarg, 0, 63); break;
		case 'u': cfg.use = number(name, optarg, 0, 100); break;
		case 'o': cfg.only = number(name, optarg, 0, 63); break;
		case 'H': cfg.hot = number(name, optarg, 1, 1000); break;
		case 'q': cfg.queues = number(name, optarg, 1, 256); break;
		case 'j': cfg.jobs = number(name, optarg, 1, 256); break;
		case 'i': cfg.iodepth = number(name, optarg, 1, 65535); break;
		case 'b': cfg.batch = number(name, optarg, 1, 64); break;
		case 'p':
			for (i = 0; i < 3 && strcmp(places[i], optarg); i++)
				;
			if (i == 3) {
				fprintf(stderr, "model: --place %s: cpu, node or any\n",
					optarg);
				return 2;
			}
			cfg.place = i;
			break;
		case 't': cfg.think = number(name, optarg, 0, 1e6); break;
		case 'D': cfg.device = number(name, optarg, 0, 1e7); break;
		case 'c': cfg.sched = number(name, optarg, 0, 2); break;
		case 'l': cfg.lines = number(name, optarg, 0, 64); break;
		case 'P': cfg.pairs = number(name, optarg, 1, 1e9); break;
		case 'W': cfg.warm = number(name, optarg, 1, 1e9); break;
		case 'R': cfg.seed = number(name, optarg, 0, 1e9); break;
		case 'L': label = optarg; break;
		case 'k': want_kinds = true; break;
		case 'C': check = true; break;
		case 'U': cfg.untimed = true; break;
		case 'E':
			if (cfg.untimed)
				head_untimed();
			else
				head();
			return 0;
		case 'h': help(); return 0;
		default: return 2;
		}
	}
	if (!m.nr_cpus || optind < argc) {
		fprintf(stderr, m.nr_cpus ? "model: %s: not an option; see model --help\n" :
			"model: no --machine; see model --help\n",
			argv[optind]);
		return 2;
	}
	if (cfg.only >= (int)m.nr_nodes || cfg.node >= (int)m.nr_nodes) {
		fprintf(stderr, "model: the machine has %u nodes\n", m.nr_nodes);
		return 2;
	}
	if (cfg.jobs && !cfg.iodepth) {
		fprintf(stderr, "model: --jobs needs --iodepth\n");
		return 2;
	}
	if (!cfg.jobs && cfg.queues > 1) {
		fprintf(stderr, "model: several queues need --jobs\n");
		return 2;
	}
	if (cfg.untimed && (cfg.jobs || cfg.use > 1)) {
		fprintf(stderr, "model: --untimed: by --use, and up to 1\n");
		return 2;
	}
	sim_machine_scale(&m, scale);
	if (!cfg.warm && !check)
		cfg.warm = cfg.pairs / 10 + 4 * cfg.depth;
	all = !strcmp(who, "all");
	for (i = 0; i < CONTENDERS; i++) {
		const struct contender *c = &contenders[i];
		size_t len = strlen(c->name);
		struct load_result r;
		struct sbt_tree t;
		char path[4096];
		const char *p, *dir = getenv("HARNESS_BUILD");

		for (p = who; !all && (p = strstr(p, c->name)); p += len)
			if ((p == who || p[-1] == ',') &&
			    (!p[len] || p[len] == ','))
				break;
		if (!all && !p)
			continue;
		snprintf(path, sizeof(path), "%s/%s/model/sbitmap.so",
			 dir ? dir : "build/harness", c->tree);
		if (all && access(path, R_OK))
			continue;
		found++;
		load_prepare(&cfg, &m, check);
		if (sbt_load(c->tree, &t))
			return 2;
		if (load_run(&cfg, &m, c, t.ops, &r))
			return 1;
		if (r.refused) {
			if (!all)
				fprintf(stderr, "model: %s: refused by its init function\n",
					c->name);
			fail |= all ? 0 : 3;
		} else if (r.stalled) {
			fprintf(stderr, "model: %s: stalled: %s\n", c->name,
				r.stalled);
			fail |= 1;
		} else {
			(cfg.untimed ? line_untimed : line)(label, &m, c, &r);
			if (want_kinds)
				kinds(c, &r);
			if (check && differ(c->name))
				fail |= 1;
		}
		sbt_unload(&t);
	}
	if (!found) {
		fprintf(stderr, "model: no contender \"%s\" is built; run: make -C harness\n",
			who);
		return 2;
	}
	return fail;
}
