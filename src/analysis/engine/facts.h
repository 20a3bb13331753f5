/* Constant facts about a distinct call, computed when it first occurs: the values that rules need, and the
 * answers to conditions that depend on nothing else. Each fact has a slot, which was assigned when the rules
 * were compiled.
 *
 *	uint32_t slot = fact_slot(&plan, FACT_COLUMN, CALL_COLUMN_TAG);
 *	struct rule_facts *facts = new_facts(&table, &arena, own, count);        in the order of the calls' numbers
 *	const struct rule_facts *facts = numbered_facts(&table, semantics->number);
 *	fact_at(facts, slot)
 *
 * Processes of a run mostly make the same calls. So facts that do not depend on the caller and its partner
 * are shared by all calls with equal facts. Answers never depend on caller and partner. */
#ifndef TARRY_ANALYSIS_ENGINE_FACTS_H
#define TARRY_ANALYSIS_ENGINE_FACTS_H

#include "analysis/engine/vector.h"

#include <stddef.h>
#include <string.h>

struct call;
struct arena;

/* Facts by the number of the distinct call. Their pages never move, so other threads can read facts whose
 * number they know. */
enum { FACT_PAGE = 1 << 12, FACT_PAGES = 1 << 20 };

struct fact_table {
	unsigned char **pages;
	size_t stride; /* bytes of each: all have the same number of private facts */
	uint32_t count;
};

/* A trace of many processes has millions of these. So private values take 32 bits, unless one of them needs
 * more. */
struct rule_facts {
	const struct call *call; /* NULL: no call */
	const int64_t *common;   /* by slot, below FACT_SLOTS */
	const int64_t
		*loose; /* further slots: equal for few calls of a process, but for calls of many processes */
	uint32_t process : 31;
	uint32_t is_wide : 1; /* `own` is a pointer to values of 64 bits */
	int32_t own[];        /* by slot, from 2 * FACT_SLOTS on; ABSENT is INT32_MIN */
};

/* The facts of the next number, with its private values. Values of 64 bits are in the arena. */
struct rule_facts *new_facts(struct fact_table *table, struct arena *arena, const int64_t *own,
                             uint32_t count);
void fact_table_release(struct fact_table *table);

static inline const struct rule_facts *numbered_facts(const struct fact_table *table, uint32_t number)
{
	return (const void *)(table->pages[number / FACT_PAGE] + number % FACT_PAGE * table->stride);
}

/* The maximum number of facts of each kind, and the slot of the process that makes the call. */
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

/* Numbers of functions: MPI functions have their numbers in the table of calls, other functions higher
 * ones. */
enum { FIRST_FOREIGN = 1 << 20 };

enum fact_kind {
	FACT_COLUMN,   /* `number`: enum call_column */
	FACT_WILDCARD, /* it receives, with a wildcard for source or tag */
	FACT_BYTES,    /* sent bytes; `number` 1: if it sends none, the bytes that it gets */
	FACT_ENVELOPE, /* of the sent message; `number`: enum envelope_field */
	FACT_EAGER,    /* the eager limit for such a message */
	FACT_PARAM,    /* a value that was recorded for rules; `number` is the text number of its name */
	FACT_DERIVED,  /* computed from other facts; set by the owner of the slot */
	FACT_BITS,     /* answers; set by the owner of the slot */
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

/* The same arguments give the same slot. DERIVED and BITS always get a new slot. Slots of these, of the
 * function and of the place are common. */
uint32_t fact_slot(struct fact_plan *plan, enum fact_kind kind, uint32_t number);
/* True for facts about caller and partner, which are seldom the same for two calls. */
static inline bool fact_is_of_whom(uint32_t slot)
{
	return slot >= 2 * FACT_SLOTS;
}

/* True if the fact is computed from others. For no call, too, it is the result of the computation. */
bool is_derived(const struct fact_plan *plan, uint32_t slot);
void fact_plan_release(struct fact_plan *plan);

#endif
