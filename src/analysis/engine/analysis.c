#include "analysis/engine/analysis.h"

#include "analysis/engine/advice.h"
#include "analysis/engine/compile.h"
#include "analysis/engine/estimates.h"
#include "analysis/engine/figures.h"
#include "analysis/engine/findings.h"
#include "analysis/engine/parts.h"
#include "analysis/model/eager.h"
#include "analysis/rules/types.h"
#include "base/memory.h"
#include "calls/calls.h"

#include <stdlib.h>
#include <string.h>

/* One pass over the trace. */
struct pass {
	struct analysis *analysis;
	const struct analysis_wish *wish;
	struct ground *ground;
	struct engine engine;
	struct parts *parts;
	struct estimates *estimates;
	const struct completion *last; /* that was put into its block, and not looked at yet */
};

/* Rules */

static void engine_init(struct engine *engine, struct pass *pass)
{
	engine->book = pass->analysis->book;
	engine->lang = pass->wish->lang;
	engine->context = pass->ground;
	engine->text_number = ground_text;
	engine->function_number = ground_function;
	engine->region = ground_region;
	engine->estimate = ground_estimate;
	engine->nowhere = ground_nowhere(&engine->arena);
	engine->met = arena_array(&engine->arena, struct common_bits, FACT_SLOTS);
	for (uint32_t i = 0; i < RUN_FIGURES_END; i++)
		engine->run_figures[i] = pass->analysis->run_figures[i];
	for (size_t i = 0; i < pass->analysis->reader->process_count; i++)
		engine->has_threads |= pass->analysis->reader->processes[i].stream_count > 1;
	engine->answers = graph_new();
	engine->answer_space = space_new(engine->answers, "distinct calls");
	engine->answer_facts = node_lane(engine->answer_space, 0, false);
	for (uint32_t i = 0; i < RELATIONS_END; i++) {
		intake_init(&engine->intakes[i], (enum relation)i);
		engine->intakes[i].context = pass->parts;
		engine->intakes[i].flush = parts_run;
		engine->intakes[i].texts = pass->ground;
		engine->intakes[i].number_of_text = ground_text;
	}
}

static void engine_release(struct engine *engine)
{
	for (uint32_t i = 0; i < RELATIONS_END; i++)
		intake_release(&engine->intakes[i]);
	fact_plan_release(&engine->facts);
	graph_free(engine->answers);
	arena_release(&engine->arena);
}

/* What the model tells */

static void meet(void *context, struct role *role)
{
	struct pass *pass = context;

	role->note = ground_facts(pass->ground, &pass->engine, role);
}

static struct intake *intake_of(void *context, enum relation relation)
{
	return &((struct pass *)context)->engine.intakes[relation];
}

static void told_call(void *context, const struct occurrence *call)
{
	intake_add(intake_of(context, RELATION_CALL), NULL, call, 1);
}

/* The completion that was put there last. It is looked at only now, as what has just been written comes back slowly. */
static void look_at_last(struct pass *pass)
{
	const struct completion *completion = pass->last;

	pass->last = NULL;
	if (pass->estimates && (completion->count > 1 || !completion->rows->is_send))
		estimates_add(pass->estimates, completion);
}

static struct completion *room_for_completion(void *context, uint32_t count)
{
	struct pass *pass = context;
	struct completion *completion;
	void *transfers;

	if (pass->last)
		look_at_last(pass);
	completion = intake_room(intake_of(context, RELATION_TRANSFER), count, &transfers);
	completion->rows = transfers;
	completion->count = count;
	pass->last = pass->estimates ? completion : NULL;
	return completion;
}

static void told_completion(void *context, const struct completion *completion)
{
	intake_add(intake_of(context, RELATION_TRANSFER), completion, completion->rows, completion->count);
}

static void told_measured_completion(void *context, const struct completion *completion)
{
	estimates_add(((struct pass *)context)->estimates, completion);
	told_completion(context, completion);
}

static void told_gathering(void *context, const struct collective_operation *gathering)
{
	intake_add(intake_of(context, RELATION_COLLECTIVE_CALL), gathering, gathering->rows,
	           gathering->count);
}

static void told_request(void *context, const struct request_life *life)
{
	intake_add(intake_of(context, RELATION_REQUEST_LIFE), NULL, life, 1);
}

static void told_exposures(void *context, const struct exposure_epoch *exposures)
{
	intake_add(intake_of(context, RELATION_EXPOSURE), exposures, exposures->rows, exposures->count);
}

static void told_neighbour(void *context, const struct neighbour_call *call)
{
	intake_add(intake_of(context, RELATION_NEIGHBOUR_CALL), NULL, call, 1);
}

