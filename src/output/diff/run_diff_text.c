#include "output/diff/run_diff.h"

#include "base/json.h"
#include "base/text.h"
#include "output/report/parts.h"
#include "output/timeline/timeline.h"
#include "page/page.h"

#include <math.h>
#include <string.h>

/* Maximum rows of a kind, and columns of a name. */
enum { ROWS_SHOWN = 8, NAME_COLUMNS = 34, PLACE_COLUMNS = 26, SHARE_COLUMNS = 8 };

/* Smaller differences between two runs of one program are random. */
static const double noise = 0.02;

static void add_run(const struct run_diff *diff, enum diff_side side, struct text *out)
{
	text_add(out, "%s %s: ", side == DIFF_BEFORE ? "before" : "after ",
	         diff->reports[side]->analysis->reader->path);
	text_add_counted(out, (uint64_t)diff->processes[side], "process", "processes");
	text_add(out, ", ");
	text_add_seconds(out, diff->length_s[side]);
	text_add(out, "\n");
}

static enum trust_verdict worst_verdict(const struct run_diff *diff)
{
	enum trust_verdict before = diff->reports[DIFF_BEFORE]->trust.verdict,
			   after = diff->reports[DIFF_AFTER]->trust.verdict;

	return before > after ? before : after;
}

/* Why a run is not trusted in full: the first reason. */
static void add_side_trust(const struct run_diff *diff, enum diff_side side, struct text *out)
{
	const struct report_trust *trust = &diff->reports[side]->trust;

	if (trust->reason_count)
		text_add(out, "Trust %s: %s - %s\n", side == DIFF_BEFORE ? "before" : "after",
		         trust_names[trust->verdict], trust->reasons[0].text);
}

static void add_verdict(const struct run_diff *diff, struct text *out)
{
	double before = diff->length_s[DIFF_BEFORE], after = diff->length_s[DIFF_AFTER];

	if (worst_verdict(diff) == TRUST_NONE)
		text_add(out, "These runs cannot be compared: do not rely on the figures below.\n");
	else if (before <= 0 || after <= 0)
		text_add(out, "The runs have no length that could be compared.\n");
	else if (fabs(after - before) < noise * before)
		text_add(out, "The runs take the same time, within %.0f %%.\n", noise * 100);
	else if (after < before)
		text_add(out, "The second run is faster: it takes %.3g %% less time.\n",
		         (1 - after / before) * 100);
	else
		text_add(out, "The second run is slower: it takes %.3g %% more time.\n",
		         (after / before - 1) * 100);
}

static void add_efficiency(const struct run_diff *diff, struct text *out)
{
	const struct efficiency *before = &diff->efficiency[DIFF_BEFORE],
				*after = &diff->efficiency[DIFF_AFTER];

	if (!before->is_known || !after->is_known)
		return;
	text_add(
		out,
		"Parallel efficiency %.3g %% → %.3g %%, load balance %.3g %% → %.3g %%, communication %.3g %% → %.3g %%\n",
		before->parallel * 100, after->parallel * 100, before->load_balance * 100,
		after->load_balance * 100, before->communication * 100, after->communication * 100);
}

/* The share of a finding follows in a column of its own. */
static void add_value(struct text *out, const struct diff_value *value, bool is_finding)
{
	scoped_text number = {0};

	if (value->is_there)
		text_add_seconds(&number, value->seconds);
	else
		text_add(&number, "-");
	text_add_repeated(out, ' ', number.length < 9 ? 9 - number.length : 0);
	text_add(out, "%s", text_get(&number));
	if (is_finding && value->is_there)
		text_add(out, " %5.1f %%", 100 * value->share);
	else if (is_finding)
		text_add_repeated(out, ' ', SHARE_COLUMNS);
}

static void add_rows(const char *title, const struct diff_rows *rows, bool shows_all, struct text *out)
{
	size_t shown = 0, left = 0;

	for (size_t i = 0; i < rows->count; i++) {
		const struct diff_row *row;
		const struct diff_value *last;

		if (rows->items[i].change == DIFF_SAME && !shows_all)
			continue;
		if (shown == ROWS_SHOWN) {
			left++;
			continue;
		}
		row = &rows->items[i];
		if (!shown++)
			text_add(out,
			         row->id ? "\n%s\n         before             after\n"
			                 : "\n%s\n         before     after\n",
			         title);
		last = &row->sides[row->sides[DIFF_AFTER].is_there ? DIFF_AFTER : DIFF_BEFORE];
		text_add(out, "  %-4s ", diff_change_names[row->change]);
		add_value(out, &row->sides[DIFF_BEFORE], row->id);
		text_add(out, " ");
		add_value(out, &row->sides[DIFF_AFTER], row->id);
		text_add(out, "  ");
		if (*last->place) {
			size_t width;

			add_elided(out, row->name, NAME_COLUMNS);
			width = text_width(row->name);
			text_add_repeated(out, ' ', width < NAME_COLUMNS ? NAME_COLUMNS - width : 0);
			text_add(out, " ");
			add_elided(out, last->place, PLACE_COLUMNS);
		} else {
			text_add(out, "%s", row->name);
		}
		text_add(out, "\n");
	}
	if (left)
		text_add(out, "  and %zu more, with smaller changes: see --json or --html\n", left);
}

