#include "analysis/engine/tally.h"

#include "base/memory.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>

struct key {
	uint32_t process, at_place, partner_place;
};

static uint32_t bin_of(int64_t duration)
{
	uint32_t bin = duration > 0 ? 63u - (uint32_t)__builtin_clzll((uint64_t)duration) : 0;

	return bin < HISTOGRAM_BINS ? bin : HISTOGRAM_BINS - 1;
}

/* Finding the entry */

static uint32_t hash_of(struct key key)
{
	uint64_t hash = ((uint64_t)key.process << 32 | key.at_place) * 0x9e3779b97f4a7c15;

	hash = (hash ^ hash >> 32 ^ key.partner_place) * 0xbf58476d1ce4e5b9;
	return (uint32_t)(hash >> 32);
}

static bool is_of(const struct tally *tally, const struct entry *entry, struct key key)
{
	const struct spot *spot = &tally->spots[entry->spot];

	return entry->process == key.process && spot->at_place == key.at_place &&
	       spot->partner_place == key.partner_place;
}

/* Of many processes entries are in no cache: hashes tell which ones need not be looked at. */
static struct entry_slot *find_slot(const struct tally *tally, struct key key, uint32_t hash)
{
	uint32_t mask = tally->slot_count - 1, at = hash & mask;

	for (; tally->slots[at].entry; at = (at + 1) & mask)
		if (tally->slots[at].hash == hash &&
		    is_of(tally, entry_at(tally, tally->slots[at].entry - 1), key))
			break;
	return &tally->slots[at];
}

static void make_room(struct tally *tally)
{
	struct entry_slot *old = tally->slots;
	uint32_t count = tally->slot_count, mask;

	if (4ull * tally->entry_count < 3ull * count)
		return;
	tally->slot_count = count ? 2 * count : 64;
	tally->slots = memory_new(tally->slot_count, sizeof *tally->slots);
	mask = tally->slot_count - 1;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = old[i].hash & mask;
		while (old[i].entry && tally->slots[at].entry)
			at = (at + 1) & mask;
		if (old[i].entry)
			tally->slots[at] = old[i];
	}
	free(old);
}

static uint32_t find_spot(struct tally *tally, struct key key)
{
	uint32_t *number = map_put(&tally->spot_of, map_key(key.at_place, key.partner_place));

	if (*number != UINT32_MAX)
		return *number;
	if (tally->spot_count == tally->spot_room) {
		tally->spot_room = tally->spot_room ? 2 * tally->spot_room : 16;
		tally->spots = memory_grow(tally->spots, tally->spot_room, sizeof *tally->spots);
	}
	tally->spots[tally->spot_count] = (struct spot){key.at_place, key.partner_place, -1};
	return *number = tally->spot_count++;
}

bool is_worst(const struct tally *tally, const struct entry *entry)
{
	return entry->max_ns == tally->spots[entry->spot].max_ns;
}

static struct entry *new_entry(struct tally *tally, struct key key)
{
	uint32_t number = tally->entry_count++, block = number / ENTRIES_AT_ONCE;
	struct entry *entry;

	if (number % ENTRIES_AT_ONCE == 0) {
		if ((block & (block - 1)) == 0)
			tally->blocks = memory_grow(tally->blocks, 2 * (size_t)block + 1,
			                            sizeof *tally->blocks);
		tally->blocks[block] = arena_alloc(&tally->arena, ENTRIES_AT_ONCE, tally->entry_bytes);
	}
	entry = entry_at(tally, number);
	entry->process = key.process;
	entry->max_ns = -1;
	entry->spot = find_spot(tally, key);
	return entry;
}

static struct entry *look_up_entry(struct tally *tally, struct key key, uint32_t hash)
{
	struct entry_slot *slot;

	make_room(tally);
	slot = find_slot(tally, key, hash);
	if (slot->entry)
		return entry_at(tally, slot->entry - 1);
	*slot = (struct entry_slot){hash, tally->entry_count + 1};
	return new_entry(tally, key);
}

/* What was found lately: programs do the same again and again, in several processes at a time. */

enum { RECENT_BITS = 7, RECENT_ENTRIES = 1 << RECENT_BITS };

struct recent_entry {
	struct key key;
	struct entry *entry; /* NULL: none */
};

static struct entry *find_entry(struct tally *tally, struct key key)
{
	uint32_t hash = hash_of(key);
	struct recent_entry *recent = &tally->recent[hash >> (32 - RECENT_BITS)];

	if (recent->key.process != key.process || recent->key.at_place != key.at_place ||
	    recent->key.partner_place != key.partner_place || !recent->entry)
		*recent = (struct recent_entry){key, look_up_entry(tally, key, hash)};
	return recent->entry;
}

/* The worst instance */

static union word value_at(struct node *node, const struct selection *within, uint32_t row)
{
	return is_constant(node) ? node->value : node_values(node, within)[row];
}

