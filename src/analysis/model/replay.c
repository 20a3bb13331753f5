#include "analysis/model/replay.h"

#include "analysis/model/file_rows.h"
#include "analysis/model/gaps.h"
#include "analysis/model/operation.h"
#include "analysis/model/relations.h"
#include "analysis/model/sink_thread.h"
#include "base/memory.h"

#include <stdlib.h>

enum {
	QUANTUM = 256,       /* calls of a process before others have their turn */
	UNDER_WAY = 1 << 20, /* pending operations of all processes together, about */
	LIMIT_MIN = 16,      /* per process */
	ONE_BY_ONE = 64,     /* how often only the earliest is released when all wait */
	PROGRESS_EVENTS = 1 << 16,
	SETTLE_EVENTS = 1 << 12,
	READ_AHEAD = 1 << 18, /* events of all threads together, about … */
	BATCH_MIN = 4,        /* … and per thread */
	BATCH = 16,
	VERY_MANY_PROCESSES = 1 << 14,
};

static uint32_t queue_take_first(struct process_queue *queue)
{
	uint32_t process = queue->items[queue->first];

	queue->first = (queue->first + 1) % queue->room;
	queue->count--;
	return process;
}

static uint32_t queue_take_last(struct process_queue *queue)
{
	return queue->items[(queue->first + --queue->count) % queue->room];
}

/* The most recent of the ready processes: the data of its partners is still in the CPU caches, which
 * would not hold for the oldest of many. With very many processes it never holds: then they take
 * turns, in memory order. */
static uint32_t take_ready(struct replay *replay)
{
	return replay->take_turns ? queue_take_first(&replay->ready) : queue_take_last(&replay->ready);
}

/* Processes that are ahead take turns. */
static uint32_t take_next(struct replay *replay)
{
	return replay->ready.count ? take_ready(replay) : queue_take_first(&replay->ahead);
}

static void make_ready(struct replay_process *proc, struct process_queue *queue)
{
	proc->state = PROCESS_READY;
	if (!proc->is_queued)
		queue->items[(queue->first + queue->count++) % queue->room] = proc->process;
	proc->is_queued = true;
}

void wake_process(struct replay *replay, uint32_t process)
{
	struct replay_process *proc = &replay->processes[process];

	if (proc->state != PROCESS_WAITS)
		return;
	if (proc->waits_match) {
		if (proc->previous != NO_PROCESS)
			replay->processes[proc->previous].next = proc->next;
		else
			replay->processes[proc->sender].first_waiting = proc->next;
		if (proc->next != NO_PROCESS)
			replay->processes[proc->next].previous = proc->previous;
	}
	proc->waits_match = NULL;
	proc->waits_collective = NO_COLLECTIVE;
	make_ready(proc, &replay->ready);
}

/* Events of chunks that were still open were not counted. */
static uint64_t expected_events(const struct reader *reader)
{
	uint64_t count = 0;

	for (size_t i = 0; i < reader->chunk_count; i++)
		count += reader->chunks[i].events;
	return count;
}

static void report_progress(struct replay *replay)
{
	uint64_t seen = replay->counts->events;
	void (*progress)(double part) = replay->session->progress;

	if (seen < replay->next_progress)
		return;
	replay->next_progress = seen + PROGRESS_EVENTS;
	if (progress && seen <= replay->expected)
		progress((double)seen / (double)replay->expected);
}

void end_process(struct replay *replay, struct replay_process *proc)
{
	proc->state = PROCESS_ENDED;
	end_receives(replay, proc);
	while (proc->first_waiting != NO_PROCESS)
		wake_process(replay, proc->first_waiting);
	collective_process_gone(&replay->collectives, proc->process);
	wake_members(replay);
	for (uint32_t i = 0; i < replay->follower_count; i++)
		if (replay->followers[i].kind->ended)
			replay->followers[i].kind->ended(replay->followers[i].self, proc->process);
}

