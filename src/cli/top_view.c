#include "cli/top_view.h"

#include "analysis/live/live_waits.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	AWAITED_SHOWN = 3,
	SITES_SHOWN = 6,
	OUTPUT_SHOWN = 5,
	RANKS_MIN = 4, /* rows for ranks, on a small screen */
	RANK_LIST_WIDTH = 20,
	ROWS_MAX = 500,             /* distinguished states; no screen shows more */
	CIRCLE_NS_MIN = 2000000000, /* ranks that wait for each other for this time are reported */
};

static const char *const states[] = {
	[LIVE_STARTING] = "starting",       [LIVE_COMPUTING] = "computing", [LIVE_IN_CALL] = "in MPI",
	[LIVE_POLLING] = "polling",         [LIVE_FINISHED] = "finished",   [LIVE_GONE] = "gone",
	[LIVE_UNRECORDED] = "not recorded",
};

enum { STATES = sizeof states / sizeof *states };

static void add_line(struct top_lines *lines, enum colour colour, struct text *text)
{
	array_add(lines, (struct screen_line){text_take(text), colour});
}

void top_lines_release(struct top_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->items[i].text);
	array_release(lines);
}

/* Words */

static const struct live_process *process_at(const struct top_view *view, uint32_t number)
{
	return view->job->processes.items[number];
}

static const char *state_of(const struct live_process *process)
{
	return process->state == LIVE_IN_CALL && call_is_pgas(process->info)
	               ? (call_is_shmem(process->info) ? "in OpenSHMEM" : "in UPC")
	               : states[process->state];
}

/* "0-2,7", cut after so many columns. */
static void add_numbers(const struct top_view *view, const uint32_t *numbers, size_t count, size_t width,
                        struct text *out)
{
	size_t before = out->length;

	for (size_t i = 0, last; i < count; i = last + 1) {
		uint32_t first = process_at(view, numbers[i])->rank, until = first;

		for (last = i; last + 1 < count && process_at(view, numbers[last + 1])->rank == until + 1;
		     last++)
			until++;
		if (out->length - before + 12 > width && last + 1 < count) {
			text_add(out, "%s..", i ? "," : "");
			return;
		}
		text_add(out, "%s%" PRIu32, i ? "," : "", first);
		if (until > first)
			text_add(out, "%s%" PRIu32, until > first + 1 ? "-" : ",", until);
	}
}

static int by_rank_of(const void *a, const void *b, void *context)
{
	const struct top_view *view = context;
	const uint32_t x = process_at(view, *(const uint32_t *)a)->rank;
	const uint32_t y = process_at(view, *(const uint32_t *)b)->rank;

	return (x > y) - (x < y);
}

/* The same in the order of ranks. */
static void add_ranks(const struct top_view *view, const uint32_t *numbers, size_t count, size_t width,
                      struct text *out)
{
	uint32_t *sorted = memory_new(count + 1, sizeof *sorted);

	if (count)
		memcpy(sorted, numbers, count * sizeof *sorted);
	qsort_r(sorted, count, sizeof *sorted, by_rank_of, (void *)view);
	add_numbers(view, sorted, count, width, out);
	free(sorted);
}

static void add_duration(const struct live_process *process, const char *before, struct text *out)
{
	if (process->for_ns < 0)
		return;
	text_add(out, "%s%s", before, AS_SECONDS((double)process->for_ns * 1e-9));
}

static const struct live_site *site_of(const struct top_view *view, const struct live_process *process)
{
	return process->site == LIVE_NONE ? NULL : &view->job->sites.items[process->site];
}

/* Sections */

static void add_title(const struct top_view *view, struct top_lines *lines)
{
	struct text line = {0};

	text_add(&line, "tarry top  %s  ", view->title);
	if (view->job->size)
		text_add_counted(&line, view->job->size, "rank", "ranks");
	text_add(&line, "  %.0f s", view->seconds);
	add_line(lines, COLOUR_STRONG, &line);
}

