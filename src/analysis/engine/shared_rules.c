#include "analysis/engine/shared_rules.h"

#include "analysis/engine/findings.h"
#include "analysis/engine/stateful.h"
#include "base/memory.h"
#include "trace/call_copy.h"

#include <stdlib.h>

/* Calls */

void shared_calls_take(struct analysis_session *session)
{
	struct reader *reader = session->reader;
	struct call_packer packer = {0};
	struct text mine = {0}, *all;

	for (uint32_t i = session->owned.first; i < session->owned.end && !peers_lead(session->peers); i++) {
		const struct process *process = &reader->processes[i];
		for (uint32_t id = 0; id < process->calls.count; id++) {
			PACK(&mine, i);
			call_pack(&packer, process, process->calls.items[id], &mine);
		}
	}
	call_packer_release(&packer);
	all = peers_gather(session->peers, &mine);
	for (uint32_t i = 0; i < session->peers->count; i++) {
		struct call_unpacker unpacker = {0};
		struct cursor in = unpack_begin(&all[i]);
		uint32_t process;
		while (UNPACK(&in, &process) && process < reader->process_count)
			if (!call_unpack(&unpacker, &reader->processes[process], &in))
				break;
		call_unpacker_release(&unpacker);
	}
	peers_free_blocks(session->peers, all);
}

/* Places */

/* A call of each place of the own ranks. A started call has the place of the call that starts it. */
static void pack_places(const struct analysis_session *session, struct places *own, struct text *out)
{
	const struct reader *reader = session->reader;

	for (uint32_t i = session->owned.first; i < session->owned.end; i++) {
		const struct process *process = &reader->processes[i];
		for (uint32_t id = 0; id < process->calls.count; id++) {
			uint32_t known = own->count;
			if (!process->calls.items[id])
				continue;
			(void)place_of(own, process, process->calls.items[id]);
			if (own->count == known)
				continue;
			PACK(out, i);
			call_pack(NULL, process, process->calls.items[id], out);
		}
	}
}

void shared_places_number(struct analysis_session *session, struct places *places)
{
	struct reader *reader = session->reader;
	struct places own = {.source = places->source};
	struct text mine = {0}, *all;

	pack_places(session, &own, &mine);
	places_release(&own);
	all = peers_share(session->peers, &mine);
	for (uint32_t i = 0; i < session->peers->count; i++) {
		struct cursor in = unpack_begin(&all[i]);
		uint32_t process;
		while (UNPACK(&in, &process) && process < reader->process_count) {
			const struct call *call = call_unpack(NULL, &reader->processes[process], &in);
			if (!call)
				break;
			(void)place_of(places, &reader->processes[process], call);
		}
	}
	peers_free_blocks(session->peers, all);
}

/* Rows */

/* Where rows of a relation have calls. */
struct call_offsets {
	uint32_t at[8], count;
};

static struct call_offsets call_offsets(enum relation relation)
{
	struct call_offsets offsets = {0};

	for (uint32_t i = 0; i < NATIVE_COLUMNS_END; i++)
		if (native_columns[i].relation == relation && recipes[i].kind == RECIPE_EVENT &&
		    recipes[i].part == PART_ROW)
			offsets.at[offsets.count++] = recipes[i].offset;
	return offsets;
}

struct sent_call {
	uint32_t process, call;
};

void shared_rows_pack(struct text *out, const struct row_block *block, const bool *is_chosen)
{
	const struct call_offsets offsets = call_offsets(block->relation);
	const uint32_t size = relation_infos[block->relation].sizes[PART_ROW];

	for (uint32_t i = 0; i < block->rows; i++) {
		const unsigned char *row = (const unsigned char *)block_rows(block) + (size_t)i * size;
		if (!is_chosen[i])
			continue;
		PACK(out, block->relation);
		text_add_bytes(out, (const char *)row, size);
		for (uint32_t j = 0; j < offsets.count; j++) {
			const struct occurrence *call = (const void *)(row + offsets.at[j]);
			struct sent_call sent = {call->semantics->process, call->semantics->call->id};
			PACK(out, sent);
		}
	}
}

/* The semantics of calls that occur only in rows of other sessions. */
struct sent_semantics {
	const struct shared_rows_taker *taker;
	struct arena arena;
	struct known_kinds kinds;
	struct semantics_table *tables; /* by process */
	struct call_offsets offsets[RELATIONS_END];
};

static void number_call(void *context, struct call_semantics *semantics)
{
	const struct sent_semantics *sent = context;

	semantics->number = sent->taker->engine->facts_of.count;
	rule_symbols_add_facts(sent->taker->symbols, sent->taker->engine, semantics);
}

