#include "output/report/profile.h"

#include "base/memory.h"
#include "calls/calls.h"
#include "output/report/parts.h"

#include <stdlib.h>
#include <string.h>

/* Rows of a table by what makes them the same. */
struct gathering_rows {
	struct report *report;
	struct profile_table *table;
	struct interner keys;
};

/* Regions and phases that the user marked: no work of their own. */
static bool is_mark(const struct call *call)
{
	return text_begins(call->outline->name, "tarry_");
}

static bool is_access(const struct call *call)
{
	const struct call_info *info = call_find(call->outline->name);

	return info && info->class == CLASS_UPC_ACCESS;
}

/* Of an access of UPC also what it reads. */
static uint64_t bytes_each(const struct call *call)
{
	int64_t bytes;

	if (call_field(call, FIELD_SENT, &bytes) ||
	    (is_access(call) && call_field(call, FIELD_RECEIVED, &bytes)))
		return bytes > 0 ? (uint64_t)bytes : 0;
	return 0;
}

static uint64_t bytes_moved(const struct site_total *site)
{
	return bytes_each(site->call) * site->starts;
}

/* Tables */

static struct profile_row *find_row(struct gathering_rows *rows, const struct text *key)
{
	struct profile_table *table = rows->table;
	const struct interned *item = intern(&rows->keys, key->bytes, key->length);

	if (item->number == table->count) {
		arena_add(&rows->report->arena, table->rows, table->count,
		          (struct profile_row){.identity = arena_bytes_as_text(&rows->report->arena,
		                                                               key->bytes, key->length)});
	}
	return &table->rows[item->number];
}

static void end_process(struct profile_row *row)
{
	if (row->process_ns > row->top_ns) {
		row->top_ns = row->process_ns;
		row->top_process = row->process;
	}
	row->process_ns = 0;
}

static void add_to_row(struct profile_row *row, const struct site_total *site)
{
	if (row->process != site->process)
		end_process(row);
	row->process = site->process;
	row->process_ns = sum_of_ns(row->process_ns, site->inside_ns);
	row->calls += site->count;
	row->inside_ns = sum_of_ns(row->inside_ns, site->inside_ns);
	row->bytes += bytes_moved(site);
}

static void add_function(struct gathering_rows *rows, const struct site_total *site, struct text *key)
{
	struct profile_row *row;

	text_add(key, "%s", site->call->outline->name);
	row = find_row(rows, key);
	row->call = site->call->outline->name;
	add_to_row(row, site);
}

static void add_place(struct gathering_rows *rows, const struct site_total *site, struct text *key)
{
	struct report *report = rows->report;
	struct action action = {.process = site->process, .call = site->call};
	const struct process *process = &report->analysis->reader->processes[site->process];
	struct location where = symbols_find_call(report->source, process, site->call);
	struct profile_row *row;
	size_t path;

	text_add(key, "%s\n%s\n", site->call->outline->name, where.file ? where.file : "");
	describe_place(&where, key);
	text_add(key, "\n");
	path = key->length;
	path_describe(report, &action, key);
	row = find_row(rows, key);
	if (!row->call) {
		row->call = site->call->outline->name;
		row->at = call_place_of(report, &action);
		row->sample = action;
		row->path = row->identity + path;
	}
	add_to_row(row, site);
}

static int by_time(const void *left, const void *right)
{
	const struct profile_row *a = left, *b = right;

	if (a->inside_ns != b->inside_ns)
		return a->inside_ns < b->inside_ns ? 1 : -1;
	return strcmp(a->identity, b->identity);
}

static void fill_table(struct report *report, struct profile_table *table,
                       void (*add)(struct gathering_rows *, const struct site_total *, struct text *))
{
	struct gathering_rows rows = {.report = report, .table = table, .keys = {.arena = &report->arena}};
	const struct analysis *analysis = report->analysis;
	struct text key = {0};

	for (size_t i = 0; i < analysis->site_count; i++) {
		if (is_mark(analysis->sites[i].call) || marks_start(analysis->sites[i].call))
			continue;
		add(&rows, &analysis->sites[i], &key);
		text_clear(&key);
	}
	for (size_t i = 0; i < table->count; i++)
		end_process(&table->rows[i]);
	if (table->count)
		qsort(table->rows, table->count, sizeof *table->rows, by_time);
	text_release(&key);
}

/* Messages */

