#include "analysis/whatif/whatif.h"

#include "analysis/model/eager.h"
#include "analysis/model/needed_calls.h"
#include "analysis/model/places.h"
#include "analysis/model/relations.h"
#include "analysis/model/run_spans.h"
#include "analysis/model/spans.h"
#include "analysis/whatif/graph_threads.h"
#include "analysis/whatif/placed_changes.h"
#include "analysis/whatif/send_queue.h"
#include "analysis/whatif/team_gains.h"
#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { TRANSFER_UNASKED = -1 };

/* A prediction is doubtful if more than this part of the run depends on a decision that is not known. */
static const double doubtful_part = 0.1;

/* A distinct call. */
struct known_edge {
	uint32_t place;      /* one above its number; 0: the call is not known yet */
	uint32_t before;     /* place of the call before it, the last time … */
	uint32_t work;       /* … and the kind of computing since then */
	uint32_t changes;    /* number in the graph */
	int64_t bytes;       /* of the message that it sends; -1: none */
	int64_t transfer_ns; /* of this message, 0: not known; TRANSFER_UNASKED */
	uint64_t eager;      /* scenarios in which this message does not wait for its receiver */
};

/* While a thread is read. */
struct thread_reading {
	int64_t last_end;
	int64_t noticed_ns; /* scheduling delays and work of the recorder since the last call */
	uint32_t place;     /* of the last call */
	bool has_begun;
	bool communicates;
};

/* Computing of a process between two places that becomes even, instance by instance. */
struct even_work {
	const struct work_instances *instances; /* NULL: it does not */
	size_t next;
};

struct whatif_pass {
	struct analysis_session *session;
	const struct whatif_options *options;
	struct reader *reader;
	struct graph_threads numbers;
	struct thread_reading *threads;
	const struct estimates *estimates;
	struct estimates *measured; /* by this pass; NULL: the estimates are those of the analysis */
	int64_t *computing;         /* by process */
	bool asks_for_places;       /* the survey measures computing before each place */
	int64_t *thread_contended;
	struct event_graph *graph;
	uint32_t scenario_count; /* the recorded run first, and last the run without noise */
	struct need_reader needs;
	struct replay_counts counts;
	struct places places;
	struct map work_numbers;           /* by process and place */
	struct map work_kinds;             /* by process and two places */
	ARRAY(struct even_work) even_work; /* by kind of computing; kinds after the last have none */
	ARRAY(int64_t) work_before;
	ARRAY(uint32_t) work_of_call; /* its number, by distinct call */
	struct known_edge *known;     /* by number of the distinct call */
	uint32_t known_room;
	struct placed_changes changes;
	struct team_gains *teams; /* NULL: no scenario changes a team of threads */
	const uint32_t *node_of;  /* new places; NULL: not asked */
	bool lacks[DISTANCES];    /* a moved message has no time at this distance */
	struct network_model networks[DISTANCES];
	struct send_queue *queues; /* by process: messages that move to the network */
	ARRAY(struct event_need) scratch;
};

static uint32_t thread_of(const struct whatif_pass *pass, const struct occurrence *call)
{
	return graph_thread_of(&pass->numbers, call);
}

/* Neither a transfer nor work of the library. */
static bool keeps_time(const struct call_semantics *semantics)
{
	const struct call_info *info = semantics->kind->info;

	return !info || info->class == CLASS_FILE || info->class == CLASS_FILE_DATA ||
	       info->class == CLASS_ENVIRONMENT || info->class == CLASS_DYNAMIC;
}

/* The network, and the work of each process */

/* Computing of a process before calls from a place. */
static int64_t *work_before(struct whatif_pass *pass, const struct call_semantics *semantics)
{
	uint32_t *cached, *number, place;

	while (pass->work_of_call.count <= semantics->number)
		array_add(&pass->work_of_call, MAP_NONE);
	cached = &pass->work_of_call.items[semantics->number];
	if (*cached == MAP_NONE) {
		place = place_of(&pass->places, &pass->reader->processes[semantics->process],
		                 semantics->call);
		number = map_put(&pass->work_numbers, map_key(semantics->process, place));
		if (*number == MAP_NONE) {
			*number = (uint32_t)pass->work_before.count;
			array_add(&pass->work_before, 0);
		}
		*cached = *number;
	}
	return &pass->work_before.items[*cached];
}