/* No later call of this process starts before. */
static int64_t now_of(const struct replay *replay, struct replay_process *proc)
{
	struct thread *thread = pick_thread(proc);
	uint64_t tick = UINT64_MAX;

	if (!thread)
		return INT64_MAX;
	for (uint32_t i = 0; i < proc->thread_count; i++)
		if (proc->threads[i].has_event && proc->threads[i].calls.event->start < tick)
			tick = proc->threads[i].calls.event->start;
	return shifted(thread, clock_piece_ns(thread->clock, tick)) - replay->origin;
}

static void settle(struct replay *replay)
{
	int64_t *now = NULL;

	if (replay->counts->events - replay->settled < SETTLE_EVENTS)
		return;
	replay->settled = replay->counts->events;
	if (replay->rows.sink->ends_second && replay->counts->violations)
		replay->rows.second = NULL;
	for (struct row_writer *rows = &replay->rows; rows; rows = rows->second)
		if (rows->sink->is_prompt)
			row_writer_flush(rows);
	for (uint32_t i = 0; i < replay->follower_count; i++) {
		const struct follower *kind = replay->followers[i].kind;
		if (!kind->is_full || !kind->is_full(replay->followers[i].self))
			continue;
		if (!now)
			now = memory_new(replay->process_count + 1u, sizeof *now);
		for (uint32_t j = 0; j < replay->process_count; j++)
			now[j] = now_of(replay, &replay->processes[j]);
		kind->settle(replay->followers[i].self, now);
	}
	free(now);
}

/* When all processes wait */

/* About since when it waits, by the time of day. */
static int64_t waits_since(const struct replay *replay, struct replay_process *proc)
{
	const struct process *process = &replay->reader->processes[proc->process];
	const struct clock *clock = process->clock_count ? &process->clocks[0] : NULL;
	uint64_t tick = pick_thread(proc)->calls.event->end;
	double ns = (double)tick;

	if (clock && clock->ticks_per_second && clock->point_count)
		ns = (double)clock->points[0].ns +
		     ((double)tick - (double)clock->points[0].tick) * 1e9 / (double)clock->ticks_per_second;
	return ns < 9e18 ? (int64_t)ns : INT64_MAX;
}

static void force(struct replay *replay, struct replay_process *proc)
{
	replay->counts->forced++;
	proc->is_forced = true;
	if (proc->waits_collective != NO_COLLECTIVE) {
		struct collective_entry entry = entry_of(proc->waits_semantics, 0);
		collective_forget(&replay->collectives, proc->waits_collective, &entry);
	}
	wake_process(replay, proc->process);
}

static bool force_earliest(struct replay *replay)
{
	struct replay_process *earliest = NULL;
	int64_t since = 0;

	for (uint32_t i = 0; i < replay->process_count; i++) {
		struct replay_process *proc = &replay->processes[i];
		int64_t at = proc->state == PROCESS_WAITS ? waits_since(replay, proc) : 0;
		if (proc->state != PROCESS_WAITS || (earliest && at >= since))
			continue;
		earliest = proc;
		since = at;
	}
	if (earliest)
		force(replay, earliest);
	return earliest;
}

static bool force_all(struct replay *replay)
{
	bool any = false;

	for (uint32_t i = 0; i < replay->process_count; i++) {
		if (replay->processes[i].state != PROCESS_WAITS)
			continue;
		force(replay, &replay->processes[i]);
		any = true;
	}
	return any;
}

/* In a trace with many gaps, searching for the earliest repeatedly would take too long: then all continue. */
static bool force_on(struct replay *replay, int *times)
{
	return (*times)++ < ONE_BY_ONE ? force_earliest(replay) : force_all(replay);
}

static void init_queue(struct process_queue *queue, uint32_t processes)
{
	queue->room = processes + 1;
	queue->items = memory_new(queue->room, sizeof *queue->items);
}

static size_t room_behind(void *context, struct call_semantics *semantics)
{
	const struct replay *replay = context;

	return counts_calls(replay) ? site_room(semantics) : 0;
}

