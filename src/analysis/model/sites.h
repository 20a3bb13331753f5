/* Sums over the calls of each distinct call during the replay; rows of the relations `site` and
 * `call_pair` (model/relations.h) are made from these totals at the end. Data-transferring calls have
 * separate totals for each such call that directly preceded them. A trace of many processes has millions of
 * totals, so each has room only for the values of its kind. Internal to the replay. */
#ifndef TARRY_ANALYSIS_MODEL_SITES_H
#define TARRY_ANALYSIS_MODEL_SITES_H

#include "analysis/model/call_semantics.h"
#include "analysis/relations/rows.h"
#include "base/map.h"

/* Bits of semantics->followers besides those of followers: each call is a row of `call`, is counted, begins
 * or ends a phase, or is passed to the sink. */
enum {
	FOLLOWERS_MAX = 8,
	FOLLOWER_BITS = (1 << FOLLOWERS_MAX) - 1,
	CALL_ROW_BIT = 1 << FOLLOWERS_MAX,
	COUNTED_BIT = CALL_ROW_BIT << 1,
	PHASE_BIT = CALL_ROW_BIT << 2,
	SINK_BIT = CALL_ROW_BIT << 3
};

struct replay_process;
struct replay;
struct thread;

/* The kind of data after a running sum; in struct call_semantics. */
enum sum_kind {
	SUM_PLAIN,
	SUM_STARTS,
	SUM_COMPLETIONS,
	SUM_COLLECTIVE,
	SUM_TRANSFERS, /* this call and later ones transfer data */
	SUM_RECEIVES,
	SUM_ACCESSES
};

/* Changed by every call. Fields are those of struct call_pair and struct site_sum. */
struct time_sum {
	uint64_t count;
	int64_t inside;
	/* The data of a local call ends here. */
	int64_t before;
};

struct running_sum {
	int64_t start, end;                  /* of the first call, and of the last one */
	uint64_t position : 40, thread : 24; /* of the first */
	uint32_t phase;                      /* of the first */
	/* For data-transferring calls: id + 1 of the call directly before the last one, to which `time`
	 * belongs; 0: none, or it transfers nothing. Other predecessors are in struct call_pairs. */
	uint32_t previous;
	struct time_sum time;
	/* The longest times before calls, without scheduling delays: descending. The relevant number of them is known only at the end, so as many are kept as
	 * may be needed. Single precision is enough to compare them. */
	float longest_from; /* shorter ones are not among them */
	uint16_t longest_count, longest_room;
	float *longest;
};

struct sum_of_starts {
	struct running_sum all;
	uint64_t starts;
};

struct sum_of_completions {
	struct running_sum all;
	int64_t after;
};

struct sum_of_collectives {
	struct running_sum all;
	int64_t active, common;
	uint64_t repeated, covered;
	int64_t repeated_inside;
};

struct receive_sum {
	uint64_t ready;
	int64_t active, ready_inside, ready_since, overlap;
};

struct sum_of_receives {
	struct running_sum all;
	struct receive_sum received; /* after all.previous */
};

struct sum_of_accesses {
	struct running_sum all;
	uint64_t epoch; /* of the thread, at the last of them: see struct thread */
	uint64_t repeated;
	int64_t repeated_inside;
};

/* Pairs of distinct calls that directly followed each other, except the last one. */
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

/* Stored after the semantics of its call. */
static inline void *sum_of(const struct call_semantics *semantics)
{
	return (void *)(uintptr_t)(semantics + 1);
}

/* For a distinct call to be counted: the necessary number of bytes. */
size_t site_room(struct call_semantics *semantics);
/* All members have left a collective operation. */
void site_add_collective(const struct collective_call *calls, uint32_t count);
void sites_write(struct replay *replay);

/* A request that the call prepared is started. */
static inline void site_started(const struct call_semantics *semantics)
{
	if (semantics->followers & COUNTED_BIT)
		((struct sum_of_starts *)sum_of(semantics))->starts++;
}

#endif