static void add_delays(struct thread_reading *thread, const struct occurrence *call,
                       const struct event *event)
{
	thread->noticed_ns += ((int64_t)event->tool_before + event->delay_before +
	                       (delays_computing(call->semantics->kind->info) ? event->delay_inside : 0)) *
	                      NS_PER_US;
}

/* Before a call, and in calls that count as computing, whether they are recorded or not. */
static inline void note_delays(struct thread_reading *thread, const struct occurrence *call,
                               const struct event *event)
{
	if (event->tool_before | event->delay_before | event->delay_inside)
		add_delays(thread, call, event);
}

static void survey_call(void *context, const struct occurrence *call, const struct event *event)
{
	struct whatif_pass *pass = context;
	struct thread_reading *thread = &pass->threads[thread_of(pass, call)];
	int64_t gap;

	note_delays(thread, call, event);
	if (call->semantics->is_local || !has_time(call))
		return;
	gap = thread->has_begun ? max_ns(call->start - thread->last_end, 0) : 0;
	gap -= min_ns(thread->noticed_ns, gap);
	pass->computing[call->semantics->process] += gap;
	if (pass->asks_for_places)
		*work_before(pass, call->semantics) += gap;
	thread->noticed_ns = 0;
	thread->last_end = call->end;
	thread->has_begun = true;
}

static struct row_block *survey_rows(void *context, const struct first_mentions *first,
                                     struct row_block *block)
{
	struct whatif_pass *pass = context;

	(void)first;
	estimates_add(pass->measured, block);
	return block;
}

static bool asks_for_balance(const struct whatif_options *options)
{
	for (size_t i = 0; i < options->count; i++)
		if (options->scenarios[i].is_balanced)
			return true;
	return false;
}

/* Whether any scenario depends on how long processes compute before certain calls. */
static bool asks_for_places(const struct whatif_options *options)
{
	for (size_t i = 0; i < options->count; i++)
		for (size_t j = 0; j < options->scenarios[i].change_count; j++)
			if (options->scenarios[i].changes[j].kind == CHANGE_LESS_WORK)
				return true;
	return false;
}

static void survey(struct whatif_pass *pass)
{
	struct row_sink sink = {
		.context = pass, .wants = {[RELATION_TRANSFER] = pass->measured}, .rows = survey_rows};

	pass->asks_for_places = asks_for_places(pass->options);
	if (pass->asks_for_places || asks_for_balance(pass->options))
		sink.call = survey_call;
	if (!pass->measured && !sink.call)
		return;
	if (pass->measured) {
		pass->measured->delays = pass->session->delays;
		pass->measured->start_ns = &pass->counts.start_ns;
	}
	relate(pass->session, &sink, &pass->counts);
	estimates_fit(pass->measured);
	for (uint32_t i = 0; i < pass->numbers.count; i++) {
		pass->threads[i].has_begun = false;
		pass->threads[i].noticed_ns = 0;
	}
}

/* Distinct calls */

/* The replay may still look for the destination, so the receiver is given. */
static int64_t transfer_of(const struct whatif_pass *pass, struct known_edge *known, uint32_t sender,
                           uint32_t receiver)
{
	const uint32_t *node = pass->session->nodes->of;
	double ns;

	if (known->transfer_ns == TRANSFER_UNASKED)
		known->transfer_ns = known->bytes >= 0 &&
		                                     estimate_time(pass->estimates,
		                                                   estimate_word(node[sender], node[receiver],
		                                                                 known->bytes),
		                                                   &ns)
		                             ? (int64_t)ns
		                             : 0;
	return known->transfer_ns;
}

