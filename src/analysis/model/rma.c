/* One-sided communication: matches accesses with epochs, epochs of origins with those of targets, and waits
 * for locks with their holders.
 *
 * Exposures. The n-th MPI_Win_start of an origin that names a target matches the n-th MPI_Win_post of that
 * target that names the origin. A target's epoch is written when MPI_Win_wait and the MPI_Win_complete of all
 * its origins have ended; origins that are not in the trace are ignored, and if one ended too early (a
 * crash), the epoch is not written.
 *
 * Access epochs are written in the same way, with the posts of all their targets; fences when all
 * processes have passed them.
 *
 * Locks. Libraries acquire a lock at different times: in MPI_Win_lock, with the first access, or only in
 * MPI_Win_unlock. In all of them conflicting holds are sequential. The holder of a lock calls unlock before a
 * waiting process does, unless that process waits in its own unlock: then its unlock ends later and is the
 * longer wait of the two (rma_locks.c). `before` is, among the earlier conflicting holds of other processes,
 * the one with the last unlock; it was waited for only if that unlock ended after this lock was requested. A
 * lock of all (MPI_Win_lock_all) is written once, with NO_TARGET. Locks with MPI_MODE_NOCHECK never wait.
 *
 * Accesses end with the fence, complete, unlock or flush that covers them, or with their own request.
 * flush_local does not end them: they may not have reached the target yet.
 *
 * Memory is needed for pending epochs, locks and accesses; it is bounded because processes that are
 * ahead continue last. */
#include "analysis/model/rma.h"

#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>

enum { FIRST_FULL = 1024, WAITING_OF_ALL = 1 << 16, WAITING_MIN = 16 };

int64_t field_of(const struct occurrence *call, enum field_key key, int64_t otherwise)
{
	return field_or(call->semantics->call, key, otherwise);
}

static bool is_wanted(const struct row_writer *rows)
{
	return wants_rows(rows, RELATION_EXPOSURE) || wants_rows(rows, RELATION_ACCESS_EPOCH) ||
	       wants_rows(rows, RELATION_FENCE) || wants_rows(rows, RELATION_LOCK_HOLD) ||
	       wants_rows(rows, RELATION_PASSIVE_CALL) || wants_rows(rows, RELATION_ACCESS);
}

static void *rma_new(const struct replay_input *input)
{
	const struct reader *reader = input->reader;
	struct rma *rma;

	if (!is_wanted(input->rows))
		return NULL;
	rma = memory_new(1, sizeof *rma);
	rma->reader = reader;
	rma->comms = input->comms;
	rma->rows = input->rows;
	rma->counts = input->counts;
	rma->members = (struct store){.arena = &rma->arena, .size = sizeof(struct window_member)};
	rma->holds = (struct store){.arena = &rma->arena, .size = sizeof(struct hold)};
	rma->pairs = (struct store){.arena = &rma->arena, .size = sizeof(struct epoch_pair)};
	rma->epochs = (struct store){.arena = &rma->arena, .size = sizeof(struct epoch)};
	rma->accesses = (struct store){.arena = &rma->arena, .size = sizeof(struct open_access)};
	rma->passive_rows = (struct store){.arena = &rma->arena, .size = sizeof(struct passive_row)};
	rma->choices = (struct store){.arena = &rma->arena, .size = sizeof(struct passive_choice)};
	rma->window_store = (struct store){.arena = &rma->arena, .size = sizeof(struct window)};
	rma->processes = memory_new(reader->process_count + 1, sizeof *rma->processes);
	rma->full_at = FIRST_FULL + reader->process_count;
	rma->free_queue = UINT32_MAX;
	rma->waiting_limit = WAITING_MIN + WAITING_OF_ALL / (reader->process_count + 1);
	return rma;
}

/* Windows usually appear in the order of their creation. */
static const struct object *find_object(const struct process *process, size_t *at, uint64_t identity)
{
	for (size_t i = 0; i < process->object_count; i++) {
		const struct object *object = &process->objects[(*at + i) % process->object_count];
		if (object->kind != RECORDED_WIN || object->identity != identity)
			continue;
		*at = (*at + i + 1) % process->object_count;
		return object;
	}
	return NULL;
}

static struct window *add_window(struct rma *rma, uint64_t identity, uint32_t comm)
{
	struct window *window = store_take(&rma->window_store);

	if (rma->free_number_count) {
		window->number = rma->free_numbers[--rma->free_number_count];
	} else {
		window->number = rma->window_count++;
		array_fit(rma->windows, rma->window_room, rma->window_count);
		array_fit(rma->free_numbers, rma->free_number_room, rma->window_count);
	}
	rma->windows[window->number] = window;
	window->identity = identity;
	window->comm = comm;
	return window;
}

