/* SPDX-License-Identifier: GPL-2.0-only */
/* Wait queues with the kernel's rules; the functions are in wait.c. */
#ifndef SHIM_WAIT_H
#define SHIM_WAIT_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/sched.h>

typedef struct wait_queue_entry wait_queue_entry_t;
typedef int (*wait_queue_func_t)(struct wait_queue_entry *e, unsigned int mode,
				 int flags, void *key);

#define WQ_FLAG_EXCLUSIVE	0x01

struct wait_queue_entry {
	unsigned int flags;
	void *private;
	wait_queue_func_t func;
	struct list_head entry;
};

struct wait_queue_head {
	spinlock_t lock;
	struct list_head head;
};
typedef struct wait_queue_head wait_queue_head_t;

static inline void init_waitqueue_head(struct wait_queue_head *q)
{
	spin_lock_init(&q->lock);
	INIT_LIST_HEAD(&q->head);
}

static inline int waitqueue_active(struct wait_queue_head *q)
{
	return !list_empty(&q->head);
}

int default_wake_function(struct wait_queue_entry *e, unsigned int mode,
			  int flags, void *key);
int autoremove_wake_function(struct wait_queue_entry *e, unsigned int mode,
			     int flags, void *key);
void add_wait_queue(struct wait_queue_head *q, struct wait_queue_entry *e);
void remove_wait_queue(struct wait_queue_head *q, struct wait_queue_entry *e);
void prepare_to_wait(struct wait_queue_head *q, struct wait_queue_entry *e,
		     int state);
bool prepare_to_wait_exclusive(struct wait_queue_head *q,
			       struct wait_queue_entry *e, int state);
void finish_wait(struct wait_queue_head *q, struct wait_queue_entry *e);
int __wake_up(struct wait_queue_head *q, unsigned int mode, int nr, void *key);

#define wake_up(q)		__wake_up(q, TASK_NORMAL, 1, NULL)
#define wake_up_nr(q, nr)	__wake_up(q, TASK_NORMAL, nr, NULL)
#define wake_up_all(q)		__wake_up(q, TASK_NORMAL, 0, NULL)

#endif