static const struct call_semantics *find_sent(struct sent_semantics *sent, struct sent_call call)
{
	const struct analysis_session *session = sent->taker->session;
	const struct process *process = &session->reader->processes[call.process];

	sent->tables[call.process].arena = &sent->arena;
	sent->tables[call.process].known = &sent->kinds;
	sent->tables[call.process].met = number_call;
	sent->tables[call.process].context = sent;
	return semantics_of(&sent->tables[call.process], session->comms, call.process,
	                    process->calls.items[call.call]);
}

static bool take_row(struct sent_semantics *sent, struct cursor *in, void *row)
{
	const struct call_offsets *offsets;
	enum relation relation;
	struct batch *batch;

	if (!UNPACK(in, &relation) || !relation_is_sent(relation) ||
	    !unpack_bytes(in, row, relation_infos[relation].sizes[PART_ROW]))
		return false;
	offsets = &sent->offsets[relation];
	for (uint32_t i = 0; i < offsets->count; i++) {
		struct occurrence *call = (void *)((unsigned char *)row + offsets->at[i]);
		struct sent_call one;
		if (!UNPACK(in, &one))
			return false;
		call->semantics = find_sent(sent, one);
	}
	batch = &sent->taker->engine->batches[relation];
	if (batch->is_used)
		batch_add(batch, NULL, row, 1);
	return true;
}

static void finish_batches(const struct shared_rows_taker *taker)
{
	for (uint32_t i = 0; i < RELATIONS_END; i++)
		batch_finish(&taker->engine->batches[i]);
}

static void take_rows(const struct shared_rows_taker *taker, const struct text *all)
{
	struct session_peers *peers = taker->session->peers;
	struct sent_semantics sent = {.taker = taker};
	union {
		struct site_sum site;
		struct call_pair pair;
	} row;

	for (uint32_t i = 0; i < taker->partitions->count; i++)
		taker->partitions->all[i]->origin = ROWS_OF_OTHERS;
	sent.kinds.kinds.arena = sent.kinds.completed.arena = &sent.arena;
	for (uint32_t i = 0; i < RELATIONS_END; i++)
		sent.offsets[i] = call_offsets(i);
	sent.tables = memory_new(taker->session->reader->process_count + 1, sizeof *sent.tables);
	for (uint32_t i = 0; i < peers->count; i++) {
		struct cursor in = unpack_begin(&all[i]);
		while (cursor_left(&in) && take_row(&sent, &in, &row))
			;
	}
	finish_batches(taker);
	for (size_t i = 0; i < taker->session->reader->process_count; i++)
		semantics_release(&sent.tables[i]);
	free(sent.tables);
	arena_release(&sent.arena);
}

void shared_rows_finish(const struct shared_rows_taker *taker)
{
	struct session_peers *peers = taker->session->peers;
	struct text mine = {0}, *all;

	finish_batches(taker);
	for (uint32_t i = 0; i < taker->partitions->count; i++) {
		struct text *rows = &taker->partitions->all[i]->rows_for_leader;
		if (rows->length)
			text_add_bytes(&mine, rows->bytes, rows->length);
		text_release(rows);
	}
	all = peers_gather(peers, &mine);
	if (peers_lead(peers))
		take_rows(taker, all);
	peers_free_blocks(peers, all);
}

/* Counts */

void shared_counts_take(struct session_peers *peers, struct replay_counts *counts)
{
	struct replay_counts own = *counts;
	int64_t collectives[] = {(int64_t)own.collectives, (int64_t)own.incomplete_collectives,
	                         (int64_t)own.mixed_collectives};

	_Static_assert(sizeof own % sizeof(int64_t) == 0, "counts are words");
	peers_combine(peers, PEERS_SUM, (int64_t *)counts, sizeof *counts / sizeof(int64_t));
	/* Everybody sees all of these. */
	peers_combine(peers, PEERS_MAX, collectives, 3);
	counts->collectives = (uint64_t)collectives[0];
	counts->incomplete_collectives = (uint64_t)collectives[1];
	counts->mixed_collectives = (uint64_t)collectives[2];
	counts->start_ns = own.start_ns;
}

/* Findings */

struct sent_action {
	uint32_t process, thread, call, starter;
	int64_t start, end;
};

/* A call with the function, site and path of this one, which starts it. */
static uint32_t starter_of(const struct process *process, const struct call *started)
{
	const struct outline *own = started->outline;

	for (uint32_t i = 0; i < process->calls.count; i++) {
		const struct call *call = process->calls.items[i];
		const struct outline *other = call ? call->outline : NULL;
		if (other && own->name == other->name && own->has_site == other->has_site &&
		    own->module == other->module && own->offset == other->offset &&
		    call_path(process, started) == call_path(process, call))
			return i;
	}
	return NO_STARTER;
}

