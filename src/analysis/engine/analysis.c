#include "analysis/engine/analysis.h"

#include "analysis/engine/compile.h"
#include "analysis/engine/estimates.h"
#include "analysis/engine/findings.h"
#include "analysis/engine/partitions.h"
#include "analysis/engine/run_figures.h"
#include "analysis/model/eager.h"
#include "analysis/model/marks.h"
#include "analysis/model/processes.h"
#include "analysis/model/relations.h"
#include "analysis/rules/types.h"
#include "base/memory.h"
#include "calls/calls.h"

#include <stdlib.h>
#include <string.h>

/* One pass over the trace. */
struct analysis_pass {
	struct analysis *analysis;
	const struct analysis_wish *wish;
	struct rule_symbols *symbols;
	struct engine engine;
	struct rule_partitions *partitions;
	struct estimates *estimates;
	struct work_limits polls, repeats;
	uint32_t phase_count; /* of which the names are known */
};

/* Rules */

static void engine_init(struct engine *engine, struct analysis_pass *pass)
{
	engine->book = pass->analysis->book;
	engine->lang = pass->wish->lang;
	engine->context = pass->symbols;
	engine->text_number = rule_symbols_text;
	engine->function_number = rule_symbols_function;
	engine->region = rule_symbols_region;
	engine->estimate = rule_symbols_estimate;
	engine->nowhere = rule_symbols_nowhere(&engine->arena);
	for (uint32_t i = 0; i < RUN_FIGURES_END; i++)
		engine->run_figures[i] = pass->analysis->run_figures[i];
	engine->surveys = pass->analysis->surveys;
	for (size_t i = 0; i < pass->analysis->reader->process_count; i++)
		engine->has_threads |= pass->analysis->reader->processes[i].stream_count > 1;
	engine->answers = graph_new();
	engine->answer_space = space_new(engine->answers, "distinct calls");
	engine->answer_facts = node_column(engine->answer_space, 0, false);
	for (uint32_t i = 0; i < RELATIONS_END; i++) {
		batch_init(&engine->batches[i], (enum relation)i);
		engine->batches[i].context = pass->partitions;
		engine->batches[i].run = partitions_run;
		engine->batches[i].facts = &engine->facts_of;
		engine->batches[i].texts = pass->symbols;
		engine->batches[i].number_of_text = rule_symbols_text;
	}
}

static void engine_release(struct engine *engine)
{
	for (uint32_t i = 0; i < RELATIONS_END; i++)
		batch_release(&engine->batches[i]);
	fact_plan_release(&engine->facts);
	fact_table_release(&engine->facts_of);
	graph_free(engine->answers);
	arena_release(&engine->arena);
}

/* Rows */

/* Rules do not see sites of local calls. */
static void take_sites(struct analysis_pass *pass, const struct row_block *block)
{
	struct batch *batch = &pass->engine.batches[RELATION_SITE];
	const struct site_sum *sites = block_rows(block);

	for (uint32_t i = 0; i < block->rows; i++)
		if (batch->is_used && !sites[i].is_local)
			batch_add(batch, NULL, &sites[i], 1);
}

static struct row_block *take_rows(void *context, const struct first_mentions *first, struct row_block *block)
{
	struct analysis_pass *pass = context;

	for (uint32_t i = 0; i < first->call_count; i++)
		rule_symbols_add_facts(pass->symbols, &pass->engine, first->calls[i]);
	for (uint32_t i = 0; i < first->phase_count; i++)
		rule_symbols_region_begun(pass->symbols, ++pass->phase_count, first->phases[i]);
	if (block->relation == RELATION_TRANSFER && pass->estimates)
		estimates_add(pass->estimates, block);
	if (block->relation != RELATION_SITE)
		return batch_take(&pass->engine.batches[block->relation], block);
	take_sites(pass, block);
	return block;
}