static bool is_call_row(const struct row_sink *sink, const struct call_semantics *semantics)
{
	const struct call_info *info = semantics->kind->info;

	return sink->wants[RELATION_CALL] &&
	       (!sink->functions || sink->functions[info ? (size_t)(info - all_calls) : ALL_CALLS]);
}

static void met(void *context, struct call_semantics *semantics)
{
	struct replay *replay = context;

	semantics->number = replay->call_count++;
	if (remote_facts_need(replay->session, semantics))
		semantics->act = ACT_ANY;
	mention_call(&replay->rows, semantics);
	for (uint32_t i = 0; i < replay->follower_count; i++)
		if (replay->followers[i].kind->wants(replay->followers[i].self, semantics))
			semantics->followers |= 1u << i;
	if (replay->phases && phases_want(semantics))
		semantics->followers |= PHASE_BIT;
	if (is_call_row(replay->rows.sink, semantics))
		semantics->followers |= CALL_ROW_BIT;
	if (replay->rows.sink->call || (replay->rows.second && replay->rows.second->sink->call))
		semantics->followers |= SINK_BIT;
	if (wants_rows(&replay->rows, RELATION_NEIGHBOUR_CALL))
		neighbours_met(&replay->neighbours, semantics);
}

static void init_process(struct replay *replay, uint32_t number)
{
	struct replay_process *proc = &replay->processes[number];
	struct process *process = &replay->reader->processes[number];
	/* Sessions divide only traces from which nothing is missing. */
	bool is_owned = session_owns(replay->session, number);
	struct left_out left_out = is_owned ? left_out_of(process) : (struct left_out){0};

	*proc = (struct replay_process){.process = number,
	                                .gap = is_owned ? lost_since(process) : UINT64_MAX,
	                                .lacks_completions = left_out.some_completions,
	                                .semantics_table = {.arena = &replay->arena,
	                                                    .known = &replay->kinds,
	                                                    .without_messages = left_out.some_traffic,
	                                                    .room = room_behind,
	                                                    .met = met,
	                                                    .context = replay},
	                                .state = PROCESS_REMOTE,
	                                .thread_count = is_owned ? (uint32_t)process->stream_count : 0,
	                                .waits_collective = NO_COLLECTIVE,
	                                .first_waiting = NO_PROCESS};
	if (left_out.some_traffic)
		end_receives(replay, proc);
	proc->threads = arena_array(&replay->threads, struct thread, proc->thread_count);
	proc->order.items = arena_array(&replay->threads, struct next_step, proc->thread_count);
	proc->stop = UINT64_MAX;
	for (uint32_t i = 0; i < proc->thread_count; i++) {
		const struct corrected_time *time;
		reader_events(replay->reader, &process->streams[i], &proc->threads[i].iter);
		proc->threads[i].iter.keeps_skipped = true;
		time = replay->time;
		if (time) {
			proc->threads[i].clock = &replay->clocks[time->clocks->line_of[number]];
			proc->threads[i].shifts = time->shifts[number].count ? &time->shifts[number] : NULL;
		}
		proc->threads[i].stream = &process->streams[i];
		proc->threads[i].now.thread = process->streams[i].number;
		proc->threads[i].sent = INT64_MIN;
		/* The order of threads of a process is known only when their calls are seen. */
		proc->threads[i].calls.batch = replay->batch;
		proc->threads[i].calls.limit = proc->thread_count == 1 ? replay->lookahead_limit : 0;
	}
	for (uint32_t i = 0; i < proc->thread_count; i++)
		read_events(replay, proc, &proc->threads[i]);
}

static bool needs_collectives(const struct replay *replay)
{
	return wants_rows(&replay->rows, RELATION_COLLECTIVE_CALL) ||
	       wants_rows(&replay->rows, RELATION_NEIGHBOUR_CALL) || counts_calls(replay);
}

