#include "analysis/whatif/team_gains.h"

#include "analysis/model/needed_calls.h"
#include "analysis/model/relations.h"
#include "analysis/model/run_spans.h"
#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
	GAINS_MAX = 1 << 22, /* of all threads. If there are more, small gains wait for the next call */
	LATE_PART = 100,     /* if more than one in this many needs came too late, too much is missing */
};

/* The gain before one call of a thread, in one scenario. */
struct gain {
	uint64_t call; /* number among those of the thread */
	uint32_t scenario;
	int64_t ns;
};

/* A time in which a thread may have waited for its next region. */
struct idle_time {
	int64_t start, end;
};

struct team_thread {
	bool has_calls;
	bool is_idle; /* since its last call: no region is known yet that it joined */
	int64_t last_end;
	/* A region may become known after calls of its other threads: their last barrier, and the time until the next call. */
	struct idle_time barrier, gap;
	/* Calls of MPI. */
	uint64_t heard, taken;
	int64_t *shifts; /* vector: shifts of the last call that were added to the gains */
	ARRAY(struct gain) gains;
	size_t next;
};

/* A region. */
struct team_fork {
	bool is_known;
	uint32_t thread; /* that began it */
	uint32_t joined; /* by so many other threads */
	int64_t ns;
};

struct team_process {
	bool is_followed; /* some scenario changes its teams */
	int64_t begun;    /* its first call; meaningful if the next is set */
	bool has_begun;
	/* The regions that were begun last, and before that. */
	struct team_fork fork, last_fork;
	/* The computing of the thread that ended the last region, until the next region. 0: as recorded */
	uint32_t alone_thread, alone_work;
	uint64_t
		shared_tasks; /* scenarios in which threads share the tasks of the last region evenly, as far as one has waited for them */
};

/* A distinct call. */
struct team_call_kind {
	bool is_known;
	uint32_t place, changes, alone_work;
	uint64_t evened;       /* scenarios in which its members share their work evenly */
	uint64_t serial;       /* scenarios in which one thread executes the region */
	uint64_t shared_tasks; /* scenarios in which it does not wait for tasks */
};

struct team_gains {
	const struct graph_threads *numbers;
	const struct placed_changes *changes;
	struct places *places;
	uint32_t scenarios;
	struct event_graph *graph;
	struct team_process *processes;
	struct team_thread *threads;
	ARRAY(struct team_call_kind) kinds; /* by number of the distinct call */
	struct map evened; /* from scenarios to changes of barriers that are evened in these */
	ARRAY(struct event_need) needs;
	size_t gain_count;
	int64_t min_gain;
	uint64_t need_count, late_needs; /* the latter came too late, or their region is not known */
	struct replay_counts counts;
};

static const struct call_info *called(const struct whatif_change *change)
{
	return change->to.call ? call_find(change->to.call->outline->name) : NULL;
}

static bool is_of_team(const struct whatif_change *change)
{
	const struct call_info *info = called(change);

	return info && call_is_openmp(info);
}

/* Distinct calls */

/* The computing of one thread between two regions. */
static uint32_t alone_work(struct team_gains *gains, uint32_t process, uint32_t place)
{
	double factors[SCENARIOS_MAX];
	struct change_cursor cursor = {0};
	bool any = false;

	for (uint32_t s = 0; s < gains->scenarios; s++)
		factors[s] = 1;
	while (placed_changes_next(gains->changes, process, &cursor)) {
		double *factor = &factors[cursor.at->scenario];
		if (cursor.at->change->kind != CHANGE_SHARE_ALONE || cursor.at->from != place)
			continue;
		*factor = cursor.at->change->factor < *factor ? cursor.at->change->factor : *factor;
		any = true;
	}
	return any ? event_graph_work(gains->graph, factors) : 0;
}

static uint32_t changes_at(struct team_gains *gains, uint32_t process, uint32_t place)
{
	struct call_changes changes = {0};
	struct change_cursor cursor = {0};

	while (placed_changes_next(gains->changes, process, &cursor)) {
		uint64_t bit = (uint64_t)1 << cursor.at->scenario;
		if (cursor.at->to != place)
			continue;
		changes.unbound |= cursor.at->change->kind == CHANGE_UNBIND ? bit : 0;
		changes.evened |= cursor.at->change->kind == CHANGE_EVEN_TEAM ? bit : 0;
		changes.removed |= cursor.at->change->kind == CHANGE_SHARE_TASKS ? bit : 0;
	}
	return changes.unbound | changes.evened | changes.removed
	               ? event_graph_changes(gains->graph, &changes)
	               : 0;
}

