/* Causes of the waits of a report. */
#include "analysis/model/spans.h"
#include "output/report/parts.h"

#include <stdlib.h>
#include <string.h>

/* The maximum number of causes of an entry, including the sum of smaller ones. */
enum { CAUSES_SHOWN = 8 };
/* Of a cause, what may be chance. */
enum { SMALLEST_PART = 20 };

void cause_merge_release(struct cause_merge *merging)
{
	map_release(&merging->numbers);
	array_release(&merging->places);
}

static bool waits_for_others(const struct finding *finding)
{
	return finding->has_partner ? finding->partner.process != finding->at.process
	                            : finding->problem->remedy == REMEDY_NO_WAIT;
}

struct call_place cause_place(struct cause_merge *merging, const struct caller *caller)
{
	uint32_t *number;

	if (!caller->call)
		return (struct call_place){.call = "", .text = ""};
	number = map_put(&merging->numbers, map_key((uintptr_t)caller->call, 0));
	if (*number == MAP_NONE) {
		*number = (uint32_t)merging->places.count;
		array_add(&merging->places,
		          call_place_of(merging->report,
		                        &(struct action){.process = caller->process, .call = caller->call}));
	}
	return merging->places.items[*number];
}

bool is_same_cause(const struct report_cause *a, const struct report_cause *b)
{
	return a->kind == b->kind && is_same_place(&a->from, &b->from) && is_same_place(&a->to, &b->to) &&
	       strcmp(a->region ? a->region : "", b->region ? b->region : "") == 0;
}

static void add_cause(struct cause_merge *merging, struct report_entry *entry, const struct wait_cause *found,
                      int64_t ns, uint64_t most_instances)
{
	struct arena *arena = &merging->report->arena;
	struct report_cause cause = {.kind = found->kind,
	                             .from = cause_place(merging, &found->from),
	                             .to = cause_place(merging, &found->to),
	                             .region = found->region,
	                             .from_call = found->from,
	                             .to_call = found->to,
	                             .computing = found->ranks};
	double times = found->mean_ns > 0 ? (double)found->own_ns / (double)found->mean_ns : 0;
	struct report_cause *known = NULL;

	for (size_t i = 0; i < entry->cause_count && !known; i++)
		known = is_same_cause(&entry->causes[i], &cause) ? &entry->causes[i] : NULL;
	if (!known) {
		arena_add(arena, entry->causes, entry->cause_count, cause);
		known = &entry->causes[entry->cause_count - 1];
	}
	if (found->process != NO_PROCESS)
		arena_add(arena, known->parts, known->part_count,
		          (struct cause_part){found->process, times, ns, found->own_ns});
	if (found->late_ns > known->late.ns)
		known->late = (struct late_team_thread){found->late_ns, found->process, found->late_thread,
		                                        cause_place(merging, &found->late_at)};
	known->instances += found->instances < most_instances ? found->instances : most_instances;
	known->total_ns = saturating_add(known->total_ns, ns);
	if (found->own_ns > 0)
		known->blocked_ns = saturating_add(
			known->blocked_ns,
			(int64_t)((double)ns * (double)found->blocked_ns / (double)found->own_ns));
	if (found->in_vain_ns > found->total_ns / 2)
		known->in_vain_ns = saturating_add(known->in_vain_ns, ns);
}

/* The cost that the waits at its place do not explain. If the partner nevertheless arrived during the worst
 * instance, it was late for a reason that is not tracked. */
static enum cause_kind kind_of_rest(const struct finding *finding, int64_t waits)
{
	int64_t late = interval_ns(finding->at.start, finding->partner.start);

	if (!finding->has_partner)
		return waits < finding->total_ns / 2 ? CAUSE_UNKNOWN : CAUSE_TRANSFER;
	return waits < finding->total_ns / 2 && finding->partner.start < finding->at.end &&
	                       late > finding->max_ns / 2
	               ? CAUSE_UNKNOWN
	               : CAUSE_TRANSFER;
}

/* A finding may charge less than the waits at its place, if other findings charge the rest, or more: then no
 * process was late for the rest. */