static struct window *find_window(struct rma *rma, uint64_t identity, uint32_t comm)
{
	uint32_t *number = map_put(&rma->by_window, map_key(identity, 0));

	if (*number == UINT32_MAX)
		*number = add_window(rma, identity, comm)->number;
	return rma->windows[*number];
}

static void release_window(struct window *window)
{
	map_release(&window->by_target);
	fences_release(window);
	free(window->places);
}

void forget_window(struct rma *rma, struct window *window)
{
	if (window->pending || window->comm == NO_COMM ||
	    window->freed < rma->comms->comms[window->comm].sides[0].present)
		return;
	map_remove(&rma->by_window, map_key(window->identity, 0));
	rma->free_numbers[rma->free_number_count++] = window->number;
	rma->windows[window->number] = NULL;
	release_window(window);
	store_give(&rma->window_store, window);
}

uint32_t process_at(const struct rma *rma, const struct window_member *member, uint32_t rank)
{
	return member->window->comm == NO_COMM ? NO_PROCESS
	                                       : comm_process(rma->comms, member->window->comm, 0, rank);
}

static struct window_member *add_member(struct rma *rma, uint32_t process, uint64_t identity)
{
	struct rma_process *own = &rma->processes[process];
	const struct object *object = find_object(&rma->reader->processes[process], &own->next_object,
	                                          identity);
	const struct membership *membership = object ? find_membership(rma->comms, process, object->comm)
	                                             : NULL;
	struct window_member *member = store_take(&rma->members);

	member->window = find_window(rma, identity, membership ? membership->comm : NO_COMM);
	member->rank = membership ? membership->rank : UINT32_MAX;
	member->next = own->members;
	own->members = member;
	return member;
}

/* The latest is first. */
static struct window_member *find_member(struct rma *rma, uint32_t process, uint64_t identity)
{
	struct rma_process *own = &rma->processes[process];

	for (struct window_member **at = &own->members; *at; at = &(*at)->next) {
		struct window_member *member = *at;
		if (member->window->identity != identity)
			continue;
		*at = member->next;
		member->next = own->members;
		own->members = member;
		return member;
	}
	return add_member(rma, process, identity);
}

struct member_target *target_of(struct window_member *member, uint32_t target)
{
	uint32_t *number = map_put(&member->by_target, map_key(target, 0));

	if (*number == UINT32_MAX) {
		*number = member->target_count;
		array_fit(member->targets, member->target_room, member->target_count + 1u);
		member->targets[member->target_count++] = (struct member_target){.rank = target};
	}
	return &member->targets[*number];
}

static void release_member(struct rma *rma, struct window_member *member)
{
	for (const struct open_access *access = member->accesses.first; access;
	     access = access->links[CHAIN_WINDOW].next)
		rma->counts->open_accesses++;
	for (uint32_t i = 0; i < member->target_count; i++)
		rma->counts->open_locks += member->targets[i].hold != NULL;
	rma->counts->open_locks += member->hold_all != NULL;
	map_release(&member->by_target);
	free(member->targets);
	free(member->unflushed);
}

static void window_freed(struct rma *rma, struct window_member *member, struct member_target *there,
                         const struct occurrence *call)
{
	struct rma_process *own = &rma->processes[call->semantics->process];
	struct window *window = member->window;

	(void)there;
	own->members = member->next;
	access_abandon(rma, member, own);
	release_member(rma, member);
	store_give(&rma->members, member);
	window->freed++;
	forget_window(rma, window);
}

static void accessed(struct rma *rma, struct window_member *member, struct member_target *there,
                     const struct occurrence *call)
{
	switch (epoch_of_access(&member->epochs, &there->epochs)) {
	case EPOCH_LOCK:
	case EPOCH_LOCK_ALL:
		lock_access(rma, member, there, call);
		break;
	case EPOCH_START:
		if (there->pair)
			exposure_access(there->pair, call);
		break;
	default:
		fence_access(rma, member, there, call);
	}
	if (wants_rows(rma->rows, RELATION_ACCESS) ||
	    (wants_rows(rma->rows, RELATION_PASSIVE_CALL) && call->semantics->does & CALL_HAS_REQUEST))
		access_open(rma, member, there, call);
}

