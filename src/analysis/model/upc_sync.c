/* Locks of UPC and OpenSHMEM: each hold from the call that acquires it to the one that releases it, and the unlock of another
 * thread that it waited for. Neither guarantees an order among waiting threads, so only times decide: the
 * previous hold is the last one whose unlock began before that of this one, and it was waited for if its
 * unlock and the acquiring call overlap.
 *
 * Memory is needed for holds that an earlier hold of another process may still precede.
 *
 * Fences: the remote accesses that a thread has begun since its last synchronisation. */
#include "analysis/model/follower.h"
#include "analysis/model/spans.h"
#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FULL_MIN = 1024, WAITING_LIMIT = 4096 };

/* A lock, and its completed holds that are not written, by the start of their unlocks. */
struct mutex {
	struct mutex_hold *holds;
	uint32_t count, room;
	struct occurrence last; /* the last written unlock; no semantics: none */
};

/* A process, and the locks that it holds. */
struct holder {
	struct mutex_hold *held;
	uint32_t count, room;
	uint32_t waiting; /* its holds that are not written */
	bool is_lost;
};

struct mutexes {
	const struct reader *reader;
	struct row_writer *rows;
	struct replay_counts *counts;
	struct holder *holders; /* by process */
	struct mutex *items;
	uint32_t count, room;
	struct map by_identity;
	size_t waiting, full_at;
};

static void *mutexes_new(const struct replay_input *input)
{
	struct mutexes *mutexes;

	if (!wants_rows(input->rows, RELATION_MUTEX_HOLD) || !has_pgas(input->comms))
		return NULL;
	mutexes = memory_new(1, sizeof *mutexes);
	mutexes->reader = input->reader;
	mutexes->rows = input->rows;
	mutexes->counts = input->counts;
	mutexes->holders = memory_new(input->reader->process_count + 1, sizeof *mutexes->holders);
	mutexes->full_at = input->reader->process_count + FULL_MIN;
	return mutexes;
}

static bool wants_mutex(void *self, const struct call_semantics *semantics)
{
	(void)self;
	return semantics->kind->info && semantics->kind->info->mutex;
}

/* Acquiring */

static struct mutex_hold *find_held(struct holder *holder, uint64_t mutex)
{
	for (uint32_t i = 0; i < holder->count; i++)
		if (holder->held[i].mutex == mutex)
			return &holder->held[i];
	return NULL;
}

static void take(struct mutexes *mutexes, struct holder *holder, uint64_t mutex,
                 const struct occurrence *call)
{
	struct mutex_hold *held = find_held(holder, mutex);

	if (held) {
		mutexes->counts->open_locks++;
	} else {
		array_fit(holder->held, holder->room, holder->count + 1u);
		held = &holder->held[holder->count++];
	}
	*held = (struct mutex_hold){.mutex = mutex, .take = *call};
}

/* Releasing */

static struct mutex *find_mutex(struct mutexes *mutexes, uint64_t identity)
{
	uint32_t *number = map_put(&mutexes->by_identity, map_key(identity, 0));

	if (*number == UINT32_MAX) {
		*number = mutexes->count;
		array_fit(mutexes->items, mutexes->room, mutexes->count + 1u);
		mutexes->items[mutexes->count++] = (struct mutex){0};
	}
	return &mutexes->items[*number];
}

/* The next holder follows the start of an unlock, but may precede its end. */
static bool is_earlier(const struct occurrence *a, const struct occurrence *b)
{
	if (a->start != b->start)
		return a->start < b->start;
	return a->end != b->end ? a->end < b->end : a->semantics->process < b->semantics->process;
}

static void add_hold(struct mutex *mutex, const struct mutex_hold *hold)
{
	uint32_t at = mutex->count++;

	array_fit(mutex->holds, mutex->room, at + 1u);
	for (; at && is_earlier(&hold->give, &mutex->holds[at - 1].give); at--)
		mutex->holds[at] = mutex->holds[at - 1];
	mutex->holds[at] = *hold;
}

static void give(struct mutexes *mutexes, struct holder *holder, uint64_t mutex,
                 const struct occurrence *call)
{
	struct mutex_hold *held = find_held(holder, mutex);

	if (!held)
		return;
	held->give = *call;
	add_hold(find_mutex(mutexes, mutex), held);
	*held = holder->held[--holder->count];
	holder->waiting++;
	mutexes->waiting++;
}

static bool is_taken(const struct call_semantics *semantics)
{
	int64_t flag;

	return !call_field(semantics->call, FIELD_FLAG, &flag) || flag;
}

static void follow_mutex(void *self, const struct occurrence *call, const struct event *event)
{
	struct mutexes *mutexes = self;
	struct holder *holder = &mutexes->holders[call->semantics->process];
	int64_t mutex;

	(void)event;
	if (holder->is_lost || !call_field(call->semantics->call, FIELD_MUTEX, &mutex))
		return;
	if (call->semantics->kind->info->mutex == MUTEX_GIVES)
		give(mutexes, holder, (uint64_t)mutex, call);
	else if (is_taken(call->semantics))
		take(mutexes, holder, (uint64_t)mutex, call);
}

static void lose_mutexes(void *self, uint32_t process)
{
	struct mutexes *mutexes = self;
	struct holder *holder = &mutexes->holders[process];

	mutexes->counts->open_locks += holder->count;
	holder->count = 0;
	holder->is_lost = true;
}