/* Blocks refer to distinct calls: all are worked on before those are gone. */
static void end_rows(void *context)
{
	struct analysis_pass *pass = context;

	for (uint32_t i = 0; i < RELATIONS_END; i++)
		batch_finish(&pass->engine.batches[i]);
	partitions_catch_up(pass->partitions);
}

static struct row_sink sink_of(struct analysis_pass *pass)
{
	struct row_sink sink = {.context = pass,
	                        .functions = pass->engine.called,
	                        .in_order = pass->engine.is_ordered,
	                        .polls = pass->polls,
	                        .repeats = pass->repeats,
	                        .rows = take_rows,
	                        .end = end_rows,
	                        .progress = pass->wish->progress};

	for (uint32_t i = 0; i < RELATIONS_END; i++)
		sink.wants[i] = pass->engine.batches[i].is_used;
	return sink;
}

/* A pass */

static void measure_before(struct analysis_pass *pass)
{
	struct analysis *analysis = pass->analysis;

	figures_at_once(pass->symbols, analysis->time, analysis->run_figures);
	run_windows_free(analysis->windows);
	analysis->windows = run_windows_new(analysis->reader, analysis->time,
	                                    figure_is_asked_for(analysis->book, RUN_CALLS) ||
	                                            (pass->wish->calls && !pass->wish->figures));
	analysis->run_figures[RUN_LENGTH] = (double)analysis->windows->length_ns;
	analysis->run_figures[RUN_TIME] = (double)analysis->windows->time_ns;
	analysis->run_figures[RUN_CALLS] = (double)analysis->windows->calls;
}

static void measure_after(struct analysis_pass *pass)
{
	struct analysis *analysis = pass->analysis;

	if (!pass->wish->calls && !pass->wish->figures)
		analysis->run_figures[RUN_CALLS] = (double)analysis->counts.events;
	analysis->crowding = most_crowded(analysis->reader, pass->symbols->nodes);
	analysis->steal = steal_of(analysis->reader, pass->symbols->nodes);
}

/* A parameter of the rules by which the user knows better; `otherwise`: there is none. */
static double given(const struct analysis_pass *pass, const char *name, struct type type, double otherwise)
{
	const struct scope scope = {.partition = pass->partitions->all[0]};
	const struct rulebook *book = pass->analysis->book;

	for (size_t i = 0; i < book->setting_count; i++) {
		const struct expr *value = book->settings[i]->value;
		const struct node *node;
		if (strcmp(book->settings[i]->name, name) != 0 || !types_agree(value->type, type))
			continue;
		node = compile(value, &scope);
		return !node ? otherwise : node->is_real ? node->value.r : (double)node->value.i;
	}
	return otherwise;
}

static struct work_limits limits_of(const struct analysis_pass *pass, const char *gap, const char *part)
{
	const struct type time = {.base = TYPE_NUMBER, .seconds = 1}, number = {.base = TYPE_NUMBER};

	return (struct work_limits){.gap_ns = (int64_t)given(pass, gap, time, 0),
	                            .part = given(pass, part, number, 0)};
}

static void begin_estimates(struct analysis_pass *pass)
{
	struct type rate = {.base = TYPE_NUMBER, .seconds = -1, .bytes = 1};
	struct type time = {.base = TYPE_NUMBER, .seconds = 1};
	struct network_link known = {.latency = given(pass, "latency", time, 0),
	                             .rate = given(pass, "bandwidth", rate, 0)};

	if (!pass->engine.has_estimates)
		return;
	pass->estimates = estimates_new(pass->symbols->nodes, known, &pass->engine.facts_of,
	                                fact_slot(&pass->engine.facts, FACT_BYTES, 0));
	pass->symbols->estimates = pass->estimates;
}

static enum status pass_begin(struct analysis_pass *pass, const struct analysis_wish *wish,
                              struct analysis *analysis)
{
	const struct fact_plan *facts = &pass->engine.facts;

