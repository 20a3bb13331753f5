#include "analysis/engine/analysis.h"

#include "analysis/causes/causes.h"
#include "analysis/engine/compile.h"
#include "analysis/engine/estimates.h"
#include "analysis/engine/findings.h"
#include "analysis/engine/partitions.h"
#include "analysis/engine/run_figures.h"
#include "analysis/engine/shared_rules.h"
#include "analysis/model/eager.h"
#include "analysis/model/marks.h"
#include "analysis/model/processes.h"
#include "analysis/model/recorded_part.h"
#include "analysis/model/relations.h"
#include "analysis/rules/types.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "calls/calls.h"

#include <stdlib.h>
#include <string.h>

/* Of the session, if it has peers. */
static void begin_step(const struct analysis_session *session, enum peers_step step)
{
	if (session->peers)
		peers_begin_step(session->peers, step);
}

/* Facts that passes need and provide. */
enum session_facts {
	HAS_SURVEYS = 1,      /* values of the surveys in the rules */
	HAS_RUN = 2,          /* the part of each process that counts as the run, and its figures */
	HAS_RULES = 4,        /* compiled rules, with the state of one evaluation */
	HAS_EAGER_LIMITS = 8, /* eager limits, as far as rules or delays need them */
	HAS_DELAYS = 16,      /* propagated delays, if rules need them and the trace has any */
	HAS_FINDINGS = 32,    /* computed with times in which no effect precedes its cause */
	HAS_CAUSES = 64,      /* causes of the waits, and the critical path */
	HAS_FIGURES = 128,    /* where the time went */
};

/* The passes of one analysis, and the rules that they evaluate. */
struct analysis_pass {
	struct analysis *analysis;
	struct analysis_session *session;
	const struct analysis_options *options;
	unsigned jobs;
	bool wants_figures;
	uint32_t known; /* enum session_facts */
	struct rule_symbols *symbols;
	struct engine engine;
	struct rule_partitions *partitions;
	struct estimates *estimates;
	uint32_t phase_count; /* of which the names are known */
	bool needs_all;       /* one session has to own all ranks */
};

