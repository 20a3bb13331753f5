#include "check/execution/deadlock_parts.h"

struct deadlocks *deadlocks_new(struct execution *execution, struct ordering *ordering,
                                struct findings_log *log, const struct deadlock_callbacks *callbacks)
{
	struct deadlocks *deadlocks = memory_new(1, sizeof *deadlocks);

	deadlocks->execution = execution;
	deadlocks->log = log;
	deadlocks->callbacks = *callbacks;
	deadlocks->hang = hang_watch_new();
	deadlocks->potential = potential_deadlocks_new(deadlocks);
	deadlocks->choices = ordering ? wildcard_choices_new(execution, log, ordering) : NULL;
	return deadlocks;
}

static void question_release(struct knot_question *question)
{
	waiting_knot_release(&question->knot);
	array_release(&question->processes);
	array_release(&question->threads);
	map_release(&question->numbers);
}

void deadlocks_free(struct deadlocks *deadlocks)
{
	blocked_graph_release(&deadlocks->graph);
	array_release(&deadlocks->nodes);
	waiting_knot_release(&deadlocks->knot);
	for (size_t i = 0; i < deadlocks->questions.count; i++)
		question_release(&deadlocks->questions.items[i]);
	array_release(&deadlocks->questions);
	array_release(&deadlocks->reported);
	map_release(&deadlocks->reported_threads);
	array_release(&deadlocks->seen_knots);
	potential_deadlocks_free(deadlocks->potential);
	wildcard_choices_free(deadlocks->choices);
	hang_watch_free(deadlocks->hang);
	free(deadlocks);
}

/* Knots */

void waiting_knot_release(struct waiting_knot *knot)
{
	array_release(&knot->threads);
	array_release(&knot->ended);
}

struct map waiting_knot_threads(const struct waiting_knot *knot)
{
	struct map threads = {0};

	for (size_t i = 0; i < knot->threads.count; i++)
		*map_put(&threads, map_key((uintptr_t)knot->threads.items[i].thread, 0)) = (uint32_t)i;
	return threads;
}

static void add_thread(struct waiting_knot *knot, struct executed_thread *thread)
{
	array_add(&knot->threads, (struct knot_thread){thread, thread->step_count});
	knot->identity += hash_word(hash_word(1, (uintptr_t)thread), thread->step_count);
}

/* A thread that waits for a finalized process, or any thread that is stuck because of it. */
static struct executed_thread *first_waiter(const struct blocked_graph *graph)
{
	struct executed_thread *any = NULL;

	for (uint32_t i = 1; i < graph->nodes.count; i++) {
		const struct blocked_node *node = &graph->nodes.items[i];
		if (node->kind != NODE_THREAD || !wait_graph_is_stuck(&graph->waits, i) ||
		    thread_is_in_finalize(node->thread))
			continue;
		if (blocked_graph_waits_for_ended(graph, i))
			return node->thread;
		any = any ? any : node->thread;
	}
	return any;
}

void waiting_knot_take(struct waiting_knot *knot, const struct blocked_graph *graph,
                       const struct blocked_nodes *nodes)
{
	struct executed_thread *waiter;

	knot->threads.count = knot->ended.count = 0;
	knot->identity = 0;
	knot->has_others = false;
	for (size_t i = 0; i < nodes->count; i++) {
		const struct blocked_node *node = &graph->nodes.items[nodes->items[i]];
		if (node->kind == NODE_ENDED)
			array_add(&knot->ended, node->process);
		if (node->kind == NODE_THREAD)
			add_thread(knot, node->thread);
		knot->has_others |= node->has_others;
	}
	/* A finalized process waits for nobody: show a thread that waits for it. */
	waiter = !knot->threads.count && knot->ended.count ? first_waiter(graph) : NULL;
	if (waiter)
		add_thread(knot, waiter);
}

static bool knot_is_as_it_was(const struct waiting_knot *knot)
{
	for (size_t i = 0; i < knot->threads.count; i++) {
		const struct executed_thread *thread = knot->threads.items[i].thread;
		if (thread->blocked == BLOCKED_NOT ||
		    thread->step_count != knot->threads.items[i].step_count || thread->has_more ||
		    thread->process->has_ended)
			return false;
	}
	return true;
}

static struct seen_knot *seen_knot_get(struct deadlocks *deadlocks, uint64_t identity)
{
	uint64_t now = deadlocks->now_ms;
	size_t kept = 0;

