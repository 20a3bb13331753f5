/* Processes a trace in one of six ways and prints cost and results:
 *
 *	measure read TRACE            decode every event
 *	measure model TRACE           match messages and collective calls
 *	measure reference TRACE       wait states in hand-written C (reference.h)
 *	measure rules TRACE           the rules under --shipped, by the engine
 *	measure causes TRACE          causes of waits, without rules
 *	measure whatif TRACE          the run under four other conditions, without rules
 *
 * Prints JSON: cost from opening the trace to the results, totals of the wait states, and the findings. */
#include "analysis/causes/causes.h"
#include "analysis/engine/analysis.h"
#include "analysis/whatif/whatif.h"
#include "base/options.h"
#include "measured.h"
#include "reference.h"

#include <stdio.h>
#include <string.h>

enum { EPS_NS = 1000 };

static struct {
	const char *shipped;
	int64_t threads;
} chosen = {.threads = 1};

static const struct option_spec options[] = {
	{"shipped", 's', "FOLDER", "folder of the shipped rules", OPTION_TEXT, &chosen.shipped},
	{"threads", 't', "N", "of the engine (default: 1; 0: all cores)", OPTION_NUMBER, &chosen.threads},
	OPTIONS_END};

struct result {
	uint64_t calls;
	struct wait_total waits[WAIT_STATES];
	uint64_t findings, occurrences;
	int64_t total_ns;
};

static enum status read_all(struct reader *reader, struct result *result)
{
	for (size_t i = 0; i < reader->process_count; i++) {
		struct process *process = &reader->processes[i];
		for (size_t j = 0; j < process->stream_count; j++) {
			struct event_iter iter;
			struct event events[16];
			uint32_t count;
			reader_events(reader, &process->streams[j], &iter);
			while ((count = reader_next_many(&iter, events, 16)))
				result->calls += count;
		}
	}
	return OK;
}

static struct row_block *ignore_rows(void *context, const struct first_mentions *first,
                                     struct row_block *block)
{
	(void)context, (void)first;
	return block;
}

static enum status run_model(struct reader *reader, struct result *result)
{
	struct row_sink sink = {.wants = {[RELATION_TRANSFER] = true, [RELATION_COLLECTIVE_CALL] = true},
	                        .rows = ignore_rows};
	struct analysis_session *session = session_new(reader);
	struct replay_counts counts;

	relate(session, &sink, &counts);
	result->calls = counts.events;
	session_free(session);
	return OK;
}

static void take_reference(const struct reference *reference, struct result *result)
{
	result->calls = reference->counts.events;
	memcpy(result->waits, reference->totals, sizeof result->waits);
	result->findings = reference->spot_count;
	for (size_t i = 0; i < reference->spot_room; i++) {
		result->occurrences += reference->spots[i].count;
		result->total_ns += reference->spots[i].total_ns;
	}
}

static enum status run_reference(struct reader *reader, struct result *result)
{
	struct analysis_session *session = session_new(reader);
	struct reference reference = {.eps_ns = EPS_NS};

	reference_run(session, &reference);
	if (reference.counts.violations) {
		session_correct_time(session);
		reference_release(&reference);
		reference_run(session, &reference);
	}
	session_free(session);
	take_reference(&reference, result);
	reference_release(&reference);
	return OK;
}

static int state_of(const struct problem *problem)
{
	int state = 0;

	while (state < WAIT_STATES && strcmp(wait_state_names[state], problem->id) != 0)
		state++;
	return state;
}

static void take_analysis(const struct analysis *analysis, struct result *result)
{
	result->calls = analysis->counts.events;
	for (size_t i = 0; i < analysis->book->problem_count; i++) {
		const struct metric *metric = &analysis->metrics[i];
		int state = state_of(metric->problem);
		if (state < WAIT_STATES && metric->problem->is_metric)
			result->waits[state] = (struct wait_total){metric->count, (uint64_t)metric->total_ns};
	}
	for (size_t i = 0; i < analysis->finding_count; i++) {
		const struct finding *finding = &analysis->findings[i];
		result->findings++;
		result->occurrences += finding->count;
		result->total_ns += finding->total_ns;
	}
}

