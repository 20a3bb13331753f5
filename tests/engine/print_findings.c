/* Prints the findings of an analysis, for tests to read:
 *
 *	finding ID RANK LINE PARTNER_LINE OCCURRENCES TOTAL_NS LARGEST_NS
 *	metric ID OCCURRENCES TOTAL_NS
 *	problem ID OCCURRENCES TOTAL_NS
 *	run length=NS time=NS events=N messages=N
 *	note TEXT
 *
 * LINE is the offset of the call's site, which is a line where the trace has SOURCE records; PARTNER_LINE is
 * '-' where a finding has none. */
#include "analysis/engine/analysis.h"
#include "base/options.h"

#include <stdio.h>

static struct {
	const char *rules, *shipped;
	int64_t threads;
	bool passes;
} chosen = {.threads = 1};

static const struct option_spec options[] = {
	{"rules", 'r', "FILE", "these rules and no others", OPTION_TEXT, &chosen.rules},
	{"shipped", 's', "FOLDER", "where the shipped rules are", OPTION_TEXT, &chosen.shipped},
	{"threads", 't', "N", "that work", OPTION_NUMBER, &chosen.threads},
	{"passes", 'p', NULL, "also look for causes and figures", OPTION_FLAG, &chosen.passes},
	OPTIONS_END};

static enum status load(struct rulebook **book)
{
	const char *files[] = {chosen.rules, NULL};
	struct rule_options wish = {
		.shipped = chosen.shipped, .files = files, .without_shipped = chosen.rules != NULL};

	return rulebook_load(&wish, book);
}

static void print_finding(const struct analysis *analysis, const struct finding *finding)
{
	printf("finding %s %u %llu ", finding->problem->id,
	       analysis->reader->processes[finding->at.process].rank,
	       (unsigned long long)finding->at.call->outline->offset);
	if (finding->has_partner)
		printf("%llu", (unsigned long long)finding->partner.call->outline->offset);
	else
		printf("-");
	printf(" %llu %lld %lld\n", (unsigned long long)finding->count, (long long)finding->total_ns,
	       (long long)finding->max_ns);
}

static void print_analysis(const struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->finding_count; i++)
		print_finding(analysis, &analysis->findings[i]);
	for (size_t i = 0; i < analysis->book->problem_count; i++) {
		const struct metric *metric = &analysis->metrics[i];
		printf("%s %s %llu %lld\n", metric->problem->is_metric ? "metric" : "problem",
		       metric->problem->id, (unsigned long long)metric->count, (long long)metric->total_ns);
	}
	printf("run length=%lld time=%lld events=%llu messages=%llu\n",
	       (long long)analysis->run_figures[RUN_LENGTH], (long long)analysis->run_figures[RUN_TIME],
	       (unsigned long long)analysis->counts.events, (unsigned long long)analysis->counts.messages);
	for (size_t i = 0; i < analysis->note_count; i++)
		printf("note %s\n", analysis->notes[i]);
}

static enum status run(int argc, char **argv)
{
	struct operands operands;
	struct rulebook *book;
	struct reader *reader;
	struct analysis *analysis;
	enum status status;

	TRY(options_parse(options, OPTIONS_ANYWHERE, argc - 1, argv + 1, &operands));
	if (operands.count != 1)
		return fail(
			"usage: print-findings TRACE [--rules FILE] [--shipped FOLDER] [--threads N] [--passes]");
	TRY(load(&book));
	TRY(reader_open(operands.at[0], &reader));
	status = analyze(reader, book,
	                 &(struct analysis_options){.jobs = (unsigned)chosen.threads,
	                                            .causes = chosen.passes,
	                                            .figures = chosen.passes},
	                 &analysis);
	if (status == OK) {
		print_analysis(analysis);
		analysis_free(analysis);
	}
	reader_close(reader);
	rulebook_free(book);
	return status;
}

int main(int argc, char **argv)
{
	if (run(argc, argv) == OK)
		return 0;
	fprintf(stderr, "%s\n", trail_text());
	return 1;
}
