/* What was found, added up: count, total, greatest and distribution of durations for each problem, process and places, and
 * the worst instance of each.
 *
 *	struct tally *tally = tally_new(&part->arena, slots);
 *	tally_add(watch);                 for the chosen rows of a block
 *	tally_count(tally)
 *	tally_take(tally, analysis, findings);
 *	tally_free(tally); */
#ifndef TARRY_ANALYSIS_ENGINE_TALLY_H
#define TARRY_ANALYSIS_ENGINE_TALLY_H

#include "analysis/engine/analysis.h"
#include "analysis/engine/bins.h"
#include "analysis/engine/plan.h"
#include "base/map.h"

/* A call in the worst instance; each entry has one or two. */
struct __attribute__((packed, aligned(4))) noted_call {
	const struct facts *facts;
	int64_t start, end;
	uint32_t thread;
};

/* The same places on all processes. Only the worst of them needs to be told in full. */
struct spot {
	uint32_t at_place, partner_place;
	int64_t max_ns;
};

/* Of those that were the worst of their spot. */
struct worst {
	union word *values; /* of the template, and behind them estimates, where there are any */
	struct noted_call *actions;
	uint32_t action_count, action_room;
};

/* A trace of many processes has as many. */
struct entry {
	uint32_t process;
	uint32_t spot; /* in the tally */
	uint64_t count;
	int64_t total_ns, max_ns;
	struct bins histogram; /* HISTOGRAM_BINS */
	struct noted_call at;
	struct noted_call partner[]; /* of a problem that has one */
};

struct tally {
	const struct problem *problem;
	uint64_t count;
	int64_t total_ns;
	uint32_t place_slot; /* of facts */
	struct entry_slot {
		uint32_t hash;
		uint32_t entry; /* one above its number; 0: none */
	} * slots;
	uint32_t slot_count;         /* a power of two, or 0 */
	struct recent_entry *recent; /* RECENT_ENTRIES, by hash; NULL: nothing was found yet */
	struct entry **blocks;       /* of ENTRIES_AT_ONCE */
	uint32_t entry_count;
	size_t entry_bytes;
	struct arena arena; /* of the entries */
	struct spot *spots;
	uint32_t spot_count, spot_room;
	struct map spot_of; /* by places */
	struct worst *worsts;
	uint32_t worst_count, worst_room;
	struct map worst_of; /* by process and spot: of entries that ever were the worst */
};

enum { ENTRIES_AT_ONCE = 64 };

static inline struct entry *entry_at(const struct tally *tally, uint32_t number)
{
	char *block = (char *)tally->blocks[number / ENTRIES_AT_ONCE];

	return (struct entry *)(block + number % ENTRIES_AT_ONCE * tally->entry_bytes);
}

/* Whether it is the worst of its spot, or as bad. */
bool is_worst(const struct tally *tally, const struct entry *entry);

/* Of one that is the worst. */
const struct worst *worst_of(const struct tally *tally, const struct entry *entry);

struct tally *tally_new(struct watch *watch, uint32_t place_slot);
void tally_free(struct tally *tally);

/* Actions of one finding at the most, and members of a group among them. */
enum { ACTIONS_MAX = 64, MEMBERS_MAX = 8 };

#endif
