#include "analysis/model/replay.h"

#include "analysis/model/gaps.h"
#include "analysis/model/operation.h"
#include "analysis/model/relations.h"
#include "base/memory.h"

#include <stdlib.h>

enum {
	TURN = 256,          /* calls of a process before others have their turn */
	UNDER_WAY = 1 << 20, /* of all processes together, about */
	LEAST_LIMIT = 16,    /* of each */
	ONE_BY_ONE = 64,     /* times that the earliest alone is let through when all wait */
	PROGRESS_EVENTS = 1 << 16,
	SETTLE_EVENTS = 1 << 12,
	READ_AHEAD = 1 << 18, /* events of all threads together, about … */
	LEAST_BATCH = 4,      /* … and of each */
	BATCH = 16,
	VERY_MANY_ACTORS = 1 << 14,
};

uint64_t message_bytes(const struct message *message)
{
	int64_t bytes;

	return call_field(message->from.call, FIELD_SENT, &bytes) && bytes > 0 ? (uint64_t)bytes : 0;
}

static void queue_add(struct actor_queue *queue, uint32_t process)
{
	queue->items[(queue->first + queue->count++) % queue->room] = process;
}

static uint32_t queue_take_first(struct actor_queue *queue)
{
	uint32_t process = queue->items[queue->first];

	queue->first = (queue->first + 1) % queue->room;
	queue->count--;
	return process;
}

static uint32_t queue_take_last(struct actor_queue *queue)
{
	return queue->items[(queue->first + --queue->count) % queue->room];
}

/* Of those who are ready, the last to come: whom it had to do with is still in the processor's caches, where of many
 * processes the first would not be. Of very many it is not there either: then they take turns, and go through memory in its
 * order. */
static uint32_t take_ready(struct scene *scene)
{
	return scene->is_huge ? queue_take_first(&scene->ready) : queue_take_last(&scene->ready);
}

/* Those who are ahead have to take turns. */
static uint32_t take_next(struct scene *scene)
{
	return scene->ready.count ? take_ready(scene) : queue_take_first(&scene->ahead);
}

static void make_ready(struct actor *actor, struct actor_queue *queue)
{
	actor->state = ACTOR_READY;
	if (!actor->is_queued)
		queue_add(queue, actor->process);
	actor->is_queued = true;
}

static void stop_waiting(struct scene *scene, struct actor *actor)
{
	if (actor->waits_match) {
		if (actor->previous != NO_PROCESS)
			scene->actors[actor->previous].next = actor->next;
		else
			scene->actors[actor->sender].first_waiting = actor->next;
		if (actor->next != NO_PROCESS)
			scene->actors[actor->next].previous = actor->previous;
	}
	actor->waits_match = NULL;
	actor->waits_meeting = NO_MEETING;
}

void scene_wake(struct scene *scene, uint32_t process)
{
	struct actor *actor = &scene->actors[process];

	if (actor->state != ACTOR_WAITS)
		return;
	stop_waiting(scene, actor);
	make_ready(actor, &scene->ready);
}

/* Of chunks that were still open nobody counted the events. */
static uint64_t expected_events(const struct reader *reader)
{
	uint64_t count = 0;

	for (size_t i = 0; i < reader->chunk_count; i++)
		count += reader->chunks[i].events;
	return count;
}

static void tell_progress(struct scene *scene)
{
	uint64_t seen = scene->counts->events;
	void (*progress)(double part) = scene->time ? scene->rows.sink->progress : scene->visitor->progress;

	if (seen < scene->next_progress)
		return;
	scene->next_progress = seen + PROGRESS_EVENTS;
	if (progress && seen <= scene->expected)
		progress((double)seen / (double)scene->expected);
}

static void end_actor(struct scene *scene, struct actor *actor)
{
	uint32_t process;

	actor->state = ACTOR_ENDED;
	deafen(scene, actor);
	while (actor->first_waiting != NO_PROCESS)
		scene_wake(scene, actor->first_waiting);
	meeting_process_gone(&scene->meetings, actor->process);
	while (meeting_next_woken(&scene->meetings, &process))
		scene_wake(scene, process);
	for (uint32_t i = 0; i < scene->follower_count; i++)
		if (scene->followers[i].kind->ended)
			scene->followers[i].kind->ended(scene->followers[i].self, actor->process);
}