static uint64_t scenarios_with(const struct team_gains *gains, enum change_kind kind, uint32_t process,
                               uint32_t place)
{
	struct change_cursor cursor = {0};
	uint64_t scenarios = 0;

	while (placed_changes_next(gains->changes, process, &cursor))
		if (cursor.at->change->kind == kind && cursor.at->to == place)
			scenarios |= (uint64_t)1 << cursor.at->scenario;
	return scenarios;
}

static const struct team_call_kind *know(struct team_gains *gains, const struct call_semantics *semantics)
{
	struct team_call_kind *kind =
		&array_extend(&gains->kinds, semantics->number + 1u)->items[semantics->number];
	const uint32_t process = semantics->process;

	if (kind->is_known)
		return kind;
	kind->is_known = true;
	kind->place = place_of(gains->places, &gains->numbers->reader->processes[process], semantics->call);
	kind->changes = changes_at(gains, process, kind->place);
	kind->alone_work = alone_work(gains, process, kind->place);
	kind->evened = scenarios_with(gains, CHANGE_EVEN_TEAM, process, kind->place);
	kind->serial = scenarios_with(gains, CHANGE_SERIAL_REGION, process, kind->place);
	kind->shared_tasks = scenarios_with(gains, CHANGE_SHARE_TASKS, process, kind->place);
	return kind;
}

/* Calls */

/* False: the region did not begin in this time. */
static bool need_fork(struct team_gains *gains, struct team_fork *fork, uint32_t thread,
                      const struct idle_time *idle)
{
	if (!fork->is_known || fork->thread == thread || fork->ns <= idle->start || fork->ns > idle->end)
		return false;
	gains->need_count++;
	fork->joined++;
	event_graph_need(gains->graph, &(struct event_wait){thread, idle->start, idle->end},
	                 &(struct event_need){.thread = fork->thread, .moment = fork->ns}, 1);
	return true;
}

static void add_idle(struct team_gains *gains, uint32_t number, int64_t end)
{
	struct team_thread *thread = &gains->threads[number];

	thread->gap = (struct idle_time){thread->last_end, end};
	event_graph_call(
		gains->graph, number,
		&(struct event_call){.start = thread->gap.start, .end = thread->gap.end, .keeps_time = true});
	thread->last_end = end;
}

/* Until a region begins, a thread is idle that has not joined it yet. Then it works until its next call, or joins a region that is not known yet. */
static void join_team(struct team_gains *gains, struct team_process *process, uint32_t number, int64_t start)
{
	struct team_thread *thread = &gains->threads[number];
	const bool is_idle = !thread->has_calls || thread->is_idle;
	/* A thread may leave the end of a region after the next one has begun. */
	struct team_fork *fork = process->fork.ns <= start ? &process->fork : &process->last_fork;

	if (!thread->has_calls)
		thread->last_end = process->begun;
	if (fork->is_known && fork->thread != number && fork->ns > thread->last_end && fork->ns <= start) {
		add_idle(gains, number, fork->ns);
		(void)need_fork(gains, fork, number, &thread->gap);
	}
	if (is_idle && start > thread->last_end)
		add_idle(gains, number, start);
}

/* Other threads were faster than the call that begins the region, if that had no CPU. */
static void join_late(struct team_gains *gains, struct team_process *process, uint32_t index)
{
	const uint32_t first = gains->numbers->first[index];
	const uint32_t end = first + (uint32_t)gains->numbers->reader->processes[index].stream_count;

	for (uint32_t i = first; i < end; i++)
		if (!need_fork(gains, &process->fork, i, &gains->threads[i].barrier))
			(void)need_fork(gains, &process->fork, i, &gains->threads[i].gap);
}

/* The changes of an OpenMP call. */
static uint32_t changes_of(struct team_gains *gains, const struct team_process *process,
                           const struct call_semantics *semantics, const struct team_call_kind *kind)
{
	struct call_changes changes;
	uint32_t *number;

	if (semantics->kind->info != &all_calls[CALL_omp_barrier] || !process->shared_tasks)
		return kind->changes;
	changes = (struct call_changes){.evened = kind->evened | process->shared_tasks};
	number = map_put(&gains->evened, map_key(changes.evened, 0));
	if (*number == MAP_NONE)
		*number = event_graph_changes(gains->graph, &changes);
	return *number;
}

static void note_region(struct team_gains *gains, struct team_process *process, const struct occurrence *now,
                        uint32_t number, const struct team_call_kind *kind)
{
	const struct call_info *info = now->semantics->kind->info;

	if (info == &all_calls[CALL_omp_fork]) {
		process->last_fork = process->fork;
		process->fork = (struct team_fork){.is_known = true, .thread = number, .ns = now->start};
		process->alone_work = 0;
		process->shared_tasks = 0;
		join_late(gains, process, now->semantics->process);
	} else if (info == &all_calls[CALL_omp_join]) {
		process->alone_thread = number;
		process->alone_work = kind->alone_work;
	}
	process->shared_tasks |= kind->shared_tasks;
}