	/* Drops knots that no longer exist. */
	for (size_t i = 0; i < deadlocks->seen_knots.count; i++)
		if (now - deadlocks->seen_knots.items[i].last_ms < 10u * UNANSWERED_MS)
			deadlocks->seen_knots.items[kept++] = deadlocks->seen_knots.items[i];
	deadlocks->seen_knots.count = kept;
	for (size_t i = 0; i < kept; i++)
		if (deadlocks->seen_knots.items[i].identity == identity) {
			deadlocks->seen_knots.items[i].last_ms = now;
			return &deadlocks->seen_knots.items[i];
		}
	array_add(&deadlocks->seen_knots,
	          (struct seen_knot){.identity = identity, .since_ms = now, .last_ms = now});
	return &deadlocks->seen_knots.items[kept];
}

/* Questions */

static void ask(struct deadlocks *deadlocks, struct knot_question *asked)
{
	asked->round++;
	asked->question = ++deadlocks->last_question;
	asked->asked_ms = deadlocks->now_ms;
	asked->answered_ms = 0;
	asked->unanswered = (uint32_t)asked->processes.count;
	for (size_t i = 0; i < asked->processes.count; i++)
		asked->processes.items[i].has_answered = false;
	for (size_t i = 0; i < asked->processes.count; i++)
		deadlocks->callbacks.ask(deadlocks->callbacks.owner, asked->processes.items[i].process->known,
		                         asked->question, false);
}

static bool is_known(const struct deadlocks *deadlocks, uint64_t identity)
{
	for (size_t i = 0; i < deadlocks->reported.count; i++)
		if (deadlocks->reported.items[i] == identity)
			return true;
	for (size_t i = 0; i < deadlocks->questions.count; i++)
		if (deadlocks->questions.items[i].knot.identity == identity)
			return true;
	return false;
}

static struct knot_process *asked_process(struct knot_question *asked, struct executed_process *process)
{
	uint32_t *number = map_put(&asked->numbers, map_key((uintptr_t)process->known, 0));

	if (*number == MAP_NONE) {
		*number = (uint32_t)asked->processes.count;
		array_add(&asked->processes, (struct knot_process){.process = process});
	}
	return &asked->processes.items[*number];
}

static uint64_t bytes_of(const struct known_data *data)
{
	uint64_t bytes;

	if (!data->type ||
	    __builtin_mul_overflow(signature_bytes(data->type->signature), data->count, &bytes))
		return 0;
	return bytes;
}

/* The time that MPI may need for the calls of a knot if it survives their mismatch. */
static uint64_t round_ms_of(const struct waiting_knot *knot)
{
	const struct executed_operation *mismatch = knot_mismatch(knot);
	const struct analysed_call *call;
	uint64_t bytes, members;

	if (!mismatch || !mismatch->collective->disagrees)
		return ROUND_MS;
	call = mismatch->call;
	members = comm_places(mismatch->collective->comm);
	bytes = bytes_of(&call->send) + bytes_of(&call->receive);
	for (uint32_t i = 0; i < call->send_list_count; i++)
		bytes += bytes_of(&call->send_list[i]);
	for (uint32_t i = 0; i < call->receive_list_count; i++)
		bytes += bytes_of(&call->receive_list[i]);
	return MISMATCH_MS + members * (MISMATCH_MEMBER_MS + bytes / MISMATCH_BYTES_PER_MS);
}

static void begin_asking(struct deadlocks *deadlocks, const struct waiting_knot *knot)
{
	struct knot_question *asked = array_new_item(&deadlocks->questions);
	uint32_t first = 0;

	*asked = (struct knot_question){.knot.identity = knot->identity, .round_ms = round_ms_of(knot)};
	for (size_t i = 0; i < knot->ended.count; i++)
		array_add(&asked->knot.ended, knot->ended.items[i]);
	for (size_t i = 0; i < knot->threads.count; i++) {
		array_add(&asked->knot.threads, knot->threads.items[i]);
		asked_process(asked, knot->threads.items[i].thread->process)->count++;
	}
	/* Counting sort of the threads by process. */
	for (size_t i = 0; i < asked->processes.count; i++) {
		struct knot_process *process = &asked->processes.items[i];
		process->first = first;
		first += process->count;
		process->count = 0;
	}
	array_extend(&asked->threads, first);
	for (size_t i = 0; i < knot->threads.count; i++) {
		struct knot_process *process = asked_process(asked, knot->threads.items[i].thread->process);
		asked->threads.items[process->first + process->count++] = knot->threads.items[i].thread;
	}
	ask(deadlocks, asked);
}

/* True if all threads of the process are in the calls of the knot, or wait for each other outside MPI. A call
 * with an unknown number was reported before numbers were restarted: it is the last call that the thread
 * reported, and so the call in which it is blocked. */
