#include "bench/results/differences.h"
#include "bench/results/html.h"
#include "bench/results/page_parts.h"
#include "bench/results/plot.h"
#include "bench/results/point_text.h"

#include <math.h>
#include <string.h>

/* A forest plot: a line for each point, the ratio with its interval, and the numbers. */
enum {
	WIDTH = 372, /* a narrow window: see plot.c */
	LEFT = 124,
	FIELD = 114,
	TOP = 38,
	ROW = 18,
	BELOW = 40,
	ROWS_MAX = 48,
	LABEL_LETTERS = 18
};

static const double FARTHEST = 32; /* ratios beyond lie at the end */

static const char *const LOOKS[VERDICTS_END] = {"same", "faster", "slower", "unsure"};
/* Told apart without colours, too: faster points down, as times went. */
static const char *const SIGNS[VERDICTS_END] = {"M-3.2-3.2H3.2V3.2H-3.2z", "M0 4.4L4.4-3.4H-4.4z",
                                                "M0-4.4L4.4 3.4H-4.4z", "M0-4.6L4.6 0L0 4.6L-4.6 0z"};

struct forest {
	const struct differences *of;
	struct axis ratio; /* the same in all plots of a page */
	struct plot_frame frame;
	struct arena *arena;
};

static bool is_ratio(double value)
{
	return isfinite(value) && value > 0;
}

static double nearer(double ratio)
{
	return fmin(fmax(ratio, 1 / FARTHEST), FARTHEST);
}

static struct axis ratio_axis(const struct differences *differences)
{
	double far = 1 + 2 * differences->how.threshold;

	far = fmax(isfinite(far) ? far : 1, 1.15);
	for (size_t i = 0; i < differences->count; i++) {
		const struct sample_comparison *found = &differences->at[i].comparison;

		if (is_ratio(found->low))
			far = fmax(far, 1 / nearer(found->low));
		if (is_ratio(found->high))
			far = fmax(far, nearer(found->high));
	}
	far *= 1.04;
	return (struct axis){.title = "time of the second / time of the first",
	                     .unit = UNIT_RATIO,
	                     .scale = SCALE_LOG2,
	                     .low = 1 / far,
	                     .high = far};
}

static void draw_ratio_tick(const struct forest *forest, double value, double bottom, struct text *out)
{
	double x = frame_x(&forest->frame, value);

	draw_line(out, value == 1 ? "even" : "grid", x, TOP, x, bottom);
	text_add(out, "<text class=\"x label\" x=\"%.2f\" y=\"%.2f\" data-value=\"%.9g\">%.3g</text>\n", x,
	         bottom + 15, value, value);
}

/* Ticks at ratios and their reciprocals, as many as have room. */
static void draw_ratio_axis(const struct forest *forest, double bottom, struct text *out)
{
	static const double RATIOS[] = {1.05, 1.1, 1.25, 1.5, 2, 4, 8, 16, 32};
	const struct plot_frame *frame = &forest->frame;
	double last = frame_x(frame, 1);
	double beyond = 1 + forest->of->how.threshold;

	if (is_ratio(beyond))
		text_add(out,
		         "<rect class=\"band same\" x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%.2f\"/>\n",
		         frame_x(frame, 1 / beyond), TOP, frame_x(frame, beyond) - frame_x(frame, 1 / beyond),
		         bottom - TOP);
	draw_ratio_tick(forest, 1, bottom, out);
	for (size_t i = 0; i < sizeof(RATIOS) / sizeof(*RATIOS); i++) {
		if (RATIOS[i] > frame->x->high || frame_x(frame, RATIOS[i]) - last < 34)
			continue;
		last = frame_x(frame, RATIOS[i]);
		draw_ratio_tick(forest, RATIOS[i], bottom, out);
		draw_ratio_tick(forest, 1 / RATIOS[i], bottom, out);
	}
	draw_line(out, "axis", frame->left, bottom, frame->left + frame->width, bottom);
	text_add(out, "<text class=\"x\" x=\"%.2f\" y=\"%.2f\">", frame->left + frame->width / 2,
	         bottom + 32);
	html_add(out, frame->x->title);
	text_add(out, "</text>\n");
}

/* Three digits, and as wide for all. */
static void add_ratio(struct text *out, double ratio)
{
	int decimals = ratio < 1 ? 3 : ratio < 10 ? 2 : ratio < 100 ? 1 : 0;

	text_add(out, ratio < 1e4 ? "%.*f" : "%.*e", decimals, ratio);
}

static void draw_numbers(const struct difference *difference, double y, struct text *out)
{
	const struct sample_comparison *found = &difference->comparison;

	text_add(out, "<text x=\"%d\" y=\"%.2f\"><tspan class=\"strong\">", LEFT + FIELD + 6, y + 4);
	add_ratio(out, found->ratio);
	text_add(out, "</tspan>");
	if (isfinite(found->low) && isfinite(found->high)) {
		text_add(out, " (");
		add_ratio(out, found->low);
		text_add(out, "–");
		add_ratio(out, found->high);
		text_add(out, ")");
	}
	text_add(out, "</text>\n");
}