/* How much longer a message takes between the new places of its ranks. */
static int64_t moved_by(struct whatif_pass *pass, const struct known_edge *known, uint32_t sender,
                        uint32_t receiver)
{
	const uint32_t *new = pass->node_of;
	const enum distance old = nodes_distance(pass->session->nodes, sender, receiver);
	const struct network_link *link;
	enum distance distance;
	double ns;

	if (!new || known->bytes < 0 || (new[sender] == new[receiver]) == (old == DISTANCE_NODE))
		return 0;
	distance = old == DISTANCE_NODE ? DISTANCE_NETWORK : DISTANCE_NODE;
	link = &pass->options->links[distance];
	if (!known->transfer_ns)
		pass->lacks[old] = true;
	else if (estimate_time(pass->estimates, estimate_word(new[sender], new[receiver], known->bytes), &ns))
		return (int64_t)ns - known->transfer_ns;
	else if (link->latency > 0)
		return (int64_t)(link->latency + (double)known->bytes / link->rate) - known->transfer_ns;
	else
		pass->lacks[distance] = true;
	return 0;
}

static bool is_standard(const struct call_semantics *send)
{
	return send->kind->info && send->kind->info->mode == MODE_STANDARD;
}

/* Effects of scenarios on calls of a process from a place. */
static struct call_changes changes_at(const struct whatif_pass *pass, uint32_t process, uint32_t place)
{
	struct call_changes changes = {0};
	struct change_cursor cursor = {0};

	while (placed_changes_next(&pass->changes, process, &cursor)) {
		uint64_t bit = (uint64_t)1 << cursor.at->scenario;
		const struct whatif_change *change = cursor.at->change;
		const int64_t ns = change->instances ? change->ns / (int64_t)change->instances : 0;
		if (cursor.at->to != place)
			continue;
		changes.removed |= change->kind == CHANGE_REMOVE ? bit : 0;
		changes.unbound |= change->kind == CHANGE_UNBIND ? bit : 0;
		if (change->kind == CHANGE_HIDE) {
			changes.hidden_ns[cursor.at->scenario] += ns;
			changes.hidden |= bit;
		}
		if (change->kind == CHANGE_SHORTEN) {
			changes.less_ns[cursor.at->scenario] += ns;
			changes.shortened |= bit;
		}
	}
	return changes;
}

static void learn_call(struct whatif_pass *pass, const struct call_semantics *semantics,
                       struct known_edge *known)
{
	uint32_t place = place_of(&pass->places, &pass->reader->processes[semantics->process],
	                          semantics->call);
	struct call_changes changes = changes_at(pass, semantics->process, place);

	*known = (struct known_edge){
		.place = place + 1, .before = NO_PLACE, .bytes = -1, .transfer_ns = TRANSFER_UNASKED};
	if (changes.removed | changes.unbound | changes.hidden | changes.shortened)
		known->changes = event_graph_changes(pass->graph, &changes);
	if (!call_field(semantics->call, FIELD_SENT, &known->bytes))
		known->bytes = -1;
	for (uint32_t i = 0; i < pass->options->count && is_standard(semantics) && known->bytes >= 0; i++)
		if (pass->options->scenarios[i].eager >= known->bytes)
			known->eager |= (uint64_t)1 << (i + 1);
}

static struct known_edge *know_first(struct whatif_pass *pass, const struct call_semantics *semantics)
{
	uint32_t room = pass->known_room;
	struct known_edge *known;

	if (semantics->number >= room) {
		array_fit(pass->known, pass->known_room, semantics->number + 1u);
		for (uint32_t i = room; i < pass->known_room; i++)
			pass->known[i].place = 0;
	}
	known = &pass->known[semantics->number];
	learn_call(pass, semantics, known);
	return known;
}

static inline struct known_edge *know(struct whatif_pass *pass, const struct call_semantics *semantics)
{
	return semantics->number < pass->known_room && pass->known[semantics->number].place
	               ? &pass->known[semantics->number]
	               : know_first(pass, semantics);
}

