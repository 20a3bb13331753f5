#include "coll/algorithms/shared.h"

#include "coll/algorithms/frame.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/* The memory has a step counter per process, followed by two halves. */
#define ANNOUNCEMENT_BYTES 64
#define HALF_BYTES ((size_t)128 << 10)

/* Polls before a process yields, and before it sleeps. */
#define LOOKS 50
#define YIELDS 500
#define SLEEP_NS 20000

bool shared_may_be_used(const struct coll_comm *c)
{
#ifdef SMPI_H
	(void)c;
	return false;
#else
	return c->sharing >= 0;
#endif
}

static int count_here(const struct coll_comm *c)
{
	return layout_node_size(&c->layout, c->my_node);
}

static int open_window(struct coll_comm *c, MPI_Win window, MPI_Aint bytes)
{
	MPI_Aint size;
	int unit;

	COLL_TRY(PMPI_Win_set_errhandler(window, MPI_ERRORS_RETURN));
	COLL_TRY(PMPI_Win_shared_query(window, 0, &size, &unit, &c->shared));
	if (size < bytes)
		return MPI_ERR_OTHER;
	return PMPI_Win_lock_all(MPI_MODE_NOCHECK, window);
}

/* A process that is alone on its node does not share memory. */
static bool allocate(struct coll_comm *c)
{
	MPI_Aint bytes = (MPI_Aint)((size_t)count_here(c) * ANNOUNCEMENT_BYTES + 2 * HALF_BYTES);
	MPI_Win window;
	void *own;

	if (count_here(c) == 1)
		return true;
	if (PMPI_Win_allocate_shared(c->my_index ? 0 : bytes, 1, MPI_INFO_NULL, c->node, &own, &window) !=
	    MPI_SUCCESS)
		return false;
	if (open_window(c, window, bytes) != MPI_SUCCESS) {
		PMPI_Win_free(&window);
		return false;
	}
	c->window = window;
	return true;
}

static _Atomic uint64_t *announcement(const struct coll_comm *c, int index)
{
	return (_Atomic uint64_t *)((char *)c->shared + (size_t)index * ANNOUNCEMENT_BYTES);
}

int shared_begin(struct coll_comm *c)
{
	if (c->sharing)
		return c->sharing > 0 ? MPI_SUCCESS : COLL_DECLINED;

	bool made = allocate(c);
	if (c->window != MPI_WIN_NULL)
		atomic_store(announcement(c, c->my_index), 0);
	/* No process announces a step before all counters are 0. */
	int code = coll_agree(c, made);
	c->sharing = code == MPI_SUCCESS ? 1 : -1;
	if (code != MPI_SUCCESS)
		shared_release(c);
	return code;
}

void shared_release(struct coll_comm *c)
{
	if (c->window == MPI_WIN_NULL)
		return;
	PMPI_Win_unlock_all(c->window);
	PMPI_Win_free(&c->window);
}

/* Lets other processes run, and MPI progress, after `looks` unsuccessful polls. */
static int let_others_run(const struct coll_comm *c, int looks)
{
	int flag;

	if (looks < LOOKS)
		return MPI_SUCCESS;
	COLL_TRY(PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, c->node, &flag, MPI_STATUS_IGNORE));
	if (looks < LOOKS + YIELDS)
		sched_yield();
	else
		nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
	return MPI_SUCCESS;
}

int shared_wait(struct coll_comm *c)
{
	int count = count_here(c);
	int looks = 0;

	if (count == 1)
		return MPI_SUCCESS;
	c->steps++;
	atomic_store_explicit(announcement(c, c->my_index), c->steps, memory_order_release);
	for (int i = 0; i < count; i++)
		while (atomic_load_explicit(announcement(c, i), memory_order_acquire) < c->steps)
			COLL_TRY(let_others_run(c, looks < LOOKS + YIELDS ? looks++ : looks));
	return MPI_SUCCESS;
}

/* The overlap of two ranges of bytes. */
struct overlap {
	size_t at, bytes;
};

static struct overlap find_overlap(size_t a, size_t a_end, size_t b, size_t b_end)
{
	size_t at = a > b ? a : b;
	size_t end = a_end < b_end ? a_end : b_end;

	return (struct overlap){at, end > at ? end - at : 0};
}

int shared_exchange(struct coll_comm *c, const struct coll_group *node, char *parts)
{
	size_t mine = group_bytes_from(node, 0, node->me);
	size_t own = node->bytes(node, node->me);
	size_t total = group_bytes_from(node, 0, node->count);
	char *halves = (char *)c->shared + (size_t)node->count * ANNOUNCEMENT_BYTES;

	for (size_t at = 0; at < total && node->count > 1; at += HALF_BYTES) {
		size_t end = total - at < HALF_BYTES ? total : at + HALF_BYTES;
		char *half = halves + (c->steps % 2) * HALF_BYTES;
		struct overlap o = find_overlap(at, end, mine, mine + own);
		if (o.bytes)
			memcpy(half + (o.at - at), parts + (o.at - mine), o.bytes);
		COLL_TRY(shared_wait(c));
		/* Parts are rotated: those of lower processes follow the others. */
		o = find_overlap(at, end, 0, mine);
		if (o.bytes)
			memcpy(parts + (total - mine) + o.at, half + (o.at - at), o.bytes);
		o = find_overlap(at, end, mine + own, total);
		if (o.bytes)
			memcpy(parts + (o.at - mine), half + (o.at - at), o.bytes);
	}
	return MPI_SUCCESS;
}
