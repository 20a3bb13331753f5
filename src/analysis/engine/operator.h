/* The memory of rules: joins, the last before and the first after, groups that close at the end, and
 * runs. They know nothing of rules or of MPI: they work on tuples of 64-bit
 * words, key words first, in the order of arrival, and hand results to a callback.
 *
 *	struct join_plan plan = {.widths = {4, 3}, .keys = 2, .context = mine, .put = pair_up};
 *	struct join *join = join_new(&plan);
 *	join_add(join, LEFT, sends, send_count);          rows of 4 words, one after the other
 *	join_add(join, RIGHT, receives, receive_count);   rows of 3 words; pair_up() is called for each pair
 *	join_free(join);
 *
 * Words hold integers, or the bits of a double where a plan says `is_real`. Arguments of a callback live until it
 * returns; a callback must not use the operator that calls it (another one is fine: that is how they are chained).
 * Everything is deterministic: the same tuples in the same order give the same results in the same order. Memory is
 * bounded; the losses by these bounds are in the counts. One thread at a time for each operator.
 *
 * When operators are chained, finish them in the order in which results flow. */
#ifndef TARRY_ANALYSIS_ENGINE_OPERATOR_H
#define TARRY_ANALYSIS_ENGINE_OPERATOR_H

#include "analysis/engine/aggregate.h"

enum join_side { LEFT, RIGHT };

enum {
	WAITING_PER_KEY = 1024, /* shared tuples of a join, each side */
	CONDITIONAL_PER_KEY =
		4096,        /* tuples of a join that are not shared, each side, when there is `accepts` */
	ASOF_PER_KEY = 4096, /* tuples of an as-of join, both sides together */
	WORDS_IN_ALL = 16 << 20, /* waiting in an operator */
	PAIRS_IN_ALL = 16 << 20, /* of a join of two shared sides, beyond one for each two tuples */
};

/* What an operator did, and what its bounds cost. */
struct operator_counts {
	uint64_t results; /* handed out */
	uint64_t waiting; /* tuples, open groups or open runs that there are now */
	uint64_t dropped; /* tuples that were let go, or values of `distinct` that were not kept */
	uint64_t
		early; /* tuples of an as-of join that came after the results that they might have changed were resolved */
};

/* ---- join ----
 *
 * Pairs tuples of two sides that agree in their key words, and that `accepts` accepts, in order of arrival:
 *
 *	left, right not shared	each tuple is in at most one pair. An arriving tuple takes the oldest one that waits on
 *				the other side and is accepted; if there is none, it waits.
 *	one side shared		each tuple of the other side is in at most one pair, with the earliest shared one that
 *				is accepted; a shared one may be in any number of pairs.
 *	both shared		every accepted pair.
 *
 * Which pairs there are does not depend on how the two sides are interleaved, only on the order within each side (for
 * tuples that are not shared, the earliest pair is the one that both prefer: such a matching is unique). Only the
 * order in which pairs are handed out does: a pair comes when the later of its two arrives; of several at once, the
 * one with the oldest partner first.
 *
 * Three and more members are a chain: a pair goes on as a tuple of the next join. It is shared if both parts are.
 *
 * Bounds: of shared tuples the newest `shared_per_key` of each key and side wait; of others, the newest
 * `conditional_per_key` if there is `accepts` (each arrival may have to look at all of them); and when all that wait
 * exceed `words_in_all`, the oldest go until an eighth of the room is free. Two shared sides make `pairs_in_all` pairs and
 * one more for each two tuples; tuples that come when there are so many are dropped. */
struct join_plan {
	uint32_t widths[2]; /* words of a tuple of each side, key included */
	uint32_t keys;      /* the first words, equal on both sides; 0: all tuples have the same key */
	bool is_shared[2];
	void *context;                                                             /* of the callbacks */
	bool (*accepts)(void *context, const int64_t *left, const int64_t *right); /* NULL: always */
	void (*put)(void *context, const int64_t *left, const int64_t *right);     /* takes a result */
	uint32_t shared_per_key, conditional_per_key;                              /* 0: as above */
	size_t pairs_in_all;                                                       /* 0: as above */
	size_t words_in_all;                                                       /* 0: as above */
};