void run_diff_text(const struct run_diff *diff, struct text *out)
{
	add_run(diff, DIFF_BEFORE, out);
	add_run(diff, DIFF_AFTER, out);
	add_side_trust(diff, DIFF_BEFORE, out);
	add_side_trust(diff, DIFF_AFTER, out);
	add_verdict(diff, out);
	if (diff->processes[DIFF_BEFORE] != diff->processes[DIFF_AFTER])
		text_add(
			out,
			"The runs have different numbers of processes; times of calls are means per process.\n");
	if (worst_verdict(diff) != TRUST_NONE)
		add_efficiency(diff, out);
	add_rows(
		diff->compares_savings
			? "Findings (time that the run would save if they were fixed, and its share of the run)"
			: "Findings (mean time lost per process and its share of the run, because savings are not predictable)",
		&diff->findings, true, out);
	add_rows("Phases (longest process)", &diff->phases, false, out);
	add_rows("Calls (mean time per process)", &diff->calls, false, out);
	text_strip_controls(out);
}

/* JSON */

static void add_side(struct json *json, const char *key, const struct diff_value *value, bool is_finding)
{
	if (!value->is_there) {
		json_null(json, key);
		return;
	}
	json_open(json, key, '{');
	if (is_finding && value->is_predictable)
		json_exact(json, "saves_s", value->saves_s);
	else if (is_finding)
		json_null(json, "saves_s");
	if (is_finding)
		json_exact(json, "share", value->share);
	json_exact(json, "process_s", value->process_s);
	json_exact(json, "occurrences", value->count);
	json_text(json, "place", value->place);
	json_close(json, '}');
}

static void json_rows(struct json *json, const char *key, const struct diff_rows *rows)
{
	json_open(json, key, '[');
	for (size_t i = 0; i < rows->count; i++) {
		const struct diff_row *row = &rows->items[i];
		json_open(json, NULL, '{');
		json_text(json, "change", diff_change_names[row->change]);
		json_text(json, "name", row->name ? row->name : "");
		if (row->id)
			json_text(json, "pattern", row->id);
		if (row->call)
			json_text(json, "call", row->call);
		add_side(json, "before", &row->sides[DIFF_BEFORE], row->id);
		add_side(json, "after", &row->sides[DIFF_AFTER], row->id);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void json_run(struct json *json, const char *key, const struct run_diff *diff, enum diff_side side)
{
	json_open(json, key, '{');
	json_text(json, "trace", diff->reports[side]->analysis->reader->path);
	json_number(json, "processes", (int64_t)diff->processes[side]);
	json_exact(json, "length_s", diff->length_s[side]);
	json_efficiency(json, &diff->efficiency[side]);
	json_trust(json, &diff->reports[side]->trust);
	json_close(json, '}');
}

void run_diff_json(const struct run_diff *diff, struct text *out)
{
	struct json json = {.out = out};

	json_open(&json, NULL, '{');
	json_number(&json, "version", 1);
	json_run(&json, "before", diff, DIFF_BEFORE);
	json_run(&json, "after", diff, DIFF_AFTER);
	json_bool(&json, "compares_savings", diff->compares_savings);
	json_rows(&json, "findings", &diff->findings);
	json_rows(&json, "phases", &diff->phases);
	json_rows(&json, "calls", &diff->calls);
	json_close(&json, '}');
	text_add(out, "\n");
}

/* No single call is kept. */
static void add_strip(const struct report *report, struct text *out)
{
	struct timeline *timeline = report_timeline(report, 1, &(struct time_span){0, 0});

	timeline_strip_json(timeline, out);
	timeline_free(timeline);
}

void run_diff_html(const struct run_diff *diff, struct text *out)
{
	scoped_text json = {0}, before = {0}, after = {0};
	const struct page_part parts[] = {
		{"diff", &json}, {"timeline-before", &before}, {"timeline-after", &after}};
	const struct page page = {.title = "tarry diff",
	                          .lang = diff->reports[DIFF_AFTER]->analysis->lang,
	                          .view = "diff",
	                          .parts = parts,
	                          .part_count = sizeof parts / sizeof *parts};

	run_diff_json(diff, &json);
	add_strip(diff->reports[DIFF_BEFORE], &before);
	add_strip(diff->reports[DIFF_AFTER], &after);
	page_write(&page, out);
}
