/* Data of the trace that rules need in addition to rows: texts and functions as numbers, places and nodes;
 * and the facts about each distinct call that follow from these data.
 *
 *	struct rule_symbols *symbols = rule_symbols_new(reader, nodes);
 *	int64_t number = rule_symbols_text(symbols, "solve");
 *	rule_symbols_add_facts(symbols, engine, semantics);
 *	rule_symbols_free(symbols); */
#ifndef TARRY_ANALYSIS_ENGINE_RULE_SYMBOLS_H
#define TARRY_ANALYSIS_ENGINE_RULE_SYMBOLS_H

#include "analysis/engine/estimates.h"
#include "analysis/engine/plan.h"
#include "analysis/model/call_semantics.h"
#include "analysis/model/places.h"
#include "analysis/model/processes.h"
#include "analysis/model/propagated_delay.h"

enum { REGION_BLOCK = 1 << 16, REGION_BLOCKS = 1 << 16 };

struct rule_symbols {
	struct reader *reader;
	const struct nodes *nodes;
	struct symbols *source; /* NULL: not needed */
	const struct rulebook *book;
	const char *lang; /* of texts for people; NULL: English */
	const struct estimates *estimates;
	struct places places;
	struct interner texts;
	const char **text_list; /* by number */
	size_t text_room;
	/* Text numbers by phase. The blocks never move, so other threads can read the phases that they
	 * know. */
	int64_t *regions[REGION_BLOCKS];
	int64_t no_region;
	const struct propagated_delays *delays; /* NULL: no delays */
	const int64_t *start_ns;                /* the origin of times, once it is known */
	/* Common facts of calls (engine/facts.h), by the number of their source. */
	struct interner keys;
	const int64_t **commons;
	size_t common_count, common_room;
	struct known_facts **known;
	struct fact_slot *signs; /* the values that, with its outline, determine all shared facts of a call */
	uint32_t sign_count;
	/* Of the present call. */
	int64_t *key, *own, *shown;
	struct arena arena;
};

struct rule_symbols *rule_symbols_new(struct reader *reader, const struct nodes *nodes);
void rule_symbols_free(struct rule_symbols *symbols);

int64_t rule_symbols_text(void *symbols, const char *text);
const char *symbols_text_of(const struct rule_symbols *symbols, int64_t number);
int64_t rule_symbols_function(void *symbols, const char *name);
const char *symbols_function_name(const struct rule_symbols *symbols, int64_t number);
int64_t rule_symbols_estimate(void *symbols, uint32_t from, uint32_t to, int64_t bytes);
/* The text number of the name of a phase. For any thread. */
int64_t rule_symbols_region(void *symbols, uint32_t phase);
/* In ns; ABSENT if there is no such call. For any thread. */
int64_t rule_symbols_delay(void *symbols, uint32_t process, uint32_t thread, int64_t start);
int64_t rule_symbols_waited_delay(void *symbols, uint32_t process, uint32_t thread, int64_t start);
int64_t rule_symbols_exit_delay(void *symbols, uint32_t process, uint32_t thread, int64_t end);
void rule_symbols_region_begun(struct rule_symbols *symbols, uint32_t phase, const char *name);

/* The eager limit for messages of this call, in bytes; -1: unknown. */
int64_t eager_limit(const struct nodes *nodes, const struct call_semantics *semantics);
/* Adds the facts of a distinct call. Call it in the order of the calls' numbers. */
void rule_symbols_add_facts(struct rule_symbols *symbols, struct engine *engine,
                            const struct call_semantics *semantics);
/* The facts of no call, for absent calls. */
const struct rule_facts *rule_symbols_nowhere(struct arena *arena);
/* Call it when all slots are assigned. */
void rule_symbols_derive_nowhere(struct engine *engine);

#endif
