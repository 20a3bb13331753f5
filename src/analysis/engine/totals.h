/* Sums of findings: count, total, maximum and distribution of durations for each problem, process and pair of
 * places, and the worst instance of each. After totals_new(), a compiled rule adds the selected rows of each
 * block. */
#ifndef TARRY_ANALYSIS_ENGINE_TOTALS_H
#define TARRY_ANALYSIS_ENGINE_TOTALS_H

#include "analysis/engine/analysis.h"
#include "analysis/engine/histogram.h"
#include "analysis/engine/plan.h"
#include "base/map.h"

/* A call of the worst instance; each entry has one or two. */
struct __attribute__((packed, aligned(4))) noted_call {
	const struct rule_facts *facts;
	int64_t start, end;
	uint32_t thread;
};

/* A pair of places, on all processes. Only the worst instance of a pair is shown in full. */
struct place_pair {
	uint32_t at_place, partner_place;
	int64_t max_ns;
	bool is_taken; /* a finding already has the bins */
	struct time_bins over_time;
};

/* Details of an entry that was the worst of its pair at some time. */
struct worst_instance {
	union word *values; /* of the template, then of its estimates, if any */
	struct noted_calls {
		struct noted_call *items;
		uint32_t count, room;
	} actions;
};

/* Kept small, because there is one for each process. */
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
	struct map worst_of; /* by process and pair, for entries that were the worst at some time */
};

enum { ENTRIES_AT_ONCE = 64 };

static inline struct totals_entry *entry_at(const struct problem_totals *totals, uint32_t number)
{
	char *block = (char *)totals->blocks.items[number / ENTRIES_AT_ONCE];

	return (struct totals_entry *)(block + number % ENTRIES_AT_ONCE * totals->entry_bytes);
}

/* True if no entry of its pair is worse. */
bool is_worst(const struct problem_totals *totals, const struct totals_entry *entry);

/* For an entry that is the worst. */
const struct worst_instance *worst_of(const struct problem_totals *totals, const struct totals_entry *entry);

struct problem_totals *totals_new(struct compiled_rule *rule, uint32_t place_slot);
void totals_free(struct problem_totals *totals);

/* The maximum numbers of actions of a finding, and of members of a group among them. */
enum { ACTIONS_MAX = 64, MEMBERS_MAX = 8 };

#endif