static void write_hold(struct mutexes *mutexes, struct mutex *mutex, struct mutex_hold *hold)
{
	const struct occurrence *last = &mutex->last;
	bool had_to_wait = last->semantics && last->semantics->process != hold->take.semantics->process &&
	                   last->end > hold->take.start && last->start < hold->take.end;

	hold->before = had_to_wait ? *last : hold->take;
	mutex->last = hold->give;
	mutexes->holders[hold->take.semantics->process].waiting--;
	mutexes->waiting--;
	write_row(mutexes->rows, RELATION_MUTEX_HOLD, hold);
}

static void write_until(struct mutexes *mutexes, struct mutex *mutex, int64_t until)
{
	uint32_t written = 0;

	while (written < mutex->count && mutex->holds[written].give.start < until)
		write_hold(mutexes, mutex, &mutex->holds[written++]);
	mutex->count -= written;
	memmove(mutex->holds, mutex->holds + written, mutex->count * sizeof *mutex->holds);
}

static bool mutexes_are_ahead(void *self, uint32_t process)
{
	const struct mutexes *mutexes = self;

	return mutexes->holders[process].waiting > WAITING_LIMIT;
}

static bool mutexes_are_full(void *self)
{
	const struct mutexes *mutexes = self;

	return mutexes->waiting >= mutexes->full_at;
}

static void settle_mutexes(void *self, const int64_t *now)
{
	struct mutexes *mutexes = self;
	int64_t until = INT64_MAX;

	for (size_t i = 0; i < mutexes->reader->process_count; i++)
		until = now[i] < until ? now[i] : until;
	for (uint32_t i = 0; i < mutexes->count; i++)
		if (mutexes->items[i].count)
			write_until(mutexes, &mutexes->items[i], until);
	mutexes->full_at = 2 * mutexes->waiting + mutexes->count + mutexes->reader->process_count + FULL_MIN;
}

static void finish_mutexes(void *self)
{
	struct mutexes *mutexes = self;

	for (uint32_t i = 0; i < mutexes->count; i++) {
		if (mutexes->items[i].count)
			write_until(mutexes, &mutexes->items[i], INT64_MAX);
		free(mutexes->items[i].holds);
	}
	for (size_t i = 0; i < mutexes->reader->process_count; i++) {
		mutexes->counts->open_locks += mutexes->holders[i].count;
		free(mutexes->holders[i].held);
	}
	free(mutexes->items);
	free(mutexes->holders);
	map_release(&mutexes->by_identity);
	free(mutexes);
}

const struct follower mutex_follower = {.new = mutexes_new,
                                        .wants = wants_mutex,
                                        .call = follow_mutex,
                                        .paused = lose_mutexes,
                                        .lost = lose_mutexes,
                                        .is_ahead = mutexes_are_ahead,
                                        .is_full = mutexes_are_full,
                                        .settle = settle_mutexes,
                                        .finish = finish_mutexes};

/* Of one process, since its last synchronisation. */
struct outstanding {
	struct occurrence last; /* no semantics: none */
	uint64_t accesses;
	int64_t bytes;
};

struct thread_fences {
	struct row_writer *rows;
	struct outstanding of[];
};

static void *fences_new(const struct replay_input *input)
{
	size_t count = input->reader->process_count;
	struct thread_fences *fences;

	if (!wants_rows(input->rows, RELATION_THREAD_FENCE) || !has_pgas(input->comms))
		return NULL;
	fences = memory_new(1, sizeof *fences + count * sizeof *fences->of);
	fences->rows = input->rows;
	return fences;
}

static bool wants_fence(void *self, const struct call_semantics *semantics)
{
	(void)self;
	return semantics->kind->info &&
	       (semantics->kind->info->pgas == PGAS_ACCESS || semantics->kind->info->pgas == PGAS_SYNC ||
	        semantics->kind->info->pgas == PGAS_COLLECTIVE);
}

static bool is_elsewhere(const struct call_semantics *semantics, int32_t thread)
{
	return thread >= 0 && semantics->kind->own_comm != NO_COMM && (uint32_t)thread != semantics->own_rank;
}

static int64_t bytes_of(const struct call_semantics *semantics)
{
	int64_t bytes;

	if (call_field(semantics->call, FIELD_SENT, &bytes) && bytes > 0)
		return bytes;
	return call_field(semantics->call, FIELD_RECEIVED, &bytes) && bytes > 0 ? bytes : 0;
}

static void follow_fence(void *self, const struct occurrence *call, const struct event *event)
{
	struct thread_fences *fences = self;
	const struct call_semantics *semantics = call->semantics;
	struct outstanding *outstanding = &fences->of[semantics->process];

	(void)event;
	if (semantics->kind->info->pgas == PGAS_ACCESS) {
		/* upc_memcpy may read from another thread too. */
		if (is_elsewhere(semantics, semantics->dest) || is_elsewhere(semantics, semantics->source)) {
			int64_t bytes = bytes_of(call->semantics);
			outstanding->last = *call;
			outstanding->accesses++;
			outstanding->bytes = saturating_add(outstanding->bytes, bytes);
		}
		return;
	}
	if (semantics->kind->info->accesses != ACCESSES_NONE)
		write_row(fences->rows, RELATION_THREAD_FENCE,
		          &(struct thread_fence){.call = *call,
		                                 .last = outstanding->last.semantics ? outstanding->last
		                                                                     : *call,
		                                 .accesses = outstanding->accesses,
		                                 .bytes = outstanding->bytes});
	if (semantics->kind->info->accesses != ACCESSES_ORDERED)
		*outstanding = (struct outstanding){0};
}

static void lose_fences(void *self, uint32_t process)
{
	((struct thread_fences *)self)->of[process] = (struct outstanding){0};
}

const struct follower thread_fence_follower = {.new = fences_new,
                                               .wants = wants_fence,
                                               .call = follow_fence,
                                               .paused = lose_fences,
                                               .lost = lose_fences,
                                               .finish = free};