static void pack_action(const struct reader *reader, const struct action *action, struct text *out)
{
	const struct process *process = &reader->processes[action->process];
	struct sent_action sent = {action->process, action->thread, action->call->id,
	                           NO_STARTER,      action->start,  action->end};
	bool is_started = action->call->id >= process->calls.count ||
	                  process->calls.items[action->call->id] != action->call;

	if (is_started) {
		sent.call = call_prepared(process, action->call)->id;
		sent.starter = starter_of(process, action->call);
	}
	PACK(out, sent);
}

static bool unpack_action(struct reader *reader, struct cursor *in, struct action *action)
{
	struct sent_action sent;
	struct process *process;

	if (!UNPACK(in, &sent))
		return false;
	process = &reader->processes[sent.process];
	*action = (struct action){.process = sent.process,
	                          .thread = sent.thread,
	                          .call = process->calls.items[sent.call],
	                          .start = sent.start,
	                          .end = sent.end};
	if (sent.starter != NO_STARTER)
		action->call = call_started(process, action->call, process->calls.items[sent.starter]);
	return true;
}

struct sent_finding {
	uint64_t count;
	int64_t total_ns, max_ns;
	uint64_t filled; /* bit i: bin i of the histogram follows */
	uint32_t problem, action_count, has_partner, has_bins;
	uint32_t at_place, partner_place;
};

_Static_assert(HISTOGRAM_BINS <= 64, "a bit for each bin");

static void pack_finding(const struct reader *reader, const struct finding *finding, struct text *out)
{
	const uint32_t first = finding->histogram.first, end = first + finding->histogram.count;
	struct sent_finding sent = {.count = finding->count,
	                            .total_ns = finding->total_ns,
	                            .max_ns = finding->max_ns,
	                            .problem = finding->problem->number,
	                            .action_count = finding->action_count,
	                            .has_partner = finding->has_partner,
	                            .has_bins = finding->over_time != NULL,
	                            .at_place = finding->at_place,
	                            .partner_place = finding->partner_place};

	for (uint32_t i = first; i < end; i++)
		sent.filled |= (uint64_t)(histogram_at(&finding->histogram, (uint8_t)i) != 0) << i;
	PACK(out, sent);
	for (uint32_t i = first; i < end; i++) {
		uint32_t count = histogram_at(&finding->histogram, (uint8_t)i);
		if (count)
			PACK(out, count);
	}
	pack_action(reader, &finding->at, out);
	if (finding->has_partner)
		pack_action(reader, &finding->partner, out);
	if (finding->over_time)
		PACK(out, *finding->over_time);
	pack_text(out, finding->advice);
	for (uint32_t i = 0; i < finding->action_count; i++)
		pack_action(reader, &finding->actions[i], out);
}

static bool unpack_finding(struct analysis *analysis, struct cursor *in, struct finding *finding)
{
	struct sent_finding sent;

	if (!UNPACK(in, &sent) || sent.problem >= analysis->book->problem_count)
		return false;
	*finding = (struct finding){.problem = analysis->book->problems[sent.problem],
	                            .count = sent.count,
	                            .total_ns = sent.total_ns,
	                            .max_ns = sent.max_ns,
	                            .has_partner = sent.has_partner,
	                            .at_place = sent.at_place,
	                            .partner_place = sent.partner_place,
	                            .action_count = sent.action_count};
	for (uint64_t left = sent.filled; left; left &= left - 1) {
		uint32_t count;
		if (UNPACK(in, &count))
			histogram_add_many(&finding->histogram, (uint8_t)__builtin_ctzll(left), count);
	}
	if (!unpack_action(analysis->reader, in, &finding->at) ||
	    (sent.has_partner && !unpack_action(analysis->reader, in, &finding->partner)))
		return false;
	if (sent.has_bins) {
		struct time_bins *bins = arena_new(&analysis->arena, struct time_bins);
		(void)UNPACK(in, bins);
		finding->over_time = bins;
	}
	finding->advice = arena_text(&analysis->arena, unpack_text(in));
	finding->actions = arena_array(&analysis->arena, struct action, sent.action_count + 1u);
	for (uint32_t i = 0; i < sent.action_count; i++)
		if (!unpack_action(analysis->reader, in, &finding->actions[i]))
			return false;
	return true;
}