static uint32_t under_way_of(uint32_t processes)
{
	uint32_t share = UNDER_WAY / (processes + 1u);

	return share < LIMIT_MIN ? LIMIT_MIN : share;
}

static void init_replay(struct replay *replay)
{
	const struct clocks *clocks;
	uint32_t own;

	replay->process_count = (uint32_t)replay->reader->process_count;
	replay->processes = memory_new(replay->process_count + 1u, sizeof *replay->processes);
	own = session_owned_count(replay->session);
	replay->limit = under_way_of(own);
	replay->take_turns = own >= VERY_MANY_PROCESSES;
	/* Results depend on these, so they are the same for any number of sessions. */
	replay->lookahead_limit = under_way_of(replay->process_count);
	replay->is_huge = replay->process_count >= VERY_MANY_PROCESSES;
	replay->quantum = QUANTUM;
	replay->batch = READ_AHEAD / (own + 1u);
	replay->batch = replay->batch < BATCH_MIN ? BATCH_MIN : replay->batch > BATCH ? BATCH : replay->batch;
	clocks = replay->time ? replay->time->clocks : NULL;
	replay->clocks = memory_new(clocks ? clocks->line_count + 1u : 1, sizeof *replay->clocks);
	for (uint32_t i = 0; clocks && i < clocks->line_count; i++)
		replay->clocks[i] = clock_piece_new(&clocks->lines[i]);
	collectives_init(&replay->collectives, replay->comms, replay->process_count);
	replay->collectives.over = needs_collectives(replay) ? write_collective : NULL;
	replay->collectives.context = replay;
	replay->kinds.kinds.arena = replay->kinds.completed.arena = &replay->arena;
	init_queue(&replay->ready, replay->process_count);
	init_queue(&replay->ahead, replay->process_count);
	for (uint32_t i = 0; i < replay->process_count; i++)
		init_process(replay, i);
	for (uint32_t i = replay->session->owned.end; i-- > replay->session->owned.first;)
		make_ready(&replay->processes[i], &replay->ready);
}

static void end_replay(struct replay *replay)
{
	struct replay_counts *counts = replay->counts;

	inversions_end(replay);
	completions_end(replay);
	for (uint32_t i = 0; i < replay->follower_count; i++)
		replay->followers[i].kind->finish(replay->followers[i].self);
	if (replay->phases)
		phases_free(replay->phases);
	counts->unmatched_sends += matcher_waiting_sends(&replay->matcher, replay->session->owned);
	counts->collectives = replay->collectives.finished;
	counts->incomplete_collectives = replay->collectives.incomplete;
	counts->mixed_collectives = replay->collectives.mixed;
	counts->unrecorded += replay->collectives.skipped;
	/* Not needed for rows written at the end. */
	for (uint32_t i = 0; i < replay->process_count; i++) {
		struct replay_process *proc = &replay->processes[i];
		for (uint32_t j = 0; j < proc->thread_count; j++)
			lookahead_release(&proc->threads[j].calls);
		free(proc->requests);
		moved_requests_release(&proc->moved);
		proc->threads = NULL;
		proc->thread_count = 0;
	}
	arena_release(&replay->threads);
	free(replay->ready.items);
	free(replay->ahead.items);
	collectives_release(&replay->collectives);
	matcher_release(&replay->matcher);
	completions_release(&replay->completions);
	neighbours_release(&replay->neighbours);
	memory_trim();
	sites_write(replay);
	file_rows_write(replay);
	row_writer_finish(&replay->rows);
	if (replay->rows.sink->second)
		row_writer_finish(&replay->second_rows);
	row_writer_release(&replay->rows);
	row_writer_release(&replay->second_rows);
	for (uint32_t i = 0; i < replay->process_count; i++)
		semantics_release(&replay->processes[i].semantics_table);
	free(replay->processes);
	free(replay->clocks);
	arena_release(&replay->arena);
	call_pairs_release(&replay->pairs);
	map_release(&replay->started_numbers);
	array_release(&replay->started);
	array_release(&replay->starters);
	map_release(&replay->remote_numbers);
	array_release(&replay->remote);
	pair_delays_release(&replay->delays);
	memory_trim();
}