static size_t bin_of(uint64_t bytes)
{
	return bytes ? 64 - (size_t)__builtin_clzll(bytes) : 0;
}

/* What a thread of UPC does in its own memory moves nothing. */
static bool is_remote_access(const struct site_total *site)
{
	int64_t target;

	return is_access(site->call) && call_field(site->call, FIELD_TARGET, &target) &&
	       site->from != site->to;
}

static bool is_message(const struct call *call)
{
	int64_t peer, sent;

	return call_field(call, FIELD_PEER, &peer) && peer >= 0 && call_field(call, FIELD_SENT, &sent) &&
	       sent >= 0;
}

static int by_ends(const void *left, const void *right)
{
	const struct rank_traffic *a = left, *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

static void merge_traffic(struct profile *profile)
{
	size_t kept = 0;

	if (!profile->traffic_count)
		return;
	qsort(profile->traffic, profile->traffic_count, sizeof *profile->traffic, by_ends);
	for (size_t i = 0; i < profile->traffic_count; i++) {
		struct rank_traffic *last = kept ? &profile->traffic[kept - 1] : NULL;
		if (last && by_ends(last, &profile->traffic[i]) == 0) {
			last->messages += profile->traffic[i].messages;
			last->bytes += profile->traffic[i].bytes;
		} else {
			profile->traffic[kept++] = profile->traffic[i];
		}
	}
	profile->traffic_count = kept;
}

static void add_message(struct report *report, struct profile *profile, const struct site_total *site)
{
	size_t processes = report->analysis->reader->process_count;
	uint64_t bytes = bytes_moved(site);
	struct size_bin *bin = &profile->sizes[bin_of(bytes_each(site->call))];

	bin->messages += site->starts;
	bin->bytes += bytes;
	if (site->from >= processes || site->to >= processes)
		return;
	arena_add(&report->arena, profile->traffic, profile->traffic_count,
	          (struct rank_traffic){
			  .from = site->from, .to = site->to, .messages = site->starts, .bytes = bytes});
}

static void count_messages(struct report *report, struct profile *profile)
{
	for (size_t i = 0; i < report->analysis->site_count; i++) {
		const struct site_total *site = &report->analysis->sites[i];
		if (site->starts && (is_message(site->call) || is_remote_access(site)))
			add_message(report, profile, site);
	}
	merge_traffic(profile);
}

/* Efficiency */

/* Of what lies before a call, all is computing that is not a local call of MPI, as MPI_Comm_rank. */
static int64_t computing_at(const struct site_total *site)
{
	const struct call_info *info = call_find(site->call->outline->name);

	return site->before_ns - (info && call_is_local(info) ? site->inside_ns : 0);
}

static int64_t *computing_times(const struct report *report)
{
	const struct analysis *analysis = report->analysis;
	int64_t *times = memory_new(analysis->reader->process_count + 1, sizeof *times);

	for (size_t i = 0; i < analysis->site_count; i++) {
		int64_t *time = &times[analysis->sites[i].process], at = computing_at(&analysis->sites[i]);
		*time = at > 0 ? sum_of_ns(*time, at) : *time + at;
	}
	for (size_t i = 0; i < analysis->reader->process_count; i++)
		times[i] = times[i] > 0 ? times[i] : 0;
	return times;
}

static void find_efficiency(struct report *report, struct profile *profile)
{
	const struct reader *reader = report->analysis->reader;
	double length = report->analysis->run_figures[RUN_LENGTH], sum = 0, longest = 0;
	int64_t *times = computing_times(report);

	for (size_t i = 0; i < reader->process_count; i++) {
		size_t threads = reader->processes[i].stream_count;
		double time = (double)times[i] / (double)(threads ? threads : 1);
		profile->computing_ns = sum_of_ns(profile->computing_ns, times[i]);
		time = time < length ? time : length;
		sum += time;
		longest = time > longest ? time : longest;
	}
	free(times);
	if (length <= 0 || longest <= 0)
		return;
	profile->has_figures = true;
	profile->load_balance = sum / (double)reader->process_count / longest;
	profile->communication_efficiency = longest / length;
	profile->parallel_efficiency = profile->load_balance * profile->communication_efficiency;
}

const struct profile *profile_new(struct report *report)
{
	struct profile *profile = arena_new(&report->arena, struct profile);

	fill_table(report, &profile->functions, add_function);
	fill_table(report, &profile->places, add_place);
	count_messages(report, profile);
	find_efficiency(report, profile);
	return profile;
}
