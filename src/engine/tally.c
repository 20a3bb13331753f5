#include "engine/tally.h"

#include "base/memory.h"

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

static uint32_t slot_of(const struct tally *tally, struct key key)
{
	uint64_t hash = ((uint64_t)key.process << 32 | key.at_place) * 0x9e3779b97f4a7c15;

	hash = (hash ^ hash >> 32 ^ key.partner_place) * 0xbf58476d1ce4e5b9;
	return (uint32_t)(hash >> 32) & (tally->slot_count - 1);
}

static bool is_of(const struct entry *entry, struct key key)
{
	return entry->process == key.process && entry->at_place == key.at_place &&
	       entry->partner_place == key.partner_place;
}

static struct entry **find_slot(struct tally *tally, struct key key)
{
	uint32_t slot = slot_of(tally, key);

	while (tally->slots[slot] && !is_of(tally->slots[slot], key))
		slot = (slot + 1) & (tally->slot_count - 1);
	return &tally->slots[slot];
}

static void grow(struct tally *tally)
{
	struct entry **old = tally->slots;
	uint32_t count = tally->slot_count;

	tally->slot_count = count ? 2 * count : 64;
	tally->slots = memory_new(tally->slot_count, sizeof *tally->slots);
	for (uint32_t i = 0; i < count; i++)
		if (old[i])
			*find_slot(tally, (struct key){old[i]->process, old[i]->at_place,
			                               old[i]->partner_place}) = old[i];
	free(old);
}

static uint32_t find_spot(struct tally *tally, struct key key)
{
	uint32_t *number = pair_map_put(&tally->spot_of, (struct pair){key.at_place, key.partner_place});

	if (*number != UINT32_MAX)
		return *number;
	if (tally->spot_count == tally->spot_room) {
		tally->spot_room = tally->spot_room ? 2 * tally->spot_room : 16;
		tally->spots = memory_grow(tally->spots, tally->spot_room, sizeof *tally->spots);
	}
	tally->spots[tally->spot_count] = (struct spot){.max_ns = -1};
	return *number = tally->spot_count++;
}

bool is_worst(const struct tally *tally, const struct entry *entry)
{
	return entry->max_ns == tally->spots[entry->spot].max_ns;
}

static struct entry *find_entry(struct tally *tally, struct key key)
{
	struct entry **slot;

	if (tally->last && is_of(tally->last, key))
		return tally->last;
	if (2 * tally->used >= tally->slot_count)
		grow(tally);
	slot = find_slot(tally, key);
	if (!*slot) {
		*slot = arena_alloc(&tally->arena, 1, tally->entry_bytes);
		(*slot)->process = key.process;
		(*slot)->at_place = key.at_place;
		(*slot)->partner_place = key.partner_place;
		(*slot)->max_ns = -1;
		(*slot)->spot = find_spot(tally, key);
		tally->used++;
	}
	return tally->last = *slot;
}

/* The worst instance */

static union word value_at(struct node *node, const struct selection *within, uint32_t row)
{
	struct selection one = {.within = within, .rows = &row, .count = 1, .is_fleeting = true};

	return is_constant(node) ? node->value : node_values(node, &one)[row];
}

static struct noted_call call_at(const struct call_nodes *call, const struct selection *within, uint32_t row)
{
	return (struct noted_call){.facts = facts_at(value_at(call->parts[PART_FACTS], within, row)),
	                           .start = value_at(call->parts[PART_START], within, row).i,
	                           .end = value_at(call->parts[PART_END], within, row).i,
	                           .where = value_at(call->parts[PART_WHERE], within, row).i};
}

static bool is_same_call(const struct noted_call *a, const struct noted_call *b)
{
	return a->facts == b->facts && a->start == b->start && a->end == b->end &&
	       (uint32_t)a->where == (uint32_t)b->where;
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

static void note_worst(struct entry *entry, const struct watch *watch, uint32_t row)
{
	const struct selection *within = &watch->selection;
	uint32_t count = watch->advice->count;
	struct worst *worst = entry->worst;

	if (!worst) {
		worst = entry->worst = memory_new(1, sizeof *worst);
		worst->values = memory_new(2 * (size_t)count + 1, sizeof *worst->values);
	}
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

static void add_findings(struct watch *watch, const union word *durations)
{
	const struct selection *rows = &watch->selection;
	struct tally *tally = watch->tally;
	const union word *at = node_values(watch->at.parts[PART_FACTS], rows);
	const union word *partner = watch->has_partner ? node_values(watch->partner.parts[PART_FACTS], rows)
	                                               : NULL;

	for (uint32_t k = 0; k < rows->count; k++) {
		uint32_t row = selection_row(rows, k);
		const struct facts *facts = facts_at(at[row]);
		struct key key = {facts->process, (uint32_t)facts->common[tally->place_slot], 0};
		if (partner)
			key.partner_place = (uint32_t)facts_at(partner[row])->common[tally->place_slot];
		add_to(find_entry(tally, key), watch, row, durations[row].i < 0 ? 0 : durations[row].i);
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

static void tally_add(struct watch *watch)
{
	const struct selection *rows = &watch->selection;
	const union word *durations = node_values(watch->duration, rows);
	struct tally *tally = watch->tally;

	tally->count += watch->occurrences ? count_occurrences(watch) : rows->count;
	for (uint32_t k = 0; k < rows->count; k++) {
		int64_t duration = durations[selection_row(rows, k)].i;
		tally->total_ns = whole_add(tally->total_ns, duration < 0 ? 0 : duration);
	}
	if (!watch->problem->is_metric)
		add_findings(watch, durations);
}

struct tally *tally_new(struct watch *watch, uint32_t place_slot)
{
	struct tally *tally = memory_new(1, sizeof *tally);

	tally->problem = watch->problem;
	tally->place_slot = place_slot;
	tally->entry_bytes = sizeof(struct entry) + (watch->has_partner ? sizeof(struct noted_call) : 0);
	watch->tally = tally;
	watch->found = tally_add;
	return tally;
}

static void entry_free(struct entry *entry)
{
	if (!entry)
		return;
	bins_release(&entry->histogram);
	if (entry->worst) {
		free(entry->worst->values);
		free(entry->worst->actions);
	}
	free(entry->worst);
}

void tally_free(struct tally *tally)
{
	if (!tally)
		return;
	for (uint32_t i = 0; i < tally->slot_count; i++)
		entry_free(tally->slots[i]);
	free(tally->slots);
	free(tally->spots);
	arena_release(&tally->arena);
	pair_map_release(&tally->spot_of);
	free(tally);
}