	*pass = (struct analysis_pass){.analysis = analysis, .wish = wish};
	pass->symbols = rule_symbols_new(analysis->reader);
	pass->symbols->source = pass->symbols->places.source = wish->source;
	pass->symbols->book = analysis->book;
	pass->symbols->lang = wish->lang;
	measure_before(pass);
	pass->partitions = partitions_new(wish->threads);
	engine_init(&pass->engine, pass);
	TRY(partitions_compile(pass->partitions, &pass->engine));
	begin_estimates(pass);
	/* Delays depend on them as well: a process that works between tests is late if it loses its processor there. */
	pass->polls = limits_of(pass, "poll_gap", "poll_part");
	pass->repeats = limits_of(pass, "repeat_gap", "repeat_part");
	if (facts->common.count > FACT_SLOTS || facts->loose.count > FACT_SLOTS ||
	    facts->own.count > FACT_SLOTS)
		return fail(
			"the rules ask for more than %d different things of a call; load fewer of them at a time",
			FACT_SLOTS);
	rule_symbols_derive_nowhere(&pass->engine);
	return OK;
}

/* The user's eager limit replaces that of the trace. */
static void take_eager_limit(struct analysis_pass *pass)
{
	const struct type bytes = {.base = TYPE_NUMBER, .bytes = 1};
	const double limit = given(pass, "eager", bytes, -1);

	if (limit >= 0)
		nodes_set_eager(pass->symbols->nodes, limit < (double)INT64_MAX ? (int64_t)limit : INT64_MAX);
}

static bool asks_for_eager_limit(const struct fact_plan *facts)
{
	for (uint32_t i = 0; i < facts->common.count; i++)
		if (facts->common.slots[i].kind == FACT_EAGER)
			return true;
	return false;
}

/* What has to be known of the whole trace before: delays pass through sends that wait for their receivers. */
static void replay_before(struct analysis_pass *pass)
{
	struct analysis *analysis = pass->analysis;
	struct nodes *nodes = pass->symbols->nodes;
	bool needs_delays = !analysis->delays && pass->engine.wants_delays &&
	                    propagated_delays_are_needed(analysis->reader);

	take_eager_limit(pass);
	if ((needs_delays || asks_for_eager_limit(&pass->engine.facts)) && eager_is_unknown(nodes) &&
	    paradigm_of(analysis->reader) != PARADIGM_UPC)
		eager_infer(analysis->reader, analysis->time, nodes);
	if (needs_delays)
		analysis->delays = propagated_delays_new(analysis->reader, analysis->time, nodes, pass->polls,
		                                         pass->wish->progress);
}

static void pass_run(struct analysis_pass *pass)
{
	struct analysis *analysis = pass->analysis;
	struct row_sink sink = sink_of(pass);

	replay_before(pass);
	pass->symbols->delays = analysis->delays;
	pass->engine.delay = analysis->delays ? rule_symbols_delay : NULL;
	pass->engine.waited_delay = rule_symbols_waited_delay;
	pass->engine.exit_delay = rule_symbols_exit_delay;
	pass->symbols->start_ns = &analysis->counts.start_ns;
	if (pass->estimates) {
		pass->estimates->delays = analysis->delays;
		pass->estimates->start_ns = &analysis->counts.start_ns;
	}
	partitions_start(pass->partitions);
	relate(analysis->reader, analysis->time, &sink, &analysis->counts);
	/* Not before the model has given up what it kept: to end what rules put together takes memory too. */
	partitions_finish(pass->partitions);
}

static void pass_end(struct analysis_pass *pass)
{
	partitions_free(pass->partitions);
	engine_release(&pass->engine);
	estimates_free(pass->estimates);
	rule_symbols_free(pass->symbols);
}

static bool needs_mending(const struct analysis *analysis)
{
	return analysis->counts.violations && !analysis->time->passes;
}

static void mend_time(struct analysis *analysis, const struct analysis_wish *wish)
{
	corrected_time_free(analysis->time);
	propagated_delays_free(analysis->delays);
	analysis->delays = NULL;
	analysis->time = corrected_time_new(analysis->reader, wish->progress);
}

