/* The history for people, programs and browsers. */
#include "base/json.h"
#include "base/markup.h"
#include "output/history/history.h"
#include "page/page.h"

#include <math.h>
#include <string.h>

enum { COMMIT_LETTERS = 10, TREND_MAX = 60, HASH_LETTERS = 40 };

/* Smaller differences are not worth a word. */
static const double noted = 0.02;

/* The hash of a commit in short; other names as they are. */
static void add_commit(struct text *out, const char *commit)
{
	bool is_hash = strspn(commit, "0123456789abcdef") >= HASH_LETTERS;

	text_add(out, "%.*s%s", is_hash ? COMMIT_LETTERS : (int)strlen(commit), commit,
	         is_hash && text_ends(commit, "-dirty") ? "-dirty" : "");
}

static const struct history_run *newest_of(const struct history_series *series)
{
	return &series->runs[series->count - 1];
}

/* How much longer the newest commit takes than the level before it; 0: as long, or not known. */
static double slowdown(const struct history_series *series)
{
	double change = series->level_s > 0 ? series->newest_s / series->level_s - 1 : 0;

	return series->is_significant && fabs(change) >= noted ? change : 0;
}

static void add_percent(struct text *out, double change)
{
	text_add(out, "%.3g %% %s", 100 * fabs(change), change > 0 ? "slower" : "faster");
}

/* Text */

static void add_trend(const struct history_series *series, struct text *out)
{
	size_t shown = series->count < TREND_MAX ? series->count : TREND_MAX;
	const struct history_run *newest = newest_of(series);
	double times[TREND_MAX], least = INFINITY;

	for (size_t i = 0; i < shown; i++) {
		times[i] = series->runs[series->count - shown + i].scaling.length_s;
		least = fmin(least, times[i]);
	}
	/* A tenth more is twice as high. */
	for (size_t i = 0; i < shown; i++)
		times[i] -= 0.9 * least;
	text_add(out, "  time  ");
	text_add_levels(out, times, shown);
	text_add(out, "  %s", AS_SECONDS(series->newest_s));
	if (newest->parallel > 0)
		text_add(out, ", parallel efficiency %.0f %%", 100 * newest->parallel);
	if (newest->parallel > 0 && newest->scaling.threads > newest->scaling.ranks)
		text_add(out, " (OpenMP %.0f %%)", 100 * newest->scaling.openmp);
	text_add(out, "\n");
}

static void add_change(const struct history_series *series, const struct history_change *change,
                       struct text *out)
{
	text_add(out, "  ");
	add_commit(out, series->runs[change->run].commit);
	text_add(out, " and later: ");
	add_percent(out, change->ratio - 1);
	if (isfinite(change->high) && change->low > 0)
		text_add(out, " (%+.3g to %+.3g %%)", 100 * (change->low - 1), 100 * (change->high - 1));
	text_add(out, " than before\n");
}

static void add_newest(const struct history_series *series, struct text *out)
{
	text_add(out, "  ");
	add_commit(out, newest_of(series)->commit);
	text_add(out, ", the newest commit: ");
	if (!(series->level_s > 0))
		text_add(out, "no earlier commit to compare with");
	else if (!(fabs(slowdown(series)) > 0))
		text_add(out, "as fast as before");
	else
		add_percent(out, slowdown(series));
	text_add(out, "\n");
}

void add_run_size(const struct history_run *run, struct text *out)
{
	text_add(out, "%s", AS_COUNTED(run->scaling.ranks, "rank", "ranks"));
	if (run->scaling.threads > run->scaling.ranks)
		text_add(out, ", %s", AS_COUNTED(run->scaling.threads, "thread", "threads"));
}