static void draw_ratio(const struct forest *forest, const struct difference *difference, double y,
                       struct text *out)
{
	const struct sample_comparison *found = &difference->comparison;
	const struct plot_frame *frame = &forest->frame;

	if (!is_ratio(found->ratio))
		return;
	if (is_ratio(found->low) && is_ratio(found->high))
		text_add(out, "<path class=\"interval\" d=\"M%.2f %.2fH%.2fm0-3v6M%.2f %.2fv6\"/>\n",
		         frame_x(frame, found->low), y, frame_x(frame, found->high),
		         frame_x(frame, found->low), y - 3);
	text_add(out, "<path class=\"spot%s\" transform=\"translate(%.2f %.2f)\" d=\"%s\"",
	         difference->verdict == VERDICT_UNSURE ? " doubtful" : "", frame_x(frame, found->ratio), y,
	         SIGNS[difference->verdict]);
	draw_data(out, "ratio", found->ratio);
	draw_data(out, "low", found->low);
	draw_data(out, "high", found->high);
	text_add(out, "><title>%s", verdict_names[difference->verdict]);
	text_add(out, ": ");
	add_value(out, UNIT_SECONDS, difference->first->summary.mean);
	text_add(out, " became ");
	add_value(out, UNIT_SECONDS, difference->second->summary.mean);
	text_add(out, ", p = %.2g</title></path>\n", difference->p);
	draw_numbers(difference, y, out);
}

static void draw_row(const struct forest *forest, const struct difference *difference, unsigned differ,
                     double y, struct text *out)
{
	const char *name = traits_name(difference->first, differ | 1U << TRAIT_RANKS | 1U << TRAIT_BYTES,
	                               forest->arena);

	text_add(out, "<g class=\"%s\" data-verdict=\"%s\">\n<text class=\"y\" x=\"%d\" y=\"%.2f\">",
	         LOOKS[difference->verdict], verdict_names[difference->verdict], LEFT - 8, y + 4);
	html_add_cut(out, name, LABEL_LETTERS);
	text_add(out, "<title>");
	html_add(out, name);
	text_add(out, "</title></text>\n");
	draw_ratio(forest, difference, y, out);
	text_add(out, "</g>\n");
}

static void draw_forest(struct forest *forest, const struct difference *rows, size_t count, unsigned differ,
                        struct text *out)
{
	double bottom = TOP + (double)count * ROW + 6;

	forest->frame = (struct plot_frame){LEFT, TOP, FIELD, bottom - TOP, &forest->ratio, NULL};
	draw_begin(out, rows->first->operation, WIDTH, bottom + BELOW);
	draw_ratio_axis(forest, bottom, out);
	for (size_t i = 0; i < count; i++)
		draw_row(forest, &rows[i], differ, TOP + ((double)i + 0.5) * ROW + 3, out);
	draw_end(out);
}

static unsigned differences_among(const struct difference *rows, size_t count, struct arena *arena)
{
	struct point_group group = {.points = arena_array(arena, const struct result_point *, count),
	                            .count = count};

	for (size_t i = 0; i < count; i++)
		group.points[i] = rows[i].first;
	return traits_that_differ(&group);
}

/* Rows from here that belong to one operation. */
static size_t same_operation(const struct differences *differences, size_t from)
{
	size_t to = from;

	while (to < differences->count &&
	       !strcmp(differences->at[to].first->operation, differences->at[from].first->operation))
		to++;
	return to - from;
}

static void draw_forests(const struct differences *differences, struct arena *arena, struct text *out)
{
	struct forest forest = {.of = differences, .ratio = ratio_axis(differences), .arena = arena};
	size_t count;

	text_add(out, "<div class=\"plots\">\n");
	for (size_t from = 0; from < differences->count; from += count) {
		unsigned differ;

		count = same_operation(differences, from);
		differ = differences_among(&differences->at[from], count, arena);
		for (size_t i = 0; i < count; i += ROWS_MAX)
			draw_forest(&forest, &differences->at[from + i],
			            count - i < ROWS_MAX ? count - i : ROWS_MAX, differ, out);
	}
	text_add(out, "</div>\n");
}

static void explain_signs(struct text *out)
{
	static const struct page_sign ENDS[] = {
		{"same", "<path class=\"interval\" d=\"M4 8H24M4 5v6M24 5v6\"/>", "interval of confidence"},
		{"same", "<rect class=\"band\" x=\"8\" y=\"0\" width=\"12\" height=\"16\"/>",
	         "too small to count"},
		{NULL, NULL, NULL}};
	struct page_sign signs[VERDICTS_END + sizeof(ENDS) / sizeof(*ENDS)];
	struct arena arena = {0};

	for (size_t i = 0; i < VERDICTS_END; i++)
		signs[i] = (struct page_sign){
			LOOKS[i],
			arena_format(&arena,
		                     "<path class=\"spot%s\" transform=\"translate(14 8)\" d=\"%s\"/>",
		                     i == VERDICT_UNSURE ? " doubtful" : "", SIGNS[i]),
			verdict_names[i]};
	memcpy(&signs[VERDICTS_END], ENDS, sizeof(ENDS));
	page_signs(signs, out);
	arena_release(&arena);
}