static void add_counts(const struct top_view *view, struct text *line)
{
	uint32_t counts[STATES] = {0};
	bool any = false;

	for (size_t i = 0; i < view->job->processes.count; i++)
		counts[view->job->processes.items[i]->state]++;
	for (size_t i = 0; i < STATES; i++)
		if (counts[i]) {
			text_add(line, "%s%" PRIu32 " %s", any ? ", " : "", counts[i], states[i]);
			any = true;
		}
	if (!any)
		text_add(line, "no process uses MPI yet");
}

/* The part that cannot be observed; nothing if everything can. */
static void add_unseen(const struct top_view *view, struct text *line)
{
	const struct live_job *job = view->job;
	size_t seen = job->processes.count;

	if (job->hidden)
		text_add(line, "%zu %s on other nodes cannot be seen from here: %s", job->hidden,
		         job->hidden == 1 ? "process" : "processes", text_get(&job->hidden_hosts));
	else if (job->silent)
		text_add(line,
		         "%zu %s cannot be seen: the file system of the trace cannot be mapped into memory",
		         job->silent, job->silent == 1 ? "process" : "processes");
	else if (job->size > seen && seen)
		text_add(line,
		         "%" PRIu64 " of %" PRIu64
		         " ranks are not seen: they have not started, or write elsewhere",
		         job->size - seen, job->size);
}

static void add_awaited_line(const struct top_view *view, const struct live_awaited *awaited,
                             struct text *line)
{
	const struct live_process *process = process_at(view, awaited->process);
	const struct live_site *site;

	text_add(line, "rank %" PRIu32 " (", process->rank);
	/* "computing for 12.1 s after MPI_Recv at heat.c:70". */
	site = site_of(view, process);
	text_add(line, "%s", process->call ? "in " : state_of(process));
	if (process->call)
		text_add(line, "%s", process->info->name);
	else if (site)
		add_duration(process, " for ", line);
	if (site)
		text_add(line, "%s%s%s%s", process->call ? "" : " after ",
		         process->call ? "" : site->function, *site->place ? " at " : "", site->place);
	if (process->call)
		add_duration(process, " for ", line);
	text_add(line, ") is waited for by ");
	text_add(line, awaited->waiter_count == 1 ? "rank " : "%" PRIu32 " ranks: ", awaited->waiter_count);
	add_ranks(view, awaited->waiters, awaited->waiter_count, (size_t)view->columns, line);
}

static bool has_circle(const struct top_view *view)
{
	for (uint32_t i = 0; i < view->job->circle_count; i++)
		if (process_at(view, view->job->circle[i])->for_ns < CIRCLE_NS_MIN)
			return false;
	return view->job->circle_count > 1;
}

static void add_circle_line(const struct top_view *view, struct text *line)
{
	int64_t shortest = INT64_MAX;

	for (uint32_t i = 0; i < view->job->circle_count; i++)
		if (process_at(view, view->job->circle[i])->for_ns < shortest)
			shortest = process_at(view, view->job->circle[i])->for_ns;
	text_add(line, "ranks ");
	add_ranks(view, view->job->circle, view->job->circle_count, RANK_LIST_WIDTH, line);
	text_add(line, " have waited for each other for %s: see 'tarry info %s' in another terminal",
	         AS_SECONDS((double)shortest * 1e-9), view->trace);
}

static void add_awaited(const struct top_view *view, struct top_lines *lines)
{
	struct text line = {0};

	if (!view->job->awaited_count && !has_circle(view))
		return;
	text_add(&line, "RANKS THAT OTHERS WAIT FOR");
	add_line(lines, COLOUR_STRONG, &line);
	for (uint32_t i = 0; i < view->job->awaited_count && i < AWAITED_SHOWN; i++) {
		text_add(&line, "  ");
		add_awaited_line(view, &view->job->awaited[i], &line);
		add_line(lines, COLOUR_DOUBTFUL, &line);
	}
	if (view->job->awaited_count > AWAITED_SHOWN) {
		text_add(&line, "  and %" PRIu32 " more", view->job->awaited_count - AWAITED_SHOWN);
		add_line(lines, COLOUR_NONE, &line);
	}
	if (has_circle(view)) {
		text_add(&line, "  ");
		add_circle_line(view, &line);
		add_line(lines, COLOUR_BAD, &line);
	}
}