static bool answer_is_certain(const struct knot_question *asked, const struct knot_process *process,
                              const struct check_answer *answer)
{
	uint32_t confirmed = 0;

	for (uint32_t i = 0; i < answer->thread_count; i++) {
		const struct thread_state *state = &answer->threads[i];
		const struct executed_thread *thread = NULL;
		const struct analysed_call *call = process_call(process->process->known, state->call);
		for (uint32_t j = 0; j < process->count && !thread; j++)
			if (asked->threads.items[process->first + j]->number == state->thread)
				thread = asked->threads.items[process->first + j];
		if (!thread && state->is_asleep)
			continue;
		if (!thread || !state->is_in_call || state->is_elsewhere || (call && call != thread->call))
			return false;
		confirmed++;
	}
	return process->count && confirmed == process->count;
}

void deadlocks_answer(struct deadlocks *deadlocks, struct analysed_process *process,
                      const struct check_answer *answer)
{
	hang_watch_answer(deadlocks, process, answer);
	for (size_t i = 0; i < deadlocks->questions.count; i++) {
		struct knot_question *asked = &deadlocks->questions.items[i];
		const uint32_t *number = answer->question == asked->question
		                                 ? map_find(&asked->numbers, map_key((uintptr_t)process, 0))
		                                 : NULL;
		struct knot_process *known = number ? &asked->processes.items[*number] : NULL;

		if (!known || known->has_answered)
			continue;
		known->has_answered = true;
		asked->is_doubtful |= !answer_is_certain(asked, known, answer);
		if (!--asked->unanswered)
			asked->answered_ms = deadlocks->now_ms;
	}
}

static void build_graph(struct deadlocks *deadlocks)
{
	blocked_graph_build(&deadlocks->graph, deadlocks->execution, deadlocks->seen);
	wait_graph_solve(&deadlocks->graph.waits);
}

/* True if no later event has changed the knot. */
static bool knot_is_stuck(const struct deadlocks *deadlocks, const struct waiting_knot *knot)
{
	const struct blocked_graph *graph = &deadlocks->graph;
	struct map threads = waiting_knot_threads(knot);
	size_t found = 0;

	for (uint32_t i = 1; i < graph->nodes.count; i++)
		found += graph->nodes.items[i].kind == NODE_THREAD && wait_graph_is_stuck(&graph->waits, i) &&
		         thread_is_among(&threads, graph->nodes.items[i].thread);
	map_release(&threads);
	return found == knot->threads.count;
}

enum question_state { QUESTION_OPEN, QUESTION_DOUBTFUL, QUESTION_CONFIRMED };

/* Continues a question as far as the answers allow. */
static enum question_state go_on_asking(struct deadlocks *deadlocks, struct knot_question *asked)
{
	if (!knot_is_as_it_was(&asked->knot) ||
	    (!asked->answered_ms && deadlocks->now_ms - asked->asked_ms > UNANSWERED_MS) ||
	    (asked->answered_ms && asked->is_doubtful))
		return QUESTION_DOUBTFUL;
	if (!asked->answered_ms)
		return QUESTION_OPEN;
	if (asked->round == 1) {
		if (deadlocks->now_ms - asked->asked_ms >= asked->round_ms)
			ask(deadlocks, asked);
		return QUESTION_OPEN;
	}
	build_graph(deadlocks);
	return knot_is_stuck(deadlocks, &asked->knot) ? QUESTION_CONFIRMED : QUESTION_DOUBTFUL;
}

static void take_confirmed(struct deadlocks *deadlocks, const struct waiting_knot *knot)
{
	bool is_new = true;

	if (!deadlocks->reported.count)
		deadlocks->verdict_ms = deadlocks->now_ms;
	array_add(&deadlocks->reported, knot->identity);
	/* A process that arrives later may close another cycle through the same calls: this is
	 * not another deadlock. */
	for (size_t i = 0; i < knot->threads.count; i++)
		is_new &= !thread_is_among(&deadlocks->reported_threads, knot->threads.items[i].thread);
	for (size_t i = 0; is_new && i < knot->threads.count; i++)
		*map_put(&deadlocks->reported_threads,
		         map_key((uintptr_t)knot->threads.items[i].thread, 0)) = 0;
	if (is_new)
		report_deadlock(deadlocks, knot);
}