static struct noted_call call_at(const struct call_nodes *call, const struct selection *within, uint32_t row)
{
	return (struct noted_call){.facts = facts_at(value_at(call->parts[PART_FACTS], within, row)),
	                           .start = value_at(call->parts[PART_START], within, row).i,
	                           .end = value_at(call->parts[PART_END], within, row).i,
	                           .thread = (uint32_t)value_at(call->parts[PART_WHERE], within, row).i};
}

static bool is_same_call(const struct noted_call *a, const struct noted_call *b)
{
	return a->facts == b->facts && a->start == b->start && a->end == b->end && a->thread == b->thread;
}

static void add_action(struct worst *worst, struct noted_call call)
{
	if (!call.facts->call || worst->action_count == ACTIONS_MAX)
		return;
	for (uint32_t i = 0; i < worst->action_count; i++)
		if (is_same_call(&worst->actions[i], &call))
			return;
	if (worst->action_count == worst->action_room) {
		worst->action_room = worst->action_room ? 2 * worst->action_room : 4;
		worst->actions = memory_grow(worst->actions, worst->action_room, sizeof *worst->actions);
	}
	worst->actions[worst->action_count++] = call;
}

/* The first member of a group: they are in the order of their groups. */
static uint32_t first_member(const struct table *table, uint32_t group)
{
	uint32_t from = 0;

	for (uint32_t size = table->member_rows.count; size;) {
		uint32_t half = size / 2;
		uint32_t row = selection_row(&table->member_rows, from + half);
		bool is_before = table->space->group_of[row] < group;
		from += is_before ? half + 1 : 0;
		size = is_before ? size - half - 1 : half;
	}
	return from;
}

static void add_member_actions(struct worst *worst, const struct watch *watch, uint32_t row)
{
	const struct table *table = watch->group;
	const uint32_t *group_of = table->space->group_of;
	uint32_t group = watch->problem->is_for_each ? group_of[row] : row, added = 0;

	for (uint32_t k = first_member(table, group); k < table->member_rows.count && added < MEMBERS_MAX;
	     k++, added++) {
		uint32_t member = selection_row(&table->member_rows, k);
		for (uint32_t i = 0; i < watch->member_action_count && group_of[member] == group; i++)
			add_action(worst, call_at(&watch->member_actions[i], &table->member_rows, member));
	}
}

static void note_ends(struct entry *entry, const struct watch *watch, uint32_t row)
{
	entry->at = call_at(&watch->at, &watch->selection, row);
	if (watch->has_partner)
		*entry->partner = call_at(&watch->partner, &watch->selection, row);
}

static struct worst *get_worst(struct tally *tally, const struct entry *entry, uint32_t values)
{
	uint32_t *number = map_put(&tally->worst_of, map_key(entry->process, entry->spot));

	if (*number != UINT32_MAX)
		return &tally->worsts[*number];
	if (tally->worst_count == tally->worst_room) {
		tally->worst_room = tally->worst_room ? 2 * tally->worst_room : 16;
		tally->worsts = memory_grow(tally->worsts, tally->worst_room, sizeof *tally->worsts);
	}
	*number = tally->worst_count++;
	tally->worsts[*number] = (struct worst){.values = memory_new(values + 1u, sizeof(union word))};
	return &tally->worsts[*number];
}

const struct worst *worst_of(const struct tally *tally, const struct entry *entry)
{
	return &tally->worsts[*map_find(&tally->worst_of, map_key(entry->process, entry->spot))];
}

static void note_worst(const struct entry *entry, const struct watch *watch, uint32_t row)
{
	const struct selection *within = &watch->selection;
	uint32_t count = watch->advice->count;
	struct worst *worst = get_worst(watch->tally, entry, 2 * count);

	for (uint32_t i = 0; i < count; i++)
		worst->values[i] = value_at(watch->values[i], within, row);
	for (uint32_t i = 0; i < count; i++)
		if (watch->estimates[i])
			worst->values[count + i] = value_at(watch->estimates[i], within, row);
	worst->action_count = 0;
	add_action(worst, entry->at);
	if (watch->has_partner)
		add_action(worst, *entry->partner);
	for (uint32_t i = 0; i < watch->action_count; i++)
		add_action(worst, call_at(&watch->actions[i], within, row));
	if (watch->member_action_count)
		add_member_actions(worst, watch, row);
}

/* Adding up */

static void add_to(struct entry *entry, const struct watch *watch, uint32_t row, int64_t duration)
{
	struct spot *spot;

	entry->count++;
	entry->total_ns = whole_add(entry->total_ns, duration);
	bins_add(&entry->histogram, (uint8_t)bin_of(duration));
	if (duration <= entry->max_ns)
		return;
	entry->max_ns = duration;
	note_ends(entry, watch, row);
	spot = &watch->tally->spots[entry->spot];
	if (duration < spot->max_ns)
		return;
	spot->max_ns = duration;
	note_worst(entry, watch, row);
}

enum { AT_ONCE = 16, MANY = 1024 };

