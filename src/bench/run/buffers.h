/* Memory of messages. A process has one region that is cut into slots; a slot holds a send and a receive buffer. With a cold cache
 * each run takes the next slot, and all slots of the processes that share a cache exceed it. */
#ifndef TARRY_BENCH_RUN_BUFFERS_H
#define TARRY_BENCH_RUN_BUFFERS_H

#include "bench/results/plan.h"
#include "bench/run/datatypes.h"

/* Cache and memory, and who shares them. */
struct surroundings {
	uint64_t cache_bytes; /* of the last cache; 0: unknown */
	int caches;           /* of this kind on this node */
	bool is_bound;        /* to processors that share one */
	int node_peer_count; /* processes that share the cache, or, if this one is not bound to one, all of the node */
	int *node_peers;         /* their ranks in the world */
	int node_processes;      /* the most on any node */
	uint64_t node_memory;    /* left on a node: the least of any; UINT64_MAX: unknown */
	uint64_t process_memory; /* left to a process: the same */
};

extern struct surroundings surroundings;

/* Once, collective over the world. Before, a process is taken to be alone. */
void surroundings_find(MPI_Comm world);

/* Processes that share a cache, of so many on the node: those that are not bound are taken to be spread over all caches. */
int sharers_of(int node_peers);

/* Of the processes in `comm`: how many share the cache with this one. */
int surroundings_sharers(MPI_Comm comm);

/* What the kernel would still give: to all processes of this node or container, and to this one. UINT64_MAX: no limit known. */
uint64_t memory_of_node(void);
uint64_t memory_of_process(void);

/* With a cold cache: the least that a process walks through if so many share the cache. */
uint64_t bytes_to_walk(int sharers);
bool is_warm(const struct bench_plan *wanted);

struct slots {
	size_t receive_at; /* offset of the receive buffer in a slot */
	size_t stride;
	size_t count;
	size_t used;  /* the first ones; those behind them are only walked through */
	size_t shift; /* of a slot's begin, so that it is aligned as asked and no better */
	size_t unit;  /* what the region itself is aligned to */
};

/* How a region for such buffers would be cut; false if its bytes cannot be counted. */
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

/* Contents are small numbers of this type, made from the seed. */
enum status buffers_init(struct buffers *buffers, const struct slots *slots, const struct bench_plan *wanted,
                         const struct basic *basic) MUST_CHECK;
/* Who would come round within so many turns begins again at once, after all of the region went through the cache: it takes far longer than
 * a run, so it is done before a stage. Large messages come round all the same, but drive each other from the cache. */
void buffers_freshen(struct buffers *buffers, size_t turns);
/* The next slot; with a warm cache the same. */
void buffers_turn(struct buffers *buffers);
void buffers_release(struct buffers *buffers);

#endif
