/* Finds entries that explain others, and origins of several entries, and orders all entries. */
#include "base/memory.h"
#include "output/report/files.h"
#include "output/report/parts.h"
#include "output/report/sheet.h"

#include <stdlib.h>
#include <string.h>

/* If a process does at least this part of all work at a place, it counts as working alone there. */
static const double alone_part = 0.95;
/* Smaller factors above the mean are chance. */
static const double uneven_from = 1.05;

static struct expr some_time = {.kind = EXPR_COLUMN};

const struct problem origin_problems[ORIGINS_END] = {
	[ORIGIN_SERIAL] = {.id = "run.serial-phase",
                           .name = "Serial Phase",
                           .description =
                                   "Only one process works, and the others wait for it in several places.",
                           .duration = &some_time,
                           .remedy = REMEDY_WORK},
	[ORIGIN_DELAY] =
		{.id = "run.delay",
                 .name = "Delay (several waits, one origin)",
                 .description = "A process computes longer than others, which wait for it in several places.",
                 .duration = &some_time,
                 .remedy = REMEDY_WORK},
};

/* Explanations */

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

/* The work of an entry follows its place: after a request of a queue, or after a message of a chain. */
static bool is_about_work_after(const struct report_entry *entry)
{
	return entry->problem->remedy == REMEDY_SERVE || entry->problem->remedy == REMEDY_PARALLEL;
}

/* True if this computing makes others wait because of the entry: before its place (too much work), after it,
 * or at an origin. A chain ends with a rank that does not forward, so the work of any rank counts. */
static bool explains(const struct report_entry *entry, const struct report_cause *cause)
{
	if (cause->kind != CAUSE_COMPUTING)
		return false;
	for (size_t i = 0; i < entry->cause_count && is_origin(entry); i++)
		if (is_same_cause(&entry->causes[i], cause) &&
		    share_a_process(&entry->causes[i].processes, &cause->processes))
			return true;
	return !is_origin(entry) &&
	       (entry->problem->remedy == REMEDY_PARALLEL ||
	        share_a_process(&entry->processes, &cause->processes)) &&
	       is_same_place(&entry->at, is_about_work_after(entry) ? &cause->from : &cause->to);
}

static bool can_explain(const struct report_entry *entry)
{
	return is_origin(entry) || (!entry->partner_count &&
	                            (entry->problem->remedy == REMEDY_WORK || is_about_work_after(entry)));
}

static int64_t explained_part(const struct report_entry *by, const struct report_entry *entry)
{
	int64_t part = 0;

	/* The waits between the ranks of a chain. */
	if (by != entry && by->problem->remedy == REMEDY_PARALLEL && entry->partner_count &&
	    is_same_place(&by->at, &entry->at))
		return entry->total_ns;
	for (size_t i = 0; can_explain(by) && i < entry->cause_count; i++)
		if (explains(by, &entry->causes[i]))
			part += entry->causes[i].total_ns;
	return part;
}

/* If other entries together explain at least half of this one: the position, from 1, of the one that explains
 * most of it. */
static size_t find_explanation(const struct report *report, const struct report_entry *entry)
{
	int64_t all = 0, most = 0;
	size_t place = 0;

	for (size_t i = 0; i < report->entry_count && !is_origin(entry); i++) {
		int64_t part = explained_part(&report->entries[i], entry);
		all = saturating_add(all, part);
		if (part > most) {
			most = part;
			place = i + 1;
		}
	}
	return all && all >= entry->total_ns - all ? place : 0;
}

/* Origins: several entries wait for the same work, for which there is no entry. */

/* The minimum part of an entry's waits that counts. */
enum { SMALLEST_PART = 20 };
/* Of the time of all processes. */
static const double least_share = 0.01;

static bool is_done_alone(const struct report_cause *cause)
{
	return cause->processes.count == 1 && cause->computing &&
	       cause->times_mean >= alone_part * cause->computing;
}

bool is_serial(const struct report_entry *origin)
{
	return is_done_alone(origin->causes);
}