/* Effects came before their causes, or only now it is seen that there are delays: all is to be done again. */
static bool was_mistaken(const struct analysis_pass *pass)
{
	const struct analysis *analysis = pass->analysis;

	return needs_mending(analysis) || (pass->engine.wants_delays && !analysis->delays &&
	                                   propagated_delays_are_needed(analysis->reader));
}

static enum status make_pass(struct analysis *analysis, const struct analysis_wish *wish, bool *again)
{
	struct analysis_pass pass;
	enum status status = pass_begin(&pass, wish, analysis);

	*again = false;
	if (status == OK) {
		pass_run(&pass);
		*again = was_mistaken(&pass);
		if (!*again) {
			measure_after(&pass);
			estimates_fit(pass.estimates);
			findings_take(pass.partitions, pass.symbols, analysis);
		}
	}
	pass_end(&pass);
	return status;
}

/* Passes of their own, before what depends on them: surveys are metrics, which a book without anything else finds. */
static enum status make_surveys(struct analysis *analysis, const struct analysis_wish *wish)
{
	struct analysis_wish plain = {
		.threads = wish->threads, .progress = wish->progress, .source = wish->source};
	struct rulebook book = *analysis->book;
	struct analysis *found;
	bool any = false;

	for (size_t i = 0; i < book.survey_count; i++)
		any |= survey_concerns(book.surveys[i], analysis->reader);
	if (!any)
		return OK;
	book.problems = book.surveys;
	book.problem_count = book.survey_count;
	book.survey_count = 0;
	TRY(analyze(analysis->reader, &book, &plain, &found));
	analysis->surveys = arena_array(&analysis->arena, struct surveyed, book.problem_count);
	for (size_t i = 0; i < book.problem_count; i++)
		analysis->surveys[i] = (struct surveyed){found->metrics[i].count == 1,
		                                         found->metrics[i].total_ns};
	/* Both took passes over the trace: the time may have been corrected. */
	corrected_time_free(analysis->time);
	analysis->time = found->time;
	analysis->delays = found->delays;
	found->time = NULL;
	found->delays = NULL;
	analysis_free(found);
	return OK;
}

/* Most traces have no effect before its cause, as their clocks show it: they need no more than one pass. */
enum status analyze(struct reader *reader, const struct rulebook *book, const struct analysis_wish *wish,
                    struct analysis **made)
{
	struct analysis *analysis = memory_new(1, sizeof *analysis);
	enum status status;
	bool again;

	memory_map_large();
	analysis->book = book;
	analysis->reader = reader;
	analysis->lang = wish->lang;
	analysis->time = corrected_time_by_clocks(reader);
	status = make_surveys(analysis, wish);
	while (status == OK) {
		status = make_pass(analysis, wish, &again);
		if (status == OK && needs_mending(analysis))
			mend_time(analysis, wish);
		if (!again)
			break;
	}
	if (status != OK) {
		analysis_free(analysis);
		return FAILED;
	}
	*made = analysis;
	return OK;
}

void analysis_add_figures(struct analysis *analysis, const struct analysis_wish *wish)
{
	if (!wish->figures && !(wish->calls && has_phases(analysis->reader)))
		return;
	analysis->figures = figures_new(analysis->reader, analysis->time, wish->progress);
	analysis->run_figures[RUN_CALLS] = (double)analysis->figures->calls;
}

void analysis_free(struct analysis *analysis)
{
	if (!analysis)
		return;
	if (analysis->time)
		corrected_time_free(analysis->time);
	propagated_delays_free(analysis->delays);
	for (size_t i = 0; i < analysis->finding_count; i++)
		histogram_release(&analysis->findings[i].histogram);
	free(analysis->findings);
	run_windows_free(analysis->windows);
	figures_free(analysis->figures);
	arena_release(&analysis->arena);
	free(analysis);
}
