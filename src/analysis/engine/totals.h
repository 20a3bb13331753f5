/* Sums of findings: count, total, greatest and distribution of durations for each problem, process and places, and
 * the worst instance of each. totals_new() makes a compiled rule add the chosen rows of each block. */
#ifndef TARRY_ANALYSIS_ENGINE_TOTALS_H
#define TARRY_ANALYSIS_ENGINE_TOTALS_H

#include "analysis/engine/analysis.h"
#include "analysis/engine/histogram.h"
#include "analysis/engine/plan.h"
#include "base/map.h"

/* A call in the worst instance; each entry has one or two. */
struct __attribute__((packed, aligned(4))) noted_call {
	const struct rule_facts *facts;
	int64_t start, end;
	uint32_t thread;
};

/* The same places on all processes. Only the worst of them is shown in full. */
struct place_pair {
	uint32_t at_place, partner_place;
	int64_t max_ns;
	bool is_taken; /* the bins belong to a finding already */
	struct time_bins over_time;
};

/* Of those that were the worst of their pair. */
struct worst_instance {
	union word *values; /* of the template, then estimates, if there are any */
	struct noted_calls {
		struct noted_call *items;
		uint32_t count, room;
	} actions;
};

/* A trace of many processes has as many. */
struct totals_entry {
	uint32_t process;
	uint32_t pair; /* in the totals */
	uint64_t count;
	int64_t total_ns, max_ns;
	struct histogram histogram; /* HISTOGRAM_BINS */
	struct noted_call at;
	struct noted_call partner[]; /* of a problem that has one */
};

struct problem_totals {
	uint64_t count;
	int64_t total_ns;
	uint32_t place_slot;                 /* of facts */
	struct map_index index;              /* of the entries */
	ARRAY(struct totals_entry *) blocks; /* of ENTRIES_AT_ONCE */
	uint32_t entry_count;
	size_t entry_bytes;
	struct arena arena; /* of the entries */
	struct place_pairs {
		struct place_pair *items;
		uint32_t count, room;
	} pairs;
	struct map pair_of; /* by places */
	struct worst_instances {
		struct worst_instance *items;
		uint32_t count, room;
	} worsts;
	struct map worst_of; /* by process and pair: of entries that ever were the worst */
};

enum { ENTRIES_AT_ONCE = 64 };

static inline struct totals_entry *entry_at(const struct problem_totals *totals, uint32_t number)
{
	char *block = (char *)totals->blocks.items[number / ENTRIES_AT_ONCE];

	return (struct totals_entry *)(block + number % ENTRIES_AT_ONCE * totals->entry_bytes);
}

/* Whether it is the worst of its pair, or as bad. */
bool is_worst(const struct problem_totals *totals, const struct totals_entry *entry);

/* Of one that is the worst. */
const struct worst_instance *worst_of(const struct problem_totals *totals, const struct totals_entry *entry);

struct problem_totals *totals_new(struct compiled_rule *rule, uint32_t place_slot);
void totals_free(struct problem_totals *totals);

/* Actions of one finding at the most, and members of a group among them. */
enum { ACTIONS_MAX = 64, MEMBERS_MAX = 8 };

#endif
