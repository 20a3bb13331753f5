/* Causes of the waits of a report, and the order of entries by cause. */
#include "analysis/model/spans.h"
#include "output/report/parts.h"

#include <stdlib.h>
#include <string.h>

/* Of an entry, the smaller ones together included. */
enum { CAUSES_SHOWN = 8 };
/* Of a cause, what may be chance. */
enum { SMALLEST_PART = 20 };

void cause_merge_release(struct cause_merge *merging)
{
	map_release(&merging->numbers);
	array_release(&merging->places);
}

/* Work of a process that makes others wait; the charged process is the cause. */
static bool is_imbalance(const struct problem *problem)
{
	return text_ends(problem->id, "imbalance");
}

static bool waits_for_others(const struct finding *finding)
{
	return finding->has_partner && finding->partner.process != finding->at.process;
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

static bool is_same_cause(const struct report_cause *a, const struct report_cause *b)
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
	                             .region = found->region};
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
		          (struct cause_part){found->process, times, ns});
	known->instances += found->instances < most_instances ? found->instances : most_instances;
	known->total_ns = saturating_add(known->total_ns, ns);
	if (found->in_vain_ns > found->total_ns / 2)
		known->in_vain_ns = saturating_add(known->in_vain_ns, ns);
}

/* Of what the waits at its place leave over. If the partner came in the middle of the worst instance all the same, it was late in a way
 * that is not followed. */
static enum cause_kind kind_of_rest(const struct finding *finding, int64_t waits)
{
	int64_t late = interval_ns(finding->at.start, finding->partner.start);

	return waits < finding->total_ns / 2 && finding->partner.start < finding->at.end &&
	                       late > finding->max_ns / 2
	               ? CAUSE_UNKNOWN
	               : CAUSE_TRANSFER;
}

/* A finding may charge less than the waits at its place (others charge the rest), or more: then no process was late for the rest. */
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

/* The smallest become one, if there are several. They are sorted: from the first small one on, all are. */
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

/* Names the processes that had a notable part, if these make up nearly all: a rank that was late once is not to blame beside one that is
 * late each time. */
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
		/* Of smaller causes several may have had a part. */
		if (entry->causes[i].instances > entry->count)
			entry->causes[i].instances = entry->count;
	}
	/* Only sums that are as long as a time can be are not exact. */
	entry->causes[0].total_ns += entry->total_ns - sum;
}

/* The order */

static bool has_number(const struct number_list *list, uint32_t number)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->at[i] == number)
			return true;
	return false;
}

static bool share_a_process(const struct number_list *a, const struct number_list *b)
{
	for (size_t i = 0; i < b->count; i++)
		if (has_number(a, b->at[i]))
			return true;
	return false;
}

/* Work before the calls of a place, of an overloaded process. */
static bool explains(const struct report_entry *imbalance, const struct report_cause *cause)
{
	return cause->kind == CAUSE_COMPUTING && is_same_place(&imbalance->at, &cause->to) &&
	       share_a_process(&imbalance->processes, &cause->processes);
}

static int64_t explained_part(const struct report_entry *imbalance, const struct report_entry *entry)
{
	int64_t part = 0;

	for (size_t i = 0; i < entry->cause_count; i++)
		if (explains(imbalance, &entry->causes[i]))
			part += entry->causes[i].total_ns;
	return part;
}

/* If entries of uneven work explain half of this one or more together: the place, from 1, of that which explains most of it. */
static size_t find_explanation(const struct report *report, size_t count, const struct report_entry *entry)
{
	int64_t all = 0, most = 0;
	size_t place = 0;

	for (size_t i = 0; i < count; i++) {
		const struct report_entry *imbalance = &report->entries[i];
		int64_t part = is_imbalance(imbalance->problem) ? explained_part(imbalance, entry) : 0;
		all = saturating_add(all, part);
		if (part > most) {
			most = part;
			place = i + 1;
		}
	}
	return all && all >= entry->total_ns - all ? place : 0;
}

/* The cause of half of an entry or more, if somebody computed; NULL: there is no such one. */
static const struct report_cause *main_cause(const struct report_entry *entry)
{
	const struct report_cause *first = entry->causes;

	return entry->cause_count && first->kind == CAUSE_COMPUTING &&
	                       first->total_ns >= entry->total_ns - first->total_ns
	               ? first
	               : NULL;
}