/* Reports the knots that are certain now. True: there was one. */
static bool take_verdicts(struct deadlocks *deadlocks)
{
	size_t kept = 0, reported = deadlocks->reported.count;

	for (size_t i = 0; i < deadlocks->questions.count; i++) {
		struct knot_question *asked = &deadlocks->questions.items[i];
		const enum question_state state = go_on_asking(deadlocks, asked);
		if (state == QUESTION_OPEN) {
			deadlocks->questions.items[kept++] = *asked;
			continue;
		}
		deadlocks->settled = 0;
		if (state == QUESTION_CONFIRMED)
			take_confirmed(deadlocks, &asked->knot);
		else
			seen_knot_get(deadlocks, asked->knot.identity)->retry_ms = deadlocks->now_ms +
			                                                           DOUBTFUL_MS;
		question_release(asked);
	}
	deadlocks->questions.count = kept;
	return deadlocks->reported.count != reported;
}

uint64_t world_sizes(const struct execution *execution)
{
	struct map worlds = {0};
	uint64_t sum = 0;

	for (size_t i = 0; i < execution->processes.count; i++) {
		const struct analysed_process *process = execution->processes.items[i]->known;
		uint32_t *world = map_put(&worlds, map_key(process->world, 0));
		sum += *world == MAP_NONE ? process->size : 0;
		*world = 0;
	}
	map_release(&worlds);
	return sum;
}

/* True if no process can act any more. A process without any event yet still can. */
static bool all_are_stuck(const struct deadlocks *deadlocks)
{
	const struct blocked_graph *graph = &deadlocks->graph;
	const struct execution *execution = deadlocks->execution;
	struct map stuck = {0};
	uint64_t found = 0;

	for (uint32_t i = 1; i < graph->nodes.count; i++)
		if (graph->nodes.items[i].kind == NODE_THREAD && !graph->nodes.items[i].has_others &&
		    wait_graph_is_stuck(&graph->waits, i))
			*map_put(&stuck, map_key((uintptr_t)graph->nodes.items[i].process, 0)) = 0;
	for (size_t i = 0; i < execution->processes.count; i++) {
		const struct executed_process *process = execution->processes.items[i];
		found += process->has_ended || map_find(&stuck, map_key((uintptr_t)process, 0));
	}
	map_release(&stuck);
	return found >= world_sizes(execution);
}

/* After a deadlock was reported: ends the run, or waits for findings about other processes. */
static void end_or_wait(struct deadlocks *deadlocks)
{
	const uint64_t waited = deadlocks->now_ms - deadlocks->verdict_ms;
	const struct blocked_graph *graph = &deadlocks->graph;
	ARRAY(struct analysed_process *) stuck = {0};

	build_graph(deadlocks);
	if (waited < LAST_MS &&
	    (deadlocks->questions.count || (waited < OTHERS_MS && !all_are_stuck(deadlocks))))
		return;
	for (uint32_t i = 1; i < graph->nodes.count; i++)
		if (wait_graph_is_stuck(&graph->waits, i) && graph->nodes.items[i].kind == NODE_THREAD)
			array_add(&stuck, graph->nodes.items[i].process->known);
	deadlocks->is_over = true;
	deadlocks->callbacks.stop(deadlocks->callbacks.owner, stuck.items, (uint32_t)stuck.count);
	array_release(&stuck);
}

/* Looking */

/* A hash of all blocked threads; 0: there are none. */
static uint64_t blocked_hash(const struct deadlocks *deadlocks)
{
	const struct execution *execution = deadlocks->execution;
	uint64_t hash = 0, ended = 1;

	for (size_t i = 0; i < execution->processes.count; i++) {
		const struct executed_process *process = execution->processes.items[i];
		if (!process)
			continue;
		ended += process->has_ended;
		for (size_t j = 0; j < process->threads.count; j++) {
			const struct executed_thread *thread = process->threads.items[j];
			if (thread_is_blocked(thread, deadlocks->seen))
				hash += hash_word(hash_word(thread->has_more, (uintptr_t)thread),
				                  thread->step_count);
		}
	}
	return hash ? hash_word(hash, ended) : 0;
}

/* The order of threads in this run may not be the program's: without it, the knot may not exist. */
static bool forget_thread_order(struct deadlocks *deadlocks, const struct waiting_knot *knot)
{
	for (size_t i = 0; i < knot->threads.count; i++)
		if (knot->threads.items[i].thread->blocked == BLOCKED_THREAD) {
			execution_let_pass(deadlocks->execution, knot->threads.items[i].thread);
			return true;
		}
	return false;
}