/* Ranks that do the same are one row when there are more than the screen has rows. */
struct rank_row {
	uint32_t first; /* the rank that is shown for all: it has had this state longest */
	ARRAY(uint32_t) numbers;
};

struct rank_rows {
	struct rank_row *items;
	size_t count, room;
	size_t rest; /* ranks that have no row */
};

static bool do_the_same(const struct live_process *a, const struct live_process *b)
{
	return a->state == b->state && a->site == b->site && a->partner_count == b->partner_count &&
	       a->needs_any == b->needs_any &&
	       (!a->partner_count || a->partners == b->partners ||
	        memcmp(a->partners, b->partners, a->partner_count * sizeof *a->partners) == 0);
}

/* NULL: there are more than enough. */
static struct rank_row *get_row(const struct top_view *view, bool folds, struct rank_rows *rows,
                                uint32_t number)
{
	for (size_t i = 0; folds && i < rows->count; i++)
		if (do_the_same(process_at(view, rows->items[i].first), process_at(view, number)))
			return &rows->items[i];
	if (rows->count >= ROWS_MAX)
		return NULL;
	array_add(rows, (struct rank_row){.first = number});
	return &rows->items[rows->count - 1];
}

static void add_padded(struct text *line, size_t from, size_t width)
{
	size_t used = text_width(text_get(line) + from);

	text_add(line, "%*s", used < width ? (int)(width - used) : 1, "");
}

enum { RANK_WIDTH = 8, STATE_WIDTH = 14, FOR_WIDTH = 9, CALL_WIDTH = 18, PLACE_WIDTH = 22 };

static bool is_in_circle(const struct top_view *view, uint32_t number)
{
	for (uint32_t i = 0; has_circle(view) && i < view->job->circle_count; i++)
		if (view->job->circle[i] == number)
			return true;
	return false;
}

static enum colour colour_of_row(const struct top_view *view, uint32_t number)
{
	const struct live_process *process = process_at(view, number);

	switch (process->state) {
	case LIVE_COMPUTING:
		return COLOUR_COMPUTING;
	case LIVE_IN_CALL:
	case LIVE_POLLING:
		if (is_in_circle(view, number))
			return COLOUR_BLOCKED;
		return process->partner_count || process->needs_any ? COLOUR_WAITING : COLOUR_MPI;
	case LIVE_GONE:
	case LIVE_UNRECORDED:
		return COLOUR_UNRECORDED;
	default:
		return COLOUR_NONE;
	}
}

static void add_row(const struct top_view *view, const struct rank_row *row, size_t width,
                    struct top_lines *lines)
{
	const struct live_process *process = process_at(view, row->first);
	const struct live_site *site = site_of(view, process);
	struct text line = {0};
	size_t from;

	text_add(&line, "  ");
	if (process->rank == PROCESS_UNKNOWN && row->numbers.count == 1)
		text_add(&line, "?");
	else if (process->rank == PROCESS_UNKNOWN)
		text_add(&line, "%zu ranks", row->numbers.count);
	else
		add_numbers(view, row->numbers.items, row->numbers.count, RANK_LIST_WIDTH, &line);
	add_padded(&line, 0, width);
	from = line.length;
	text_add(&line, "%s", state_of(process));
	add_padded(&line, from, STATE_WIDTH);
	from = line.length;
	add_duration(process, "", &line);
	add_padded(&line, from, FOR_WIDTH);
	from = line.length;
	text_add(&line, "%s%s", site && !process->call ? "after " : "", site ? site->function : "");
	add_padded(&line, from, CALL_WIDTH);
	from = line.length;
	text_add(&line, "%s", site ? site->place : "");
	add_padded(&line, from, PLACE_WIDTH);
	if (process->partner_count) {
		text_add(&line, "%s", process->needs_one ? "one of " : "");
		add_ranks(view, process->partners, process->partner_count, RANK_LIST_WIDTH, &line);
	}
	if (process->needs_any)
		text_add(&line, "%sany rank", process->partner_count ? ", " : "");
	add_line(lines, colour_of_row(view, row->first), &line);
}