static void told_passive(void *context, const struct passive_call *call)
{
	intake_add(intake_of(context, RELATION_PASSIVE_CALL), NULL, call, 1);
}

static void told_partitioned(void *context, const struct partitioned_send *send)
{
	intake_add(intake_of(context, RELATION_PARTITIONED_SEND), NULL, send, 1);
}

static void told_access_epoch(void *context, const struct origin_epoch *epoch)
{
	intake_add(intake_of(context, RELATION_ACCESS_EPOCH), epoch, epoch->rows, epoch->count);
}

static void told_fence(void *context, const struct window_fence *fence)
{
	intake_add(intake_of(context, RELATION_FENCE), fence, fence->rows, fence->count);
}

static void told_inversion(void *context, const struct inversion *inversion)
{
	intake_add(intake_of(context, RELATION_INVERSION), NULL, inversion, 1);
}

static void told_polling(void *context, const struct polling *polling)
{
	intake_add(intake_of(context, RELATION_POLLING), NULL, polling, 1);
}

static void told_lock(void *context, const struct lock_hold *hold)
{
	struct lock_hold whole = *hold;

	if (!hold->had_to_wait)
		whole.before = hold->take;
	intake_add(intake_of(context, RELATION_LOCK_HOLD), NULL, &whole, 1);
}

static void told_mutex(void *context, const struct mutex_hold *hold)
{
	intake_add(intake_of(context, RELATION_MUTEX_HOLD), NULL, hold, 1);
}

static void told_thread_fence(void *context, const struct thread_fence *fence)
{
	intake_add(intake_of(context, RELATION_THREAD_FENCE), NULL, fence, 1);
}

static void told_access(void *context, const struct access *access)
{
	intake_add(intake_of(context, RELATION_ACCESS), NULL, access, 1);
}

static void told_phase(void *context, const struct phase_time *phase)
{
	intake_add(intake_of(context, RELATION_PHASE_TIME), NULL, phase, 1);
}

struct ends {
	uint32_t from, to;
};

static struct ends ends_of_access(const struct role *role)
{
	int64_t bytes;

	/* upc_memcpy may be between two others. */
	if (role->source_process != NO_PROCESS)
		return (struct ends){role->source_process, role->dest_process};
	if (call_field(role->call, FIELD_SENT, &bytes))
		return (struct ends){role->process, role->dest_process};
	return (struct ends){role->dest_process, role->process};
}

static struct ends ends_of(const struct role *role)
{
	if (role->does & ROLE_SENDS)
		return (struct ends){role->process, role->dest_process};
	if (role->kind->info && role->kind->info->class == CLASS_UPC_ACCESS)
		return ends_of_access(role);
	return (struct ends){NO_PROCESS, NO_PROCESS};
}

static void note_site(struct analysis *analysis, const struct site_sum *site)
{
	const struct role *role = site->call.role;
	size_t count = analysis->site_count++;

	if (!(count & (count - 1)))
		analysis->sites = memory_grow(analysis->sites, 2 * count + 1, sizeof *analysis->sites);
	analysis->sites[count] = (struct site_total){
		.process = role->process,
		.call = role->call,
		.count = site->count,
		.starts = site->starts,
		.inside_ns = site->inside,
		.before_ns = site->before,
		.from = ends_of(role).from,
		.to = ends_of(role).to,
	};
}

static void told_call_pair(void *context, const struct call_pair *pair)
{
	intake_add(intake_of(context, RELATION_CALL_PAIR), NULL, pair, 1);
}

static void told_site(void *context, const struct site_sum *site)
{
	struct pass *pass = context;
	struct intake *intake = intake_of(context, RELATION_SITE);

	if (pass->wish->sites)
		note_site(pass->analysis, site);
	if (intake->is_used && !site->is_local)
		intake_add(intake, NULL, site, 1);
}

/* The model adds up of them what sites tell. */
static void ignore_gathering(void *context, const struct collective_operation *gathering)
{
	(void)context, (void)gathering;
}

static void told_begun(void *context, uint32_t phase, const char *name)
{
	ground_region_begun(((struct pass *)context)->ground, phase, name);
}

/* Blocks have roles in them: all are looked at before those are gone. */
static void told_all(void *context)
{
	struct pass *pass = context;

	if (pass->last)
		look_at_last(pass);
	for (uint32_t i = 0; i < RELATIONS_END; i++)
		intake_finish(&pass->engine.intakes[i]);
	parts_catch_up(pass->parts);
}

