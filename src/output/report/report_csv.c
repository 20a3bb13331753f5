/* A table of the findings: a line each, the names of the columns first. */
#include "output/report/parts.h"

#include <inttypes.h>

static void add_seconds(struct text *out, int64_t ns)
{
	text_add(out, "%" PRId64 ".%09" PRId64, ns / 1000000000, ns % 1000000000);
}

/* Each adds the value of one column; nothing where there is none. */

static void add_pattern(struct report *report, const struct entry *entry, struct text *out)
{
	(void)report;
	text_add(out, "%s", entry->problem->id);
}

static void add_name(struct report *report, const struct entry *entry, struct text *out)
{
	text_add(out, "%s", problem_name(entry->problem, report->analysis->lang));
}

static void add_severity(struct report *report, const struct entry *entry, struct text *out)
{
	(void)report;
	text_add(out, "%s", gravity_names[entry->gravity]);
}

static void add_confidence(struct report *report, const struct entry *entry, struct text *out)
{
	(void)report;
	text_add(out, "%s", confidence_names[entry->problem->confidence]);
}

static void add_occurrences(struct report *report, const struct entry *entry, struct text *out)
{
	(void)report;
	text_add(out, "%" PRIu64, entry->count);
}

static void add_total(struct report *report, const struct entry *entry, struct text *out)
{
	(void)report;
	add_seconds(out, entry->total_ns);
}

static void add_mean(struct report *report, const struct entry *entry, struct text *out)
{
	(void)report;
	add_seconds(out, mean_ns(entry));
}

static void add_max(struct report *report, const struct entry *entry, struct text *out)
{
	(void)report;
	add_seconds(out, entry->max_ns);
}

static void add_share(struct report *report, const struct entry *entry, struct text *out)
{
	text_add(out, "%.6g", share_of_run(report, entry->total_ns));
}

static void add_processes(struct report *report, const struct entry *entry, struct text *out)
{
	add_rank_runs(report->analysis->reader, &entry->processes, SIZE_MAX, out);
}

static void add_nodes(struct report *report, const struct entry *entry, struct text *out)
{
	for (size_t i = 0; i < entry->nodes.count; i++)
		text_add(out, "%s%s", i ? " " : "", report->nodes->names[entry->nodes.at[i]]);
}

static void add_threads(struct report *report, const struct entry *entry, struct text *out)
{
	(void)report;
	for (size_t i = 0; i < entry->threads.count; i++)
		text_add(out, "%s%" PRIu32, i ? " " : "", entry->threads.at[i]);
}

static void add_file_of(const struct spot *spot, struct text *out)
{
	text_add(out, "%s", spot->where.file ? spot->where.file : "");
}

static void add_line_of(const struct spot *spot, struct text *out)
{
	if (spot->where.file)
		text_add(out, "%d", spot->where.line);
}

static void add_function_of(const struct spot *spot, struct text *out)
{
	const char *function = function_of(&spot->where);

	text_add(out, "%s", function ? function : "");
}

static void add_call(struct report *report, const struct entry *entry, struct text *out)
{
	(void)report;
	text_add(out, "%s", entry->at.call);
}

static void add_file(struct report *report, const struct entry *entry, struct text *out)
{
	(void)report;
	add_file_of(&entry->at, out);
}

static void add_line(struct report *report, const struct entry *entry, struct text *out)
{
	(void)report;
	add_line_of(&entry->at, out);
}

static void add_function(struct report *report, const struct entry *entry, struct text *out)
{
	(void)report;
	add_function_of(&entry->at, out);
}

static void add_path(struct report *report, const struct entry *entry, struct text *out)
{
	path_describe(report, &entry->worst->at, out);
}

static void add_partner_call(struct report *report, const struct entry *entry, struct text *out)
{
	(void)report;
	text_add(out, "%s", entry->partner_count ? entry->partners[0].at.call : "");
}

static void add_partner_file(struct report *report, const struct entry *entry, struct text *out)
{
	(void)report;
	if (entry->partner_count)
		add_file_of(&entry->partners[0].at, out);
}

static void add_partner_line(struct report *report, const struct entry *entry, struct text *out)
{
	(void)report;
	if (entry->partner_count)
		add_line_of(&entry->partners[0].at, out);
}

static void add_partner_function(struct report *report, const struct entry *entry, struct text *out)
{
	(void)report;
	if (entry->partner_count)
		add_function_of(&entry->partners[0].at, out);
}

static void add_partner_ranks(struct report *report, const struct entry *entry, struct text *out)
{
	add_rank_runs(report->analysis->reader, &entry->partner_processes, SIZE_MAX, out);
}

static void add_advice(struct report *report, const struct entry *entry, struct text *out)
{
	(void)report;
	text_add(out, "%s", entry->worst->advice);
}

static const struct {
	const char *name;
	void (*add)(struct report *report, const struct entry *entry, struct text *out);
} columns[] = {
	{"pattern", add_pattern},
	{"name", add_name},
	{"severity", add_severity},
	{"confidence", add_confidence},
	{"occurrences", add_occurrences},
	{"total_s", add_total},
	{"mean_s", add_mean},
	{"max_s", add_max},
	{"share", add_share},
	{"processes", add_processes},
	{"nodes", add_nodes},
	{"threads", add_threads},
	{"call", add_call},
	{"file", add_file},
	{"line", add_line},
	{"function", add_function},
	{"path", add_path},
	{"partner_call", add_partner_call},
	{"partner_file", add_partner_file},
	{"partner_line", add_partner_line},
	{"partner_function", add_partner_function},
	{"partner_ranks", add_partner_ranks},
	{"advice", add_advice},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

static void add_entry(struct report *report, const struct entry *entry, struct text *out)
{
	struct text value = {0};

	for (size_t i = 0; i < COLUMNS; i++) {
		columns[i].add(report, entry, &value);
		text_add_csv(out, text_get(&value));
		text_clear(&value);
		text_add(out, i + 1 < COLUMNS ? "," : "\n");
	}
	text_release(&value);
}

void report_csv(struct report *report, struct text *out)
{
	for (size_t i = 0; i < COLUMNS; i++)
		text_add(out, "%s%s", columns[i].name, i + 1 < COLUMNS ? "," : "\n");
	for (size_t i = 0; i < report->shown; i++)
		add_entry(report, &report->entries[i], out);
}