static bool changes_work(const struct placed_change *placed, uint32_t from, uint32_t to)
{
	return placed->change->kind == CHANGE_LESS_WORK
	               ? placed->to == to
	               : placed->change->kind == CHANGE_WORK && placed->from == from &&
	                         (placed->to == to || placed->to == NO_PLACE);
}

static double work_factor(const struct whatif_pass *pass, const struct placed_change *placed,
                          uint32_t process)
{
	const uint32_t *number = map_find(&pass->work_numbers, map_key(process, placed->to));
	double own = number ? (double)pass->work_before.items[*number] : 0;

	if (placed->change->kind == CHANGE_WORK)
		return placed->change->factor;
	return own > (double)placed->change->ns ? 1 - (double)placed->change->ns / own : 0;
}

/* Of all processes; NULL: not known. */
static const struct work_instances *instances_between(struct whatif_pass *pass, uint32_t from, uint32_t to)
{
	const struct process *processes = pass->reader->processes;
	const struct place *before, *after;

	if (!pass->options->causes || from == NO_PLACE || to == NO_PLACE)
		return NULL;
	before = place_get(&pass->places, from);
	after = place_get(&pass->places, to);
	return causes_work(pass->options->causes,
	                   &(struct caller){(uint32_t)(before->process - processes), before->call},
	                   &(struct caller){(uint32_t)(after->process - processes), after->call});
}

static uint32_t changed_work(struct whatif_pass *pass, uint32_t process, uint32_t from, uint32_t to)
{
	double factors[SCENARIOS_MAX] = {0};
	struct change_cursor cursor = {0};
	const struct work_instances *instances;
	uint64_t even = 0;
	bool any = false;
	uint32_t *kind;

	kind = map_put(&pass->work_kinds, map_key((uint64_t)process << 32 | from, to));
	if (*kind != MAP_NONE)
		return *kind;
	instances = instances_between(pass, from, to);
	for (uint32_t s = 0; s < pass->scenario_count; s++)
		factors[s] = 1;
	while (placed_changes_next(&pass->changes, process, &cursor))
		if (changes_work(cursor.at, from, to) && cursor.at->change->is_even && instances) {
			even |= (uint64_t)1 << cursor.at->scenario;
			any = true;
		} else if (changes_work(cursor.at, from, to)) {
			double *factor = &factors[cursor.at->scenario],
			       other = work_factor(pass, cursor.at, process);
			/* Fixes of several findings may concern the same work. It is distributed once. */
			*factor = other < *factor ? other : *factor;
			any = true;
		}
	for (uint32_t s = 0; any && s < pass->scenario_count; s++)
		factors[s] *= event_graph_work_factor(pass->graph, process + 1, s);
	*kind = any ? event_graph_work(pass->graph, factors) : process + 1;
	if (even) {
		event_graph_even_work(pass->graph, *kind, even);
		array_extend(&pass->even_work, *kind + 1u)->items[*kind].instances = instances;
	}
	return *kind;
}

/* The kind of the computing between two calls. */
static inline uint32_t work_between(struct whatif_pass *pass, uint32_t process, uint32_t from, uint32_t to)
{
	return pass->changes.change_work ? changed_work(pass, process, from, to) : process + 1;
}

/* The factor by which the next instance of such computing takes no longer than the mean of all processes. */
static double even_factor(struct whatif_pass *pass, uint32_t kind, int64_t computing)
{
	struct even_work *work = kind < pass->even_work.count ? &pass->even_work.items[kind] : NULL;
	double mean;

	if (!work || !work->instances || work->next == work->instances->count)
		return 1;
	mean = (double)work->instances->sums_ns[work->next++] / work->instances->processes;
	return mean < (double)computing ? mean / (double)computing : 1;
}