/* What no rule needs is not asked for. */
static struct teller teller_of(struct pass *pass)
{
	const struct intake *intakes = pass->engine.intakes;
	bool needs_pairs = intakes[RELATION_CALL_PAIR].is_used;
	bool needs_sums = needs_pairs || intakes[RELATION_SITE].is_used;
	bool needs_transfers = intakes[RELATION_TRANSFER].is_used;
	bool has_room = intakes[RELATION_TRANSFER].wants_all;

	return (struct teller){
		.context = pass,
		.meet = meet,
		.call = intakes[RELATION_CALL].is_used ? told_call : NULL,
		.completion = has_room                                        ? NULL
	                      : needs_transfers && pass->engine.has_estimates ? told_measured_completion
	                      : needs_transfers                               ? told_completion
	                                                                      : NULL,
		.room = has_room ? room_for_completion : NULL,
		.gathering = intakes[RELATION_COLLECTIVE_CALL].is_used ? told_gathering
	                     : needs_sums                              ? ignore_gathering
	                                                               : NULL,
		.request = intakes[RELATION_REQUEST_LIFE].is_used ? told_request : NULL,
		.exposures = intakes[RELATION_EXPOSURE].is_used ? told_exposures : NULL,
		.neighbour = intakes[RELATION_NEIGHBOUR_CALL].is_used ? told_neighbour : NULL,
		.passive = intakes[RELATION_PASSIVE_CALL].is_used ? told_passive : NULL,
		.partitioned = intakes[RELATION_PARTITIONED_SEND].is_used ? told_partitioned : NULL,
		.access_epoch = intakes[RELATION_ACCESS_EPOCH].is_used ? told_access_epoch : NULL,
		.fence = intakes[RELATION_FENCE].is_used ? told_fence : NULL,
		.inversion = intakes[RELATION_INVERSION].is_used ? told_inversion : NULL,
		.polling = intakes[RELATION_POLLING].is_used ? told_polling : NULL,
		.lock = intakes[RELATION_LOCK_HOLD].is_used ? told_lock : NULL,
		.mutex = intakes[RELATION_MUTEX_HOLD].is_used ? told_mutex : NULL,
		.thread_fence = intakes[RELATION_THREAD_FENCE].is_used ? told_thread_fence : NULL,
		.access = intakes[RELATION_ACCESS].is_used ? told_access : NULL,
		.phase = intakes[RELATION_PHASE_TIME].is_used ? told_phase : NULL,
		.call_pair = needs_pairs ? told_call_pair : NULL,
		.site = needs_sums || pass->wish->sites ? told_site : NULL,
		.phase_begun = told_begun,
		.over = told_all,
		.in_order = pass->engine.is_ordered,
		.compares = pass->estimates,
		.progress = pass->wish->progress,
	};
}

/* A pass */

static void measure_before(struct pass *pass)
{
	struct analysis *analysis = pass->analysis;

	figures_at_once(pass->ground, analysis->time, analysis->run_figures);
	figures_measure(analysis->reader, analysis->time, figure_is_asked_for(analysis->book, RUN_CALLS),
	                analysis->run_figures);
	if (figures_need_hub(analysis->book))
		figures_of_hub(analysis->reader, analysis->run_figures);
}

/* What marks the start of a UPC thread is no call of it. */
static uint64_t count_starts(const struct reader *reader)
{
	uint64_t count = 0;

	for (size_t i = 0; i < reader->process_count; i++)
		count += process_calls(&reader->processes[i], all_calls[CALL_upc_start].name);
	return count;
}

static void measure_after(struct pass *pass)
{
	struct analysis *analysis = pass->analysis;
	uint64_t events = analysis->counts.events, starts = count_starts(analysis->reader);

	analysis->run_figures[RUN_CALLS] = (double)(events - (starts < events ? starts : events));
	analysis->start_ns = analysis->counts.start_ns;
	analysis->crowding = most_crowded(analysis->reader, pass->ground->nodes);
}

/* A parameter of the rules by which the user knows better; 0: there is none, or it says nothing. */
static double given(const struct pass *pass, const char *name, struct type type)
{
	const struct scope scope = {.share = pass->parts->shares[0]};
	const struct rulebook *book = pass->analysis->book;

	for (size_t i = 0; i < book->setting_count; i++) {
		const struct expr *value = book->settings[i]->value;
		const struct node *node;
		if (strcmp(book->settings[i]->name, name) != 0 || !types_agree(value->type, type))
			continue;
		node = compile(value, &scope);
		return !node ? 0 : node->is_real ? node->value.r : (double)node->value.i;
	}
	return 0;
}