static bool is_explained(const struct report *report, const struct report_cause *cause)
{
	for (size_t i = 0; i < report->entry_count; i++)
		if (can_explain(&report->entries[i]) && explains(&report->entries[i], cause))
			return true;
	return false;
}

/* An origin while the parts of all entries are added. */
struct origin_sum {
	struct report_entry entry;
	size_t main_of; /* number of entries of which it causes at least half */
	int64_t most_ns;
};

/* Work that a process does alone after a call is one origin, independent of the next call, if other processes
 * reach the place, too, and have no work there. If only one process reaches it, the others may work
 * elsewhere. */
static bool is_idle_for_others(const struct report_cause *cause)
{
	return is_done_alone(cause) && cause->computing > 1;
}

static bool has_same_origin(const struct report *report, const struct report_cause *a,
                            const struct report_cause *b)
{
	struct report_cause after = *a;

	after.to = b->to;
	return share_a_process(&a->processes, &b->processes) &&
	       (is_same_cause(a, b) || (is_same_cause(&after, b) && is_idle_for_others(a) &&
	                                is_idle_for_others(b) && !is_explained(report, a)));
}

static struct report_cause *origin_cause(struct report *report, struct report_entry *origin,
                                         const struct report_cause *part)
{
	struct report_cause cause = *part;

	for (size_t i = 0; i < origin->cause_count; i++)
		if (is_same_cause(&origin->causes[i], part))
			return &origin->causes[i];
	cause.processes = (struct number_list){0};
	cause.parts = NULL;
	cause.part_count = 0;
	cause.total_ns = 0;
	cause.instances = 0;
	arena_add(&report->arena, origin->causes, origin->cause_count, cause);
	return &origin->causes[origin->cause_count - 1];
}

static void add_part(struct report *report, struct origin_sum *sum, const struct report_cause *part)
{
	struct report_cause *cause = origin_cause(report, &sum->entry, part);

	for (size_t i = 0; i < part->part_count; i++)
		arena_add(&report->arena, cause->parts, cause->part_count, part->parts[i]);
	cause->total_ns = saturating_add(cause->total_ns, part->total_ns);
	cause->instances += part->instances;
}

static void add_parts(struct report *report, struct origin_sum *sum, const struct report_cause *known)
{
	for (size_t i = 0; i < report->shown; i++) {
		const struct report_entry *entry = &report->entries[i];
		int64_t ns = 0;
		for (size_t j = 0; j < entry->cause_count && !is_origin(entry); j++)
			if (has_same_origin(report, &entry->causes[j], known)) {
				add_part(report, sum, &entry->causes[j]);
				ns = saturating_add(ns, entry->causes[j].total_ns);
			}
		if (!ns)
			continue;
		sum->entry.felt_in += ns >= entry->total_ns / SMALLEST_PART;
		sum->main_of += ns >= entry->total_ns - ns;
		sum->entry.total_ns = saturating_add(sum->entry.total_ns, ns);
		if (ns <= sum->most_ns)
			continue;
		sum->most_ns = ns;
		sum->entry.worst = entry->worst;
		sum->entry.max_ns = min_ns(entry->max_ns, ns);
	}
}

static int by_total(const void *left, const void *right)
{
	const struct report_cause *a = left, *b = right;

	return (a->total_ns < b->total_ns) - (a->total_ns > b->total_ns);
}

/* Its number follows those of the rules. */
static const struct problem *origin_problem(struct report *report, enum origin_kind kind)
{
	struct problem *problem = arena_new(&report->arena, struct problem);

	*problem = origin_problems[kind];
	problem->number = (uint32_t)report->analysis->book->problem_count + kind;
	return problem;
}

/* The late processes are charged with the waits that they cause. */
static void charge_processes(struct report *report, struct report_entry *entry, struct report_cause *cause)
{
	name_cause_processes(&report->arena, cause);
	for (size_t i = 0; i < cause->part_count; i++) {
		const struct cause_part *part = &cause->parts[i];
		arena_add(&report->arena, entry->processes.at, entry->processes.count, part->process);
		arena_add(&report->arena, entry->nodes.at, entry->nodes.count,
		          report->nodes->of[part->process]);
		arena_add(&report->arena, entry->costs, entry->cost_count,
		          (struct process_cost){part->process, cause->instances, part->ns,
		                                min_ns(part->ns, entry->max_ns)});
	}
	entry->count += cause->instances;
}