/* Each process has a kind of its own, for scenarios in which work is balanced. */
static void add_process_work(struct whatif_pass *pass)
{
	double factors[SCENARIOS_MAX], mean = 0;
	size_t count = pass->reader->process_count;

	for (size_t i = 0; i < count; i++)
		mean += (double)pass->computing[i] / (double)count;
	for (size_t i = 0; i < count; i++) {
		double own = (double)pass->computing[i];
		for (uint32_t s = 0; s < pass->scenario_count; s++)
			factors[s] = 1;
		for (uint32_t s = 0; s < pass->options->count; s++)
			if (pass->options->scenarios[s].is_balanced && own > mean)
				factors[s + 1] = mean / own;
		(void)event_graph_work(pass->graph, factors);
	}
}

/* Calls */

/* By the known limits; at least one is needed. */
static bool is_eager_anywhere(const struct nodes *nodes, uint32_t process, int64_t bytes)
{
	const int64_t *limits = nodes->eager[nodes->world_of[process]];
	bool is_known = false;

	for (int i = 0; i < DISTANCES; i++) {
		if (limits[i] >= 0 && bytes > limits[i])
			return false;
		is_known |= limits[i] >= 0;
	}
	return is_known;
}

/* A send that should not wait for its receiver, but takes much longer than the transfer, waits for other senders. */
static void note_slow_send(struct whatif_pass *pass, uint32_t thread, const struct occurrence *call,
                           const struct known_edge *known, int64_t delay)
{
	const struct call_semantics *send = call->semantics;
	const uint32_t node = pass->session->nodes->of[send->process];
	int64_t took = call->end - call->start - delay;
	double ns;

	if (send->act != ACT_SEND || !is_standard(send) || known->bytes < 0 ||
	    !is_eager_anywhere(pass->session->nodes, send->process, known->bytes) ||
	    !estimate_time(pass->estimates, estimate_word(node, node, known->bytes), &ns))
		return;
	if (took > 2 * (int64_t)ns)
		pass->thread_contended[thread] += took - (int64_t)ns;
}

static void take_call(void *context, const struct occurrence *now, const struct event *event)
{
	struct whatif_pass *pass = context;
	uint32_t number = thread_of(pass, now);
	struct thread_reading *thread = &pass->threads[number];
	const struct call_semantics *semantics = now->semantics;
	struct event_call call;
	struct known_edge *known;
	int64_t gap, gains[SCENARIOS_MAX];

	note_delays(thread, now, event);
	if (semantics->is_local || !has_time(now))
		return;
	known = know(pass, semantics);
	if (known->before != thread->place || !known->work) {
		known->before = thread->place;
		known->work = work_between(pass, semantics->process, thread->place, known->place - 1);
	}
	gap = thread->has_begun ? max_ns(now->start - thread->last_end, 0) : 0;
	call = (struct event_call){
		.start = now->start,
		.end = now->end,
		.delay_before = min_ns(thread->noticed_ns, gap),
		.delay_inside = min_ns((int64_t)event->delay_inside * NS_PER_US, now->end - now->start),
		.work = known->work,
		.even = even_factor(pass, known->work, gap - min_ns(thread->noticed_ns, gap)),
		.changes = known->changes,
		.is_fruitless = semantics->does & CALL_FINDS_NOTHING,
		.is_simple = semantics->act == ACT_ISEND || semantics->act == ACT_IRECEIVE,
		.keeps_time = keeps_time(semantics)};
	if (call.keeps_time) {
		call.is_fixed = starts_mpi(semantics->call);
		call.is_last = ends_mpi(semantics->call);
	}
	call.has_work = call.is_fruitless && works_between_polls(pass->session, now, event);
	if (pass->teams && team_gains_next(pass->teams, number, gains))
		call.gains = event_graph_gains(pass->graph, gains);
	event_graph_call(pass->graph, number, &call);
	note_slow_send(pass, number, now, known, call.delay_inside);
	thread->noticed_ns = 0;
	thread->last_end = now->end;
	thread->place = known->place - 1;
	thread->has_begun = true;
	thread->communicates |= !call.keeps_time;
}

/* Edges */

