#include "analysis/engine/totals.h"

#include "analysis/engine/group.h"

#include "base/memory.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>

struct totals_key {
	uint32_t process, at_place, partner_place;
};

/* Finding the entry */

static uint64_t hash_of(struct totals_key key)
{
	return hash_word(hash_word(key.process, key.at_place), key.partner_place);
}

static bool is_of(const struct problem_totals *totals, const struct totals_entry *entry,
                  struct totals_key key)
{
	const struct place_pair *pair = &totals->pairs.items[entry->pair];

	return entry->process == key.process && pair->at_place == key.at_place &&
	       pair->partner_place == key.partner_place;
}

bool is_worst(const struct problem_totals *totals, const struct totals_entry *entry)
{
	return entry->max_ns == totals->pairs.items[entry->pair].max_ns;
}

static struct totals_entry *find_entry(struct problem_totals *totals, struct totals_key key)
{
	uint64_t hash = hash_of(key);
	uint32_t number = map_index_find(&totals->index, hash, i, is_of(totals, entry_at(totals, i), key));
	struct totals_entry *entry;
	uint32_t *pair;

	if (number != MAP_NONE)
		return entry_at(totals, number);
	map_index_add(&totals->index, hash, totals->entry_count);
	number = totals->entry_count++;
	if (number % ENTRIES_AT_ONCE == 0)
		array_add(&totals->blocks, arena_alloc(&totals->arena, ENTRIES_AT_ONCE, totals->entry_bytes));
	pair = map_put(&totals->pair_of, map_key(key.at_place, key.partner_place));
	if (*pair == UINT32_MAX) {
		*pair = totals->pairs.count;
		array_add(&totals->pairs, ((struct place_pair){.at_place = key.at_place,
		                                               .partner_place = key.partner_place,
		                                               .max_ns = -1}));
	}
	entry = entry_at(totals, number);
	entry->process = key.process;
	entry->max_ns = -1;
	entry->pair = *pair;
	return entry;
}

/* The worst instance */

static union word value_at(struct node *node, const struct row_selection *within, uint32_t row)
{
	return is_constant(node) ? node->value : node_values(node, within)[row];
}

static struct noted_call call_at(const struct call_nodes *call, const struct row_selection *within,
                                 uint32_t row)
{
	return (struct noted_call){.facts = facts_at(value_at(call->parts[PART_FACTS], within, row)),
	                           .start = value_at(call->parts[PART_START], within, row).i,
	                           .end = value_at(call->parts[PART_END], within, row).i,
	                           .thread = (uint32_t)value_at(call->parts[PART_WHERE], within, row).i};
}

static void add_action(struct worst_instance *worst, struct noted_call call)
{
	if (!call.facts->call || worst->actions.count == ACTIONS_MAX)
		return;
	for (uint32_t i = 0; i < worst->actions.count; i++)
		if (worst->actions.items[i].facts == call.facts &&
		    worst->actions.items[i].start == call.start && worst->actions.items[i].end == call.end &&
		    worst->actions.items[i].thread == call.thread)
			return;
	array_add(&worst->actions, call);
}

static void add_member_actions(struct worst_instance *worst, const struct compiled_rule *rule, uint32_t row)
{
	const struct table *table = rule->group;
	const uint32_t *group_of = table->space->group_of;
	uint32_t group = rule->problem->is_for_each ? group_of[row] : row, added = 0;

	for (uint32_t k = group_first_member(table, group);
	     k < table->member_rows.count && added < MEMBERS_MAX; k++, added++) {
		uint32_t member = selection_row(&table->member_rows, k);
		for (uint32_t i = 0; i < rule->member_action_count && group_of[member] == group; i++)
			add_action(worst, call_at(&rule->member_actions[i], &table->member_rows, member));
	}
}

const struct worst_instance *worst_of(const struct problem_totals *totals, const struct totals_entry *entry)
{
	return &totals->worsts.items[*map_find(&totals->worst_of, map_key(entry->process, entry->pair))];
}

static void note_worst(const struct totals_entry *entry, const struct compiled_rule *rule, uint32_t row)
{
	const struct row_selection *within = &rule->selection;
	struct problem_totals *totals = rule->totals;
	uint32_t count = rule->advice->count;
	uint32_t *number = map_put(&totals->worst_of, map_key(entry->process, entry->pair));
	struct worst_instance *worst;

	if (*number == UINT32_MAX) {
		*number = totals->worsts.count;
		array_new_item(&totals->worsts)->values = memory_new(2 * count + 1u, sizeof(union word));
	}
	worst = &totals->worsts.items[*number];
	for (uint32_t i = 0; i < count; i++) {
		worst->values[i] = value_at(rule->values[i], within, row);
		if (rule->estimates[i])
			worst->values[count + i] = value_at(rule->estimates[i], within, row);
	}
	worst->actions.count = 0;
	add_action(worst, entry->at);
	if (rule->has_partner)
		add_action(worst, *entry->partner);
	for (uint32_t i = 0; i < rule->action_count; i++)
		add_action(worst, call_at(&rule->actions[i], within, row));
	if (rule->member_action_count)
		add_member_actions(worst, rule, row);
}

