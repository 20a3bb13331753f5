#include "bench/results/html.h"
#include "bench/results/output.h"
#include "bench/results/page_parts.h"

#include <string.h>

static const char *title_of(const struct results *results, struct arena *arena)
{
	const char *library = results_find_fact(results, "mpi", "library");

	return library ? arena_format(arena, "Measured with tarry bench: %s", library)
	               : "Measured with tarry bench";
}

static unsigned all_marks(const struct results *results)
{
	unsigned marks = 0;

	for (size_t i = 0; i < results->point_count; i++)
		marks |= results->points[i].marks;
	return marks;
}

static void add_cares(const struct results *results, struct text *out)
{
	unsigned marks = all_marks(results);

	if (!results->is_complete) {
		text_add(out, "<div class=\"care trouble\"><p>Not complete: the job ended early%s",
		         results->trouble ? ": " : "");
		html_add(out, results->trouble ? results->trouble : "");
		text_add(out, ".</p></div>\n");
	}
	if (marks) {
		text_add(
			out,
			"<div class=\"care\"><p>Some points are to be taken with care; plots show them hollow:</p>\n");
		page_marks(marks, out);
		text_add(out, "</div>\n");
	}
}

static void add_summary(const struct results *results, struct text *out)
{
	static const char *const FACTS[][2] = {{"machine", "hosts"},
	                                       {"mpi", "processes"},
	                                       {"machine", "processor"},
	                                       {"machine", "kernel"},
	                                       {"job", "start"}};
	const char *between = "<p>";

	for (size_t i = 0; i < sizeof(FACTS) / sizeof(*FACTS); i++) {
		const char *value = results_find_fact(results, FACTS[i][0], FACTS[i][1]);

		if (!value)
			continue;
		text_add(out, "%s<span class=\"faint\">%s</span> ", between, FACTS[i][1]);
		html_add(out, value);
		between = " · ";
	}
	text_add(out, "%s\n", *between == '<' ? "" : "</p>");
}

static void explain(struct text *out)
{
	static const struct page_sign SIGNS[] = {
		{"s0",
	         "<path class=\"interval\" d=\"M14 1V15m-3 0h6M11 1h6\"/><path class=\"spot\" "
	         "d=\"M10.5 8a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z\"/>",
	         "mean with its interval of confidence; of a process, its shortest and longest time"},
		{"s0", "<path class=\"spot doubtful\" d=\"M10.5 8a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z\"/>",
	         "to be taken with care"},
		{"s0",
	         "<rect class=\"box\" x=\"8\" y=\"4\" width=\"12\" height=\"8\"/><path class=\"interval\" "
	         "d=\"M14 4V0M14 12V16\"/><line class=\"median\" x1=\"8\" y1=\"8\" x2=\"20\" y2=\"8\"/>",
	         "median, half of the runs, nine of ten"},
		{"s0", "<path class=\"beyond\" d=\"M14 4l4 7h-8z\"/>", "runs beyond the edge"},
		{NULL, NULL, NULL}};

	text_add(
		out,
		"<p class=\"faint\">Times are trimmed means over right runs; the time of a run is that of the process that "
		"took longest. A click on the name of a series, or Enter, hides it.</p>\n");
	page_signs(SIGNS, out);
}

static void add_contents(const struct point_groups *operations, struct text *out)
{
	text_add(out, "<nav>\n");
	for (size_t i = 0; i < operations->count; i++) {
		text_add(out, "<a href=\"#operation-%zu\">", i);
		html_add(out, operations->at[i].points[0]->operation);
		text_add(out, "</a>\n");
	}
	text_add(out, "<a href=\"#circumstances\">circumstances</a>\n</nav>\n");
}

static void add_operation(const struct point_group *operation, size_t number, struct arena *arena,
                          struct text *out)
{
	text_add(out, "<section id=\"operation-%zu\">\n", number);
	page_tag(out, "h2", operation->points[0]->operation);
	page_plots(operation, arena, out);
	page_histograms(operation, arena, out);
	page_table(operation, arena, out);
	text_add(out, "</section>\n");
}

static void add_omissions(const struct results *results, struct text *out)
{
	if (!results->omissions)
		return;
	text_add(out, "<section>\n<h2>Not measured</h2>\n<ul>\n");
	for (const struct omission *omission = results->omissions; omission; omission = omission->next) {
		text_add(out, "<li><b>");
		html_add(out, omission->operation);
		text_add(out, "</b>: ");
		html_add(out, omission->reason);
		text_add(out, "</li>\n");
	}
	text_add(out, "</ul>\n</section>\n");
}

static void add_self_tests(const struct results *results, struct text *out)
{
	for (const struct fact *fact = results->facts; fact; fact = fact->next) {
		if (strcmp(fact->section, "self-tests") == 0) {
			text_add(
				out,
				"<section>\n<h2>Self-tests</h2>\n<p class=\"faint\">Operations whose true times are known: "
				"what is measured of them shows how far all other numbers can be trusted.</p>\n");
			page_facts(results, "self-tests", out);
			text_add(out, "</section>\n");
			return;
		}
	}
}

void results_page(const struct results *results, struct text *out)
{
	struct arena arena = {0};
	struct point_groups operations = group_by_operation(results, &arena);

	page_begin(title_of(results, &arena), out);
	add_summary(results, out);
	add_cares(results, out);
	if (operations.count)
		explain(out);
	add_contents(&operations, out);
	if (!operations.count && !results->memory_count)
		text_add(out, "<p>Nothing was measured.</p>\n");
	for (size_t i = 0; i < operations.count; i++)
		add_operation(&operations.at[i], i, &arena, out);
	page_memory(results, &arena, out);
	add_omissions(results, out);
	add_self_tests(results, out);
	text_add(
		out,
		"<section id=\"circumstances\">\n<h2>Circumstances</h2>\n<details><summary>Library, machine, "
		"parameters</summary>\n");
	page_facts(results, NULL, out);
	text_add(out, "</details></section>\n");
	page_end(out);
	arena_release(&arena);
}