void history_text(const struct history *history, struct text *out)
{
	text_add(out, "%s: %s\n", history->path, AS_COUNTED(history->count, "run", "runs"));
	for (size_t i = 0; i < history->series_count; i++) {
		const struct history_series *series = &history->series[i];
		const struct history_run *run = newest_of(series);

		text_add(out, "\n%s on %s, ", *run->scaling.program ? run->scaling.program : "program",
		         run->machine);
		add_run_size(run, out);
		text_add(out, ": %s\n", AS_COUNTED(series->count, "run", "runs"));
		add_trend(series, out);
		for (size_t j = 0; j < series->change_count; j++)
			add_change(series, &series->changes[j], out);
		add_newest(series, out);
	}
	text_strip_controls(out);
}

/* JSON: docs/history.md */

static void json_run(struct json *json, const struct history_run *run)
{
	json_open(json, NULL, '{');
	json_text(json, "commit", run->commit);
	json_text(json, "added", run->added);
	json_text(json, "trace", run->scaling.name);
	json_exact(json, "length_s", run->scaling.length_s);
	json_exact(json, "parallel", run->parallel > 0 ? run->parallel : NAN);
	json_exact(json, "load_balance", run->balance > 0 ? run->balance : NAN);
	json_exact(json, "openmp", run->scaling.threads > run->scaling.ranks ? run->scaling.openmp : NAN);
	json_close(json, '}');
}

