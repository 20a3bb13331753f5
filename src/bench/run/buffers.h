/* Message buffers. Each process has one region that is divided into slots; a slot holds a send and a
 * receive buffer. With a cold cache each run uses the next slot, and the slots of all processes that share
 * a cache exceed it. */
#ifndef TARRY_BENCH_RUN_BUFFERS_H
#define TARRY_BENCH_RUN_BUFFERS_H

#include "bench/results/plan.h"
#include "bench/run/datatypes.h"

/* Cache and memory, and the processes that share them. */
struct surroundings {
	uint64_t cache_bytes; /* of the last-level cache; 0: unknown */
	int caches;           /* number of these on this node */
	bool is_bound;        /* to CPUs that share one cache */
	int node_peer_count;  /* processes that share the cache; all of the node if this one is not bound */
	int *node_peers;      /* their ranks in the world */
	int node_processes;   /* the maximum of all nodes */
	uint64_t node_memory; /* available on a node, minimum of all; UINT64_MAX: unknown */
	uint64_t process_memory; /* available to a process, minimum of all; UINT64_MAX: unknown */
};

extern struct surroundings surroundings;

/* Once, collective over the world. Until then a process is treated as alone. */
void surroundings_find(MPI_Comm world);

/* Processes per cache, for a number of processes on the node: unbound processes are assumed to use all
 * caches. */
int sharers_of(int node_peers);

/* The number of processes of `comm` that share this process's cache. */
int surroundings_sharers(MPI_Comm comm);

/* Available memory for all processes of this node or container, and for this process. UINT64_MAX: no known
 * limit. */
uint64_t memory_of_node(void);
uint64_t memory_of_process(void);

/* With a cold cache: the minimum size of a process's slots if `sharing` processes share the cache. */
uint64_t bytes_to_walk(int sharers);
bool is_warm(const struct bench_plan *wanted);

struct slots {
	size_t receive_at; /* offset of the receive buffer in a slot */
	size_t stride;
	size_t count;
	size_t used;  /* only the first ones are used; the others are only read between stages */
	size_t shift; /* offset of a slot that makes its alignment exact */
	size_t unit;  /* alignment of the region */
};

/* Divides a region for such buffers; false: its size overflows. */
bool slots_plan(const struct bench_plan *wanted, uint64_t send_bytes, uint64_t receive_bytes, int sharers,
                struct slots *slots);
uint64_t slots_bytes(const struct slots *slots);

struct buffers {
	struct slots slots;
	size_t next;
	char *send, *receive;
	char *region;
	void *mapping;
	size_t mapped_bytes;
	const char *pages; /* "normal pages", … */
};

/* Fills buffers with small numbers of this type from the seed. */
enum status buffers_init(struct buffers *buffers, const struct slots *slots, const struct bench_plan *wanted,
                         const struct basic *basic) MUST_CHECK;
/* If a process would reuse slots within `turns` runs, it starts over after it has read the whole region.
 * This takes far longer than a run, so it is done before a stage. Large messages are reused in any case,
 * but evict each other. */
void buffers_freshen(struct buffers *buffers, size_t turns);
/* The next slot; with a warm cache the same. */
void buffers_turn(struct buffers *buffers);
void buffers_release(struct buffers *buffers);

#endif