/* Of all findings of a problem at a pair of places, only the worst one has advice. */
struct worst_of_places {
	struct map numbers; /* of problem and places */
	ARRAY(int64_t) max_ns;
};

static uint32_t places_of(struct worst_of_places *worst, const struct finding *finding)
{
	const uint64_t places = (uint64_t)finding->at_place << 32 |
	                        (finding->has_partner ? finding->partner_place : NO_PLACE);
	uint32_t *number = map_put(&worst->numbers, map_key(finding->problem->number, places));

	if (*number == MAP_NONE) {
		*number = (uint32_t)worst->max_ns.count;
		array_add(&worst->max_ns, -1);
	}
	return *number;
}

/* Two sessions charge the same process for the same problem at the same places, which no shipped rule does. */
static bool is_charged_twice(const struct analysis *analysis, const uint32_t *places)
{
	struct map charged = {0}; /* places and process */
	bool is_twice = false;

	for (size_t i = 0; i < analysis->finding_count; i++) {
		uint32_t *known = map_put(&charged, map_key(places[i], analysis->findings[i].at.process));
		is_twice |= *known != MAP_NONE;
		*known = 0;
	}
	map_release(&charged);
	return is_twice;
}

/* False: the findings of sessions contradict each other. `charges_others`: a session charges a process of another one. */
static bool keep_worst_advice(struct analysis *analysis, bool charges_others)
{
	struct worst_of_places worst = {0};
	uint32_t *places = memory_new(analysis->finding_count + 1, sizeof *places);
	bool is_consistent;

	for (size_t i = 0; i < analysis->finding_count; i++) {
		const struct finding *finding = &analysis->findings[i];
		places[i] = places_of(&worst, finding);
		if (finding->max_ns > worst.max_ns.items[places[i]])
			worst.max_ns.items[places[i]] = finding->max_ns;
	}
	for (size_t i = 0; i < analysis->finding_count; i++) {
		struct finding *finding = &analysis->findings[i];
		if (finding->max_ns == worst.max_ns.items[places[i]])
			continue;
		finding->advice = "";
		finding->action_count = 0;
	}
	is_consistent = !charges_others || !is_charged_twice(analysis, places);
	free(places);
	map_release(&worst.numbers);
	array_release(&worst.max_ns);
	return is_consistent;
}

static void take_metrics(struct session_peers *peers, struct analysis *analysis)
{
	size_t count = analysis->book->problem_count;
	int64_t *sums = memory_new(2 * count + 1, sizeof *sums);

	for (size_t i = 0; i < count; i++) {
		sums[2 * i] = (int64_t)analysis->metrics[i].count;
		sums[2 * i + 1] = analysis->metrics[i].total_ns;
	}
	peers_combine(peers, PEERS_SUM, sums, 2 * count);
	for (size_t i = 0; i < count; i++) {
		analysis->metrics[i].count = (uint64_t)sums[2 * i];
		analysis->metrics[i].total_ns = sums[2 * i + 1];
	}
	free(sums);
}

/* Of the findings from `first` on, which are of this session. */
static bool any_charges_others(const struct session_peers *peers, const struct analysis *analysis,
                               uint32_t peer, size_t first)
{
	const struct rank_range own = peers_range(peers, analysis->reader->process_count, peer);

	for (size_t i = first; i < analysis->finding_count; i++)
		if (analysis->findings[i].at.process < own.first ||
		    analysis->findings[i].at.process >= own.end)
			return true;
	return false;
}

bool shared_findings_take(struct session_peers *peers, struct analysis *analysis)
{
	struct text mine = {0}, *all;
	struct finding finding;
	size_t room = analysis->finding_count;
	bool charges_others = any_charges_others(peers, analysis, peers->own, 0), is_consistent = true;

	take_metrics(peers, analysis);
	for (size_t i = 0; i < analysis->finding_count && !peers_lead(peers); i++)
		pack_finding(analysis->reader, &analysis->findings[i], &mine);
	all = peers_gather(peers, &mine);
	for (uint32_t i = 0; i < peers->count; i++) {
		struct cursor in = unpack_begin(&all[i]);
		const size_t known = analysis->finding_count;
		while (cursor_left(&in) && unpack_finding(analysis, &in, &finding)) {
			array_fit(analysis->findings, room, analysis->finding_count + 1);
			analysis->findings[analysis->finding_count++] = finding;
		}
		charges_others |= any_charges_others(peers, analysis, i, known);
	}
	peers_free_blocks(peers, all);
	if (peers_lead(peers)) {
		is_consistent = keep_worst_advice(analysis, charges_others);
		findings_sort(analysis);
	}
	return !peers_any(peers, !is_consistent);
}