static void engine_init(struct engine *engine, struct analysis_pass *pass)
{
	engine->book = pass->analysis->book;
	engine->lang = pass->options->lang;
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

static struct row_block *take_rows(void *context, const struct first_mentions *first, struct row_block *block)
{
	struct analysis_pass *pass = context;
	struct batch *batch;
	const struct site_sum *sites;

	for (uint32_t i = 0; i < first->call_count; i++)
		rule_symbols_add_facts(pass->symbols, &pass->engine, first->calls[i]);
	for (uint32_t i = 0; i < first->phase_count; i++)
		rule_symbols_region_begun(pass->symbols, ++pass->phase_count, first->phases[i].name);
	if (block->relation == RELATION_TRANSFER && pass->estimates)
		estimates_add(pass->estimates, block);
	if (block->relation != RELATION_SITE && !pass->engine.batches[block->relation].is_used)
		return block;
	if (block->relation != RELATION_SITE)
		return batch_take(&pass->engine.batches[block->relation], block);
	/* Rules do not see sites of local calls. */
	batch = &pass->engine.batches[RELATION_SITE];
	sites = block_rows(block);
	for (uint32_t i = 0; i < block->rows; i++)
		if (batch->is_used && !sites[i].is_local)
			batch_add(batch, NULL, &sites[i], 1);
	return block;
}

/* Blocks refer to distinct calls, so process all blocks before the calls are freed. */
static void end_rows(void *context)
{
	struct analysis_pass *pass = context;

	begin_step(pass->session, STEP_SUMS);
	if (pass->session->peers)
		shared_rows_finish(&(struct shared_rows_taker){.session = pass->session,
		                                               .symbols = pass->symbols,
		                                               .engine = &pass->engine,
		                                               .partitions = pass->partitions});
	else
		for (uint32_t i = 0; i < RELATIONS_END; i++)
			batch_finish(&pass->engine.batches[i]);
	partitions_catch_up(pass->partitions);
}

static struct row_sink sink_of(struct analysis_pass *pass)
{
	struct row_sink sink = {.context = pass,
	                        .functions = pass->engine.called,
	                        .in_order = pass->engine.is_ordered,
	                        .rows = take_rows,
	                        .end = end_rows};

	for (uint32_t i = 0; i < RELATIONS_END; i++)
		sink.wants[i] = pass->engine.batches[i].is_used &&
		                (!pass->session->peers || peers_lead(pass->session->peers) ||
		                 !relation_is_only_leaders((enum relation)i));
	return sink;
}

static enum status measure_run(struct analysis_pass *pass)
{
	struct analysis *analysis = pass->analysis;
	const struct run_spans *run = session_run_spans(pass->session);

	figures_at_once(pass->session, analysis->run_figures);
	analysis->run_figures[RUN_LENGTH] = (double)run->length_ns;
	analysis->run_figures[RUN_TIME] = (double)run->time_ns;
	analysis->run_figures[RUN_CALLS] = (double)(run->calls + summed_calls(analysis->reader));
	return OK;
}

/* A parameter of the rules with which the user overrides a measurement; `otherwise`: not given. */
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

static void share_parameters(struct analysis_pass *pass)
{
	const struct type time = {.base = TYPE_NUMBER, .seconds = 1}, number = {.base = TYPE_NUMBER};

	pass->session->parameters = (struct shared_parameters){
		.eps_ns = (int64_t)given(pass, "eps", time, 0),
		.polls = limits_of(pass, "poll_gap", "poll_part"),
		.repeats = limits_of(pass, "repeat_gap", "repeat_part"),
		.longest_part = given(pass, "longest_part", number, 0)};
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

/* One replay feeds the rules and the causes. Sessions that have peers replay a part of the ranks for the rules, but all of them for the causes. */
static bool finds_causes_with_rules(const struct analysis_pass *pass)
{
	return pass->options->causes && !pass->session->peers;
}

/* Figures are computed, and causes resolved, in other threads than the rules. */
static bool uses_more_threads(const struct analysis_pass *pass)
{
	return pass->jobs > 1 && (pass->options->causes || pass->wants_figures);
}

static enum status compile_rules(struct analysis_pass *pass)
{
	struct analysis *analysis = pass->analysis;
	const struct fact_plan *facts = &pass->engine.facts;

	pass->symbols = rule_symbols_new(analysis->reader, pass->session->nodes);
	pass->symbols->source = pass->symbols->places.source = pass->options->source;
	pass->symbols->book = analysis->book;
	pass->symbols->lang = pass->options->lang;
	pass->partitions = partitions_new(!uses_more_threads(pass) ? pass->jobs
	                                  : pass->jobs > 3         ? pass->jobs - 2
	                                                           : 1);
	engine_init(&pass->engine, pass);
	TRY(partitions_compile(pass->partitions, &pass->engine));
	begin_estimates(pass);
	share_parameters(pass);
	if (facts->common.count > FACT_SLOTS || facts->loose.count > FACT_SLOTS ||
	    facts->own.count > FACT_SLOTS)
		return fail(
			"the rules use more than %d different values of a call: load fewer rules at a time",
			FACT_SLOTS);
	rule_symbols_derive_nowhere(&pass->engine);
	if (!pass->session->peers)
		return OK;
	if (rules_divide(pass->partitions, pass->session->peers))
		shared_places_number(pass->session, &pass->symbols->places);
	else
		pass->needs_all = true;
	return OK;
}

static void release_rules(struct analysis_pass *pass)
{
	if (!pass->partitions)
		return;
	partitions_free(pass->partitions);
	engine_release(&pass->engine);
	estimates_free(pass->estimates);
	rule_symbols_free(pass->symbols);
	pass->partitions = NULL;
	pass->engine = (struct engine){0};
	pass->estimates = NULL;
	pass->symbols = NULL;
	pass->phase_count = 0;
	pass->known &= ~(uint32_t)HAS_RULES;
}

static bool delays_are_missing(const struct analysis_pass *pass)
{
	return !pass->session->delays && pass->engine.wants_delays &&
	       propagated_delays_are_needed(pass->session->reader);
}

static bool asks_for_eager_limit(const struct fact_plan *facts)
{
	for (uint32_t i = 0; i < facts->common.count; i++)
		if (facts->common.slots[i].kind == FACT_EAGER)
			return true;
	return false;
}

/* The user's eager limit replaces that of the trace. Delays pass through sends that wait for their receivers. */
static enum status find_eager_limits(struct analysis_pass *pass)
{
	const struct type bytes = {.base = TYPE_NUMBER, .bytes = 1};
	const double limit = given(pass, "eager", bytes, -1);
	struct nodes *nodes = pass->session->nodes;

	if (limit >= 0)
		nodes_set_eager(nodes, limit < (double)INT64_MAX ? (int64_t)limit : INT64_MAX);
	if (delays_are_missing(pass) || asks_for_eager_limit(&pass->engine.facts))
		eager_find(pass->session);
	return OK;
}

static enum status find_delays(struct analysis_pass *pass)
{
	pass->session->splits_sinks = pass->jobs > 1;
	if (delays_are_missing(pass))
		pass->session->delays = propagated_delays_new(pass->session);
	return OK;
}

/* `causes`: of the same replay; NULL: none. */
static void evaluate_rules(struct analysis_pass *pass, const struct causes *causes)
{
	struct analysis *analysis = pass->analysis;
	const struct propagated_delays *delays = pass->session->delays;
	struct row_sink sink = sink_of(pass);

	pass->symbols->delays = delays;
	pass->engine.delay = delays ? rule_symbols_delay : NULL;
	pass->engine.waited_delay = rule_symbols_waited_delay;
	pass->engine.exit_delay = rule_symbols_exit_delay;
	pass->symbols->start_ns = &analysis->counts.start_ns;
	if (pass->estimates) {
		pass->estimates->delays = delays;
		pass->estimates->start_ns = &analysis->counts.start_ns;
	}
	if (causes) {
		sink.second = causes_sink(causes);
		sink.ends_second = !pass->session->time->passes;
	}
	partitions_start(pass->partitions);
	begin_step(pass->session, STEP_REPLAY);
	relate(pass->session, &sink, &analysis->counts);
	/* Only after the model has freed its data, because closing the groups of rules takes memory, too. */
	partitions_finish(pass->partitions);
}

/* If calls have no events, their time looks like computing, and rules would report false findings. */
static void drop_findings(struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->finding_count; i++)
		histogram_release(&analysis->findings[i].histogram);
	analysis->finding_count = 0;
}

static bool anybody_waits(const struct analysis *analysis)
{
	size_t i = 0;

	while (i < analysis->finding_count && !analysis->findings[i].has_partner &&
	       analysis->findings[i].problem->remedy != REMEDY_NO_WAIT)
		i++;
	return i < analysis->finding_count;
}

static struct causes_options options_of_causes(const struct analysis_pass *pass)
{
	return (struct causes_options){.source = pass->options->source, .finds_path = true};
}

static enum status find_causes(struct analysis_pass *pass)
{
	const struct causes_options options = options_of_causes(pass);

	if (anybody_waits(pass->analysis))
		pass->analysis->causes = causes_new(pass->session, &options);
	return OK;
}

static enum status find_figures(struct analysis_pass *pass)
{
	struct analysis *analysis = pass->analysis;

	if (!pass->wants_figures)
		return OK;
	analysis->figures = figures_new(pass->session);
	analysis->run_figures[RUN_CALLS] = (double)analysis->figures->calls;
	return OK;
}

static void forget_causes_and_figures(struct analysis *analysis)
{
	causes_free(analysis->causes);
	figures_free(analysis->figures);
	analysis->causes = NULL;
	analysis->figures = NULL;
}

static void find_with_rules(struct analysis_pass *pass)
{
	const struct causes_options options = options_of_causes(pass);
	struct analysis *analysis = pass->analysis;

	if (finds_causes_with_rules(pass))
		analysis->causes = causes_begin(pass->session, &options, &analysis->counts);
	evaluate_rules(pass, analysis->causes);
}

enum { FIND_WAITS, FIND_FIGURES, FINDS_END };

static void find_one(void *context, size_t number)
{
	struct analysis_pass *pass = context;

	if (number == FIND_WAITS)
		find_with_rules(pass);
	else
		(void)find_figures(pass);
}

/* Causes are useful only if a process waits. */
static void finish_causes(struct analysis *analysis)
{
	if (anybody_waits(analysis)) {
		causes_finish(analysis->causes);
		return;
	}
	causes_free(analysis->causes);
	analysis->causes = NULL;
}

/* In most traces no effect precedes its cause, so one evaluation is enough. Otherwise the times are
 * corrected, everything that depends on them is computed again, and findings remain unknown. Causes and, with several jobs, figures are computed at the same
 * time. They need no findings, but are useful only if the times are correct. */
static enum status find_waits(struct analysis_pass *pass)
{
	struct analysis *analysis = pass->analysis;
	struct session_peers *peers = pass->session->peers;
	const bool at_once = uses_more_threads(pass);

	pass->session->splits_sinks = at_once;
	parallel_run(pass->jobs, at_once ? FINDS_END : FIND_WAITS + 1, find_one, pass);
	begin_step(pass->session, STEP_FINDINGS);
	if (peers)
		shared_counts_take(peers, &analysis->counts);
	if (peers && (analysis->counts.violations || analysis->counts.forced)) {
		pass->needs_all = true;
		return OK;
	}
	if (analysis->counts.violations && !pass->session->time->passes) {
		forget_causes_and_figures(analysis);
		session_correct_time(pass->session);
		pass->known = HAS_SURVEYS;
	} else {
		if (!pass->options->calls && !pass->options->figures)
			analysis->run_figures[RUN_CALLS] = (double)(analysis->counts.events +
			                                            summed_calls(analysis->reader));
		analysis->crowding = most_crowded(analysis->reader, pass->session->nodes);
		analysis->steal = steal_of(analysis->reader, pass->session->nodes);
		if (peers && pass->estimates)
			estimates_share(pass->estimates, peers);
		estimates_fit(pass->estimates);
		findings_take(pass->partitions, pass->symbols, analysis);
		analysis->estimates = pass->estimates;
		pass->estimates = NULL;
		if (peers && !shared_findings_take(peers, analysis))
			pass->needs_all = true;
		if (has_only_sums(analysis->reader))
			drop_findings(analysis);
		pass->known |= HAS_FINDINGS;
		if (at_once)
			pass->known |= HAS_FIGURES;
		if (finds_causes_with_rules(pass)) {
			pass->known |= HAS_CAUSES;
			finish_causes(analysis);
		}
	}
	release_rules(pass);
	begin_step(pass->session, STEP_PREPARE);
	return OK;
}

static enum status find_surveys(struct analysis_pass *pass);

/* The passes: each runs as soon as its result is needed and its inputs are available. find_waits() itself
 * reports whether it has findings. */
static const struct analysis_pass_kind {
	const char *title;
	uint32_t needs, provides;
	enum status (*run)(struct analysis_pass *pass);
} passes[] = {
	{"analysing", 0, HAS_SURVEYS, find_surveys},
	{"analysing", HAS_SURVEYS, HAS_RUN, measure_run},
	{"analysing", HAS_SURVEYS | HAS_RUN, HAS_RULES, compile_rules},
	{"analysing", HAS_RULES, HAS_EAGER_LIMITS, find_eager_limits},
	{"analysing", HAS_RULES | HAS_EAGER_LIMITS, HAS_DELAYS, find_delays},
	{"analysing", HAS_RULES | HAS_EAGER_LIMITS | HAS_DELAYS, HAS_FINDINGS, find_waits},
	{"looking for causes", HAS_FINDINGS, HAS_CAUSES, find_causes},
	{"adding up times", HAS_FINDINGS, HAS_FIGURES, find_figures},
};

/* The pass to run next for these facts. */
static const struct analysis_pass_kind *next_pass(const struct analysis_pass *pass, uint32_t wanted)
{
	const struct analysis_pass_kind *kind = passes;

	while (!(kind->provides & wanted & ~pass->known))
		kind++;
	return kind->needs & ~pass->known ? next_pass(pass, kind->needs) : kind;
}

static enum status run_passes(struct analysis_pass *pass, uint32_t wanted)
{
	const struct analysis_options *options = pass->options;
	const char *title = NULL;
	enum status status = OK;

	while (status == OK && !pass->needs_all && wanted & ~pass->known) {
		const struct analysis_pass_kind *kind = next_pass(pass, wanted);
		if (options->begin_pass && (!title || strcmp(title, kind->title) != 0))
			options->begin_pass(title = kind->title);
		status = kind->run(pass);
		if (kind->provides != HAS_FINDINGS)
			pass->known |= kind->provides;
	}
	release_rules(pass);
	return status;
}

static void release_findings(struct analysis *analysis)
{
	drop_findings(analysis);
	free(analysis->findings);
	estimates_free(analysis->estimates);
	arena_release(&analysis->arena);
}

/* Surveys are metrics; an analysis with only these metrics computes them in the same session. */
static enum status find_surveys(struct analysis_pass *pass)
{
	struct analysis_options plain = {.source = pass->options->source};
	struct rulebook book = *pass->analysis->book;
	struct analysis found = {.book = &book, .session = pass->session, .reader = pass->session->reader};
	struct analysis_pass surveys = {
		.analysis = &found, .session = pass->session, .options = &plain, .jobs = pass->jobs};
	struct analysis *analysis = pass->analysis;
	enum status status;
	bool any = false;

	for (size_t i = 0; i < book.survey_count; i++)
		any |= survey_concerns(book.surveys[i], analysis->reader);
	if (!any)
		return OK;
	book.problems = book.surveys;
	book.problem_count = book.survey_count;
	book.survey_count = 0;
	status = run_passes(&surveys, HAS_FINDINGS);
	pass->needs_all = surveys.needs_all;
	if (pass->needs_all) {
		release_findings(&found);
		return OK;
	}
	analysis->surveys = arena_array(&analysis->arena, struct surveyed, book.problem_count);
	for (size_t i = 0; status == OK && i < book.problem_count; i++)
		analysis->surveys[i] = (struct surveyed){found.metrics[i].count == 1,
		                                         found.metrics[i].total_ns};
	release_findings(&found);
	return status;
}

/* Makes the session own a part of the ranks. False: it must own all of them. */
static bool share(struct analysis_session *session, struct session_peers *peers)
{
	session_share(session, peers);
	begin_step(session, STEP_READ);
	reader_read_part(session->reader, session->owned.first, session->owned.end);
	if (peers_any(peers, !session_is_shareable(session)))
		return false;
	shared_calls_take(session);
	begin_step(session, STEP_FACTS);
	remote_facts_gather(session);
	begin_step(session, STEP_PREPARE);
	return true;
}

/* The part that sessions do together. After it, the leader continues alone. */
static enum status find_together(struct analysis_pass *pass, bool *is_done)
{
	enum status status = OK;

	*is_done = share(pass->session, pass->options->peers);
	if (*is_done)
		status = run_passes(pass, HAS_FINDINGS);
	*is_done &= !pass->needs_all;
	begin_step(pass->session, STEP_REST);
	session_unshare(pass->session);
	return status;
}

static struct analysis *analysis_new(struct reader *reader, const struct rulebook *book,
                                     const struct analysis_options *options)
{
	struct analysis *analysis = memory_new(1, sizeof *analysis);

	analysis->book = book;
	analysis->reader = reader;
	analysis->lang = options->lang;
	analysis->session = session_new(reader);
	analysis->session->progress = options->progress;
	return analysis;
}

static enum status finish_analysis(struct analysis_pass *pass, struct analysis **made)
{
	struct analysis *analysis = pass->analysis;

	if (run_passes(pass, HAS_FINDINGS | (pass->options->causes ? HAS_CAUSES : 0) | HAS_FIGURES) != OK) {
		analysis_free(analysis);
		return FAILED;
	}
	/* For a timeline. */
	analysis->session->splits_sinks = pass->jobs > 1;
	analysis->time = analysis->session->time;
	analysis->delays = analysis->session->delays;
	analysis->run = analysis->session->run;
	*made = analysis;
	return OK;
}

static struct analysis_pass pass_of(struct analysis *analysis, const struct analysis_options *options)
{
	return (struct analysis_pass){.analysis = analysis,
	                              .session = analysis->session,
	                              .options = options,
	                              .jobs = options->jobs ? options->jobs : parallel_cores()};
}

static enum status analyze_alone(struct reader *reader, const struct rulebook *book,
                                 const struct analysis_options *options, struct analysis **made)
{
	struct analysis *analysis;
	struct analysis_pass pass;

	reader_read_through(reader, options->jobs ? options->jobs : parallel_cores());
	analysis = analysis_new(reader, book, options);
	pass = pass_of(analysis, options);
	pass.wants_figures = options->figures || (options->calls && has_phases(reader));
	return finish_analysis(&pass, made);
}

/* NULL: the caller is not the leader, and has finished its part. */
static enum status analyze_together(struct reader *reader, const struct rulebook *book,
                                    const struct analysis_options *options, struct analysis **made)
{
	struct analysis *analysis = analysis_new(reader, book, options);
	struct analysis_pass pass = pass_of(analysis, options);
	bool is_done;

	*made = NULL;
	pass.jobs = 1;
	if (find_together(&pass, &is_done) != OK) {
		analysis_free(analysis);
		return FAILED;
	}
	if (!peers_lead(options->peers)) {
		analysis_free(analysis);
		return OK;
	}
	if (is_done) {
		pass.wants_figures = options->figures;
		return finish_analysis(&pass, made);
	}
	analysis_free(analysis);
	if (options->alone)
		options->alone();
	return analyze_alone(reader, book, options, made);
}

enum status analyze(struct reader *reader, const struct rulebook *book,
                    const struct analysis_options *options, struct analysis **made)
{
	memory_map_large();
	return options->peers && options->peers->count > 1 ? analyze_together(reader, book, options, made)
	                                                   : analyze_alone(reader, book, options, made);
}

void analysis_free(struct analysis *analysis)
{
	if (!analysis)
		return;
	release_findings(analysis);
	causes_free(analysis->causes);
	figures_free(analysis->figures);
	session_free(analysis->session);
	free(analysis);
}
