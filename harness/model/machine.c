// SPDX-License-Identifier: GPL-2.0-only
/* Reading .machine files: "name value" lines, # starts a comment. */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

struct field {
	const char *name;
	enum { UINT, NS } type;
	size_t at;
};

#define F(n, t, m) { n, t, offsetof(struct sim_machine, m) }
static const struct field fields[] = {
	F("sockets", UINT, sockets),
	F("nodes", UINT, nodes),
	F("complexes", UINT, complexes),
	F("cores", UINT, cores),
	F("resolve", UINT, resolve),
	F("slit-socket", UINT, slit_socket),
	F("slit-cross", UINT, slit_cross),
	F("hit", NS, hit),
	F("atomic", NS, atomic),
	F("fence", NS, fence),
	F("complex", NS, lat[SIM_COMPLEX]),
	F("node", NS, lat[SIM_NODE]),
	F("socket", NS, lat[SIM_SOCKET]),
	F("cross", NS, lat[SIM_CROSS]),
	F("mem-near", NS, lat[SIM_MEM_NEAR]),
	F("mem-socket", NS, mem_socket),
	F("mem-far", NS, lat[SIM_MEM_FAR]),
	F("home-node", NS, home_node),
	F("home-socket", NS, home_socket),
	F("hold", NS, hold),
	F("share", NS, share),
	F("wakeup", NS, wakeup),
	F("sched", NS, sched),
};
#define FIELDS	(sizeof(fields) / sizeof(fields[0]))

static int derive(struct sim_machine *m, const char *path)
{
	m->nr_nodes = m->sockets * m->nodes;
	m->nr_cpus = m->nr_nodes * m->complexes * m->cores;
	if (!m->nr_cpus || m->nr_cpus > SIM_CPUS || m->nr_nodes > 64) {
		fprintf(stderr, "%s: %u CPUs on %u nodes, there can be 1 to %u on 64\n",
			path, m->nr_cpus, m->nr_nodes, SIM_CPUS);
		return -1;
	}
	return 0;
}

/* Index of the field; FIELDS if there is none, more if the value is bad. */
static unsigned int set(struct sim_machine *m, const char *name,
			const char *value)
{
	char *end;
	double v = strtod(value, &end);
	unsigned int i;
	void *at;

	for (i = 0; i < FIELDS && strcmp(fields[i].name, name); i++)
		;
	if (i == FIELDS)
		return i;
	if (end == value || end[strspn(end, " \t")] || v < 0 || v > 1e6 ||
	    (fields[i].type == UINT && v != (unsigned int)v))
		return FIELDS + 1;
	at = (char *)m + fields[i].at;
	if (fields[i].type == UINT)
		*(unsigned int *)at = v;
	else
		*(double *)at = v;
	return i;
}

/**
 * sim_machine_set() - another value for one field
 * @m: a machine that was loaded
 * @arg: "name=value"
 *
 * Return: 0, or -1 after one clear line.
 */
int sim_machine_set(struct sim_machine *m, const char *arg)
{
	const char *eq = strchr(arg, '=');
	char name[64];

	if (eq && eq - arg < (int)sizeof(name)) {
		snprintf(name, sizeof(name), "%.*s", (int)(eq - arg), arg);
		if (set(m, name, eq + 1) < FIELDS)
			return derive(m, m->name);
	}
	fprintf(stderr, "model: --set %s: not a field of a machine and a value\n",
		arg);
	return -1;
}

/**
 * sim_machine_load() - read a machine
 * @m: filled
 * @path: its file
 *
 * Return: 0, or -1 after one clear line.
 */
int sim_machine_load(struct sim_machine *m, const char *path)
{
	unsigned int i, seen = 0, nr = 0;
	char line[256], name[64], value[128], *p;
	FILE *f = fopen(path, "r");

	if (!f) {
		fprintf(stderr, "%s: no such machine; see harness/model/machines/\n",
			path);
		return -1;
	}
	memset(m, 0, sizeof(*m));
	while (fgets(line, sizeof(line), f)) {
		nr++;
		p = strchr(line, '#');
		if (p)
			*p = 0;
		if (sscanf(line, "%63s %127[^\n]", name, value) < 2) {
			if (strspn(line, " \t\n") == strlen(line))
				continue;
			fprintf(stderr, "%s:%u: not \"name value\"\n", path, nr);
			goto bad;
		}
		if (!strcmp(name, "name")) {
			snprintf(m->name, sizeof(m->name), "%.31s", value);
			continue;
		}
		if (!strcmp(name, "what")) {
			snprintf(m->what, sizeof(m->what), "%s", value);
			continue;
		}
		i = set(m, name, value);
		if (i < FIELDS) {
			seen |= 1u << i;
			continue;
		}
		fprintf(stderr, i == FIELDS ? "%s:%u: nothing is called \"%s\"\n" :
			"%s:%u: %s cannot have that value\n", path, nr, name);
		goto bad;
	}
	fclose(f);
	for (i = 0; i < FIELDS; i++) {
		if (seen >> i & 1)
			continue;
		fprintf(stderr, "%s: \"%s\" is missing\n", path,
			fields[i].name);
		return -1;
	}
	return derive(m, path);
bad:
	fclose(f);
	return -1;
}

/** sim_machine_scale() - for the sensitivity run: what leaves a CPU's cache */
void sim_machine_scale(struct sim_machine *m, double by)
{
	unsigned int i;

	for (i = SIM_COMPLEX; i < SIM_CLASSES; i++)
		m->lat[i] *= by;
	m->mem_socket *= by;
	m->home_socket *= by;
	m->home_node *= by;
	m->share *= by;
}