static void add_rows_heading(size_t width, struct top_lines *lines)
{
	struct text line = {0};

	text_add(&line, "RANKS");
	add_padded(&line, 0, width);
	text_add(&line, "%-*s%-*s%-*s%-*swaits for", STATE_WIDTH, "state", FOR_WIDTH, "for", CALL_WIDTH,
	         "call", PLACE_WIDTH, "at");
	add_line(lines, COLOUR_STRONG, &line);
}

static void add_rows(const struct top_view *view, size_t most, struct top_lines *lines)
{
	bool folds = view->job->processes.count > most;
	size_t width = folds ? RANK_LIST_WIDTH + 2 : RANK_WIDTH, rest;
	struct rank_rows rows = {0};
	struct text line = {0};
	uint32_t *order = live_job_order(view->job);

	for (size_t i = 0; i < view->job->processes.count; i++) {
		struct rank_row *row = get_row(view, folds, &rows, order[i]);
		if (!row) {
			rows.rest++;
			continue;
		}
		array_add(&row->numbers, order[i]);
		if (process_at(view, order[i])->for_ns > process_at(view, row->first)->for_ns)
			row->first = order[i];
	}
	free(order);
	add_rows_heading(width, lines);
	rest = rows.rest;
	for (size_t i = 0; i < rows.count; i++) {
		if (i < (rows.count > most ? most - 1 : most))
			add_row(view, &rows.items[i], width, lines);
		else
			rest += rows.items[i].numbers.count;
		array_release(&rows.items[i].numbers);
	}
	if (rest) {
		text_add(&line, "  and %zu more ranks", rest);
		add_line(lines, COLOUR_NONE, &line);
	}
	array_release(&rows);
}

/* Call sites */

static double time_of(const struct live_site *site)
{
	return site->ns + site->open_ns;
}

/* The next site by time after `before`; LIVE_NONE: none. */
static uint32_t next_site(const struct live_job *job, uint32_t before)
{
	double most = before == LIVE_NONE ? 0 : time_of(&job->sites.items[before]);
	uint32_t found = LIVE_NONE;

	for (uint32_t i = 0; i < job->sites.count; i++) {
		double time = time_of(&job->sites.items[i]);
		if (time <= 0 || (before != LIVE_NONE && (time > most || (time == most && i <= before))))
			continue;
		if (found == LIVE_NONE || time > time_of(&job->sites.items[found]))
			found = i;
	}
	return found;
}

static void add_site(const struct live_site *site, double total, struct top_lines *lines)
{
	struct text line = {0};
	size_t from;

	text_add(&line, "  %3.0f %%    ", total > 0 ? time_of(site) / total * 100 : 0);
	from = line.length;
	text_add_seconds(&line, time_of(site) * 1e-9);
	add_padded(&line, from, FOR_WIDTH + 2);
	from = line.length;
	text_add_count(&line, site->calls + site->open_calls);
	add_padded(&line, from, STATE_WIDTH);
	text_add(&line, "%-*s %s", CALL_WIDTH, site->function, site->place);
	add_line(lines, COLOUR_NONE, &line);
}