static struct key key_at(const struct tally *tally, const union word *at, const union word *partner,
                         uint32_t row)
{
	const struct facts *facts = facts_at(at[row]);

	return (struct key){facts->process, (uint32_t)facts->common[tally->place_slot],
	                    partner ? (uint32_t)facts_at(partner[row])->common[tally->place_slot] : 0};
}

/* Of many processes they are in no cache: they are fetched together. */
static void fetch_entries(const struct tally *tally, const struct key *keys, uint32_t count)
{
	uint32_t hashes[AT_ONCE], mask = tally->slot_count - 1;

	for (uint32_t k = 0; k < count; k++) {
		hashes[k] = hash_of(keys[k]);
		__builtin_prefetch(&tally->slots[hashes[k] & mask]);
	}
	for (uint32_t k = 0; k < count; k++) {
		const struct entry_slot *slot = &tally->slots[hashes[k] & mask];
		if (!slot->entry)
			continue;
		__builtin_prefetch(entry_at(tally, slot->entry - 1));
		__builtin_prefetch((const char *)entry_at(tally, slot->entry - 1) + 64);
	}
}

static void add_findings(struct watch *watch, const union word *durations)
{
	const struct selection *rows = &watch->selection;
	struct tally *tally = watch->tally;
	const union word *at = node_values(watch->at.parts[PART_FACTS], rows);
	const union word *partner = watch->has_partner ? node_values(watch->partner.parts[PART_FACTS], rows)
	                                               : NULL;

	if (!tally->recent)
		tally->recent = memory_new(RECENT_ENTRIES, sizeof *tally->recent);
	for (uint32_t from = 0; from < rows->count; from += AT_ONCE) {
		uint32_t count = rows->count - from < AT_ONCE ? rows->count - from : AT_ONCE;
		struct entry *entries[AT_ONCE];
		struct key keys[AT_ONCE];
		for (uint32_t k = 0; k < count; k++)
			keys[k] = key_at(tally, at, partner, selection_row(rows, from + k));
		if (tally->entry_count > MANY)
			fetch_entries(tally, keys, count);
		for (uint32_t k = 0; k < count; k++) {
			entries[k] = find_entry(tally, keys[k]);
			__builtin_prefetch(entries[k], 1);
		}
		for (uint32_t k = 0; k < count; k++) {
			uint32_t row = selection_row(rows, from + k);
			add_to(entries[k], watch, row, durations[row].i < 0 ? 0 : durations[row].i);
		}
	}
}

static uint64_t count_occurrences(struct watch *watch)
{
	const struct selection *rows = &watch->selection;
	const union word *counts = node_values(watch->occurrences, rows);
	uint64_t count = 0;

	for (uint32_t k = 0; k < rows->count; k++)
		count += counts[selection_row(rows, k)].i > 0 ? (uint64_t)counts[selection_row(rows, k)].i
		                                              : 0;
	return count;
}

/* Ends at the greatest number. */
static int64_t total_with(int64_t total_ns, const union word *durations, const struct selection *rows)
{
	__int128 sum = total_ns;

	for (uint32_t k = 0; k < rows->count; k++) {
		int64_t duration = durations[selection_row(rows, k)].i;
		sum += duration < 0 ? 0 : duration;
	}
	return sum < INT64_MAX ? (int64_t)sum : INT64_MAX;
}

static void tally_add(struct watch *watch)
{
	const struct selection *rows = &watch->selection;
	const union word *durations = node_values(watch->duration, rows);
	struct tally *tally = watch->tally;

	tally->count += watch->occurrences ? count_occurrences(watch) : rows->count;
	tally->total_ns = total_with(tally->total_ns, durations, rows);
	if (!watch->problem->is_metric)
		add_findings(watch, durations);
}

static size_t entry_bytes(bool has_partner)
{
	size_t bytes = offsetof(struct entry, partner) + (has_partner ? sizeof(struct noted_call) : 0);

	return (bytes + alignof(struct entry) - 1) / alignof(struct entry) * alignof(struct entry);
}

struct tally *tally_new(struct watch *watch, uint32_t place_slot)
{
	struct tally *tally = memory_new(1, sizeof *tally);

	tally->problem = watch->problem;
	tally->place_slot = place_slot;
	tally->entry_bytes = entry_bytes(watch->has_partner);
	watch->tally = tally;
	watch->found = tally_add;
	return tally;
}

void tally_free(struct tally *tally)
{
	if (!tally)
		return;
	for (uint32_t i = 0; i < tally->entry_count; i++)
		bins_release(&entry_at(tally, i)->histogram);
	for (uint32_t i = 0; i < tally->worst_count; i++) {
		free(tally->worsts[i].values);
		free(tally->worsts[i].actions);
	}
	free(tally->worsts);
	map_release(&tally->worst_of);
	free(tally->blocks);
	free(tally->slots);
	free(tally->recent);
	free(tally->spots);
	arena_release(&tally->arena);
	map_release(&tally->spot_of);
	free(tally);
}
