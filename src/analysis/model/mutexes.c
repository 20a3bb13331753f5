#include "analysis/model/mutexes.h"

#include "analysis/model/pair_map.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FULL_AT_LEAST = 1024, WAITING_LIMIT = 4096 };

/* A lock, and the holds of it that are over but not told, by the start of their unlocks. */
struct mutex {
	struct mutex_hold *holds;
	uint32_t count, room;
	struct occurrence last; /* unlock that was told last; no role: none */
};

/* A process, and the locks that it holds. */
struct holder {
	struct mutex_hold *held;
	uint32_t count, room;
	uint32_t waiting; /* holds of it that are not told */
	bool is_blind;
};

struct mutexes {
	const struct reader *reader;
	const struct teller *teller;
	struct replay_counts *counts;
	struct holder *holders; /* by process */
	struct mutex *items;
	uint32_t count, room;
	struct pair_map by_identity;
	size_t waiting, full_at;
};

struct mutexes *mutexes_new(const struct reader *reader, const struct teller *teller,
                            struct replay_counts *counts)
{
	struct mutexes *mutexes = memory_new(1, sizeof *mutexes);

	mutexes->reader = reader;
	mutexes->teller = teller;
	mutexes->counts = counts;
	mutexes->holders = memory_new(reader->process_count + 1, sizeof *mutexes->holders);
	mutexes->full_at = reader->process_count + FULL_AT_LEAST;
	return mutexes;
}

bool mutexes_want(const struct role *role)
{
	return role->kind->info == &all_calls[CALL_upc_lock] ||
	       role->kind->info == &all_calls[CALL_upc_lock_attempt] ||
	       role->kind->info == &all_calls[CALL_upc_unlock];
}

/* Taking */

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
		if (holder->count == holder->room) {
			holder->room = holder->room ? 2 * holder->room : 2;
			holder->held = memory_grow(holder->held, holder->room, sizeof *holder->held);
		}
		held = &holder->held[holder->count++];
	}
	*held = (struct mutex_hold){.mutex = mutex, .take = *call};
}

/* Giving back */

static struct mutex *find_mutex(struct mutexes *mutexes, uint64_t identity)
{
	uint32_t *number = pair_map_put(&mutexes->by_identity, (struct pair){identity, 0});

	if (*number == UINT32_MAX) {
		*number = mutexes->count;
		if (mutexes->count == mutexes->room) {
			mutexes->room = mutexes->room ? 2 * mutexes->room : 16;
			mutexes->items = memory_grow(mutexes->items, mutexes->room, sizeof *mutexes->items);
		}
		mutexes->items[mutexes->count++] = (struct mutex){0};
	}
	return &mutexes->items[*number];
}

/* The next holder comes after the start of an unlock, but maybe before its end. */
static bool is_earlier(const struct occurrence *a, const struct occurrence *b)
{
	if (a->start != b->start)
		return a->start < b->start;
	return a->end != b->end ? a->end < b->end : a->role->process < b->role->process;
}

static void add_hold(struct mutex *mutex, const struct mutex_hold *hold)
{
	uint32_t at = mutex->count++;

	if (at == mutex->room) {
		mutex->room = mutex->room ? 2 * mutex->room : 4;
		mutex->holds = memory_grow(mutex->holds, mutex->room, sizeof *mutex->holds);
	}
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

static bool is_taken(const struct role *role)
{
	int64_t flag;

	return !call_field(role->call, FIELD_FLAG, &flag) || flag;
}

void mutexes_call(struct mutexes *mutexes, const struct occurrence *call)
{
	struct holder *holder = &mutexes->holders[call->role->process];
	int64_t mutex;

	if (holder->is_blind || !call_field(call->role->call, FIELD_MUTEX, &mutex))
		return;
	if (call->role->kind->info == &all_calls[CALL_upc_unlock])
		give(mutexes, holder, (uint64_t)mutex, call);
	else if (is_taken(call->role))
		take(mutexes, holder, (uint64_t)mutex, call);
}

void mutexes_blind(struct mutexes *mutexes, uint32_t process)
{
	struct holder *holder = &mutexes->holders[process];

	mutexes->counts->open_locks += holder->count;
	holder->count = 0;
	holder->is_blind = true;
}

/* Telling */

static void tell(struct mutexes *mutexes, struct mutex *mutex, struct mutex_hold *hold)
{
	const struct occurrence *last = &mutex->last;
	bool had_to_wait = last->role && last->role->process != hold->take.role->process &&
	                   last->end > hold->take.start && last->start < hold->take.end;

	hold->before = had_to_wait ? *last : hold->take;
	mutex->last = hold->give;
	mutexes->holders[hold->take.role->process].waiting--;
	mutexes->waiting--;
	mutexes->teller->mutex(mutexes->teller->context, hold);
}

static void tell_until(struct mutexes *mutexes, struct mutex *mutex, int64_t until)
{
	uint32_t told = 0;

	while (told < mutex->count && mutex->holds[told].give.start < until)
		tell(mutexes, mutex, &mutex->holds[told++]);
	mutex->count -= told;
	memmove(mutex->holds, mutex->holds + told, mutex->count * sizeof *mutex->holds);
}

bool mutexes_are_ahead(const struct mutexes *mutexes, uint32_t process)
{
	return mutexes->holders[process].waiting > WAITING_LIMIT;
}

bool mutexes_are_full(const struct mutexes *mutexes)
{
	return mutexes->waiting >= mutexes->full_at;
}

void mutexes_settle(struct mutexes *mutexes, const int64_t *now)
{
	int64_t until = INT64_MAX;

	for (size_t i = 0; i < mutexes->reader->process_count; i++)
		until = now[i] < until ? now[i] : until;
	for (uint32_t i = 0; i < mutexes->count; i++)
		if (mutexes->items[i].count)
			tell_until(mutexes, &mutexes->items[i], until);
	mutexes->full_at = 2 * mutexes->waiting + mutexes->count + mutexes->reader->process_count +
	                   FULL_AT_LEAST;
}

void mutexes_finish(struct mutexes *mutexes)
{
	for (uint32_t i = 0; i < mutexes->count; i++) {
		if (mutexes->items[i].count)
			tell_until(mutexes, &mutexes->items[i], INT64_MAX);
		free(mutexes->items[i].holds);
	}
	for (size_t i = 0; i < mutexes->reader->process_count; i++) {
		mutexes->counts->open_locks += mutexes->holders[i].count;
		free(mutexes->holders[i].held);
	}
	free(mutexes->items);
	free(mutexes->holders);
	pair_map_release(&mutexes->by_identity);
	free(mutexes);
}
