/* What the trace knows that rules ask for besides what is told: texts and functions as numbers, places, nodes; and what
 * follows from it for each distinct call.
 *
 *	struct ground *ground = ground_new(reader);
 *	int64_t number = ground_text(ground, "solve");
 *	const struct facts *facts = ground_facts(ground, engine, role);
 *	ground_free(ground); */
#ifndef TARRY_ANALYSIS_ENGINE_GROUND_H
#define TARRY_ANALYSIS_ENGINE_GROUND_H

#include "analysis/engine/estimates.h"
#include "analysis/engine/plan.h"
#include "analysis/model/lag.h"
#include "analysis/model/nodes.h"
#include "analysis/model/places.h"
#include "analysis/model/role.h"

enum { REGION_BLOCK = 1 << 16, REGION_BLOCKS = 1 << 16 };

struct ground {
	struct reader *reader;
	struct nodes *nodes;
	struct symbols *source; /* NULL: not wanted */
	const struct rulebook *book;
	const char *lang; /* of texts for people; NULL: English */
	const struct estimates *estimates;
	struct places places;
	struct interner texts;
	const char **text_list; /* by number */
	size_t text_room;
	/* Text numbers by phase, in blocks that stay where they are, so that other threads can read what they know of. */
	int64_t *regions[REGION_BLOCKS];
	int64_t no_region;
	const struct lags *lags; /* NULL: nothing lags */
	const int64_t *start_ns; /* what times count from, once it is known */
	/* What calls have in common (engine/facts.h), by the number of what it follows from. */
	struct interner keys;
	const int64_t **commons;
	size_t common_count, common_room;
	struct known_facts **known;
	struct fact_slot *signs; /* what all of a call's facts but its own follow from, besides its outline */
	uint32_t sign_count;
	/* Of the call at hand. */
	int64_t *key, *own, *shown;
	struct arena arena;
};

struct ground *ground_new(struct reader *reader);
void ground_free(struct ground *ground);

int64_t ground_text(void *ground, const char *text);
const char *ground_text_of(const struct ground *ground, int64_t number);
int64_t ground_function(void *ground, const char *name);
const char *ground_function_name(const struct ground *ground, int64_t number);
int64_t ground_estimate(void *ground, uint32_t from, uint32_t to, int64_t bytes);
/* The number of the text that a phase is called by, from any thread. */
int64_t ground_region(void *ground, uint32_t phase);
/* In ns; ABSENT of a call that there is none of. From any thread. */
int64_t ground_lag(void *ground, uint32_t process, uint32_t thread, int64_t start);
void ground_region_begun(struct ground *ground, uint32_t phase, const char *name);

/* Of what it sends, up to how many bytes do not wait for the receiver; -1: not known. */
int64_t eager_limit(const struct nodes *nodes, const struct role *role);
const struct facts *ground_facts(struct ground *ground, struct engine *engine, const struct role *role);
/* Of no call at all: for what there is none of. */
const struct facts *ground_nowhere(struct arena *arena);
/* When all slots are given out. */
void ground_derive_nowhere(struct engine *engine);

#endif