static void begin_estimates(struct pass *pass)
{
	struct type rate = {.base = TYPE_NUMBER, .seconds = -1, .bytes = 1};
	struct type time = {.base = TYPE_NUMBER, .seconds = 1};
	struct link known = {.latency = given(pass, "latency", time), .rate = given(pass, "bandwidth", rate)};

	if (!pass->engine.has_estimates)
		return;
	pass->estimates = estimates_new(pass->ground->nodes, known,
	                                fact_slot(&pass->engine.facts, FACT_BYTES, 0));
	pass->ground->estimates = pass->estimates;
}

static enum status pass_begin(struct pass *pass, const struct analysis_wish *wish, struct analysis *analysis)
{
	const struct fact_plan *facts = &pass->engine.facts;

	*pass = (struct pass){.analysis = analysis, .wish = wish};
	analysis->site_count = 0;
	pass->ground = ground_new(analysis->reader);
	pass->ground->source = wish->source;
	pass->ground->book = analysis->book;
	pass->ground->lang = wish->lang;
	measure_before(pass);
	pass->parts = parts_new(wish->threads);
	engine_init(&pass->engine, pass);
	TRY(parts_compile(pass->parts, &pass->engine));
	begin_estimates(pass);
	if (facts->common.count > FACT_SLOTS || facts->loose.count > FACT_SLOTS ||
	    facts->own.count > FACT_SLOTS)
		return fail(
			"the rules ask for more than %d different things of a call; load fewer of them at a time",
			FACT_SLOTS);
	ground_derive_nowhere(&pass->engine);
	return OK;
}

static void pass_run(struct pass *pass)
{
	struct analysis *analysis = pass->analysis;
	struct teller teller = teller_of(pass);

	if (!analysis->lags && pass->engine.wants_lags && lags_are_needed(analysis->reader))
		analysis->lags = lags_new(analysis->reader, analysis->time, pass->wish->progress);
	if (eager_is_unknown(pass->ground->nodes))
		eager_infer(analysis->reader, analysis->time, pass->ground->nodes);
	pass->ground->lags = analysis->lags;
	pass->engine.lag = analysis->lags ? ground_lag : NULL;
	pass->ground->start_ns = &analysis->counts.start_ns;
	parts_start(pass->parts);
	relate(analysis->reader, analysis->time, &teller, &analysis->counts);
	/* Not before the model has given up what it kept: to end what rules put together takes memory too. */
	parts_finish(pass->parts);
}

static void pass_end(struct pass *pass)
{
	parts_free(pass->parts);
	engine_release(&pass->engine);
	estimates_free(pass->estimates);
	ground_free(pass->ground);
}

static bool needs_mending(const struct analysis *analysis)
{
	return analysis->counts.violations && !analysis->time->passes;
}

static void mend_time(struct analysis *analysis, const struct analysis_wish *wish)
{
	corrected_time_free(analysis->time);
	lags_free(analysis->lags);
	analysis->lags = NULL;
	analysis->time = corrected_time_new(analysis->reader, wish->progress);
}

/* Effects came before their causes, or only now it is seen that there are lags: all is to be done again. */
static bool was_mistaken(const struct pass *pass)
{
	const struct analysis *analysis = pass->analysis;

	return needs_mending(analysis) ||
	       (pass->engine.wants_lags && !analysis->lags && lags_are_needed(analysis->reader));
}

static enum status make_pass(struct analysis *analysis, const struct analysis_wish *wish, bool *again)
{
	struct pass pass;
	enum status status = pass_begin(&pass, wish, analysis);

	*again = false;
	if (status == OK) {
		pass_run(&pass);
		*again = was_mistaken(&pass);
		if (!*again) {
			measure_after(&pass);
			estimates_fit(pass.estimates);
			findings_take(pass.parts, pass.ground, analysis);
		}
	}
	pass_end(&pass);
	return status;
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
	do {
		status = make_pass(analysis, wish, &again);
		if (status == OK && needs_mending(analysis))
			mend_time(analysis, wish);
	} while (status == OK && again);
	if (status != OK) {
		analysis_free(analysis);
		return FAILED;
	}
	*made = analysis;
	return OK;
}

void analysis_free(struct analysis *analysis)
{
	if (!analysis)
		return;
	if (analysis->time)
		corrected_time_free(analysis->time);
	lags_free(analysis->lags);
	for (size_t i = 0; i < analysis->finding_count; i++)
		bins_release(&analysis->findings[i].histogram);
	free(analysis->findings);
	free(analysis->sites);
	arena_release(&analysis->arena);
	free(analysis);
}