static void note_call(struct team_gains *gains, struct team_process *process, const struct occurrence *now,
                      uint32_t number, bool is_openmp)
{
	const struct idle_time wait = {now->start, now->end};
	struct team_thread *thread = &gains->threads[number];
	/* It waited for its next region after the end of the last one. */
	const bool has_joined = is_openmp && need_fork(gains, &process->fork, number, &wait);

	thread->has_calls = true;
	thread->last_end = now->end;
	thread->is_idle = now->semantics->kind->info == &all_calls[CALL_omp_barrier] && !has_joined;
	if (thread->is_idle)
		thread->barrier = wait;
}

static void take_call(void *context, const struct occurrence *now, const struct event *event)
{
	struct team_gains *gains = context;
	const struct call_semantics *semantics = now->semantics;
	struct team_process *process = &gains->processes[semantics->process];
	const uint32_t number = graph_thread_of(gains->numbers, now);
	const bool is_openmp = semantics->kind->info && call_is_openmp(semantics->kind->info);
	const struct team_call_kind *kind;
	struct event_call call;

	(void)event;
	if (!process->is_followed || (semantics->is_local && !is_openmp) || !has_time(now))
		return;
	kind = know(gains, semantics);
	if (!process->has_begun)
		process->begun = now->start;
	process->has_begun = true;
	join_team(gains, process, number, now->start);
	call = (struct event_call){.start = now->start,
	                           .end = now->end,
	                           .work = number == process->alone_thread ? process->alone_work : 0,
	                           .changes = is_openmp ? changes_of(gains, process, semantics, kind) : 0,
	                           .is_fixed = !is_openmp && starts_mpi(semantics->call),
	                           .is_last = !is_openmp && ends_mpi(semantics->call),
	                           .keeps_time = true,
	                           .is_heard = !is_openmp};
	event_graph_call(gains->graph, number, &call);
	note_call(gains, process, now, number, is_openmp);
	if (is_openmp)
		note_region(gains, process, now, number, kind);
}

/* Barriers and locks */

static void read_barriers(struct team_gains *gains, const struct row_block *block)
{
	const struct team_call *rows = block_rows(block);

	for (uint32_t i = 0, end; i < block->rows; i = end) {
		struct shared_events *shared;
		end = block_group_end(block, i);
		if (!gains->processes[rows[i].call.semantics->process].is_followed)
			continue;
		gains->needs.count = 0;
		for (uint32_t j = i; j < end; j++)
			array_add(&gains->needs, (struct event_need){.thread = graph_thread_of(gains->numbers,
			                                                                       &rows[j].call),
			                                             .moment = rows[j].call.start});
		shared = event_graph_share(gains->needs.items, end - i, gains->scenarios);
		for (uint32_t j = i; j < end; j++) {
			gains->need_count++;
			event_graph_need_shared(gains->graph,
			                        &(struct event_wait){gains->needs.items[j - i].thread,
			                                             rows[j].call.start, rows[j].call.end},
			                        shared, end - i);
		}
		shared_events_release(shared);
	}
}

static void read_locks(struct team_gains *gains, const struct row_block *block)
{
	const struct team_lock *rows = block_rows(block);

	for (uint32_t i = 0; i < block->rows; i++) {
		const struct occurrence *call = &rows[i].call, *before = &rows[i].before;
		if (rows[i].holder == rows[i].thread ||
		    !gains->processes[call->semantics->process].is_followed)
			continue;
		gains->need_count++;
		event_graph_need(
			gains->graph,
			&(struct event_wait){graph_thread_of(gains->numbers, call), call->start, call->end},
			&(struct event_need){.thread = graph_thread_of(gains->numbers, before),
		                             .moment = before->end},
			1);
	}
}

/* A thread that does not depend on the begin of its region would begin no earlier than it did. */
static void count_members(struct team_gains *gains, const struct team_process *process,
                          const struct parallel_region *region)
{
	const int64_t ns = region->fork.start;
	const struct team_fork *fork = process->fork.ns == ns ? &process->fork : &process->last_fork;

	if (!fork->is_known || fork->ns != ns || region->threads <= fork->joined + 1)
		return;
	gains->need_count += region->threads - 1 - fork->joined;
	gains->late_needs += region->threads - 1 - fork->joined;
}

/* Without its team, the first thread would do all of the work. */
static void read_regions(struct team_gains *gains, const struct row_block *block)
{
	const struct parallel_region *rows = block_rows(block);

	for (uint32_t i = 0; i < block->rows; i++) {
		const struct occurrence *fork = &rows[i].fork, *finish = &rows[i].finish;
		const struct team_process *process = &gains->processes[fork->semantics->process];
		uint64_t serial;
		if (!process->is_followed)
			continue;
		count_members(gains, process, &rows[i]);
		serial = know(gains, fork->semantics)->serial;
		if (!serial)
			continue;
		gains->need_count++;
		event_graph_replace(gains->graph,
		                    &(struct event_wait){graph_thread_of(gains->numbers, finish),
		                                         finish->start, finish->end},
		                    fork->start, rows[i].work, serial);
	}
}

