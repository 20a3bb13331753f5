/* The six general wait states in hand-written C on top of the model: the baseline for the engine's rules.
 * Occurrences, sums and places equal those of the shipped rules. */
#ifndef TARRY_BENCH_REFERENCE_H
#define TARRY_BENCH_REFERENCE_H

#include "analysis/model/relations.h"
#include "workload.h"

/* Waits of a process at one place for calls at another. */
struct spot {
	uint64_t key; /* 0: free */
	uint64_t count;
	int64_t total_ns, max_ns;
	struct occurrence worst_at, worst_partner;
	enum wait_state state;
};

struct reference {
	struct wait_total totals[WAIT_STATES]; /* of all waits */
	int64_t eps_ns;                        /* longer waits are findings */
	struct spot *spots;
	size_t spot_count, spot_room; /* a power of two */
	struct replay_counts counts;
	/* private */
	struct reader *reader;
	struct places *places;
};

void reference_run(struct analysis_session *session, struct reference *reference);
void reference_release(struct reference *reference);

#endif