/* Goes on until it waits, ends, has had its turn, or is ahead of others. */
static void advance(struct scene *scene, struct actor *actor)
{
	enum turn turn = take_turn(scene, actor);

	if (turn == TURN_ENDS)
		end_actor(scene, actor);
	else if (turn != TURN_WAITS)
		make_ready(actor, turn == TURN_AHEAD ? &scene->ahead : &scene->ready);
}

/* No call of this process that is still to come starts before. */
static int64_t now_of(const struct scene *scene, const struct actor *actor)
{
	struct thread *thread = pick_thread(actor);
	uint64_t tick = UINT64_MAX;

	if (!thread)
		return INT64_MAX;
	for (uint32_t i = 0; i < actor->thread_count; i++)
		if (actor->threads[i].has_event && actor->threads[i].calls.event->start < tick)
			tick = actor->threads[i].calls.event->start;
	return shifted(thread, clock_piece_ns(thread->clock, tick)) - scene->origin;
}

static void settle_followers(struct scene *scene)
{
	int64_t *now = NULL;

	if (scene->counts->events - scene->settled < SETTLE_EVENTS)
		return;
	scene->settled = scene->counts->events;
	for (uint32_t i = 0; i < scene->follower_count; i++) {
		const struct follower *kind = scene->followers[i].kind;
		if (!kind->is_full || !kind->is_full(scene->followers[i].self))
			continue;
		if (!now)
			now = memory_new(scene->actor_count + 1u, sizeof *now);
		for (uint32_t j = 0; j < scene->actor_count; j++)
			now[j] = now_of(scene, &scene->actors[j]);
		kind->settle(scene->followers[i].self, now);
	}
	free(now);
}

/* When everybody waits */

/* About when it waits, by the time of day. */
static int64_t waits_since(const struct scene *scene, const struct actor *actor)
{
	const struct process *process = &scene->reader->processes[actor->process];
	const struct clock *clock = process->clock_count ? &process->clocks[0] : NULL;
	uint64_t tick = pick_thread(actor)->calls.event->end;
	double ns = (double)tick;

	if (clock && clock->ticks_per_second && clock->point_count)
		ns = (double)clock->points[0].ns +
		     ((double)tick - (double)clock->points[0].tick) * 1e9 / (double)clock->ticks_per_second;
	return ns < 9e18 ? (int64_t)ns : INT64_MAX;
}

static void force(struct scene *scene, struct actor *actor)
{
	scene->counts->forced++;
	actor->is_forced = true;
	if (actor->waits_meeting != NO_MEETING) {
		struct entry entry = entry_of(actor->waits_role, 0);
		meeting_forget(&scene->meetings, actor->waits_meeting, &entry);
	}
	scene_wake(scene, actor->process);
}

static bool force_earliest(struct scene *scene)
{
	struct actor *earliest = NULL;
	int64_t since = 0;

	for (uint32_t i = 0; i < scene->actor_count; i++) {
		struct actor *actor = &scene->actors[i];
		int64_t at = actor->state == ACTOR_WAITS ? waits_since(scene, actor) : 0;
		if (actor->state != ACTOR_WAITS || (earliest && at >= since))
			continue;
		earliest = actor;
		since = at;
	}
	if (earliest)
		force(scene, earliest);
	return earliest;
}

static bool force_all(struct scene *scene)
{
	bool any = false;

	for (uint32_t i = 0; i < scene->actor_count; i++) {
		if (scene->actors[i].state != ACTOR_WAITS)
			continue;
		force(scene, &scene->actors[i]);
		any = true;
	}
	return any;
}

/* A trace of which much is missing would be searched again and again for the earliest: then all go on. */
static bool force_on(struct scene *scene, int *times)
{
	return (*times)++ < ONE_BY_ONE ? force_earliest(scene) : force_all(scene);
}

/* The whole of it */

static void init_queue(struct actor_queue *queue, uint32_t actors)
{
	queue->room = actors + 1;
	queue->items = memory_new(queue->room, sizeof *queue->items);
}

static size_t room_behind(void *context, struct role *role)
{
	const struct scene *scene = context;

	return counts_calls(scene) ? site_room(role) : 0;
}

static bool is_call_row(const struct row_sink *sink, const struct role *role)
{
	const struct call_info *info = role->kind->info;

	return sink->wants[RELATION_CALL] &&
	       (!sink->functions || sink->functions[info ? (size_t)(info - all_calls) : ALL_CALLS]);
}

