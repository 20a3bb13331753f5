/* In which phases of the user the calls of an entry were made: by the time inside calls from its place. */
#include "base/memory.h"
#include "output/report/parts.h"

#include <stdlib.h>
#include <string.h>

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

void find_entry_phases(struct report *report)
{
	const struct figures *figures = report->analysis->figures;
	struct interner keys = {.arena = &report->arena};
	struct text key = {0};
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
	text_release(&key);
}

const char *entry_phase(const struct report *report, const struct report_entry *entry)
{
	return entry->phase_count ? report->analysis->figures->phases[entry->phases[0].phase].path : NULL;
}
