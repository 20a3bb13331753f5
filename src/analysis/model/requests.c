/* The requests of a process in a replay, by number. */
#include "analysis/model/operation.h"

#include "base/memory.h"

#include <string.h>

/* Numbers are the lowest free ones, so none is far above the count; a few creations may be lost. */
enum { LOST_REQUESTS = 1024, FIRST_REQUESTS = 8 };

static bool is_of(const struct replay_operation *operation, const struct thread *thread)
{
	return operation->is_under_way && operation->thread == thread->now.thread;
}

struct replay_operation *find_request(struct replay_process *proc, const struct thread *thread,
                                      int64_t number)
{
	struct replay_operation *operation, *moved;

	if (number == REQUEST_NOTIFIED)
		return proc->notified;
	if (number < 0 || (uint64_t)number >= proc->request_room)
		return NULL;
	operation = &proc->requests[number];
	moved = proc->moved.count && !is_of(operation, thread)
	                ? moved_requests_find(&proc->moved, number, thread->now.thread, thread->now.start)
	                : NULL;
	return moved ? moved : operation;
}

void request_forget_parked(struct replay *replay, struct replay_operation *operation)
{
	if (operation->parked)
		match_free(&replay->matcher, operation->parked);
	operation->parked = NULL;
}

void request_abandon(struct replay *replay, struct replay_operation *operation)
{
	if (!operation->semantics || !operation->is_under_way)
		return;
	if (operation->sent)
		match_done(replay, operation->sent, MATCH_SEND_DONE);
	if (operation->receive)
		match_done(replay, operation->receive, MATCH_RECEIVE_DONE);
	request_forget_parked(replay, operation);
	operation->is_under_way = false;
}

/* The previous request with this number: another thread may still be in the call that completes it. */
static void give_up_number(struct replay *replay, struct replay_process *proc, const struct thread *thread,
                           int64_t number)
{
	struct replay_operation *operation = &proc->requests[number];
	struct replay_operation *own = moved_requests_own(&proc->moved, number, thread->now.thread);

	if (own)
		request_abandon(replay, own);
	if (!operation->semantics || !operation->is_under_way)
		return;
	if (is_of(operation, thread) ||
	    !MOVED_REQUESTS_ADD(&proc->moved, operation, number, operation->thread, thread->now.end))
		request_abandon(replay, operation);
}

struct replay_operation *new_request(struct replay *replay, struct replay_process *proc,
                                     const struct thread *thread, int64_t number)
{
	if (number == REQUEST_NOTIFIED) {
		if (!proc->notified)
			proc->notified = arena_new(&replay->threads, struct replay_operation);
		request_abandon(replay, proc->notified);
		return proc->notified;
	}
	proc->requests_made++;
	if (number < 0 || (uint64_t)number > proc->requests_made + LOST_REQUESTS)
		return NULL;
	if ((uint64_t)number >= proc->request_room) {
		uint64_t room = proc->request_room ? proc->request_room : FIRST_REQUESTS;
		while (room <= (uint64_t)number)
			room *= 2;
		proc->requests = memory_grow(proc->requests, room, sizeof *proc->requests);
		memset(proc->requests + proc->request_room, 0,
		       (room - proc->request_room) * sizeof *proc->requests);
		proc->request_room = room;
	}
	give_up_number(replay, proc, thread, number);
	return &proc->requests[number];
}