static void met(void *context, struct role *role)
{
	struct scene *scene = context;

	role->number = scene->call_count++;
	mention_call(&scene->rows, role);
	for (uint32_t i = 0; i < scene->follower_count; i++)
		if (scene->followers[i].kind->wants(scene->followers[i].self, role))
			role->followers |= 1u << i;
	if (phases_want(role))
		role->followers |= PHASE_BIT;
	if (is_call_row(scene->rows.sink, role))
		role->followers |= CALL_ROW_BIT;
	if (wants_rows(&scene->rows, RELATION_NEIGHBOUR_CALL))
		neighbours_met(&scene->neighbours, role);
}

static void set_clock(struct scene *scene, uint32_t process, struct thread *thread)
{
	const struct corrected_time *time = scene->time;

	if (!time)
		return;
	thread->clock = &scene->clocks[time->clocks->line_of[process]];
	thread->shifts = time->shifts[process].count ? &time->shifts[process] : NULL;
}

static void init_actor(struct scene *scene, uint32_t number)
{
	struct actor *actor = &scene->actors[number];
	struct process *process = &scene->reader->processes[number];
	struct left_out left_out = left_out_of(process);

	*actor = (struct actor){.process = number,
	                        .gap = lost_since(process),
	                        .lacks_completions = left_out.some_completions,
	                        .roles = {.arena = &scene->arena,
	                                  .known = &scene->known,
	                                  .without_messages = left_out.some_traffic,
	                                  .room = scene->time ? room_behind : NULL,
	                                  .met = scene->time ? met : NULL,
	                                  .context = scene},
	                        .thread_count = (uint32_t)process->stream_count,
	                        .waits_meeting = NO_MEETING,
	                        .first_waiting = NO_PROCESS};
	if (left_out.some_traffic)
		deafen(scene, actor);
	actor->threads = arena_array(&scene->threads, struct thread, actor->thread_count);
	for (uint32_t i = 0; i < actor->thread_count; i++) {
		reader_events(scene->reader, &process->streams[i], &actor->threads[i].iter);
		set_clock(scene, number, &actor->threads[i]);
		actor->threads[i].stream = &process->streams[i];
		actor->threads[i].now.thread = process->streams[i].number;
		actor->threads[i].sent = INT64_MIN;
		/* What the threads of a process do has an order only when it is seen. */
		actor->threads[i].calls.batch = scene->batch;
		actor->threads[i].calls.limit = actor->thread_count == 1 ? scene->limit : 0;
	}
	for (uint32_t i = 0; i < actor->thread_count; i++)
		read_events(scene, actor, &actor->threads[i]);
}

static void init_clocks(struct scene *scene)
{
	const struct clocks *clocks = scene->time ? scene->time->clocks : NULL;

	scene->clocks = memory_new(clocks ? clocks->line_count + 1u : 1, sizeof *scene->clocks);
	for (uint32_t i = 0; clocks && i < clocks->line_count; i++)
		scene->clocks[i] = clock_piece_new(&clocks->lines[i]);
}

static bool needs_collectives(const struct scene *scene)
{
	return wants_rows(&scene->rows, RELATION_COLLECTIVE_CALL) ||
	       wants_rows(&scene->rows, RELATION_NEIGHBOUR_CALL) || counts_calls(scene);
}

static void init_scene(struct scene *scene)
{
	if (!scene->comms)
		scene->comms = comm_table_new(scene->reader);
	scene->actor_count = (uint32_t)scene->reader->process_count;
	scene->actors = memory_new(scene->actor_count + 1u, sizeof *scene->actors);
	scene->limit = UNDER_WAY / (scene->actor_count + 1u);
	if (scene->limit < LEAST_LIMIT)
		scene->limit = LEAST_LIMIT;
	scene->turn = TURN;
	scene->is_huge = scene->actor_count >= VERY_MANY_ACTORS;
	scene->batch = READ_AHEAD / (scene->actor_count + 1u);
	scene->batch = scene->batch < LEAST_BATCH ? LEAST_BATCH : scene->batch > BATCH ? BATCH : scene->batch;
	init_clocks(scene);
	meetings_init(&scene->meetings, scene->comms, scene->actor_count);
	scene->meetings.over = needs_collectives(scene) ? telling_meeting : NULL;
	scene->meetings.context = scene;
	init_queue(&scene->ready, scene->actor_count);
	init_queue(&scene->ahead, scene->actor_count);
	for (uint32_t i = 0; i < scene->actor_count; i++)
		init_actor(scene, i);
	for (uint32_t i = scene->actor_count; i-- > 0;)
		make_ready(&scene->actors[i], &scene->ready);
}