static void add_to(struct totals_entry *entry, const struct compiled_rule *rule, uint32_t row,
                   int64_t duration)
{
	struct place_pair *pair = &rule->totals->pairs.items[entry->pair];
	int64_t start = value_at(rule->at.parts[PART_START], &rule->selection, row).i;
	int64_t end = value_at(rule->at.parts[PART_END], &rule->selection, row).i;
	uint32_t bin = duration > 0 ? 63u - (uint32_t)__builtin_clzll((uint64_t)duration) : 0;

	entry->count++;
	entry->total_ns = whole_add(entry->total_ns, duration);
	histogram_add(&entry->histogram, (uint8_t)(bin < HISTOGRAM_BINS ? bin : HISTOGRAM_BINS - 1));
	/* The time is within its call, unless it is a sum over many calls. */
	start = start < 0 ? 0 : start;
	if (end >= start && duration <= end - start)
		time_bins_add(&pair->over_time, start, end, duration);
	/* Among equal ones, the first by time, because rows may arrive in any order. */
	if (duration < entry->max_ns || (duration == entry->max_ns && start >= entry->at.start))
		return;
	entry->max_ns = duration;
	entry->at = call_at(&rule->at, &rule->selection, row);
	if (rule->has_partner)
		*entry->partner = call_at(&rule->partner, &rule->selection, row);
	if (duration < pair->max_ns)
		return;
	pair->max_ns = duration;
	note_worst(entry, rule, row);
}

enum { AT_ONCE = 16, MANY = 1024 };
static void add_findings(struct compiled_rule *rule, const union word *durations)
{
	const struct row_selection *rows = &rule->selection;
	struct problem_totals *totals = rule->totals;
	const union word *at = node_values(rule->at.parts[PART_FACTS], rows);
	const union word *partner = rule->has_partner ? node_values(rule->partner.parts[PART_FACTS], rows)
	                                              : NULL;

	for (uint32_t from = 0; from < rows->count; from += AT_ONCE) {
		uint32_t count = rows->count - from < AT_ONCE ? rows->count - from : AT_ONCE;
		const struct map_index_slot *slots[AT_ONCE];
		struct totals_entry *entries[AT_ONCE];
		struct totals_key keys[AT_ONCE];
		bool are_many = totals->entry_count > MANY;
		for (uint32_t k = 0; k < count; k++) {
			uint32_t row = selection_row(rows, from + k), place = totals->place_slot;
			const struct rule_facts *facts = facts_at(at[row]);
			keys[k] = (struct totals_key){
				facts->process, (uint32_t)facts->common[place],
				partner ? (uint32_t)facts_at(partner[row])->common[place] : 0};
		}
		/* Entries of many processes are not cached: they are fetched together. */
		for (uint32_t k = 0; are_many && k < count; k++) {
			uint32_t slot = hash_fold(hash_of(keys[k])) & (totals->index.slot_count - 1);
			slots[k] = &totals->index.slots[slot];
			__builtin_prefetch(slots[k]);
		}
		for (uint32_t k = 0; are_many && k < count; k++) {
			if (!slots[k]->number)
				continue;
			__builtin_prefetch(entry_at(totals, slots[k]->number - 1));
			__builtin_prefetch((const char *)entry_at(totals, slots[k]->number - 1) + 64);
		}
		for (uint32_t k = 0; k < count; k++) {
			entries[k] = find_entry(totals, keys[k]);
			__builtin_prefetch(entries[k], 1);
		}
		for (uint32_t k = 0; k < count; k++) {
			uint32_t row = selection_row(rows, from + k);
			add_to(entries[k], rule, row, durations[row].i < 0 ? 0 : durations[row].i);
		}
	}
}

static void totals_add(struct compiled_rule *rule)
{
	const struct row_selection *rows = &rule->selection;
	const union word *durations = node_values(rule->duration, rows);
	const union word *counts = rule->occurrences ? node_values(rule->occurrences, rows) : NULL;
	struct problem_totals *totals = rule->totals;
	__int128 sum = totals->total_ns;

	for (uint32_t k = 0; k < rows->count; k++) {
		int64_t duration = durations[selection_row(rows, k)].i;
		int64_t count = counts ? counts[selection_row(rows, k)].i : 1;
		sum += duration < 0 ? 0 : duration;
		totals->count += count > 0 ? (uint64_t)count : 0;
	}
	totals->total_ns = sum < INT64_MAX ? (int64_t)sum : INT64_MAX;
	if (!rule->problem->is_metric)
		add_findings(rule, durations);
}

struct problem_totals *totals_new(struct compiled_rule *rule, uint32_t place_slot)
{
	struct problem_totals *totals = memory_new(1, sizeof *totals);
	size_t align = alignof(struct totals_entry);
	size_t bytes = offsetof(struct totals_entry, partner) +
	               (rule->has_partner ? sizeof(struct noted_call) : 0);

	totals->place_slot = place_slot;
	totals->entry_bytes = (bytes + align - 1) / align * align;
	rule->totals = totals;
	rule->found = totals_add;
	return totals;
}

void totals_free(struct problem_totals *totals)
{
	if (!totals)
		return;
	for (uint32_t i = 0; i < totals->entry_count; i++)
		histogram_release(&entry_at(totals, i)->histogram);
	for (uint32_t i = 0; i < totals->worsts.count; i++) {
		free(totals->worsts.items[i].values);
		array_release(&totals->worsts.items[i].actions);
	}
	array_release(&totals->worsts);
	map_release(&totals->worst_of);
	array_release(&totals->blocks);
	map_index_release(&totals->index);
	array_release(&totals->pairs);
	arena_release(&totals->arena);
	map_release(&totals->pair_of);
	free(totals);
}