/* Decides about a knot. True: the execution can continue. */
static bool evaluate(struct deadlocks *deadlocks, bool is_at_end)
{
	struct seen_knot *seen;
	struct waiting_knot *knot = &deadlocks->knot;
	bool was_left = false, is_in_finalize = true;

	waiting_knot_take(knot, &deadlocks->graph, &deadlocks->nodes);
	if (forget_thread_order(deadlocks, knot))
		return true;
	for (size_t i = 0; i < knot->threads.count; i++) {
		was_left |= thread_has_left(knot->threads.items[i].thread);
		is_in_finalize &= thread_is_in_finalize(knot->threads.items[i].thread);
	}
	if (is_in_finalize)
		return false;
	seen = seen_knot_get(deadlocks, knot->identity);
	if (was_left) {
		if (knot->has_others)
			return false;
		deadlocks->is_settled = false;
		if (!is_at_end && deadlocks->now_ms - seen->since_ms < POTENTIAL_MS)
			return false;
		report_potential(deadlocks, knot);
		return true;
	}
	if (is_known(deadlocks, knot->identity))
		return false;
	if (!is_at_end && deadlocks->now_ms >= seen->retry_ms)
		begin_asking(deadlocks, knot);
	else
		deadlocks->is_settled = false;
	return false;
}

static uint32_t first_stuck(const struct blocked_graph *graph)
{
	uint32_t final = 0;

	for (uint32_t i = 1; i < graph->nodes.count; i++) {
		if (graph->nodes.items[i].kind != NODE_THREAD || !wait_graph_is_stuck(&graph->waits, i))
			continue;
		if (!thread_is_in_finalize(graph->nodes.items[i].thread))
			return i;
		final = i;
	}
	return final;
}

/* One knot after the other: each is freed to find further ones. */
static bool evaluate_all(struct deadlocks *deadlocks, bool is_at_end)
{
	enum { KNOTS = 64 };
	struct blocked_graph *graph = &deadlocks->graph;
	bool goes_on = false;

	for (int i = 0; i < KNOTS; i++) {
		uint32_t first = first_stuck(graph);
		if (!first)
			break;
		blocked_graph_knot(graph, first, &deadlocks->nodes);
		goes_on |= evaluate(deadlocks, is_at_end);
		for (size_t j = 0; j < deadlocks->nodes.count; j++)
			graph->waits.nodes.items[deadlocks->nodes.items[j]].is_free = true;
		wait_graph_solve(&graph->waits);
	}
	return goes_on;
}

static void look(struct deadlocks *deadlocks, bool is_at_end)
{
	enum { ROUNDS = 1000 };

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t hash = blocked_hash(deadlocks);
		if (!hash || hash == deadlocks->calm || hash == deadlocks->settled)
			return;
		deadlocks->looks_again = true;
		build_graph(deadlocks);
		if (!first_stuck(&deadlocks->graph)) {
			deadlocks->calm = hash;
			return;
		}
		deadlocks->is_settled = true;
		if (!evaluate_all(deadlocks, is_at_end)) {
			if (deadlocks->is_settled && !first_stuck(&deadlocks->graph))
				deadlocks->settled = hash;
			return;
		}
		execution_run(deadlocks->execution);
		if (is_at_end)
			deadlocks->seen = deadlocks->execution->now;
	}
}

void deadlocks_tick(struct deadlocks *deadlocks, uint64_t now_ms, uint64_t heard)
{
	deadlocks->now_ms = now_ms;
	if (deadlocks->is_over)
		return;
	if (deadlocks->questions.count && take_verdicts(deadlocks))
		deadlocks->looked_ms = 0; /* other knots are asked about now */
	if (now_ms - deadlocks->looked_ms < LOOK_MS)
		return;
	deadlocks->looked_ms = now_ms;
	execution_run(deadlocks->execution);
	execution_help_tested(deadlocks->execution);
	deadlocks->looks_again = deadlocks->seen != deadlocks->execution->now;
	look(deadlocks, false);
	if (deadlocks->reported.count)
		end_or_wait(deadlocks);
	deadlocks->seen = deadlocks->execution->now;
	if (!deadlocks->reported.count)
		hang_watch_tick(deadlocks, heard);
}

bool deadlocks_looks_again(const struct deadlocks *deadlocks)
{
	return !deadlocks->is_over &&
	       (deadlocks->looks_again || deadlocks->questions.count || deadlocks->reported.count);
}

void deadlocks_end(struct deadlocks *deadlocks)
{
	if (deadlocks->is_over || deadlocks->reported.count) {
		if (deadlocks->choices)
			wildcard_choices_end(deadlocks->choices, false);
		return;
	}
	deadlocks->calm = deadlocks->settled = 0;
	execution_run(deadlocks->execution);
	deadlocks->seen = deadlocks->execution->now;
	look(deadlocks, true);
	if (deadlocks->choices)
		wildcard_choices_end(deadlocks->choices, true);
}
