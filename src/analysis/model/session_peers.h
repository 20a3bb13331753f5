/* Sessions that analyse one trace together, in processes or threads: each owns a part of the ranks and
 * reads only their events.
 *
 *	struct session_peers peers = {.own = 1, .count = 4, .context = mine, .exchange = exchange};
 *	session_share(session, &peers);
 *	peers_combine(&peers, PEERS_SUM, &calls, 1);      the same result for all
 *
 * Peers exchange blocks of bytes at the same steps of the analysis, so no termination detection
 * is needed, and results do not depend on the order in which blocks arrive. Peer 0 is the leader:
 * it gets all results. */
#ifndef TARRY_ANALYSIS_MODEL_SESSION_PEERS_H
#define TARRY_ANALYSIS_MODEL_SESSION_PEERS_H

#include "base/packing.h"

#include <stdbool.h>

/* Processes of the trace, by their index in the reader. */
struct rank_range {
	uint32_t first, end;
};

/* Of an analysis, whose work is measured separately. */
enum peers_step {
	STEP_OPEN,     /* headers of chunks, records of processes, checksums, rules */
	STEP_READ,     /* events of the own ranks, distinct calls */
	STEP_FACTS,    /* the first replay */
	STEP_PREPARE,  /* part of the run, surveys, limits */
	STEP_REPLAY,   /* rows of the own ranks, with the rules about them */
	STEP_SUMS,     /* rules about sums of calls */
	STEP_FINDINGS, /* of all ranks */
	STEP_REST,     /* causes, figures, report */
	STEPS_END
};

extern const char *const peers_step_names[STEPS_END];

struct session_peers {
	uint32_t own, count;
	void *context;
	/* Called by all peers. Passes out[i] to peer i and gets in[i] from it. `out` is unchanged;
	 * `in` is initially empty. */
	void (*exchange)(void *context, const struct text *out, struct text *in);
	/* Costs. */
	uint64_t exchanges, sent_bytes, received_bytes;
	uint64_t exchange_ns; /* CPU time, mostly polling for others */
	uint64_t events;      /* replayed, in all replays */
	uint64_t facts;       /* from others */
	enum peers_step step;
	uint64_t step_ns[STEPS_END]; /* CPU time without that of exchanges */
	uint64_t step_began_ns;      /* 0: no step has begun */
};

/* Work is charged to `step` from now on. STEPS_END: the analysis is over. */
void peers_begin_step(struct session_peers *peers, enum peers_step step);

static inline bool peers_lead(const struct session_peers *peers)
{
	return peers->own == 0;
}

/* Equal parts of the processes, in order. */
static inline struct rank_range peers_range(const struct session_peers *peers, size_t processes,
                                            uint32_t peer)
{
	return (struct rank_range){(uint32_t)((uint64_t)processes * peer / peers->count),
	                           (uint32_t)((uint64_t)processes * (peer + 1u) / peers->count)};
}

static inline uint32_t peers_owner(const struct session_peers *peers, size_t processes, uint32_t process)
{
	return (uint32_t)(((uint64_t)peers->count * (process + 1u) - 1) / processes);
}

/* One empty block per peer. */
struct text *peers_blocks(const struct session_peers *peers);
void peers_free_blocks(const struct session_peers *peers, struct text *blocks);
/* Takes ownership of `out`. The caller frees the result. */
struct text *peers_exchange(struct session_peers *peers, struct text *out);
/* Every peer gets the blocks of all; `mine` is released. */
struct text *peers_share(struct session_peers *peers, struct text *mine);
/* The leader gets the blocks of all, others get empty ones; `mine` is released. */
struct text *peers_gather(struct session_peers *peers, struct text *mine);

enum peers_combination { PEERS_SUM, PEERS_MIN, PEERS_MAX };

/* Each of the values becomes the sum, minimum or maximum over all peers. Sums saturate. */
void peers_combine(struct session_peers *peers, enum peers_combination combination, int64_t *values,
                   size_t count);
/* True if it is true for any peer. */
bool peers_any(struct session_peers *peers, bool is_true);

#endif
