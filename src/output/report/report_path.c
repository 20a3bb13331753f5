#include "output/report/parts.h"
#include "output/report/sheet.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES_LISTED = 3, PLACES_MAX = 64, PERCENT = 100 };
/* The maximum number of parts in a sentence, and the minimum share of a part. */
#define SHARE_LISTED 0.1
#define EXCESS_LISTED 0.05
#define CALLS_LISTED 0.01
/* The minimum part of the run that the path must cover. A shorter path, for example if processes were not
 * recorded from their start, is not reported. */
#define LENGTH_LISTED 0.5

struct path_merge {
	struct report *report;
	struct report_path *made;
	struct cause_merge causes; /* for the places of calls */
	struct map numbers;        /* by the calls of a place */
};

double share_of_path(const struct report_path *path, int64_t ns)
{
	int64_t length = path->path->to - path->path->from;

	return length > 0 ? (double)ns / (double)length : 0;
}

/* Places */

static bool is_same(const struct report_cause *a, const struct report_cause *b)
{
	return a->kind == b->kind && is_same_place(&a->from, &b->from) && is_same_place(&a->to, &b->to);
}

/* Different call paths to one line are one place. */
static uint32_t number_place(struct path_merge *merging, const struct path_part *part)
{
	struct report_path *made = merging->made;
	struct path_place place = {.what = {.kind = part->kind,
	                                    .from = cause_place(&merging->causes, &part->from),
	                                    .to = cause_place(&merging->causes, &part->to)},
	                           .longest_process = NO_PROCESS};

	for (size_t i = 0; i < made->place_count; i++)
		if (is_same(&made->places[i].what, &place.what)) {
			made->places[i].excess_ns -= part->mean_ns;
			return (uint32_t)i;
		}
	place.excess_ns = -part->mean_ns;
	arena_add(&merging->report->arena, made->places, made->place_count, place);
	return (uint32_t)made->place_count - 1;
}

static void merge_part(struct path_merge *merging, const struct path_part *part)
{
	uint32_t *number = map_put(&merging->numbers, map_key((uintptr_t)part->from.call + part->kind,
	                                                      (uintptr_t)part->to.call));
	struct path_place *place;

	if (*number == MAP_NONE)
		*number = number_place(merging, part);
	place = &merging->made->places[*number];
	place->what.total_ns = saturating_add(place->what.total_ns, part->ns);
	if (part->process == NO_PROCESS)
		return;
	arena_add(&merging->report->arena, place->what.parts, place->what.part_count,
	          (struct cause_part){part->process, 0, part->ns, 0});
	if (part->longest.ns > place->longest.ns) {
		place->longest = part->longest;
		place->longest_process = part->process;
	}
}

static int by_total(const void *left, const void *right)
{
	const struct report_cause *a = &((const struct path_place *)left)->what,
				  *b = &((const struct path_place *)right)->what;
	int order = (a->total_ns < b->total_ns) - (a->total_ns > b->total_ns);

	order = order ? order : (a->kind > b->kind) - (a->kind < b->kind);
	order = order ? order : strcmp(a->to.text, b->to.text);
	return order ? order : strcmp(a->from.text, b->from.text);
}

/* Behind the largest, the others are one. */
static void cut_places(struct report_path *made)
{
	struct path_place other = {.what = {.kind = CAUSE_OTHER,
	                                    .from = {.call = "", .text = ""},
	                                    .to = {.call = "", .text = ""}},
	                           .longest_process = NO_PROCESS};

	if (made->place_count <= PLACES_MAX)
		return;
	for (size_t i = PLACES_MAX - 1; i < made->place_count; i++)
		other.what.total_ns = saturating_add(other.what.total_ns, made->places[i].what.total_ns);
	made->places[PLACES_MAX - 1] = other;
	made->place_count = PLACES_MAX;
	qsort(made->places, made->place_count, sizeof *made->places, by_total);
}

static int by_time(const void *left, const void *right)
{
	const struct cause_part *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return (a->process > b->process) - (a->process < b->process);
}

void report_path_new(struct report *report, struct critical_path *path)
{
	struct report_path *made;
	struct path_merge merging = {.report = report, .causes = {.report = report}};

	if (!path)
		return;
	made = arena_array(&report->arena, struct report_path, 1);
	made->path = path;
	merging.made = made;
	for (size_t i = 0; i < path->part_count; i++)
		merge_part(&merging, &path->parts[i]);
	for (size_t i = 0; i < made->place_count; i++) {
		struct path_place *place = &made->places[i];
		place->excess_ns += place->what.total_ns;
		if (place->what.kind != CAUSE_COMPUTING || place->excess_ns < 0)
			place->excess_ns = 0;
		name_cause_processes(&report->arena, &place->what);
	}
	if (made->place_count)
		qsort(made->places, made->place_count, sizeof *made->places, by_total);
	cut_places(made);
	for (uint32_t i = 0; i < report->analysis->reader->process_count; i++)
		if (made->path->of_process[i] > 0)
			arena_add(&report->arena, made->ranks, made->rank_count,
			          (struct cause_part){i, 0, made->path->of_process[i], 0});
	if (made->rank_count)
		qsort(made->ranks, made->rank_count, sizeof *made->ranks, by_time);
	cause_merge_release(&merging.causes);
	map_release(&merging.numbers);
	report->path = made;
}