static void json_changes(struct json *json, const struct history_series *series)
{
	json_open(json, "changes", '[');
	for (size_t i = 0; i < series->change_count; i++) {
		const struct history_change *change = &series->changes[i];

		json_open(json, NULL, '{');
		json_text(json, "commit", series->runs[change->run].commit);
		json_number(json, "run", (int64_t)change->run);
		json_exact(json, "ratio", change->ratio);
		json_exact(json, "low", change->low);
		json_exact(json, "high", change->high);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void json_series(struct json *json, const struct history_series *series)
{
	const struct history_run *newest = newest_of(series);

	json_open(json, NULL, '{');
	json_text(json, "program", newest->scaling.program);
	json_text(json, "machine", newest->machine);
	json_number(json, "ranks", (int64_t)newest->scaling.ranks);
	json_number(json, "threads", (int64_t)newest->scaling.threads);
	json_exact(json, "newest_s", series->newest_s);
	json_exact(json, "level_s", series->level_s > 0 ? series->level_s : NAN);
	json_exact(json, "slowdown", slowdown(series));
	json_changes(json, series);
	json_open(json, "runs", '[');
	for (size_t i = 0; i < series->count; i++)
		json_run(json, &series->runs[i]);
	json_close_all(json, "]}");
}

/* Scaling of a program on a machine */

static const struct history_run *run_of_commit(const struct history_series *series, const char *commit)
{
	for (size_t i = series->count; i-- > 0;)
		if (strcmp(series->runs[i].commit, commit) == 0)
			return &series->runs[i];
	return NULL;
}

/* The newest run whose commit has at least two sizes among these series; NULL: there is none. */
static const struct history_run *newest_scaled(const struct history_series *series, size_t count)
{
	const struct history_run *newest = NULL;

	for (size_t i = 0; i < count; i++)
		for (size_t j = series[i].count; j-- > 0;) {
			const struct history_run *run = &series[i].runs[j];
			size_t sizes = 0;

			if (newest && run->id < newest->id)
				continue;
			for (size_t k = 0; k < count; k++)
				sizes += run_of_commit(&series[k], run->commit) != NULL;
			newest = sizes > 1 ? run : newest;
		}
	return newest;
}

static bool has_size(const struct scaling *scaling, uint64_t threads)
{
	for (size_t i = 0; i < scaling->count; i++)
		if (scaling->runs[i].threads == threads)
			return true;
	return false;
}

static void json_scaling(struct json *json, const struct history_series *series, size_t count)
{
	const struct history_run *newest = newest_scaled(series, count);
	struct scaling scaling = {0};
	scoped_text figures = {0};

	for (size_t i = 0; newest && i < count; i++) {
		const struct history_run *run = run_of_commit(&series[i], newest->commit);
		/* A run that cannot be compared is left out, and so is a second one of the same size. */
		if (run && !has_size(&scaling, run->scaling.threads) &&
		    scaling_add(&scaling, &run->scaling) != OK)
			continue;
	}
	if (scaling.count > 1 && scaling_finish(&scaling, SCALING_DETECT) == OK) {
		scaling_json(&scaling, &figures);
		json_open(json, NULL, '{');
		json_text(json, "commit", newest->commit);
		json_text(json, "machine", newest->machine);
		json_value(json, "scaling", text_get(&figures));
		json_close(json, '}');
	}
	scaling_release(&scaling);
}

void history_json(const struct history *history, struct text *out)
{
	struct json json = {.out = out};

	json_open(&json, NULL, '{');
	json_number(&json, "version", 1);
	json_open(&json, "series", '[');
	for (size_t i = 0; i < history->series_count; i++)
		json_series(&json, &history->series[i]);
	json_close(&json, ']');
	json_open(&json, "scaling", '[');
	for (size_t i = 0, end; i < history->series_count; i = end) {
		const struct history_run *first = history->series[i].runs;

		for (end = i + 1; end < history->series_count; end++)
			if (strcmp(history->series[end].runs->scaling.program, first->scaling.program) != 0 ||
			    strcmp(history->series[end].runs->machine, first->machine) != 0)
				break;
		json_scaling(&json, &history->series[i], end - i);
	}
	json_close_all(&json, "]}");
	text_add(out, "\n");
}

void history_html(const struct history *history, struct text *out)
{
	scoped_text json = {0};
	const struct page_part parts[] = {{"history", &json}};
	const struct page page = {
		.title = "tarry history", .view = "history", .parts = parts, .part_count = 1};

	history_json(history, &json);
	page_write(&page, out);
}

/* The badge */

enum { BADGE_HEIGHT = 20, BADGE_LETTER = 7, BADGE_MARGIN = 6, BADGE_BASE = 14 };

static const char badge_style[] = "<style>text { font: 11px Verdana, sans-serif; fill: #ffffff; }\n"
				  ".name { fill: #555555; }\n.good { fill: #2e7d32; }\n"
				  ".fair { fill: #8a6100; }\n.poor { fill: #b3261e; }\n</style>\n";

static int badge_width(const char *words)
{
	return (int)text_width(words) * BADGE_LETTER + 2 * BADGE_MARGIN;
}

/* The series that became slower most; otherwise the largest. */
static const struct history_series *badge_series(const struct history *history)
{
	const struct history_series *chosen = NULL;

	for (size_t i = 0; i < history->series_count; i++) {
		const struct history_series *series = &history->series[i];
		double slower = fmax(slowdown(series), 0), most = chosen ? fmax(slowdown(chosen), 0) : 0;

		if (!chosen || slower > most ||
		    (!(slower < most) && series->runs->scaling.ranks >= chosen->runs->scaling.ranks))
			chosen = series;
	}
	return chosen;
}

void history_badge(const struct history *history, struct text *out)
{
	const struct history_series *series = badge_series(history);
	double slower = series ? slowdown(series) : 0, parallel = series ? newest_of(series)->parallel : 0;
	const char *look = slower > 0 ? "poor" : parallel >= 0.8 ? "good" : parallel >= 0.6 ? "fair" : "poor";
	int name = badge_width("tarry"), width;
	scoped_text words = {0};

	if (!series)
		text_add(&words, "no runs");
	else if (slower > 0)
		add_percent(&words, slower);
	else
		text_add(&words, "efficiency %.0f %%", 100 * parallel);
	width = badge_width(text_get(&words));
	svg_begin(out, name + width, BADGE_HEIGHT, text_get(&words));
	text_add(out, "%s", badge_style);
	svg_add_rect(out, "name", (struct svg_rect){0, 0, name, BADGE_HEIGHT}, 0);
	svg_add_rect(out, look, (struct svg_rect){name, 0, width, BADGE_HEIGHT}, 0);
	svg_add_text(out, "", BADGE_MARGIN, BADGE_BASE, "tarry");
	svg_add_text(out, "", name + BADGE_MARGIN, BADGE_BASE, text_get(&words));
	text_add(out, "</svg>\n");
}
