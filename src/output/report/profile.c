#include "analysis/model/places.h"
#include "base/array.h"
#include "base/memory.h"
#include "calls/calls.h"
#include "output/report/parts.h"

#include <stdlib.h>
#include <string.h>

/* Rows of a table, found by their identity. */
struct gathering_rows {
	struct report *report;
	struct profile_table *table;
	struct interner keys, spots;
	ARRAY(uint32_t) numbers; /* by spot */
};

/* Tables */

static uint32_t find_row(struct gathering_rows *rows, const struct text *key)
{
	struct profile_table *table = rows->table;
	const struct interned *item = intern(&rows->keys, key->bytes, key->length);

	if (item->number == table->count) {
		arena_add(&rows->report->arena, table->rows, table->count,
		          (struct profile_row){.identity = arena_bytes_as_text(&rows->report->arena,
		                                                               key->bytes, key->length)});
	}
	return (uint32_t)item->number;
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
	row->process_ns = saturating_add(row->process_ns, site->inside_ns);
	row->calls += site->count;
	row->inside_ns = saturating_add(row->inside_ns, site->inside_ns);
	row->run_ns = saturating_add(row->run_ns, site->run_ns);
	row->is_local = site->is_local;
	row->bytes += site_bytes(site);
	row->waited_ns = saturating_add(row->waited_ns, site->waited_ns);
}

/* Of the parts of an identity; there is one for each place of each process. */
static void add_part(struct text *key, const char *part)
{
	text_add_bytes(key, part, strlen(part));
}

static uint32_t find_function(struct gathering_rows *rows, const struct site_total *site, struct text *key)
{
	uint32_t number;

	add_part(key, site->call->outline->name);
	number = find_row(rows, key);
	rows->table->rows[number].call = site->call->outline->name;
	return number;
}

static uint32_t find_place(struct gathering_rows *rows, const struct site_total *site, struct text *key)
{
	struct report *report = rows->report;
	struct action action = {.process = site->process, .call = site->call};
	const struct process *process = &report->analysis->reader->processes[site->process];
	struct location where = symbols_find_call(report->source, process, site->call);
	struct profile_row *row;
	uint32_t number;
	size_t path;

	add_part(key, site->call->outline->name);
	add_part(key, "\n");
	add_part(key, where.file ? where.file : "");
	add_part(key, "\n");
	add_part(key, place_text(report, &where));
	add_part(key, "\n");
	path = key->length;
	path_describe(report, &action, key);
	number = find_row(rows, key);
	row = &rows->table->rows[number];
	if (!row->call) {
		row->call = site->call->outline->name;
		row->at = call_place_of(report, &action);
		row->sample = action;
		row->path = row->identity + path;
	}
	return number;
}

static int by_time(const void *left, const void *right)
{
	const struct profile_row *a = left, *b = right;

	if (a->inside_ns != b->inside_ns)
		return a->inside_ns < b->inside_ns ? 1 : -1;
	return strcmp(a->identity, b->identity);
}

static void fill_table(struct report *report, struct profile_table *table,
                       uint32_t (*find)(struct gathering_rows *, const struct site_total *, struct text *))
{
	struct gathering_rows rows = {.report = report, .table = table, .keys = {.arena = &report->arena}};
	const struct figures *figures = report->analysis->figures;
	struct arena arena = {0};
	scoped_text key = {0};

	rows.spots.arena = &arena;
	for (size_t i = 0; i < figures->site_count; i++) {
		const struct site_total *site = &figures->sites[i];
		struct call_spot spot = call_spot(site->process, site->call);
		size_t number = intern(&rows.spots, &spot, sizeof spot)->number;
		if (number == rows.numbers.count)
			array_add(&rows.numbers, find(&rows, site, &key));
		text_clear(&key);
		add_to_row(&table->rows[rows.numbers.items[number]], site);
	}
	array_release(&rows.numbers);
	arena_release(&arena);
	for (size_t i = 0; i < table->count; i++)
		end_process(&table->rows[i]);
	if (table->count)
		qsort(table->rows, table->count, sizeof *table->rows, by_time);
}

struct profile *profile_new(struct report *report)
{
	struct profile *profile = arena_new(&report->arena, struct profile);
	const struct analysis *analysis = report->analysis;
	int64_t *waiting;

	profile->figures = analysis->figures;
	fill_table(report, &profile->functions, find_function);
	fill_table(report, &profile->places, find_place);
	profile->flow = data_flow_new(analysis->reader, profile->figures);
	/* At most the time of its communication, because a rule may count a wait twice. */
	waiting = arena_array(&report->arena, int64_t, analysis->reader->process_count + 1);
	for (size_t i = 0; i < analysis->finding_count; i++) {
		const struct finding *finding = &analysis->findings[i];
		if (!finding->problem->is_metric && finding->has_partner)
			waiting[finding->at.process] = saturating_add(waiting[finding->at.process],
			                                              finding->total_ns);
	}
	for (size_t i = 0; i < analysis->figures->site_count; i++) {
		const struct site_total *site = &analysis->figures->sites[i];
		waiting[site->process] = saturating_add(waiting[site->process], site->waited_ns);
	}
	for (size_t i = 0; i < analysis->reader->process_count; i++) {
		int64_t most = analysis->figures->ranks[i].communication_ns;
		waiting[i] = mean_of_threads(&analysis->figures->run->processes[i], waiting[i]);
		waiting[i] = waiting[i] < most ? waiting[i] : most;
	}
	profile->waiting_ns = waiting;
	return profile;
}

struct shown_figures profile_shown(const struct report *report)
{
	return (struct shown_figures){report->analysis->reader, report->profile->figures,
	                              report->profile->flow,    report->files,
	                              report->source,           report->profile->waiting_ns,
	                              report->is_folded,        report->communication};
}

void profile_free(struct profile *profile)
{
	if (profile)
		data_flow_free(profile->flow);
}