static void finish_origin(struct report *report, struct origin_sum *sum)
{
	struct report_entry *entry = &sum->entry;

	qsort(entry->causes, entry->cause_count, sizeof *entry->causes, by_total);
	for (size_t i = 0; i < entry->cause_count; i++)
		charge_processes(report, entry, &entry->causes[i]);
	arena_add(&report->arena, entry->threads.at, entry->threads.count, 0);
	entry->count = entry->count ? entry->count : 1;
	entry->problem = origin_problem(report, is_serial(entry) ? ORIGIN_SERIAL : ORIGIN_DELAY);
	entry->at = entry->causes->to;
	finish_lists(report, entry);
}

/* Work of one process alone counts if it contributes to waits at several places; uneven work if it is the
 * main cause of several entries. */
static bool find_origin(struct report *report, const struct report_cause *known, struct origin_sum *sum)
{
	bool is_alone = is_done_alone(known);

	if (known->kind != CAUSE_COMPUTING || (!is_alone && known->times_mean < uneven_from) ||
	    is_explained(report, known))
		return false;
	add_parts(report, sum, known);
	if (share_of_run(report, sum->entry.total_ns) < least_share || sum->entry.felt_in < 2 ||
	    (!is_alone && sum->main_of < 2))
		return false;
	finish_origin(report, sum);
	return true;
}

static void add_origins(struct report *report)
{
	for (size_t i = 0, significant = report->shown; i < significant; i++)
		for (size_t j = 0; j < report->entries[i].cause_count; j++) {
			struct origin_sum sum = {0};
			if (!find_origin(report, &report->entries[i].causes[j], &sum))
				continue;
			arena_add(&report->arena, report->entries, report->entry_count, sum.entry);
			report_show(report, report->entry_count - 1);
		}
}

void link_entries(struct report *report)
{
	/* The work of one among many processes is a small share of the time of all, but it explains the waits of the others. */
	for (size_t i = 0, significant = report->shown; i < significant; i++) {
		size_t place = find_explanation(report, &report->entries[i]);
		if (place > report->shown)
			report_show(report, place - 1);
	}
	add_origins(report);
	for (size_t i = 0; i < report->entry_count; i++) {
		size_t by = find_explanation(report, &report->entries[i]);
		report->entries[i].explained_by = by;
		if (by && !is_origin(&report->entries[by - 1]))
			report->entries[by - 1].felt_in++;
		if (by)
			report->entries[by - 1].lost_ns = saturating_add(report->entries[by - 1].lost_ns,
			                                                 report->entries[i].total_ns);
	}
	for (size_t i = 0; i < report->entry_count; i++)
		report->entries[i].lost_ns = max_ns(report->entries[i].lost_ns, report->entries[i].total_ns);
}

/* The order */

/* An entry and the first entry of its group. */
struct ordered_entry {
	struct report_entry entry;
	size_t leader, number; /* places in the list before, from 0 */
	bool is_minor;
	int64_t weight, group_weight;
};

static int by_group(const void *left, const void *right)
{
	const struct ordered_entry *a = left, *b = right;

	if (a->is_minor != b->is_minor)
		return a->is_minor ? 1 : -1;
	if (a->group_weight != b->group_weight)
		return a->group_weight < b->group_weight ? 1 : -1;
	if (a->leader != b->leader)
		return a->leader < b->leader ? -1 : 1;
	if ((a->number == a->leader) != (b->number == b->leader))
		return a->number == a->leader ? -1 : 1;
	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return (a->number > b->number) - (a->number < b->number);
}