static void add_sites(const struct top_view *view, size_t most, struct top_lines *lines)
{
	const struct live_job *job = view->job;
	double total = 0, known = (double)(job->read_bytes + job->skipped_bytes);
	struct text line = {0};
	uint32_t at = LIVE_NONE;

	for (size_t i = 0; i < job->sites.count; i++)
		total += time_of(&job->sites.items[i]);
	text_add(&line, "CALL SITES %-*s%-*s%-*s at", FOR_WIDTH + 2, "time", STATE_WIDTH, "calls", CALL_WIDTH,
	         "call");
	if (job->skipped_bytes && known > 0)
		text_add(&line, ", from %.0f %% of what was recorded", (double)job->read_bytes / known * 100);
	add_line(lines, COLOUR_STRONG, &line);
	for (size_t i = 0; i < most && (at = next_site(job, at)) != LIVE_NONE; i++)
		add_site(&job->sites.items[at], total, lines);
}

static size_t count_lines(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == '\n';
	return count;
}

static void add_output(const struct top_view *view, size_t most, struct top_lines *lines)
{
	const char *at = view->output;
	size_t count = count_lines(at);
	struct text line = {0};

	if (!count || !most)
		return;
	text_add(&line, "OUTPUT");
	add_line(lines, COLOUR_STRONG, &line);
	for (; count; count--, at += strcspn(at, "\n") + 1)
		if (count <= most) {
			text_add(&line, "  %.*s", (int)strcspn(at, "\n"), at);
			add_line(lines, COLOUR_NONE, &line);
		}
}

static size_t at_most(size_t number, size_t most)
{
	return number < most ? number : most;
}

/* Ranks get the remaining rows, but at least a few. */
void top_view_draw(const struct top_view *view, struct top_lines *lines)
{
	size_t rows = view->rows > 0 ? (size_t)view->rows : 1;
	size_t sites = at_most(view->job->sites.count, SITES_SHOWN), output, ranks, used;
	struct text line = {0};

	add_title(view, lines);
	add_counts(view, &line);
	add_line(lines, COLOUR_NONE, &line);
	add_unseen(view, &line);
	if (line.length)
		add_line(lines, COLOUR_DOUBTFUL, &line);
	text_release(&line);
	add_awaited(view, lines);
	output = at_most(count_lines(view->output), OUTPUT_SHOWN);
	used = lines->count + 2 + RANKS_MIN; /* with headings */
	while (sites > 1 && used + sites + (output ? output + 1 : 0) > rows) {
		if (output)
			output--;
		else
			sites--;
	}
	used = lines->count + 2 + sites + (output ? output + 1 : 0);
	ranks = used + RANKS_MIN < rows ? rows - used : RANKS_MIN;
	if (view->job->processes.count)
		add_rows(view, ranks, lines);
	if (sites)
		add_sites(view, sites, lines);
	add_output(view, output, lines);
	while (lines->count > rows)
		free(lines->items[--lines->count].text);
	for (size_t i = 0; i < lines->count; i++) {
		char *text = lines->items[i].text;
		text[screen_fit(text, (size_t)(view->columns > 0 ? view->columns : 1))] = 0;
	}
}

void top_view_summary(const struct top_view *view, struct text *out)
{
	const uint32_t worst = next_site(view->job, LIVE_NONE);
	const struct live_site *site = worst == LIVE_NONE ? NULL : &view->job->sites.items[worst];
	struct text unseen = {0};

	text_add(out, "%.0f s: ", view->seconds);
	add_counts(view, out);
	if (site)
		text_add(out, "; most time in %s%s%s: %s", site->function, *site->place ? " at " : "",
		         site->place, AS_SECONDS(time_of(site) * 1e-9));
	add_unseen(view, &unseen);
	if (unseen.length)
		text_add(out, "\n%s", text_get(&unseen));
	text_release(&unseen);
	for (uint32_t i = 0; i < view->job->awaited_count && i < AWAITED_SHOWN; i++) {
		text_add(out, "\n");
		add_awaited_line(view, &view->job->awaited[i], out);
	}
	if (has_circle(view)) {
		text_add(out, "\n");
		add_circle_line(view, out);
	}
}
