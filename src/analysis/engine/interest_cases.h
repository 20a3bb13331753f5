/* What is of interest, as cases: between those who work it out (interest_find.c) and those who look (interest.c). */
#ifndef TARRY_ANALYSIS_ENGINE_INTEREST_CASES_H
#define TARRY_ANALYSIS_ENGINE_INTEREST_CASES_H

#include "analysis/engine/glance.h"
#include "analysis/engine/interest.h"

/* More than this would take longer than what they spare. */
enum { CASES_MOST = GLANCES_MOST, TESTS_MOST = ORDERS_MOST, CLAIMS_MOST = 48, CALLS_MOST = ROLES_MOST };

struct place {
	enum row_part told;
	uint32_t offset;
};

enum test_kind { TEST_LATER, TEST_FLAG, TEST_FACTS };

/* Of what is told of a row and its group. */
struct test {
	enum test_kind kind;
	uint32_t slot; /* FACTS: of the call whose role is at `at` */
	struct place at,
		since; /* LATER: the word at `at` is greater by `least` or more than that at `since` */
	int64_t least;
	uint64_t need; /* FACTS: bits of it; FLAG: bit 0, if it may be false, and bit 1, if it may be true */
};

/* All of them hold. */
struct test_case {
	struct test tests[TESTS_MOST];
	uint32_t count;
	uint32_t fact_count; /* of those behind them that calls have answered */
};

/* A call of the row that is asked for facts. */
struct asked_call {
	struct place at;
	uint32_t slot;  /* of the cases that it allows: a bit for each */
	uint64_t cases; /* that ask for its facts */
	bool is_met;    /* a call that allows one of them: until then, nobody looks */
};

/* What is telling of a case, its first test: in a row, and in its group. */
struct telling {
	uint32_t at, since;
	int64_t least;
	bool is_enough;    /* the group tells the rest */
	uint32_t greatest; /* where the group has the greatest of its rows; 0: nowhere */
};

struct interest {
	struct test_case cases[CASES_MOST];
	uint32_t count;
	/* Of the first cases, which ask for no facts. */
	struct telling tellings[CASES_MOST];
	uint32_t telling_count;
	uint64_t others;    /* a bit for each of the rest … */
	uint64_t of_groups; /* … and for those of it of which a group tells all */
	uint64_t possible;  /* of the rest, by the calls that were met */
	struct asked_call calls[CALLS_MOST];
	uint32_t call_count;
	struct glances glances[2]; /* by whether the call sent the message */
	bool has_glances;
	size_t row_size;
	bool is_any; /* in any row, or nobody can tell */
};

void interest_find_possible(struct interest *interest);

static inline bool is_at(struct place a, struct place b)
{
	return a.told == b.told && a.offset == b.offset;
}

/* Rows begin with the message, and groups with the call: which is one of both sides. */
static inline uint32_t glance_place(struct place at, bool is_send)
{
	if (at.told == PART_ROW)
		return at.offset;
	return at.offset + (uint32_t)(is_send ? offsetof(struct sides, send) : offsetof(struct sides, post));
}

#endif