void report_path_free(struct report_path *path)
{
	if (path)
		critical_path_free(path->path);
}

/* Sentences */

static bool is_listed(const struct report_path *path, const struct path_place *place)
{
	return (place->what.kind == CAUSE_COMPUTING || place->what.kind == CAUSE_CALL) &&
	       share_of_path(path, place->what.total_ns) >= SHARE_LISTED;
}

/* Without uneven work and calls, the path shows nothing but the length of the run. */
static bool says_something(const struct report *report)
{
	const struct report_path *path = report->path;

	if (!path || report->analysis->reader->process_count < 2 || report->trust.verdict == TRUST_NONE ||
	    (double)(path->path->to - path->path->from) <
	            LENGTH_LISTED * report->analysis->run_figures[RUN_LENGTH])
		return false;
	for (size_t i = 0; i < path->place_count; i++)
		if (is_listed(path, &path->places[i]) &&
		    (path->places[i].what.kind == CAUSE_CALL ||
		     share_of_path(path, path->places[i].excess_ns) >= EXCESS_LISTED))
			return true;
	return false;
}

static void add_share(const struct sheet *sheet, int64_t ns, struct text *words)
{
	text_add_decimal(words, sheet->locale, 0, PERCENT * share_of_path(sheet->report->path, ns));
	text_add(words, " %%");
}

/* "78 % is rank 3 computing main.c:20 → solver.c:41; 12 % is ranks 0-3 in MPI_Allreduce (main.c:30)" */
static void add_places(const struct sheet *sheet, size_t most, struct text *words)
{
	const struct report_path *path = sheet->report->path;
	size_t listed = 0;

	for (size_t i = 0; i < path->place_count && listed < most; i++) {
		const struct path_place *place;
		scoped_text share = {0}, what = {0};

		if (!is_listed(path, &path->places[i]))
			continue;
		text_add(words, listed++ ? "; " : "");
		place = &path->places[i];
		add_share(sheet, place->what.total_ns, &share);
		cause_in_short(sheet->report, &place->what, SIZE_MAX, &what);
		add_filled_phrase(words, sheet->language, "$1 is $2",
		                  (const char *[]){text_get(&share), text_get(&what)});
	}
}

void add_critical_path(const struct sheet *sheet)
{
	const struct report_path *path = sheet->report->path;
	const struct path_place *uneven = NULL;
	scoped_text words = {0}, length = {0}, places = {0}, calls = {0}, place = {0}, excess = {0};

	if (!says_something(sheet->report))
		return;
	sheet_seconds(sheet, &length, path->path->to - path->path->from);
	add_places(sheet, PLACES_LISTED, &places);
	add_filled_phrase(&words, sheet->language, "Critical path ($1): $2.",
	                  (const char *[]){text_get(&length), text_get(&places)});
	if (share_of_path(path, path->path->kinds_ns[CAUSE_CALL]) >= CALLS_LISTED) {
		add_share(sheet, path->path->kinds_ns[CAUSE_CALL], &calls);
		add_filled_phrase(&words, sheet->language, " Calls account for $1 of it, not counting waits.",
		                  (const char *[]){text_get(&calls)});
	}
	/* The place where evenly distributed work would shorten the path most; NULL: not notably. */
	for (size_t i = 0; i < path->place_count; i++)
		if (is_listed(path, &path->places[i]) &&
		    share_of_path(path, path->places[i].excess_ns) >= EXCESS_LISTED &&
		    (!uneven || path->places[i].excess_ns > uneven->excess_ns))
			uneven = &path->places[i];
	if (uneven) {
		add_line_of(&place, &uneven->what.to, SIZE_MAX);
		sheet_seconds(sheet, &excess, uneven->excess_ns);
		add_filled_phrase(&words, sheet->language,
		                  " Distributing the work before $1 evenly would save $2.",
		                  (const char *[]){text_get(&place), text_get(&excess)});
	}
	text_add(sheet->out, "\n");
	sheet_paragraph(sheet, 0, &words);
}

void add_critical_path_line(const struct sheet *sheet)
{
	scoped_text words = {0}, places = {0};

	if (!says_something(sheet->report) || sheet->report->open)
		return;
	add_places(sheet, 1, &places);
	add_filled_phrase(&words, sheet->language, "Critical path: $1", (const char *[]){text_get(&places)});
	sheet_clipped(sheet, NULL, 1, &words);
}

bool path_in_doubt(const struct report *report, enum path_doubt doubt, struct text *words)
{
	const struct critical_path *path = report->path ? report->path->path : NULL;
	struct sheet sheet = sheet_for(report, NULL, words);
	scoped_text figure = {0};

	if (!path || !(doubt == PATH_CUT ? path->is_cut : path->missed > 0))
		return false;
	if (doubt == PATH_CUT)
		sheet_seconds(&sheet, &figure, path->from);
	else
		text_add_count(&figure, path->missed);
	add_filled_phrase(
		words, sheet.language,
		doubt == PATH_CUT
			? "the critical path is known from $1 on; before that, it changes ranks too often to be stored"
			: "$1 waits were seen too late for the critical path, which may lead through other processes there",
		(const char *[]){text_get(&figure)});
	return true;
}