void merge_causes(struct cause_merge *merging, struct report_entry *entry, const struct finding *finding)
{
	struct cause_list list = {0};
	struct wait_cause rest = {.process = NO_PROCESS, .instances = finding->count};
	int64_t left = finding->total_ns;
	double scale;

	if (!merging->causes || !waits_for_others(finding))
		return;
	list = causes_of(merging->causes, finding->at.process, finding->at.call, finding->partner.process,
	                 finding->partner.call);
	if (!list.count && !finding->has_partner)
		return;
	scale = list.total_ns > left ? (double)left / (double)list.total_ns : 1;
	for (size_t i = 0; i < list.count; i++) {
		int64_t ns = (int64_t)(scale * (double)list.items[i].total_ns);
		bool takes_rest = scale < 1 && i + 1 == list.count;
		ns = takes_rest || ns > left ? left : ns;
		left -= ns;
		if (ns > 0)
			add_cause(merging, entry, &list.items[i], ns, finding->count);
	}
	rest.kind = kind_of_rest(finding, list.total_ns);
	if (left > 0)
		add_cause(merging, entry, &rest, left, finding->count);
	free(list.items);
}

static int by_total(const void *left, const void *right)
{
	const struct report_cause *a = left, *b = right;
	int order = (a->kind == CAUSE_OTHER) -
	            (b->kind == CAUSE_OTHER); /* they become one with the smallest */

	order = order ? order : (a->total_ns < b->total_ns) - (a->total_ns > b->total_ns);
	order = order ? order : (a->kind > b->kind) - (a->kind < b->kind);
	order = order ? order : strcmp(a->to.text, b->to.text);
	return order ? order : strcmp(a->from.text, b->from.text);
}

static bool is_small(const struct report_entry *entry, size_t number)
{
	return number &&
	       (number + 1 >= CAUSES_SHOWN || entry->causes[number].total_ns < entry->total_ns / 100);
}

/* Combines the smallest causes, if there are several. Causes are sorted, so all causes after the first small
 * one are small. */
static void cut(struct report_entry *entry)
{
	struct report_cause other = {
		.kind = CAUSE_OTHER, .from = {.call = "", .text = ""}, .to = {.call = "", .text = ""}};
	size_t kept = 0;

	while (kept < entry->cause_count && !is_small(entry, kept))
		kept++;
	if (entry->cause_count - kept < 2)
		return;
	for (size_t i = kept; i < entry->cause_count; i++) {
		other.total_ns += entry->causes[i].total_ns;
		other.instances += entry->causes[i].instances;
	}
	entry->causes[kept] = other;
	entry->cause_count = kept + 1;
}

static int by_process(const void *left, const void *right)
{
	const struct cause_part *a = left, *b = right;

	return (a->process > b->process) - (a->process < b->process);
}

/* Names only the processes with a notable part, if these make up nearly all: a rank that was late once is not
 * named beside a rank that is late each time. */
void name_cause_processes(struct arena *arena, struct report_cause *cause)
{
	struct cause_part *parts = cause->parts;
	size_t kept = 0;
	int64_t least = 0, most = 0, notable = 0;

	if (!cause->part_count)
		return;
	qsort(parts, cause->part_count, sizeof *parts, by_process);
	for (size_t i = 1; i < cause->part_count; i++)
		if (parts[i].process == parts[kept].process)
			parts[kept].ns = saturating_add(parts[kept].ns, parts[i].ns);
		else
			parts[++kept] = parts[i];
	cause->part_count = kept + 1;
	for (size_t i = 0; i < cause->part_count; i++)
		most = parts[i].ns > most ? parts[i].ns : most;
	for (size_t i = 0; i < cause->part_count; i++)
		notable = saturating_add(notable, parts[i].ns >= most / SMALLEST_PART ? parts[i].ns : 0);
	if (notable >= cause->total_ns - cause->total_ns / SMALLEST_PART)
		least = most / SMALLEST_PART;
	for (size_t i = 0; i < cause->part_count; i++) {
		if (parts[i].ns < least)
			continue;
		arena_add(arena, cause->processes.at, cause->processes.count, parts[i].process);
		cause->times_mean = parts[i].times_mean > cause->times_mean ? parts[i].times_mean
		                                                            : cause->times_mean;
	}
}

void finish_causes(struct report *report, struct report_entry *entry)
{
	int64_t sum = 0;

	if (!entry->cause_count)
		return;
	for (size_t i = 0; i < entry->cause_count; i++)
		name_cause_processes(&report->arena, &entry->causes[i]);
	qsort(entry->causes, entry->cause_count, sizeof *entry->causes, by_total);
	cut(entry);
	for (size_t i = 0; i < entry->cause_count; i++) {
		sum = saturating_add(sum, entry->causes[i].total_ns);
		/* Several smaller causes may have contributed. */
		if (entry->causes[i].instances > entry->count)
			entry->causes[i].instances = entry->count;
	}
	/* Only saturated sums are not exact. */
	entry->causes[0].total_ns += entry->total_ns - sum;
}