/* NULL: none. */
static rma_act *act_of(const struct call_info *info)
{
	static rma_act *const acts[RMA_VALUES] = {
		[RMA_FENCE] = fence_pass,           [RMA_POST] = exposure_post,
		[RMA_WAIT] = exposure_wait,         [RMA_START] = exposure_start,
		[RMA_COMPLETE] = exposure_complete, [RMA_LOCK] = lock_take,
		[RMA_LOCK_ALL] = lock_take,         [RMA_UNLOCK] = lock_give,
		[RMA_UNLOCK_ALL] = lock_give,       [RMA_FLUSH] = lock_flush,
		[RMA_FLUSH_ALL] = lock_flush,       [RMA_ACCESS] = accessed,
	};

	return call_has(info, KIND_oldwin) ? window_freed : acts[info->rma];
}

static bool has_windows(const struct process *process)
{
	for (size_t i = 0; i < process->object_count; i++)
		if (process->objects[i].kind == RECORDED_WIN)
			return true;
	return false;
}

static bool rma_wants(void *self, const struct call_semantics *semantics)
{
	const struct rma *rma = self;
	const struct call_info *info = semantics->kind->info;

	if (!info)
		return false;
	if (wants_rows(rma->rows, RELATION_PASSIVE_CALL) &&
	    has_windows(&rma->reader->processes[semantics->process]))
		return true;
	return act_of(info) || (wants_rows(rma->rows, RELATION_ACCESS) && semantics->does & CALL_COMPLETES);
}

static void rma_call(void *self, const struct occurrence *call, const struct event *event)
{
	struct rma *rma = self;
	const struct call_info *info = call->semantics->kind->info;
	uint64_t window;

	(void)event;
	if (rma->processes[call->semantics->process].is_gone)
		return;
	if (wants_rows(rma->rows, RELATION_PASSIVE_CALL))
		gap_note(rma, &rma->processes[call->semantics->process], call);
	if (call->semantics->does & CALL_COMPLETES) {
		struct rma_process *own = &rma->processes[call->semantics->process];
		const struct semantics_kind *kind = call->semantics->kind;
		if (own->requests) {
			if (wants_rows(rma->rows, RELATION_PASSIVE_CALL))
				access_wait(rma, own, call);
			for (uint32_t i = 0; i < kind->completed_count; i++)
				access_close_request(rma, own, kind->completed[i].request, call);
		}
		return;
	}
	window = (uint64_t)field_of(call, FIELD_WIN, 0);
	if (window && !field_of(call, FIELD_RESULT, 0) && act_of(info)) {
		int64_t target = field_of(call, FIELD_TARGET, RANK_NULL);
		struct member_target *there = NULL;
		struct window_member *member;
		/* A call on a window. */
		if (call_has(info, KIND_target) && (target < 0 || target >= NO_TARGET))
			return;
		member = find_member(rma, call->semantics->process, window);
		if (call_has(info, KIND_target))
			there = target_of(member, (uint32_t)target);
		epochs_follow(&member->epochs, there ? &there->epochs : NULL,
		              &(struct epoch_call){.action = info->tests ? RMA_NONE : info->rma});
		if (info->rma && info->accesses == ACCESSES_COMPLETE)
			access_close(rma, there ? &there->accesses : &member->accesses, call);
		act_of(info)(rma, member, there, call);
	}
}

static bool rma_is_ahead(void *self, uint32_t process)
{
	const struct rma *rma = self;

	return rma->processes[process].waiting > rma->waiting_limit;
}

static void rma_gone(void *self, uint32_t process)
{
	struct rma *rma = self;

	rma->processes[process].is_gone = true;
}

static void rma_finish(void *self)
{
	struct rma *rma = self;

	lock_write_all(rma);
	rma->counts->open_exposures += rma->exposures_open;
	for (size_t i = 0; i < rma->reader->process_count; i++) {
		passive_finish(rma, &rma->processes[i]);
		for (struct window_member *member = rma->processes[i].members; member; member = member->next)
			release_member(rma, member);
		free(rma->processes[i].by_request);
	}
	for (uint32_t i = 0; i < rma->window_count; i++)
		if (rma->windows[i])
			release_window(rma->windows[i]);
	free(rma->processes);
	free(rma->windows);
	free(rma->free_numbers);
	free(rma->queues);
	free(rma->heap);
	map_release(&rma->by_window);
	map_release(&rma->by_pair);
	arena_release(&rma->arena);
	free(rma);
}

const struct follower rma_follower = {.new = rma_new,
                                      .wants = rma_wants,
                                      .call = rma_call,
                                      .paused = rma_gone,
                                      .lost = rma_gone,
                                      .ended = rma_gone,
                                      .is_ahead = rma_is_ahead,
                                      .is_full = rma_is_full,
                                      .settle = rma_settle,
                                      .finish = rma_finish};