static void replay_run(struct replay *replay)
{
	int forced = 0;

	*replay->counts = (struct replay_counts){0};
	replay->expected = expected_events(replay->reader);
	init_replay(replay);
	remote_facts_begin(replay);
	if (replay->time) {
		int64_t first = INT64_MAX;
		/* Threads are at their first events. */
		for (uint32_t i = 0; i < replay->process_count; i++) {
			struct thread *thread = pick_thread(&replay->processes[i]);
			int64_t start = thread ? shifted(thread, clock_piece_ns(thread->clock,
			                                                        thread->calls.event->start))
			                       : INT64_MAX;
			first = start < first ? start : first;
		}
		first = replay->session->has_origin ? replay->session->origin : first;
		replay->origin = replay->counts->start_ns = first == INT64_MAX ? 0 : first;
	}
	do {
		while (replay->ready.count || replay->ahead.count) {
			struct replay_process *proc = &replay->processes[take_next(replay)];
			enum quantum quantum;
			proc->is_queued = false;
			/* Continues until it waits, ends, has had its turn, or is ahead of others. */
			quantum = run_quantum(replay, proc);
			if (quantum == QUANTUM_ENDS)
				end_process(replay, proc);
			else if (quantum != QUANTUM_WAITS)
				make_ready(proc, quantum == QUANTUM_AHEAD ? &replay->ahead : &replay->ready);
			settle(replay);
			report_progress(replay);
		}
	} while (remote_facts_take(replay) || force_on(replay, &forced));
	if (replay->session->peers)
		replay->session->peers->events += replay->counts->events;
	end_replay(replay);
}

static const struct follower *const followers[] = {
	&rma_follower,   &request_follower,      &partition_follower, &polling_follower,
	&mutex_follower, &thread_fence_follower, &team_follower};

_Static_assert(sizeof followers / sizeof *followers <= FOLLOWERS_MAX, "there is a bit for each follower");

static void relate_to(struct analysis_session *session, const struct row_sink *sink,
                      struct replay_counts *counts)
{
	struct replay replay = {.session = session,
	                        .reader = session->reader,
	                        .time = sink->in_ticks ? NULL : session->time,
	                        .counts = counts,
	                        .comms = session->comms};

	if (sink->second)
		row_writer_init(&replay.second_rows, sink->second, NULL);
	row_writer_init(&replay.rows, sink, sink->second ? &replay.second_rows : NULL);
	if (!sink->in_ticks) {
		struct replay_input input = {replay.reader, replay.comms, &replay.rows, replay.counts,
		                             session};
		for (size_t i = 0; i < sizeof followers / sizeof *followers; i++) {
			replay.followers[replay.follower_count].kind = followers[i];
			replay.followers[replay.follower_count].self = followers[i]->new (&input);
			replay.follower_count += replay.followers[replay.follower_count].self != NULL;
		}
		replay.phases = phases_new(replay.reader, &replay.rows);
	}
	replay_run(&replay);
}

void relate(struct analysis_session *session, const struct row_sink *sink, struct replay_counts *counts)
{
	struct row_sink first = *sink;
	struct sink_thread *apart = NULL;

	if (sink->second) {
		apart = session->splits_sinks ? sink_thread_new(sink->second) : NULL;
		first.second = apart ? sink_thread_sink(apart) : sink->second;
		/* Both get these rows, with one search for what is complete. */
		first.wants[RELATION_TRANSFER] |= sink->second->wants[RELATION_TRANSFER];
	} else if (session->splits_sinks && (apart = sink_thread_new(sink))) {
		first = *sink_thread_sink(apart);
	}
	relate_to(session, &first, counts);
	sink_thread_free(apart);
}