struct join;

struct join *join_new(const struct join_plan *plan);
/* Rows of plan->widths[side] words. */
void join_add(struct join *join, enum join_side side, const int64_t *rows, size_t count);
struct operator_counts join_counts(const struct join *join);
void join_free(struct join *join);

/* ---- as-of join ----
 *
 * For each left tuple the one right tuple of its key
 *
 *	ASOF_LAST_BEFORE	with the greatest time that is not after the left one's; of equal ones the last to arrive.
 *				Times: the right one's end, the left one's start.
 *	ASOF_FIRST_AFTER	with the least time that is not before the left one's; of equal ones the first to arrive.
 *				Times: the right one's start, the left one's end.
 *
 * A left tuple without such a right one gives no result. If the right side is not shared, a right tuple serves only
 * the left tuple nearest to it in time (of equal ones: the first to arrive for the last before, the last to arrive for the first
 * after); the others, for which it would have been the one too, get none.
 *
 * Tuples may come in any order of time; the result does not depend on it. A left tuple is resolved as soon as nothing
 * can change its answer, at the latest in asof_finish(). When more than `per_key` tuples of a key wait, the oldest
 * quarter of them in time is resolved with the available tuples; when all that wait exceed `words_in_all`, the older half in
 * time of all is resolved and forgotten. As long as no key is forgotten and none came late, all answers are right. */
enum asof_kind { ASOF_LAST_BEFORE, ASOF_FIRST_AFTER };

struct asof_plan {
	enum asof_kind kind;
	uint32_t widths[2];
	uint32_t keys;     /* at least 1 */
	uint32_t times[2]; /* words with the times named above */
	uint32_t identity
		[2]; /* words that name the event: one that takes no time is not its own partner; NO_WORD: none */
	bool is_shared; /* the right side */
	/* 0: tuples may come in any order. n: of those of its side and key, fewer than n with a later time come before one;
	 * 1 is in order of time. Then most are resolved soon. */
	uint32_t lateness;
	void *context;
	void (*put)(void *context, const int64_t *left, const int64_t *right);
	uint32_t per_key;    /* 0: ASOF_PER_KEY */
	size_t words_in_all; /* 0: WORDS_IN_ALL */
};

struct asof;

struct asof *asof_new(const struct asof_plan *plan);
void asof_add(struct asof *asof, enum join_side side, const int64_t *rows, size_t count);
void asof_finish(struct asof *asof);
struct operator_counts asof_counts(const struct asof *asof);
void asof_free(struct asof *asof);

/* ---- groups and runs ----
 *
 * Tuples of a key are a group. With `continues`, tuples of a key that follow each other are a run as long as it says so of
 * each and the one before it. A result is the key words and then a word for each aggregate, in order. Runs are handed out
 * when they end; groups and the open runs in groups_finish(), in the order in which their keys were met first. Tuples of
 * keys for which `words_in_all` has no room are dropped. Where tuples come `together` by a key word, all is finished as
 * soon as it changes. */
struct groups_plan {
	uint32_t width;
	uint32_t keys;                            /* 0: one group of all */
	const struct tuple_aggregate *aggregates; /* copied */
	uint32_t aggregate_count;
	void *context;
	bool (*continues)(void *context, const int64_t *previous, const int64_t *current); /* NULL: groups */
	void (*put)(void *context, const int64_t *result);
	size_t words_in_all; /* of records, and once more of values for `distinct`; 0: WORDS_IN_ALL */
	uint32_t together;   /* + 1; 0: no key word */
};

struct groups;

struct groups *groups_new(const struct groups_plan *plan);
void groups_add(struct groups *groups, const int64_t *rows, size_t count);
void groups_finish(struct groups *groups);
struct operator_counts groups_counts(const struct groups *groups);
void groups_free(struct groups *groups);

#endif
