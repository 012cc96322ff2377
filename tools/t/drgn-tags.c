// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two sets of tags, shaped as the kernel's, for tools/t/drgn-tags.t: a process
 * that drgn looks at in place of a kernel. Prints their addresses and waits.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
	int counter;
} atomic_t;

struct sbitmap_word {
	unsigned long word;
	unsigned long cleared __attribute__((aligned(64)));
	int swap_lock;
} __attribute__((aligned(64)));

struct sbitmap {
	unsigned int depth, shift, map_nr;
	_Bool round_robin;
	struct sbitmap_word *map;
	unsigned int *alloc_hint;
};

struct sbq_wait_state {
	int wait[6];
} __attribute__((aligned(64)));

struct sbitmap_queue {
	struct sbitmap sb;
	unsigned int wake_batch;
	atomic_t wake_index;
	struct sbq_wait_state *ws;
	atomic_t ws_active;
};

struct request;

struct blk_mq_tags {
	unsigned int nr_tags, nr_reserved_tags, active_queues;
	struct sbitmap_queue bitmap_tags, breserved_tags;
	struct request **rqs;
};

struct sbn_word {
	struct sbitmap_word *map;
	unsigned int slot;
	int node;
};

struct sbn_cpu {
	unsigned int hint, home, slot, away;
};

struct sbn {
	struct sbq_wait_state ws[8];
	struct sbn_cpu *cpu;
	unsigned int nr_slots, nr_words, *near;
	struct sbn_word word[4];
};

struct blk_mq_tags flat, numa;

int main(void)
{
	static struct sbitmap_word map[4], own[4];
	static struct sbn sbn = { .nr_slots = 2, .nr_words = 4 };
	int i;

	/* 40 tags in words of 16: the last word has 8. */
	flat.nr_tags = 40;
	flat.bitmap_tags.sb = (struct sbitmap){ .depth = 40, .shift = 4, .map_nr = 3, .map = map };
	flat.bitmap_tags.ws_active.counter = 5;
	map[0].word = 0xf0f;
	map[0].cleared = 0x00f;		/* 4 in use */
	map[2].word = 0xff81;		/* beyond its 8 bits are none: 2 in use */
	/* Shrunk from 4 words to 3, words dealt out to nodes 0 and 3. */
	numa.nr_tags = 64;
	numa.bitmap_tags.sb = (struct sbitmap){ .depth = 48, .shift = 4, .map_nr = 3,
		.map = (struct sbitmap_word *)0xdead000000005b00UL };
	numa.bitmap_tags.ws = sbn.ws;
	for (i = 0; i < 4; i++)
		sbn.word[i] = (struct sbn_word){ .map = &own[i], .slot = i % 2, .node = i % 2 ? 3 : 0 };
	own[0].word = 0x7;		/* slot 0: 3, and below 1 */
	own[1].word = 0x8001;		/* slot 1: 2 */
	own[2].word = 0x10;
	own[3].word = 0xffff;		/* beyond the depth */
	printf("%p %p\n", (void *)&flat, (void *)&numa);
	fflush(stdout);
	for (;;)
		pause();
}