static struct row_block *take_rows(void *context, const struct first_mentions *first, struct row_block *block)
{
	(void)first;
	if (block->relation == RELATION_TEAM_CALL)
		read_barriers(context, block);
	else if (block->relation == RELATION_PARALLEL_REGION)
		read_regions(context, block);
	else
		read_locks(context, block);
	return block;
}

static void end_rows(void *context)
{
	struct team_gains *gains = context;

	event_graph_finish(gains->graph);
	gains->late_needs += event_graph_doubts(gains->graph, 0).late_needs;
	event_graph_free(gains->graph);
	gains->graph = NULL;
}

/* Gains */

static void hear(void *context, uint32_t number, const int64_t *shifts)
{
	struct team_gains *gains = context;
	struct team_thread *thread = &gains->threads[number];

	if (!thread->shifts)
		thread->shifts = memory_new(gains->scenarios, sizeof *thread->shifts);
	for (uint32_t s = 0; s < gains->scenarios; s++) {
		const int64_t ns = thread->shifts[s] - shifts[s];
		if (llabs(ns) < gains->min_gain)
			continue;
		array_add(&thread->gains, (struct gain){thread->heard, s, ns});
		thread->shifts[s] = shifts[s];
		if (++gains->gain_count % GAINS_MAX == 0)
			gains->min_gain *= 1024;
	}
	thread->heard++;
}

bool team_gains_next(struct team_gains *gains, uint32_t number, int64_t *gains_ns)
{
	struct team_thread *thread = &gains->threads[number];
	const uint64_t call = thread->taken++;
	bool any = false;

	for (; thread->next < thread->gains.count && thread->gains.items[thread->next].call == call;
	     thread->next++) {
		const struct gain *gain = &thread->gains.items[thread->next];
		if (!any)
			memset(gains_ns, 0, gains->scenarios * sizeof *gains_ns);
		gains_ns[gain->scenario] = gain->ns;
		any = true;
	}
	return any;
}

bool team_gains_incomplete(const struct team_gains *gains)
{
	return gains->late_needs * LATE_PART > gains->need_count;
}

static bool follow_processes(struct team_gains *gains)
{
	const size_t count = gains->numbers->reader->process_count;
	bool any = false;

	for (uint32_t i = 0; i < count; i++) {
		struct change_cursor cursor = {0};
		while (placed_changes_next(gains->changes, i, &cursor))
			gains->processes[i].is_followed |= is_of_team(cursor.at->change);
		any |= gains->processes[i].is_followed;
	}
	return any;
}

struct team_gains *team_gains_new(struct analysis_session *session, const struct graph_threads *threads,
                                  const struct placed_changes *changes, struct places *places,
                                  uint32_t scenarios)
{
	struct team_gains *gains = memory_new(1, sizeof *gains);
	struct scenario_factors factors[SCENARIOS_MAX];
	struct row_sink sink = {.context = gains,
	                        .wants = {[RELATION_TEAM_CALL] = true,
	                                  [RELATION_TEAM_LOCK] = true,
	                                  [RELATION_PARALLEL_REGION] = true},
	                        .block_groups = 16,
	                        .is_prompt = true,
	                        .call = take_call,
	                        .rows = take_rows,
	                        .end = end_rows};

	*gains = (struct team_gains){.numbers = threads,
	                             .changes = changes,
	                             .places = places,
	                             .scenarios = scenarios,
	                             .min_gain = 1};
	gains->processes = memory_new(threads->reader->process_count + 1, sizeof *gains->processes);
	if (!follow_processes(gains)) {
		team_gains_free(gains);
		return NULL;
	}
	for (uint32_t s = 0; s < scenarios; s++)
		factors[s] = FACTORS_RECORDED;
	gains->graph = event_graph_new(threads->count, factors, scenarios);
	event_graph_listen(gains->graph, hear, gains);
	gains->threads = memory_new(threads->count + 1u, sizeof *gains->threads);
	relate(session, &sink, &gains->counts);
	return gains;
}

void team_gains_free(struct team_gains *gains)
{
	if (!gains)
		return;
	for (uint32_t i = 0; gains->threads && i < gains->numbers->count; i++) {
		free(gains->threads[i].shifts);
		array_release(&gains->threads[i].gains);
	}
	array_release(&gains->kinds);
	map_release(&gains->evened);
	array_release(&gains->needs);
	free(gains->threads);
	free(gains->processes);
	free(gains);
}