/* Threads stand at their first events. */
static void find_origin(struct scene *scene)
{
	int64_t first = INT64_MAX;

	for (uint32_t i = 0; i < scene->actor_count; i++) {
		struct thread *thread = pick_thread(&scene->actors[i]);
		int64_t start = thread ? shifted(thread,
		                                 clock_piece_ns(thread->clock, thread->calls.event->start))
		                       : INT64_MAX;
		first = start < first ? start : first;
	}
	scene->origin = scene->counts->start_ns = first == INT64_MAX ? 0 : first;
}

/* Of no use to what is told at the end. */
static void release_traffic(struct scene *scene)
{
	for (uint32_t i = 0; i < scene->actor_count; i++) {
		struct actor *actor = &scene->actors[i];
		for (uint32_t j = 0; j < actor->thread_count; j++)
			foresight_release(&actor->threads[j].calls);
		free(actor->requests);
		actor->threads = NULL;
		actor->thread_count = 0;
	}
	arena_release(&scene->threads);
	free(scene->ready.items);
	free(scene->ahead.items);
	meetings_release(&scene->meetings);
	matcher_release(&scene->matcher);
	telling_release(&scene->telling);
	neighbours_release(&scene->neighbours);
	memory_trim();
}

static void release_roles(struct scene *scene)
{
	for (uint32_t i = 0; i < scene->actor_count; i++)
		roles_release(&scene->actors[i].roles);
	free(scene->actors);
	free(scene->clocks);
	arena_release(&scene->arena);
	call_pairs_release(&scene->pairs);
	pair_delays_release(&scene->delays);
	comm_table_free(scene->comms);
	memory_trim();
}

static void end_scene(struct scene *scene)
{
	struct replay_counts *counts = scene->counts;

	telling_end(scene);
	inversions_end(scene);
	for (uint32_t i = 0; i < scene->follower_count; i++)
		scene->followers[i].kind->finish(scene->followers[i].self);
	if (scene->phases)
		phases_free(scene->phases);
	counts->unmatched_sends += matcher_waiting_sends(&scene->matcher);
	counts->meetings = scene->meetings.finished;
	counts->incomplete_meetings = scene->meetings.incomplete;
	counts->mixed_meetings = scene->meetings.mixed;
	release_traffic(scene);
	sites_write(scene);
	row_writer_finish(&scene->rows);
	row_writer_release(&scene->rows);
	release_roles(scene);
}

void scene_play(struct scene *scene)
{
	int forced = 0;

	*scene->counts = (struct replay_counts){0};
	scene->expected = expected_events(scene->reader);
	init_scene(scene);
	if (scene->time)
		find_origin(scene);
	do {
		while (scene->ready.count || scene->ahead.count) {
			struct actor *actor = &scene->actors[take_next(scene)];
			actor->is_queued = false;
			advance(scene, actor);
			settle_followers(scene);
			tell_progress(scene);
		}
	} while (force_on(scene, &forced));
	end_scene(scene);
}

void replay(struct reader *reader, const struct visitor *visitor, struct replay_counts *counts)
{
	static const struct row_sink nobody;
	struct scene scene = {
		.reader = reader, .visitor = visitor, .rows = {.sink = &nobody}, .counts = counts};

	scene_play(&scene);
}

static const struct follower *const followers[] = {&rma_follower,       &request_follower,
                                                   &partition_follower, &polling_follower,
                                                   &mutex_follower,     &thread_fence_follower};

_Static_assert(sizeof followers / sizeof *followers <= FOLLOWERS_MAX, "there is a bit for each follower");

void relate(struct reader *reader, const struct corrected_time *time, const struct row_sink *sink,
            struct replay_counts *counts)
{
	static const struct visitor nobody;
	struct scene scene = {.reader = reader,
	                      .visitor = &nobody,
	                      .rows = {.sink = sink},
	                      .time = time,
	                      .counts = counts,
	                      .comms = comm_table_new(reader)};
	struct replay_input input = {reader, scene.comms, &scene.rows, counts};

	for (size_t i = 0; i < sizeof followers / sizeof *followers; i++) {
		scene.followers[scene.follower_count].kind = followers[i];
		scene.followers[scene.follower_count].self = followers[i]->new (&input);
		scene.follower_count += scene.followers[scene.follower_count].self != NULL;
	}
	scene.phases = phases_new(reader, &scene.rows);
	scene_play(&scene);
}