static void edge_of(struct whatif_pass *pass, const struct call_need *need, const struct needed_call *needed,
                    struct event_need *edge)
{
	*edge = (struct event_need){.thread = thread_of(pass, needed->call), .moment = needed->moment};

	if (need->kind == NEED_PROGRESS) {
		edge->kind = EVENT_PROGRESS;
		edge->moment = event_graph_tests_since(pass->graph, edge->thread, edge->moment);
	}
	if (needed->message) {
		struct known_edge *known = know(pass, needed->message);
		const struct occurrence *receive = needed->is_receiver ? needed->call : need->waits[0].call;
		edge->transfer_ns = transfer_of(pass, known, needed->message->process,
		                                receive->semantics->process);
		edge->moved_ns = moved_by(pass, known, needed->message->process, receive->semantics->process);
		if (edge->moved_ns > 0 && !needed->is_receiver)
			edge->moved_ns += send_queue_wait(&pass->queues[needed->message->process],
			                                  &pass->networks[DISTANCE_NETWORK],
			                                  needed->call->start, known->bytes);
		edge->changes = known->changes;
		if (needed->is_receiver) {
			edge->kind = EVENT_RECEIVER;
			edge->absent = known->eager;
			edge->changes = know(pass, needed->call->semantics)->changes;
		}
	}
	if (needed->is_any && needed->message) {
		edge->kind = EVENT_ANY;
		edge->queue = needed->message->kind->comm + 1;
	}
}

/* A message that took much longer than the fastest ones shared the network. */
static void note_contention(struct whatif_pass *pass, const struct event_wait *wait,
                            const struct event_need *edge)
{
	int64_t took = wait->end - max_ns(edge->moment, wait->start);

	if (edge->transfer_ns && took > 2 * edge->transfer_ns)
		pass->thread_contended[wait->thread] += took - edge->transfer_ns;
}

static void take_need(void *context, const struct call_need *need)
{
	struct whatif_pass *pass = context;
	struct shared_events *shared = NULL;

	pass->scratch.count = need->needed_count;
	(void)array_reserve(&pass->scratch, need->needed_count);
	for (uint32_t i = 0; i < need->needed_count; i++)
		edge_of(pass, need, &need->needed[i], &pass->scratch.items[i]);
	if (need->wait_count > 1)
		shared = event_graph_share(pass->scratch.items, need->needed_count, pass->scenario_count);
	for (uint32_t i = 0; i < need->wait_count; i++) {
		const struct occurrence *call = need->waits[i].call;
		struct event_wait wait = {thread_of(pass, call), call->start, call->end};
		if (shared) {
			event_graph_need_shared(pass->graph, &wait, shared, need->waits[i].needed);
			continue;
		}
		event_graph_need(pass->graph, &wait, pass->scratch.items, need->needed_count);
		if (need->needed_count == 1)
			note_contention(pass, &wait, &pass->scratch.items[0]);
	}
	shared_events_release(shared);
}

static struct row_block *take_rows(void *context, const struct first_mentions *first, struct row_block *block)
{
	struct whatif_pass *pass = context;

	(void)first;
	needs_read(&pass->needs, block);
	return block;
}

static void end_rows(void *context)
{
	struct whatif_pass *pass = context;

	event_graph_finish(pass->graph);
}

static void replay_graph(struct whatif_pass *pass)
{
	struct row_sink sink = {.context = pass,
	                        .block_groups = 64,
	                        .is_prompt = true,
	                        .call = take_call,
	                        .rows = take_rows,
	                        .end = end_rows};
	struct scenario_factors factors[SCENARIOS_MAX] = {FACTORS_RECORDED};

	for (uint32_t s = 0; s < pass->options->count; s++) {
		factors[s + 1] = pass->options->scenarios[s].factors;
		if (factors[s + 1].is_placed)
			pass->node_of = pass->options->scenarios[s].node_of;
	}
	factors[pass->scenario_count - 1] = (struct scenario_factors){
		.transfer = 1, .library = 1, .delay = 0};
	pass->graph = event_graph_new(pass->numbers.count, factors, pass->scenario_count);
	add_process_work(pass);
	for (uint32_t i = 0; i < pass->numbers.count; i++)
		pass->threads[i].place = NO_PLACE;
	pass->needs = (struct need_reader){.nodes = pass->session->nodes, .context = pass, .add = take_need};
	needs_want(&sink);
	relate(pass->session, &sink, &pass->counts);
	needs_release(&pass->needs);
}