/* An entry and the one that leads its group. */
struct ordered_entry {
	struct report_entry entry;
	size_t leader, number;
	int64_t weight; /* of the group */
};

static int by_group(const void *left, const void *right)
{
	const struct ordered_entry *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	if (a->leader != b->leader)
		return a->leader < b->leader ? -1 : 1;
	if ((a->number == a->leader) != (b->number == b->leader))
		return a->number == a->leader ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* The largest entry that has the same cause leads where no finding of the group is about the cause itself. */
static size_t find_leader(const struct ordered_entry *all, size_t first, size_t number)
{
	const struct report_entry *entry = &all[number].entry;
	const struct report_cause *cause = main_cause(entry);

	if (entry->explained_by)
		return entry->explained_by > first ? entry->explained_by - 1 - first : number;
	for (size_t i = 0; cause && i < number; i++) {
		const struct report_cause *other = all[i].entry.explained_by ? NULL
		                                                             : main_cause(&all[i].entry);
		if (other && is_same_cause(other, cause) &&
		    share_a_process(&other->processes, &cause->processes))
			return i;
	}
	return number;
}

/* What the rules advise is about the wait, but its reason is elsewhere. */
static void advise_on_explanation(struct report *report, struct report_entry *entry)
{
	scoped_text where = {0};
	size_t i = 0;

	while (i + 1 < entry->cause_count && entry->causes[i].kind != CAUSE_COMPUTING)
		i++;
	cause_in_short(report, &entry->causes[i], SIZE_MAX, &where);
	entry->advice = report_filled(
		report, "Balance the work of finding $1: $2. Changing this call would help little.",
		(const char *[]){arena_format(&report->arena, "%zu", entry->explained_by), text_get(&where)});
}

/* Orders the entries from `first` to the end of a part of the list. Earlier entries have their places. */
static void order_part(struct report *report, size_t first, size_t end)
{
	size_t count = end - first;
	struct ordered_entry *all = memory_new(count + 1, sizeof *all);
	size_t *now_at = memory_new(count + 1, sizeof *now_at);

	for (size_t i = 0; i < count; i++) {
		all[i].entry = report->entries[first + i];
		all[i].entry.explained_by = find_explanation(report, end, &all[i].entry);
		all[i].number = i;
	}
	for (size_t i = 0; i < count; i++)
		all[i].leader = find_leader(all, first, i);
	for (size_t i = 0; i < count; i++)
		all[all[i].leader].weight = saturating_add(all[all[i].leader].weight,
		                                           all[i].entry.explained_by ||
		                                                           !is_imbalance(all[i].entry.problem)
		                                                   ? all[i].entry.total_ns
		                                                   : 0);
	for (size_t i = 0; i < count; i++)
		if (all[i].leader == i && all[i].entry.total_ns > all[i].weight)
			all[i].weight = all[i].entry.total_ns;
	for (size_t i = 0; i < count; i++)
		all[i].weight = all[all[i].leader].weight;
	if (count)
		qsort(all, count, sizeof *all, by_group);
	for (size_t i = 0; i < count; i++)
		now_at[all[i].number] = first + i + 1;
	for (size_t i = 0; i < count; i++) {
		struct report_entry *entry = &report->entries[first + i];

		*entry = all[i].entry;
		if (entry->explained_by > first)
			entry->explained_by = now_at[entry->explained_by - 1 - first];
		if (entry->explained_by)
			advise_on_explanation(report, entry);
	}
	free(all);
	free(now_at);
}

void order_by_cause(struct report *report)
{
	/* The work of one among many processes is a small share of the time of all, but it explains the waits of the others. */
	for (size_t i = 0, significant = report->shown; i < significant; i++) {
		size_t place = find_explanation(report, report->entry_count, &report->entries[i]);
		if (place > report->shown)
			report_show(report, place - 1);
	}
	/* Minor findings come last, shown or not, so that each number always means the same finding. */
	order_part(report, 0, report->shown);
	order_part(report, report->shown, report->entry_count);
}
