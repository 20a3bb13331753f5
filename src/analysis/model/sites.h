/* What the calls of each distinct call add up to while the trace is gone through: rows of the relations `site` and
 * `call_pair` (model/relations.h) are made of it at the end. Calls that transfer data by themselves are added up apart for
 * each such call that came directly before. A trace of many processes has millions of them, so each has room only for
 * what calls of its kind can add up to. Of use to nobody but the replay. */
#ifndef TARRY_ANALYSIS_MODEL_SITES_H
#define TARRY_ANALYSIS_MODEL_SITES_H

#include "analysis/model/call_semantics.h"
#include "analysis/relations/rows.h"
#include "base/map.h"

/* Bits of semantics->followers besides those that follow its calls: each is a row of `call`, is added up,
 * begins or ends a phase, or is handed to the sink. */
enum {
	FOLLOWERS_MAX = 8,
	CALL_ROW_BIT = 1 << FOLLOWERS_MAX,
	COUNTED_BIT = CALL_ROW_BIT << 1,
	PHASE_BIT = CALL_ROW_BIT << 2,
	SINK_BIT = CALL_ROW_BIT << 3
};

struct replay_process;
struct replay;
struct thread;

/* What a running sum goes on with; in struct call_semantics. */
enum sum_kind {
	SUM_PLAIN,
	SUM_STARTS,
	SUM_COLLECTIVE,
	SUM_TRANSFERS, /* this one and those behind it transfer data */
	SUM_RECEIVES,
	SUM_ACCESSES
};

/* What every call changes. Fields mean what those of struct call_pair and struct site_sum do. */
struct time_sum {
	uint64_t count;
	int64_t inside;
	/* A local call's ends here. */
	int64_t before;
};

struct running_sum {
	int64_t start, end;                  /* of the first call, and of the last one */
	uint64_t position : 40, thread : 24; /* of the first */
	uint32_t phase;                      /* likewise */
	/* Of calls that transfer data: one above the id of the call directly before the last one, to which `time` belongs; 0: there
	 * is none, or it transfers nothing. What is behind others is in struct call_pairs. */
	uint32_t previous;
	struct time_sum time;
	/* Of the times before calls, with a processor. */
	int64_t longest_from;          /* shorter ones are not among the longest */
	struct longest_times *longest; /* NULL: none yet */
};

struct sum_of_starts {
	struct running_sum all;
	uint64_t starts;
};

struct sum_of_collectives {
	struct running_sum all;
	int64_t active, common;
	uint64_t repeated;
	int64_t repeated_inside;
};

struct receive_sum {
	uint64_t ready;
	int64_t active, ready_inside, ready_since, overlap;
};

struct sum_of_receives {
	struct running_sum all;
	struct receive_sum received; /* behind all.previous */
};

struct sum_of_accesses {
	struct running_sum all;
	uint64_t epoch; /* of the thread, with the last of them: see struct thread */
	uint64_t repeated;
	int64_t repeated_inside;
};

/* Pairs of distinct calls that directly followed each other, but not the last time. */
struct call_pairs {
	struct map numbers;
	ARRAY(struct kept_pair *) kept;
};

/* Scheduling delay, which few calls have: before and inside the calls of a pair. */
struct pair_delay {
	int64_t before, inside;
};

struct pair_delays {
	struct map numbers;
	ARRAY(struct pair_delay) delays;
};

void call_pairs_release(struct call_pairs *pairs);
void pair_delays_release(struct pair_delays *delays);

/* Behind the semantics of its call. */
static inline void *sum_of(const struct call_semantics *semantics)
{
	return (void *)(uintptr_t)(semantics + 1);
}

/* A distinct call that is to be added up: how many bytes that takes. */
size_t site_room(struct call_semantics *semantics);
/* All have left a collective operation. */
void site_add_collective(const struct collective_call *calls, uint32_t count);
void sites_write(struct replay *replay);

/* A request that the call prepared is started. */
static inline void site_started(const struct call_semantics *semantics)
{
	if (semantics->followers & COUNTED_BIT)
		((struct sum_of_starts *)sum_of(semantics))->starts++;
}

#endif
