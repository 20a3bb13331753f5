/* Operators with memory: joins, as-of joins (the last before, the first after), groups that close at the end,
 * and runs. They do not depend on rules or MPI. They work on tuples of 64-bit words, key words first, in the
 * order of arrival, and pass results to a callback.
 *
 *	struct join_plan plan = {.widths = {4, 3}, .keys = 2, .context = mine, .put = pair_up};
 *	struct join *join = join_new(&plan);
 *	join_add(join, LEFT, sends, send_count);          rows of 4 words, one after the other
 *	join_add(join, RIGHT, receives, receive_count);   rows of 3 words; pair_up() is called for each pair
 *	join_free(join);
 *
 * Words contain integers or, where a plan has `is_real`, the bits of a double. Arguments of a callback are
 * valid until it returns. A callback must not use the operator that calls it, but may use others: this chains
 * operators. Results are deterministic: the same tuples in the same order give the same results in the same
 * order. Memory is limited; the counts contain the losses because of these limits. One thread at a time may
 * use an operator.
 *
 * When operators are chained, finish them in the order in which results flow. */
#ifndef TARRY_ANALYSIS_ENGINE_OPERATOR_H
#define TARRY_ANALYSIS_ENGINE_OPERATOR_H

#include "analysis/engine/aggregate.h"
#include "base/packing.h"

enum join_side { LEFT, RIGHT };

enum {
	WAITING_PER_KEY = 1024,     /* shared tuples of a join, each side */
	CONDITIONAL_PER_KEY = 4096, /* tuples of a join with `accepts` that are not shared, each side */
	ASOF_PER_KEY = 4096,        /* tuples of an as-of join, both sides together */
	WORDS_IN_ALL = 16 << 20,    /* waiting in an operator */
	PAIRS_IN_ALL =
		16 << 20, /* of a join of two shared sides, in addition to one pair for every two tuples */
};

/* The results of an operator, and the losses because of its limits. */
struct operator_counts {
	uint64_t results;
	uint64_t waiting; /* tuples, open groups or open runs at present */
	uint64_t dropped; /* dropped tuples, or values of `distinct` that were not kept */
	uint64_t early;   /* as-of join: tuples that arrived after results which they could have changed */
};

/* ---- join ----
 *
 * Pairs tuples of two sides with equal key words, if `accepts` accepts the pair, in the order of arrival:
 *
 *	left, right not shared	each tuple is in at most one pair. An arriving tuple takes the oldest accepted tuple that
 *				waits on the other side; if there is none, it waits.
 *	one side shared		each tuple of the other side is in at most one pair, with the earliest accepted shared
 *				tuple; a shared tuple may be in any number of pairs.
 *	both shared		every accepted pair.
 *
 * The set of pairs depends only on the order within each side, not on the interleaving of the sides. (For
 * tuples that are not shared, both tuples of the earliest pair prefer each other, and such a matching is
 * unique.) The interleaving affects only the order of the results: a pair is passed on when its later tuple
 * arrives; several pairs of one arrival are in the order of their waiting tuples, the oldest first.
 *
 * Three and more members form a chain: a pair is a tuple of the next join. It is shared if both parts are
 * shared.
 *
 * Limits: for each key and side, the newest `shared_per_key` shared tuples wait. If there is `accepts`, at
 * most the newest `conditional_per_key` other tuples wait, because each arrival may have to test all of them.
 * If all waiting tuples exceed `words_in_all`, the oldest are dropped until an eighth of the room is free.
 * Two shared sides have at most `pairs_in_all` pairs, plus one for every two tuples; after that, arriving
 * tuples are dropped. */
struct join_plan {
	uint32_t widths[2]; /* words of a tuple of each side, key included */
	uint32_t keys;      /* number of key words, which come first; 0: all tuples have the same key */
	bool is_shared[2];
	void *context;                                                             /* of the callbacks */
	bool (*accepts)(void *context, const int64_t *left, const int64_t *right); /* NULL: always */
	void (*put)(void *context, const int64_t *left, const int64_t *right);     /* receives a result */
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
 * Finds for each left tuple one right tuple of the same key:
 *
 *	ASOF_LAST_BEFORE	the latest one that is not after the left tuple; among equal ones, the last to arrive.
 *				Compares the end of the right tuple with the start of the left one.
 *	ASOF_FIRST_AFTER	the earliest one that is not before the left tuple; among equal ones, the first to arrive.
 *				Compares the start of the right tuple with the end of the left one.
 *
 * A left tuple without such a right tuple gives no result. If the right side is not shared, a right tuple is
 * paired only with the left tuple nearest to it in time (among equal ones, the first to arrive for
 * ASOF_LAST_BEFORE, the last to arrive for ASOF_FIRST_AFTER). Other left tuples with the same right tuple get
 * no result.
 *
 * Tuples may arrive in any order of time; the results do not depend on it. A left tuple is resolved as soon
 * as no later arrival can change its result, at the latest in asof_finish(). If more than `per_key` tuples of
 * a key wait, the oldest quarter of them in time is resolved with the available tuples. If all waiting tuples
 * exceed `words_in_all`, the older half of all in time is resolved and forgotten. As long as no key is
 * forgotten and no tuple is late, all results are correct. */
enum asof_kind { ASOF_LAST_BEFORE, ASOF_FIRST_AFTER };

struct asof_plan {
	enum asof_kind kind;
	uint32_t widths[2];
	uint32_t keys;     /* at least 1 */
	uint32_t times[2]; /* words with the compared times */
	uint32_t identity
		[2];    /* words that identify the event, so that it is not its own partner; NO_WORD: none */
	bool is_shared; /* the right side */
	/* 0: tuples may arrive in any order. n: on each side, fewer than n later tuples of its key arrive
	 * before a tuple; 1: in the order of time. A small number lets most tuples be resolved soon. */
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
 * The tuples of a key form a group. With `continues`, consecutive tuples of a key form a run as long as
 * `continues` is true for each tuple and the previous one. A result is the key words, followed by a word for
 * each aggregate. Runs are passed on when they end. Groups and open runs are passed on in groups_finish(), in
 * the order of the first occurrence of their keys. Tuples of new keys are dropped if `words_in_all` has no
 * room for them. If tuples arrive `together` by a key word, all groups are finished when this word
 * changes. */
struct groups_plan {
	uint32_t width;
	uint32_t keys;                            /* 0: one group of all */
	const struct tuple_aggregate *aggregates; /* copied */
	uint32_t aggregate_count;
	void *context;
	bool (*continues)(void *context, const int64_t *previous, const int64_t *current); /* NULL: groups */
	void (*put)(void *context, const int64_t *result);
	size_t words_in_all; /* limit for records, and a separate one for values of `distinct`; 0: WORDS_IN_ALL */
	uint32_t together; /* + 1; 0: no key word */
};

struct groups;

struct groups *groups_new(const struct groups_plan *plan);
void groups_add(struct groups *groups, const int64_t *rows, size_t count);
/* Moves the states of all groups into `out`, and adds such states, as if the rows came after all earlier ones. Not for runs and DISTINCT. */
void groups_pack(struct groups *groups, struct text *out);
void groups_unpack(struct groups *groups, struct cursor *in);
void groups_finish(struct groups *groups);
struct operator_counts groups_counts(const struct groups *groups);
void groups_free(struct groups *groups);

#endif