/* The advice of the rules refers to the wait, but the reason is elsewhere. */
static void advise_on_explanation(struct report *report, struct report_entry *entry)
{
	const struct report_entry *by = &report->entries[entry->explained_by - 1];
	scoped_text where = {0};
	size_t i = 0;

	while (i + 1 < entry->cause_count && entry->causes[i].kind != CAUSE_COMPUTING)
		i++;
	cause_in_short(report, &entry->causes[i], SIZE_MAX, &where);
	entry->advice = report_filled(
		report,
		by->problem->remedy == REMEDY_SERVE
			? "Shorten the queue of finding $1: $2. Changing this call would help little."
		: by->problem->remedy == REMEDY_PARALLEL
			? "Let the ranks of finding $1 work at the same time: $2. Changing this call would help little."
			: "Balance the work of finding $1: $2. Changing this call would help little.",
		(const char *[]){arena_format(&report->arena, "%zu", entry->explained_by), text_get(&where)});
}

static void advise_on_origin(struct report *report, struct report_entry *entry)
{
	struct sheet sheet = sheet_for(report, NULL, NULL);
	size_t late = entry->causes->processes.count;
	scoped_text who = {0}, from = {0}, to = {0}, work = {0};

	sheet_ranks(&sheet, &who, &entry->causes->processes);
	add_line_of(&from, &entry->causes->from, SIZE_MAX);
	add_line_of(&to, &entry->causes->to, SIZE_MAX);
	entry->advice = report_filled(
		report,
		entry->cause_count > 1
			? "After $2, only $1 works, and the others wait. Distribute this work over all ranks, or do it while the others compute."
		: is_serial(entry)
			? "Only $1 works between $2 and $3, and the others wait. Distribute this work over all ranks, or do it while the others compute."
		: late > 1 && late == report->analysis->reader->process_count
			? "Between $2 and $3, ranks compute for different times, and wait for the longest. Distribute this work evenly."
		: late > 1
			? "Between $2 and $3, $1 compute longer than the others, which wait. Distribute this work evenly."
			: "Between $2 and $3, $1 computes longer than the others, which wait. Distribute this work evenly.",
		(const char *[]){text_get(&who), text_get(&from), text_get(&to)});
	if (describe_file_work(&sheet, entry->causes, false, &work))
		entry->advice = report_filled(report, "$1 There, $2.",
		                              (const char *[]){entry->advice, text_get(&work)});
}

/* A shown entry is never under a hidden one, because link_entries() shows that one, too. */
void order_entries(struct report *report)
{
	size_t count = report->entry_count, *now_at = memory_new(count + 1, sizeof *now_at);
	struct ordered_entry *all = memory_new(count + 1, sizeof *all);

	for (size_t i = 0; i < count; i++) {
		const struct report_entry *entry = &report->entries[i];
		all[i] = (struct ordered_entry){.entry = *entry,
		                                .leader = entry->explained_by ? entry->explained_by - 1 : i,
		                                .number = i,
		                                .weight = entry_weight(report, entry),
		                                .is_minor = i >= report->shown};
		/* A minor consequence of a shown finding is at the end, not in its group. */
		if (all[i].is_minor && all[i].leader < report->shown)
			all[i].leader = i;
	}
	for (size_t i = 0; i < count; i++)
		all[all[i].leader].group_weight = max_ns(all[all[i].leader].group_weight, all[i].weight);
	for (size_t i = 0; i < count; i++)
		all[i].group_weight = all[all[i].leader].group_weight;
	if (count)
		qsort(all, count, sizeof *all, by_group);
	for (size_t i = 0; i < count; i++)
		now_at[all[i].number] = i + 1;
	for (size_t i = 0; i < count; i++) {
		report->entries[i] = all[i].entry;
		if (all[i].entry.explained_by)
			report->entries[i].explained_by = now_at[all[i].entry.explained_by - 1];
	}
	for (size_t i = 0; i < count; i++) {
		if (report->entries[i].explained_by)
			advise_on_explanation(report, &report->entries[i]);
		if (is_origin(&report->entries[i]))
			advise_on_origin(report, &report->entries[i]);
	}
	free(all);
	free(now_at);
}