/* Answers */

static bool lowers_eager(const struct whatif_pass *pass, const struct whatif_scenario *scenario)
{
	const struct nodes *nodes = pass->session->nodes;

	for (uint32_t i = 0; i < nodes->world_count && scenario->eager != EAGER_RECORDED; i++)
		for (int j = 0; j < DISTANCES; j++)
			if (nodes->eager[i][j] > scenario->eager)
				return true;
	return false;
}

static bool has_several_threads(const struct whatif_pass *pass)
{
	for (size_t i = 0; i < pass->reader->process_count; i++) {
		uint32_t count = 0;
		for (size_t j = 0; j < pass->reader->processes[i].stream_count; j++)
			count += pass->threads[pass->numbers.first[i] + j].communicates;
		if (count > 1)
			return true;
	}
	return false;
}

/* A few calls that are missing at the end of a long run matter little. */
static bool is_incomplete(const struct whatif_pass *pass)
{
	enum { MISSING_PART = 100 };
	const struct replay_counts *counts = &pass->counts;
	uint64_t missing = counts->unmatched_sends + counts->unmatched_receives +
	                   counts->incomplete_collectives + counts->forced + counts->passed_over +
	                   counts->unrecorded + event_graph_doubts(pass->graph, 0).late_needs;

	return missing * MISSING_PART > counts->messages + counts->collectives;
}

static int64_t longest_of(const int64_t *times, uint32_t count)
{
	int64_t longest = 0;

	for (uint32_t i = 0; i < count; i++)
		longest = max_ns(longest, times[i]);
	return longest;
}

static enum whatif_doubt doubt_of(const struct whatif_pass *pass, uint32_t scenario, int64_t length)
{
	const struct whatif_scenario *changed = &pass->options->scenarios[scenario - 1];
	struct event_doubts doubts = event_graph_doubts(pass->graph, scenario);
	struct event_doubts recorded = event_graph_doubts(pass->graph, 0);
	int64_t limit = (int64_t)(doubtful_part * (double)length);
	int64_t noise = event_graph_end_ns(pass->graph, 0) -
	                event_graph_end_ns(pass->graph, pass->scenario_count - 1);

	if (has_several_threads(pass))
		return DOUBT_THREADS;
	if (is_incomplete(pass) || (pass->teams && team_gains_incomplete(pass->teams)))
		return DOUBT_INCOMPLETE;
	if (lowers_eager(pass, changed))
		return DOUBT_EAGER;
	if (changed->factors.is_placed && !changed->node_of)
		return pass->session->nodes->count < 2 ? DOUBT_ONE_NODE : DOUBT_UNPLACED;
	if (changed->factors.is_placed && (pass->lacks[DISTANCE_NODE] || pass->lacks[DISTANCE_NETWORK]))
		return pass->lacks[DISTANCE_NODE] ? DOUBT_WITHIN : DOUBT_BETWEEN;
	if (doubts.rematched_ns > limit)
		return DOUBT_WILDCARDS;
	if (doubts.tests_ns > limit)
		return DOUBT_TESTS;
	if (doubts.progress_ns > limit || recorded.progress_ns > limit)
		return DOUBT_PROGRESS;
	if (changed->factors.delay > 0 && noise > limit)
		return DOUBT_CROWDED;
	if (longest_of(pass->thread_contended, pass->numbers.count) > limit)
		return DOUBT_CONTENTION;
	return DOUBT_NONE;
}

