/* Constant facts about a distinct call, computed when it first occurs: the values that rules need, by slots
 * that were given out when the rules were compiled, and the answers to conditions that need nothing else.
 *
 *	uint32_t slot = fact_slot(&plan, FACT_COLUMN, CALL_COLUMN_TAG);
 *	struct rule_facts *facts = new_facts(&table, &arena, own, count);        in the order of the calls' numbers
 *	const struct rule_facts *facts = numbered_facts(&table, semantics->number);
 *	fact_at(facts, slot)
 *
 * Processes of a run mostly do the same: what does not depend on who calls whom is shared by all calls of which it
 * is true. Answers never depend on that. */
#ifndef TARRY_ANALYSIS_ENGINE_FACTS_H
#define TARRY_ANALYSIS_ENGINE_FACTS_H

#include "analysis/engine/vector.h"

#include <stddef.h>
#include <string.h>

struct call;
struct arena;

/* Facts by the number of the distinct call, in pages that stay where they are, so that other threads can read those that they
 * know of. */
enum { FACT_PAGE = 1 << 12, FACT_PAGES = 1 << 20 };

struct fact_table {
	unsigned char **pages;
	size_t stride; /* bytes of each: all have as many facts of their own */
	uint32_t count;
};

/* A trace of many processes has millions of them: private values take 32 bits, unless one needs more. */
struct rule_facts {
	const struct call *call; /* NULL: of no call */
	const int64_t *common;   /* by slot, below FACT_SLOTS */
	const int64_t *loose; /* from there on: of few calls of a process the same, but of many processes */
	uint32_t process : 31;
	uint32_t is_wide : 1; /* `own` is a pointer to values of 64 bits */
	int32_t own[];        /* by slot, from twice as many on; ABSENT is INT32_MIN */
};

/* Those of the next number, with its own. The arena keeps what needs more than 32 bits. */
struct rule_facts *new_facts(struct fact_table *table, struct arena *arena, const int64_t *own,
                             uint32_t count);
void fact_table_release(struct fact_table *table);

static inline const struct rule_facts *numbered_facts(const struct fact_table *table, uint32_t number)
{
	return (const void *)(table->pages[number / FACT_PAGE] + number % FACT_PAGE * table->stride);
}

/* Questions of each kind to one distinct call at the most; and which process makes it. */
enum { FACT_SLOTS = 4096, FACT_PROCESS = 3 * FACT_SLOTS };

static inline int64_t own_fact(const struct rule_facts *facts, uint32_t number)
{
	const int64_t *wide;

	if (__builtin_expect(facts->is_wide, 0))
		return memcpy(&wide, facts->own, sizeof wide), wide[number];
	return facts->own[number] == INT32_MIN ? INT64_MIN : facts->own[number];
}

static inline int64_t process_fact(const struct rule_facts *facts)
{
	return facts->call ? facts->process : INT64_MIN;
}

static inline int64_t fact_at(const struct rule_facts *facts, uint32_t slot)
{
	if (slot < FACT_SLOTS)
		return facts->common[slot];
	if (slot < 2 * FACT_SLOTS)
		return facts->loose[slot - FACT_SLOTS];
	return slot == FACT_PROCESS ? process_fact(facts) : own_fact(facts, slot - 2 * FACT_SLOTS);
}

static inline const struct rule_facts *facts_at(union word word)
{
	return (const struct rule_facts *)(uintptr_t)word.i;
}

static inline union word facts_word(const struct rule_facts *facts)
{
	return (union word){.i = (int64_t)(uintptr_t)facts};
}

/* Numbers of functions: those of the table of calls for MPI's, higher ones for others. */
enum { FIRST_FOREIGN = 1 << 20 };

enum fact_kind {
	FACT_COLUMN,   /* `number`: enum call_column */
	FACT_WILDCARD, /* it receives, and names no source or no tag */
	FACT_BYTES,    /* that it sends; `number` 1: or gets, if it sends none */
	FACT_ENVELOPE, /* of the message that it sends; `number`: enum envelope_field */
	FACT_EAGER,    /* up to how many bytes such a message does not wait for its receiver */
	FACT_PARAM, /* that a rule asked for when the call was recorded: the value by the name with this number of a text */
	FACT_DERIVED, /* computed from others: set by who allocated the slot */
	FACT_BITS,    /* answers: likewise */
};

struct fact_slot {
	enum fact_kind kind;
	uint32_t number;
};

struct fact_list {
	struct fact_slot *slots;
	uint32_t count, room;
};

struct fact_plan {
	struct fact_list common, loose, own;
};

/* The same slot for the same question; DERIVED and BITS always get a new one, which is common, as are function and place. */
uint32_t fact_slot(struct fact_plan *plan, enum fact_kind kind, uint32_t number);
/* Caller and partner: seldom the same for two calls. */
static inline bool fact_is_of_whom(uint32_t slot)
{
	return slot >= 2 * FACT_SLOTS;
}

/* Computed from others: of no call it is what the computation gives. */
bool is_derived(const struct fact_plan *plan, uint32_t slot);
void fact_plan_release(struct fact_plan *plan);

#endif
