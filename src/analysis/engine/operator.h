/* What rules need to remember: joins, the last before and the first after, groups that close at the end, runs, and
 * aggregates over members that come together. They know nothing of rules or of MPI: they work on tuples of 64-bit
 * words, key words first, in the order in which they are told, and hand results to a callback.
 *
 *	struct join_plan plan = {.widths = {4, 3}, .keys = 2, .context = mine, .put = pair_up};
 *	struct join *join = join_new(&plan);
 *	join_add(join, LEFT, sends, send_count);          rows of 4 words, one after the other
 *	join_add(join, RIGHT, receives, receive_count);   rows of 3 words; pair_up() is called for each pair
 *	join_free(join);
 *
 * Words hold integers, or the bits of a double where a plan says `is_real`. What a callback is given lives until it
 * returns; a callback must not use the operator that calls it (another one is fine: that is how they are chained).
 * Everything is deterministic: the same tuples in the same order give the same results in the same order. Memory is
 * bounded; what the bounds cost is in the counts. One thread at a time for each operator.
 *
 * When operators are chained, finish them in the order in which results flow. */
#ifndef TARRY_ANALYSIS_ENGINE_OPERATOR_H
#define TARRY_ANALYSIS_ENGINE_OPERATOR_H

#include "analysis/rules/rulebook.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum join_side { LEFT, RIGHT };

#define NO_WORD UINT32_MAX

/* What there is not: see figures. */
#define ABSENT INT64_MIN

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
	uint64_t early; /* tuples of an as-of join that came when what they might have changed was resolved */
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
 *	ASOF_LAST_BEFORE	with the greatest time that is not after the left one's; of equal ones the last told.
 *				Times: the right one's end, the left one's start.
 *	ASOF_FIRST_AFTER	with the least time that is not before the left one's; of equal ones the first told.
 *				Times: the right one's start, the left one's end.
 *
 * A left tuple without such a right one gives no result. If the right side is not shared, a right tuple serves only
 * the left tuple nearest to it in time (of equal ones: the first told for the last before, the last told for the first
 * after); the others, for which it would have been the one too, get none.
 *
 * Tuples may come in any order of time; the result does not depend on it. A left tuple is resolved as soon as nothing
 * can change its answer, at the latest in asof_finish(). When more than `per_key` tuples of a key wait, the oldest
 * quarter of them in time is resolved with what is there; when all that wait exceed `words_in_all`, the older half in
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
/* No tuple of either side whose time is before this will be told any more. Costs nothing by itself: keys are looked at
 * when they are touched next. */
void asof_advance(struct asof *asof, int64_t time);
void asof_finish(struct asof *asof);
struct operator_counts asof_counts(const struct asof *asof);
void asof_free(struct asof *asof);

/* ---- figures: aggregates that run ----
 *
 * Where a figure has a filter, only tuples whose filter word is not 0 take part. Of nothing at all, COUNT, SUM and
 * DISTINCT are 0; MEAN, and MIN and MAX of doubles, are not-a-number; all others are ABSENT in every word. Of equal
 * ones ARGMIN and ARGMAX give the first told. SUM of integers is exact and ends at the greatest or least integer; MEAN
 * is a double, of integers from their exact sum. */
struct figure {
	enum aggregate aggregate;
	bool is_real;    /* the value is a double; matters for MIN, MAX, SUM, MEAN, ARGMIN, ARGMAX */
	uint32_t value;  /* word with the value; COUNT: not used */
	uint32_t filter; /* word; NO_WORD: all take part */
	uint32_t
		result; /* ARGMIN, ARGMAX: the first word of what they give; FIRST and LAST give `value` and on */
	uint32_t words; /* ARGMIN, ARGMAX, FIRST, LAST: how many words they give; 0: 1 */
};

/* Words of its result: 1, or `words`. */
uint32_t figure_words(const struct figure *figure);

/* ---- group that closes at the end ----
 *
 * A result is the key words and then the words of each figure, in order; results come in groups_finish(), in the order
 * in which their keys were met first, and then there are no groups. Tuples of keys for which `words_in_all` has no room
 * are dropped. Where tuples come `together` by a key word, groups close as soon as it changes. */
struct groups_plan {
	uint32_t width;
	uint32_t keys;                /* 0: one group of all */
	const struct figure *figures; /* copied */
	uint32_t figure_count;
	void *context;
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

/* ---- run ----
 *
 * Tuples of a key that follow each other belong to one run as long as `continues` says so of each and the one before
 * it. Results as those of groups, one when a run ends, the open ones in runs_finish() in the order in which their keys
 * were met first. FIRST and LAST with value 0 and words = width give the whole first and last tuple. */
struct runs_plan {
	uint32_t width;
	uint32_t keys;
	const struct figure *figures; /* copied */
	uint32_t figure_count;
	uint32_t at_least; /* runs of fewer tuples are not handed out; 0: all are */
	void *context;
	bool (*continues)(void *context, const int64_t *previous, const int64_t *current); /* NULL: always */
	void (*put)(void *context, const int64_t *result);
	size_t words_in_all; /* 0: WORDS_IN_ALL */
};

struct runs;

struct runs *runs_new(const struct runs_plan *plan);
void runs_add(struct runs *runs, const int64_t *rows, size_t count);
void runs_finish(struct runs *runs);
struct operator_counts runs_counts(const struct runs *runs);
void runs_free(struct runs *runs);

/* ---- fold: aggregates over members that come together, in columns ----
 *
 *	struct fold latest = {.aggregate = AGGREGATE_MAX, .values = start};
 *	struct fold_room room = {0};
 *	int64_t of_all = fold_rows(&latest, (struct rows){selection, 10, 14}, &room);
 *	struct mine_test smaller = {.op = OP_LESS, .members = rank, .mine = rank};
 *	fold_prefix(&latest, &smaller, members, askers, &room, results);      max(c.start where c.rank < mine.rank)
 *	fold_room_release(&room);
 */

/* Rows selection[from], …, selection[to - 1]; without a selection, from, …, to - 1. */
struct rows {
	const uint32_t *selection;
	uint32_t from, to;
};

struct fold {
	enum aggregate aggregate;
	bool is_real;
	const int64_t *values;  /* by row; COUNT: not used */
	const int64_t *results; /* ARGMIN, ARGMAX: what they give, by row; NULL: the number of the row */
};

/* Members that count for an asker: those with `members[row] op mine[asker's row]`. */
struct mine_test {
	enum operator op; /* OP_LESS, OP_LESS_EQUAL, OP_GREATER, OP_GREATER_EQUAL, OP_EQUAL or OP_UNEQUAL */
	bool is_real;     /* what is compared; a not-a-number counts as the greatest value */
	const int64_t *members, *mine;
};

/* Memory that is used again; starts as {0}. */
struct fold_room {
	void *memory;
	size_t bytes;
};

/* As a figure of one word would be: see there. */
int64_t fold_rows(const struct fold *fold, struct rows rows, struct fold_room *room);
/* results[i] is for the i-th of the askers. Takes n log n, or n if keys are close to each other as ranks are. */
void fold_prefix(const struct fold *fold, const struct mine_test *test, struct rows members,
                 struct rows askers, struct fold_room *room, int64_t *results);
void fold_room_release(struct fold_room *room);

#endif