static enum status run_rules(struct reader *reader, struct result *result)
{
	struct rule_options rules = {.shipped = chosen.shipped, .without_tests = true};
	struct analysis_options wish = {.jobs = (unsigned)chosen.threads};
	struct analysis *analysis;
	struct rulebook *book;

	TRY(rulebook_load(&rules, &book));
	TRY(analyze(reader, book, &wish, &analysis));
	take_analysis(analysis, result);
	analysis_free(analysis);
	rulebook_free(book);
	return OK;
}

static enum status run_causes(struct reader *reader, struct result *result)
{
	struct analysis_session *session = session_new(reader);
	struct causes *causes;

	session->parameters.eps_ns = EPS_NS;
	causes = causes_new(session, &(struct causes_options){0});
	result->calls = causes_calls(causes);
	causes_free(causes);
	session_free(session);
	return OK;
}

static enum status run_whatif(struct reader *reader, struct result *result)
{
	static const struct whatif_scenario scenarios[] = {
		{.factors = {0, 0, 1}, .eager = EAGER_RECORDED},
		{.factors = {0.5, 1, 1}, .eager = EAGER_RECORDED},
		{.factors = FACTORS_RECORDED, .eager = EAGER_RECORDED, .is_balanced = true},
		{.factors = FACTORS_RECORDED, .eager = INT64_MAX}};
	struct analysis_session *session = session_new(reader);
	struct whatif *whatif = whatif_new(
		session, &(struct whatif_options){.scenarios = scenarios,
	                                          .count = sizeof scenarios / sizeof *scenarios,
	                                          .uses_threads = chosen.threads != 1});

	result->calls = whatif->calls;
	whatif_free(whatif);
	session_free(session);
	return OK;
}

static const struct {
	const char *name;
	enum status (*run)(struct reader *reader, struct result *result);
} ways[] = {{"read", read_all},   {"model", run_model},   {"reference", run_reference},
            {"rules", run_rules}, {"causes", run_causes}, {"whatif", run_whatif}};

static enum status go(const char *name, const char *path, struct result *result)
{
	struct reader *reader;

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		if (strcmp(ways[i].name, name) != 0)
			continue;
		TRY(reader_open(path, &reader));
		TRY(ways[i].run(reader, result));
		reader_close(reader);
		return OK;
	}
	return fail("unknown mode '%s': take read, model, reference, rules, causes or whatif", name);
}

static void print_result(const struct result *result, const struct measured *measured)
{
	printf("{\"calls\": %llu, \"waits\": {", (unsigned long long)result->calls);
	for (int i = 0; i < WAIT_STATES; i++)
		printf("%s\"%s\": {\"occurrences\": %llu, \"total_ns\": %llu}", i ? ", " : "",
		       wait_state_names[i], (unsigned long long)result->waits[i].occurrences,
		       (unsigned long long)result->waits[i].total_ns);
	printf("}, \"findings\": {\"places\": %llu, \"occurrences\": %llu, \"total_ns\": %lld}, ",
	       (unsigned long long)result->findings, (unsigned long long)result->occurrences,
	       (long long)result->total_ns);
	measure_print(measured);
	printf("}\n");
}

static enum status run(int argc, char **argv)
{
	struct result result = {0};
	struct operands operands;
	struct measured measured;

	TRY(options_parse(options, OPTIONS_ANYWHERE, argc - 1, argv + 1, &operands));
	if (operands.count != 2)
		return fail(
			"usage: measure read|model|reference|rules|causes TRACE [--shipped FOLDER] [--threads N]");
	measured = measure_begin();
	TRY(go(operands.at[0], operands.at[1], &result));
	measure_end(&measured);
	print_result(&result, &measured);
	return OK;
}

int main(int argc, char **argv)
{
	if (run(argc, argv) == OK)
		return 0;
	fprintf(stderr, "measure: %s\n", trail_text());
	return 1;
}
