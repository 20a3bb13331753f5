#include "output/report/report.h"

#include "base/memory.h"
#include "base/paths.h"
#include "base/sort.h"
#include "output/report/open_calls_text.h"
#include "output/report/parts.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Notes: data that the trace lacks, and corrections. */

enum { LAYERS_NAMED = 5 };

static void add_note(struct report *report, bool is_trust, const char *text)
{
	arena_add(&report->arena, report->notes, report->note_count, (struct report_note){text, is_trust});
}

/* A sentence with a count and its noun; none if the count is 0. */
static void note_count(struct report *report, uint64_t count, const char *one, const char *many)
{
	if (count)
		add_note(report, false, report_counted(report, count, one, many));
}

static void note_counts(struct report *report)
{
	const struct replay_counts *counts = &report->analysis->counts;
	const struct {
		uint64_t count;
		const char *one, *many;
	} kinds[] = {
		{counts->unmatched_sends, "send has no matching receive in the trace",
	         "sends have no matching receive in the trace"},
		{counts->unmatched_receives, "receive has no matching send in the trace",
	         "receives have no matching send in the trace"},
		{counts->incomplete_collectives, "collective operation lacks a process",
	         "collective operations lack processes"},
		{counts->mixed_collectives, "collective operation consists of different calls",
	         "collective operations consist of different calls"},
		{counts->forced, "call never completes in the trace", "calls never complete in the trace"},
		{counts->passed_over, "call was skipped because its communication partner is unknown",
	         "calls were skipped because their communication partners are unknown"},
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		note_count(report, kinds[i].count, kinds[i].one, kinds[i].many);
}

static void note_path(struct report *report)
{
	for (enum path_doubt doubt = 0; doubt < PATH_DOUBTS; doubt++) {
		scoped_text text = {0};
		if (path_in_doubt(report, doubt, &text))
			add_note(report, false, arena_text(&report->arena, text_get(&text)));
	}
}

/* Fills report->notes. */
static void collect_notes(struct report *report)
{
	const struct layer *layers;
	size_t count, named = 0;
	scoped_text functions = {0};
	const struct corrected_time *time;

	/* The trust line has room for a few words. */
	for (size_t i = 0; i < report->trust.reason_count; i++) {
		const struct trust_reason *reason = &report->trust.reasons[i];
		add_note(report, true, arena_format(&report->arena, "%s. %s", reason->text, reason->detail));
	}
	count = symbols_layers(report->source, &layers);
	for (size_t i = 0; i < count; i++)
		if (!layers[i].function)
			add_note(
				report, false,
				report_filled(
					report,
					"$1 is the program's own layer around MPI; its calls are shown at its callers",
					(const char *[]){path_name(layers[i].file)}));
		else if (++named <= LAYERS_NAMED)
			text_add(&functions, "%s%s", named > 1 ? ", " : "", layers[i].function);
	if (named > LAYERS_NAMED)
		text_add(&functions, ", ...");
	if (named)
		add_note(report, false,
		         report_filled(report, "MPI calls in $1 are shown at the callers of these functions",
		                       (const char *[]){text_get(&functions)}));
	time = report->analysis->time;
	if (time)
		note_count(
			report, time->before.messages + time->before.collectives,
			"message or collective call arrived before it was sent, according to the clocks; times were corrected",
			"messages or collective calls arrived before they were sent, according to the clocks; times were corrected");
	note_counts(report);
	note_path(report);
	/* the first is a reason */
	for (size_t i = 1; i < report->analysis->note_count; i++)
		add_note(report, false, report->analysis->notes[i]);
}

/* The user's phases of the calls of an entry, by the time inside calls from its place. */

static void place_key(struct report *report, uint32_t process, const struct call *call, struct text *key)
{
	struct location where = symbols_find_call(report->source,
	                                          &report->analysis->reader->processes[process], call);

	text_clear(key);
	text_add(key, "%s\n%s\n", call->outline->name, where.file ? where.file : "");
	describe_place(&where, key);
}

static int by_part(const void *left, const void *right)
{
	const struct entry_phase *a = left, *b = right;

	if (a->part != b->part)
		return a->part < b->part ? 1 : -1;
	return (a->phase > b->phase) - (a->phase < b->phase);
}

static void find_phases(struct report *report, struct report_entry *entry, const int64_t *ns)
{
	const struct figures *figures = report->analysis->figures;
	double all = 0;

	for (uint32_t i = 0; i <= figures->phase_count; i++)
		all += (double)ns[i];
	for (uint32_t i = 1; i <= figures->phase_count && all > 0; i++)
		if (ns[i])
			arena_add(&report->arena, entry->phases, entry->phase_count,
			          (struct entry_phase){i - 1, (double)ns[i] / all});
	if (entry->phase_count)
		qsort(entry->phases, entry->phase_count, sizeof *entry->phases, by_part);
}

/* Fills the phases of all entries. */
static void find_entry_phases(struct report *report)
{
	const struct figures *figures = report->analysis->figures;
	struct interner keys = {.arena = &report->arena};
	scoped_text key = {0};
	int64_t *ns;
	size_t width, places = 0;

	if (!figures || !figures->phase_count || !report->entry_count)
		return;
	for (size_t i = 0; i < report->entry_count; i++) {
		const struct action *at = &report->entries[i].worst->at;
		place_key(report, at->process, at->call, &key);
		places = intern(&keys, key.bytes, key.length)->number + 1 > places
		                 ? intern(&keys, key.bytes, key.length)->number + 1
		                 : places;
	}
	width = figures->phase_count + 1;
	ns = memory_new(places * width, sizeof *ns);
	for (size_t i = 0; i < figures->site_count; i++) {
		const struct site_total *site = &figures->sites[i];
		size_t number;
		place_key(report, site->process, site->call, &key);
		number = intern(&keys, key.bytes, key.length)->number;
		/* Numbers of places with entries come first. */
		if (number < places)
			ns[number * width + site->phase] += site->run_ns;
	}
	for (size_t i = 0; i < report->entry_count; i++) {
		const struct action *at = &report->entries[i].worst->at;
		place_key(report, at->process, at->call, &key);
		find_phases(report, &report->entries[i],
		            &ns[intern(&keys, key.bytes, key.length)->number * width]);
	}
	free(ns);
}

const char *entry_phase(const struct report *report, const struct report_entry *entry)
{
	return entry->phase_count ? report->analysis->figures->phases[entry->phases[0].phase].path : NULL;
}

/* A process whose cost is below this part of another process's cost is not named. */
enum { NOTABLE_COST = 100 };

/* Entries by what makes findings the same. */
struct entry_merge {
	struct report *report;
	struct interner keys;
	struct map known; /* numbers of entries, and of partners of an entry, by the numbers of places */
	struct cause_merge causes;
};

/* Most findings are at a few places. NULL: the place does not tell everything, because the call starts a persistent request, which was created elsewhere. */
static uint32_t *find_known(struct entry_merge *merging, uint64_t of, const struct action *action,
                            uint32_t place)
{
	const struct process *process = &merging->report->analysis->reader->processes[action->process];
	int64_t is_persistent;

	if (call_field(action->call, FIELD_PERSISTENT, &is_persistent))
		return NULL;
	return map_put(&merging->known, map_key(of, (uint64_t)place << 1 | has_short_paths(process)));
}

enum { OF_ENTRY, OF_PARTNER };
#define PLACE_OF(kind, number) ((uint64_t)(number) << 1 | (kind))

static void add_key(struct text *key, const char *word)
{
	text_add_bytes(key, word, strlen(word) + 1);
}

static size_t entry_number(struct entry_merge *merging, const struct finding *finding)
{
	struct report *report = merging->report;
	struct report_entry entry = {.problem = finding->problem,
	                             .at = finding_place_of(report, &finding->at)};
	scoped_text key = {0};
	size_t number;

	add_key(&key, entry.at.call);
	add_key(&key, entry.at.where.file ? entry.at.where.file : "");
	add_key(&key, entry.at.text);
	text_add_bytes(&key, (const char *)&finding->problem->number, sizeof finding->problem->number);
	if (!has_short_paths(&report->analysis->reader->processes[finding->at.process]))
		path_describe(report, &finding->at, &key);
	number = intern(&merging->keys, key.bytes, key.length)->number;
	if (number == report->entry_count)
		arena_add(&report->arena, report->entries, report->entry_count, entry);
	return number;
}

static struct report_entry *find_entry(struct entry_merge *merging, const struct finding *finding)
{
	struct report *report = merging->report;
	uint32_t *known = find_known(merging, PLACE_OF(OF_ENTRY, finding->problem->number), &finding->at,
	                             finding->at_place);
	size_t number = known && *known != MAP_NONE ? *known : entry_number(merging, finding);

	if (known)
		*known = (uint32_t)number;
	assert(report->entries);
	return &report->entries[number];
}

static size_t partner_number(struct report *report, struct report_entry *entry, const struct action *action)
{
	struct partner partner = {.at = finding_place_of(report, action)};

	for (size_t i = 0; i < entry->partner_count; i++)
		if (is_same_place(&entry->partners[i].at, &partner.at))
			return i;
	entry->partners = arena_grown(&report->arena, entry->partners, entry->partner_count, sizeof partner);
	entry->partners[entry->partner_count] = partner;
	return entry->partner_count++;
}

static struct partner *find_partner(struct entry_merge *merging, struct report_entry *entry,
                                    const struct finding *finding)
{
	struct report *report = merging->report;
	uint32_t *known = find_known(merging, PLACE_OF(OF_PARTNER, entry - report->entries),
	                             &finding->partner, finding->partner_place);
	size_t number = known && *known != MAP_NONE ? *known
	                                            : partner_number(report, entry, &finding->partner);

	if (known)
		*known = (uint32_t)number;
	return &entry->partners[number];
}

static void add_number(struct report *report, struct number_list *list, uint32_t number)
{
	arena_add(&report->arena, list->at, list->count, number);
}

/* The next nodes and threads are mostly the same as the previous ones. */
static void add_other(struct report *report, struct number_list *list, uint32_t number)
{
	if (!list->count || list->at[list->count - 1] != number)
		add_number(report, list, number);
}

static void merge(struct entry_merge *merging, const struct finding *finding)
{
	struct report_entry *entry = find_entry(merging, finding);

	add_number(merging->report, &entry->processes, finding->at.process);
	add_other(merging->report, &entry->nodes, merging->report->nodes->of[finding->at.process]);
	add_other(merging->report, &entry->threads, finding->at.thread);
	if (finding->has_partner) {
		struct partner *partner = find_partner(merging, entry, finding);

		/* Findings are sorted by cost: the first one of a partner is its largest, and the first one
		 * of the first partner is the largest of all. */
		if (!partner->count)
			partner->most_ns = finding->total_ns;
		if (finding->total_ns >= partner->most_ns / NOTABLE_COST)
			add_number(merging->report, &partner->processes, finding->partner.process);
		if (finding->total_ns >= entry->partners[0].most_ns / NOTABLE_COST)
			add_number(merging->report, &entry->partner_processes, finding->partner.process);
		partner->count += finding->count;
		partner->total_ns = saturating_add(partner->total_ns, finding->total_ns);
	}
	merge_causes(&merging->causes, entry, finding);
	arena_add(&merging->report->arena, entry->findings, entry->finding_count, finding);
	arena_add(&merging->report->arena, entry->costs, entry->cost_count,
	          (struct process_cost){finding->at.process, finding->count, finding->total_ns,
	                                finding->max_ns});
	entry->count += finding->count;
	entry->total_ns = saturating_add(entry->total_ns, finding->total_ns);
	for (uint32_t i = 0; i < finding->histogram.count; i++)
		entry->histogram[finding->histogram.first + i] += histogram_at(
			&finding->histogram, (uint8_t)(finding->histogram.first + i));
	if (finding->over_time)
		time_bins_merge(&entry->over_time, finding->over_time);
	if (!entry->worst || finding->max_ns > entry->max_ns) {
		entry->worst = finding;
		entry->max_ns = finding->max_ns;
	}
}

/* In ascending order, each once. */
static void sort_list(struct number_list *list)
{
	size_t kept = 0;

	if (!list->count)
		return;
	sort_u32(list->at, list->count);
	for (size_t i = 0; i < list->count; i++)
		if (!i || list->at[i] != list->at[i - 1])
			list->at[kept++] = list->at[i];
	list->count = kept;
}

/* The same for many processes, in a time proportional to their number. */
static void sort_processes(const struct report *report, struct number_list *list)
{
	enum { FEW = 16, BITS = 64 };
	const size_t words = report->analysis->reader->process_count / BITS + 1;
	uint64_t *is_there;
	size_t kept = 0;

	if (list->count * FEW < words) {
		sort_list(list);
		return;
	}
	is_there = memory_new(words, sizeof *is_there);
	for (size_t i = 0; i < list->count; i++)
		is_there[list->at[i] / BITS] |= UINT64_C(1) << list->at[i] % BITS;
	for (size_t i = 0; i < words; i++)
		for (uint64_t left = is_there[i]; left; left &= left - 1)
			list->at[kept++] = (uint32_t)(i * BITS) + (uint32_t)__builtin_ctzll(left);
	list->count = kept;
	free(is_there);
}

/* Adds up the costs of each process, which may have several findings, with other partners. */
static void add_up_costs(struct report *report, struct report_entry *entry)
{
	const struct number_list *processes = &entry->processes;
	struct process_cost *sums = arena_array(&report->arena, struct process_cost, processes->count);

	for (size_t i = 0; i < processes->count; i++)
		sums[i].process = processes->at[i];
	for (size_t i = 0; i < entry->cost_count; i++)
		process_cost_add(&sums[sorted_find(0, processes->count, j,
		                                   processes->at[j] < entry->costs[i].process)],
		                 &entry->costs[i]);
	entry->costs = sums;
	entry->cost_count = processes->count;
}

static int by_partner_cost(const void *left, const void *right)
{
	const struct partner *a = left, *b = right;

	if (a->total_ns != b->total_ns)
		return a->total_ns < b->total_ns ? 1 : -1;
	return strcmp(a->at.text, b->at.text);
}

void finish_lists(struct report *report, struct report_entry *entry)
{
	int64_t most = 0;

	sort_processes(report, &entry->processes);
	sort_list(&entry->nodes);
	sort_list(&entry->threads);
	sort_processes(report, &entry->partner_processes);
	add_up_costs(report, entry);
	for (size_t i = 0; i < entry->cost_count; i++)
		most = entry->costs[i].total_ns > most ? entry->costs[i].total_ns : most;
	for (size_t i = 0; i < entry->cost_count; i++)
		if (entry->costs[i].total_ns >= most / NOTABLE_COST)
			add_number(report, &entry->concerned, entry->costs[i].process);
}

static void finish_entry(struct report *report, struct report_entry *entry)
{
	finish_lists(report, entry);
	for (size_t i = 0; i < entry->partner_count; i++)
		sort_processes(report, &entry->partners[i].processes);
	if (entry->partner_count)
		qsort(entry->partners, entry->partner_count, sizeof *entry->partners, by_partner_cost);
	finish_causes(report, entry);
	entry->advice = entry->worst->advice;
	advise_on_cause(report, entry);
}

/* Entries of equal cost are ordered by their texts, so that a report does not depend on the order of work. */
static int by_total(const void *left, const void *right)
{
	const struct report_entry *a = left, *b = right;
	int order = (a->total_ns < b->total_ns) - (a->total_ns > b->total_ns);

	if (!order)
		order = (a->problem->number > b->problem->number) - (a->problem->number < b->problem->number);
	if (!order)
		order = strcmp(a->at.text, b->at.text);
	return order;
}

/* Minor findings are hidden: those below a thousandth of the time and, after the tenth, those below a
 * hundredth. Findings below this part of the scheduling delays may be a remainder of that noise. Delays in
 * MPI_Init count, too, because threads leave it later. A thread without a CPU that waited for others anyway
 * was not delayed. */
#define NOISE_LEFT 0.05
/* A finding that costs this much of the run is shown despite noise. */
#define NEVER_NOISE 0.01

static bool is_significant(const struct report *report, size_t number)
{
	enum { ALWAYS_SHOWN = 10 };
	double share = share_of_run(report, report->entries[number].total_ns);
	double noise = share_of_run(report, propagated_delay_sums(report->analysis->delays).all_harmful_ns);

	return share >= (number < ALWAYS_SHOWN ? 0.001 : 0.01) &&
	       (share >= NEVER_NOISE || share >= NOISE_LEFT * noise);
}

void report_show(struct report *report, size_t number)
{
	struct report_entry *first = &report->entries[report->shown], entry = report->entries[number];

	memmove(first + 1, first, (number - report->shown) * sizeof *first);
	*first = entry;
	report->shown++;
}

/* A problem that never charges any time is an error of the program: always show it. */
static bool is_error(const struct problem *problem)
{
	return problem->duration->kind == EXPR_LITERAL && problem->duration->number == 0;
}

/* The names of regions are kept by the report, because those of the causes end with them. */
static void take_waits(struct report *report, const struct causes *causes)
{
	struct pair_waits pairs = causes_pairs(causes);
	struct interner regions = {.arena = &report->arena};

	report->waits = arena_array(&report->arena, struct pair_wait, pairs.count + 1);
	for (size_t i = 0; i < pairs.count; i++) {
		const char *region = pairs.items[i].region;

		report->waits[i] = pairs.items[i];
		if (region)
			report->waits[i].region =
				(const char *)intern(&regions, region, strlen(region) + 1)->bytes;
	}
	report->wait_count = pairs.count;
	report->wait_left_out_ns = pairs.left_out_ns;
}

struct report *report_new(const struct analysis *analysis, struct symbols *source,
                          const struct report_options *options)
{
	struct report *report = memory_new(1, sizeof *report);
	struct entry_merge merging = {.report = report,
	                              .keys = {.arena = &report->arena},
	                              .causes = {.report = report, .causes = options->causes}};

	report->analysis = analysis;
	report->source = source;
	report->root = options->root;
	report->all = options->all;
	report->nodes = nodes_new(analysis->reader);
	report->paradigm = paradigm_of(analysis->reader);
	if (analysis->time)
		report->files = file_usage_new(analysis->reader, analysis->time->clocks, analysis->figures);
	for (size_t i = 0; i < analysis->finding_count; i++)
		if (!analysis->findings[i].problem->is_metric)
			merge(&merging, &analysis->findings[i]);
	cause_merge_release(&merging.causes);
	map_release(&merging.known);
	for (size_t i = 0; i < report->entry_count; i++)
		finish_entry(report, &report->entries[i]);
	if (report->entry_count)
		qsort(report->entries, report->entry_count, sizeof *report->entries, by_total);
	find_entry_phases(report);
	if (options->profile)
		report->profile = profile_new(report);
	if (options->profile && options->causes)
		take_waits(report, options->causes);
	while (report->shown < report->entry_count && is_significant(report, report->shown))
		report->shown++;
	for (size_t i = report->shown; i < report->entry_count; i++)
		if (is_error(report->entries[i].problem))
			report_show(report, i);
	link_entries(report);
	predict_savings(report, options);
	order_entries(report);
	if (options->all)
		report->shown = report->entry_count;
	if (has_open_calls(analysis->reader))
		report->open = open_calls_new(analysis->session);
	if (options->causes)
		report_path_new(report, causes_take_path(options->causes));
	collect_trust(report);
	collect_notes(report);
	return report;
}

void report_free(struct report *report)
{
	profile_free(report->profile);
	file_usage_free(report->files);
	nodes_free(report->nodes);
	open_calls_free(report->open);
	report_path_free(report->path);
	arena_release(&report->arena);
	free(report);
}

const struct report_back_end report_formats[REPORT_FORMATS_END] = {
	[REPORT_JSON] = {"json", report_json},
	[REPORT_SARIF] = {"sarif", report_sarif},
	[REPORT_CSV] = {"csv", report_csv},
	[REPORT_HTML] = {"html", report_html},
};