static void add_verdicts(const struct differences *differences, struct text *out)
{
	const char *between = "";

	text_add(out, "<p>");
	text_add_counted(out, differences->count, "point", "points");
	text_add(out, " in both: ");
	for (size_t i = 0; i < VERDICTS_END; i++) {
		if (differences->verdicts[i]) {
			text_add(out, "%s<b>%zu %s</b>", between, differences->verdicts[i], verdict_names[i]);
			between = ", ";
		}
	}
	text_add(
		out,
		".</p>\n<p class=\"faint\">A ratio above 1 is slower. Intervals are of %.4g %% confidence; what differs by up to "
		"%.4g %% does not count. Coloured is what is both larger than that and significant by "
		"the test of Mann and Whitney, corrected for the number of points (Holm).</p>\n",
		differences->how.confidence * 100, differences->how.threshold * 100);
	explain_signs(out);
}

static void add_changed_facts(const struct differences *differences, struct text *out)
{
	if (!differences->fact_count)
		return;
	text_add(out,
	         "<h2>Other circumstances</h2>\n<div class=\"scroll\"><table>\n<tr><th class=\"words\"></th>"
	         "<th class=\"words\">first</th><th class=\"words\">second</th></tr>\n");
	for (size_t i = 0; i < differences->fact_count; i++) {
		const struct fact_difference *fact = &differences->facts[i];

		text_add(out, "<tr><td class=\"words\">");
		html_add(out, fact->section);
		text_add(out, ": ");
		html_add(out, fact->name);
		text_add(out, "</td><td class=\"words long\">");
		html_add(out, fact->first ? fact->first : "");
		text_add(out, "</td><td class=\"words long\">");
		html_add(out, fact->second ? fact->second : "");
		text_add(out, "</td></tr>\n");
	}
	text_add(out, "</table></div>\n");
}

static void add_lonely(const struct result_point *const *points, size_t count, const char *file,
                       struct text *out)
{
	enum { SHOWN = 40 };

	if (!count)
		return;
	text_add(out, "<h3>Only in ");
	html_add(out, file);
	text_add(out, "</h3>\n<ul>\n");
	for (size_t i = 0; i < count && i < SHOWN; i++) {
		struct text name = {0};

		text_add_point_name(&name, points[i]);
		text_add(&name, ", ");
		text_add_size(&name, points[i]->bytes);
		text_add(&name, ", %d ranks", points[i]->ranks);
		page_tag(out, "li", text_get(&name));
		text_release(&name);
	}
	if (count > SHOWN)
		text_add(out, "<li>and %zu more</li>\n", count - SHOWN);
	text_add(out, "</ul>\n");
}

static void warn_of_single_jobs(const struct differences *differences, struct text *out)
{
	if (!differences->first_jobs)
		text_add(
			out,
			"<div class=\"care\"><p>Each side is one job, whose runs have much in common that the next job has "
			"not: where processes and memory came to lie, what else the machine did. Measure several jobs into a "
			"folder for each side to be sure of small differences.</p></div>\n");
}

static void add_jobs(size_t jobs, struct text *out)
{
	if (!jobs)
		return;
	text_add(out, " (medians of ");
	text_add_counted(out, jobs, "job", "jobs");
	text_add(out, ")");
}

static void add_file(struct text *out, const char *which, const char *name, const struct results *results)
{
	const char *library = results_find_fact(results, "mpi", "library");

	text_add(out, "<tr><td class=\"words\">%s</td><td class=\"words long\"><b>", which);
	html_add(out, name);
	text_add(out, "</b></td><td class=\"words long\">");
	html_add(out, library ? library : "");
	add_jobs(results->jobs, out);
	text_add(out, "%s</td></tr>\n", results->is_complete ? "" : " (not complete)");
}

void differences_page(const struct differences *differences, const struct results *first,
                      const struct results *second, const struct compared_names *names, struct text *out)
{
	struct arena arena = {0};

	page_begin("Compared with tarry bench", out);
	text_add(out, "<div class=\"scroll\"><table class=\"files\">\n");
	add_file(out, "first", names->first, first);
	add_file(out, "second", names->second, second);
	text_add(out, "</table></div>\n");
	if (differences->count) {
		add_verdicts(differences, out);
		warn_of_single_jobs(differences, out);
		draw_forests(differences, &arena, out);
	}
	memory_differences_page(&differences->memory, &arena, out);
	add_lonely(differences->only_first, differences->only_first_count, names->first, out);
	add_lonely(differences->only_second, differences->only_second_count, names->second, out);
	add_changed_facts(differences, out);
	page_end(out);
	arena_release(&arena);
}