static struct whatif *answers_of(struct whatif_pass *pass)
{
	struct whatif *whatif = memory_new(1, sizeof *whatif);
	int64_t end = event_graph_end_ns(pass->graph, 0);

	whatif->length_ns = session_run_spans(pass->session)->length_ns;
	whatif->error_ns = event_graph_error_ns(pass->graph);
	whatif->calls = pass->counts.events;
	whatif->count = pass->options->count;
	whatif->answers = memory_new(pass->scenario_count, sizeof *whatif->answers);
	memcpy(whatif->networks, pass->networks, sizeof whatif->networks);
	for (uint32_t i = 0; i < whatif->count; i++) {
		struct whatif_answer *answer = &whatif->answers[i];
		answer->saves_ns = min_ns(end - event_graph_end_ns(pass->graph, i + 1), whatif->length_ns);
		answer->length_ns = whatif->length_ns - answer->saves_ns;
		answer->saves_share = whatif->length_ns > 0
		                              ? (double)answer->saves_ns / (double)whatif->length_ns
		                              : 0;
		answer->doubt = doubt_of(pass, i + 1, whatif->length_ns);
	}
	return whatif;
}

/* As the trace shows them, otherwise as they were measured. */
static void find_networks(struct whatif_pass *pass)
{
	for (int i = 0; i < DISTANCES; i++) {
		const struct network_link *link = &pass->options->links[i];
		struct network_model *model = &pass->networks[i];
		*model = estimates_model(pass->estimates, i);
		if (model->latency < 0 && link->latency > 0) {
			model->latency = link->latency;
			model->gap_per_byte = 1 / link->rate;
		}
	}
}

static void pass_init(struct whatif_pass *pass)
{
	size_t processes = pass->reader->process_count;

	graph_threads_init(&pass->numbers, pass->reader);
	pass->threads = memory_new(pass->numbers.count + 1u, sizeof *pass->threads);
	pass->thread_contended = memory_new(pass->numbers.count + 1u, sizeof *pass->thread_contended);
	pass->computing = memory_new(processes + 1, sizeof *pass->computing);
	pass->queues = memory_new(processes + 1, sizeof *pass->queues);
	pass->places.source = pass->options->source;
	placed_changes_init(&pass->changes, pass->options, pass->reader, &pass->places);
	pass->estimates = pass->options->estimates;
	if (!pass->estimates)
		pass->estimates = pass->measured = estimates_new(pass->session->nodes,
		                                                 (struct network_link){0}, NULL, 0);
}

static void pass_release(struct whatif_pass *pass)
{
	event_graph_free(pass->graph);
	estimates_free(pass->measured);
	places_release(&pass->places);
	array_release(&pass->scratch);
	graph_threads_release(&pass->numbers);
	free(pass->threads);
	free(pass->thread_contended);
	free(pass->computing);
	free(pass->queues);
	free(pass->known);
	map_release(&pass->work_numbers);
	map_release(&pass->work_kinds);
	array_release(&pass->work_before);
	array_release(&pass->even_work);
	array_release(&pass->work_of_call);
	placed_changes_release(&pass->changes);
	team_gains_free(pass->teams);
}

struct whatif *whatif_new(struct analysis_session *session, const struct whatif_options *options)
{
	struct whatif_pass pass = {.session = session,
	                           .options = options,
	                           .reader = session->reader,
	                           .scenario_count = 2 + (uint32_t)options->count};
	const bool splits_sinks = session->splits_sinks;
	struct whatif *whatif;

	session->splits_sinks = options->uses_threads;
	eager_find(session);
	pass_init(&pass);
	pass.teams = team_gains_new(session, &pass.numbers, &pass.changes, &pass.places, pass.scenario_count);
	survey(&pass);
	find_networks(&pass);
	replay_graph(&pass);
	whatif = answers_of(&pass);
	pass_release(&pass);
	session->splits_sinks = splits_sinks;
	return whatif;
}

void whatif_free(struct whatif *whatif)
{
	if (!whatif)
		return;
	free(whatif->answers);
	free(whatif);
}
