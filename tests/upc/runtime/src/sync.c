/* Barriers, in one piece or in two, fences, and locks that are given out in the order of asking. */
#include "runtime.h"

#include <string.h>

static void notify(void)
{
	lock_segment();
	self.barrier = segment->barriers_done + 1;
	if (++segment->notified == segment->threads) {
		segment->notified = 0;
		segment->barriers_done++;
		tell_change();
	}
	unlock_segment();
}

/* `at`: not of the runtime itself. */
static void wait_for_all(struct upcr_place at)
{
	lock_segment();
	while (segment->barriers_done < self.barrier)
		wait_for_change();
	unlock_segment();
	if (self.thread == planted.slow_thread && at.line > 0)
		sleep_until_ns(now_ns() + planted.slow_ns);
}

/* The value reported to a tool for a barrier without an id. */
static int told_id(bool is_named, int id)
{
#ifdef UPCR_BERKELEY
	return is_named ? id : 0;
#else
	return is_named ? id : BARRIER_UNNAMED;
#endif
}

void upcr_notify(struct upcr_place at, bool is_named, int id)
{
	id = told_id(is_named, id);
	START(GASP_UPC_NOTIFY, at, is_named, id);
	notify();
	END(GASP_UPC_NOTIFY, at, is_named, id);
}

void upcr_wait(struct upcr_place at, bool is_named, int id)
{
	id = told_id(is_named, id);
	START(GASP_UPC_WAIT, at, is_named, id);
	wait_for_all(at);
	END(GASP_UPC_WAIT, at, is_named, id);
}

void upcr_barrier(struct upcr_place at, bool is_named, int id)
{
#ifdef UPCR_BERKELEY
	upcr_notify(at, is_named, id);
	upcr_wait(at, is_named, id);
#else
	id = told_id(is_named, id);
	START(GASP_UPC_BARRIER, at, is_named, id);
	notify();
	wait_for_all(at);
	END(GASP_UPC_BARRIER, at, is_named, id);
#endif
}

void upcr_fence(void)
{
	sleep_until_ns(self.puts_until_ns);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

struct upcr_forall upcr_forall_start(struct upcr_place at)
{
	START(GASP_UPC_FORALL, at);
	return (struct upcr_forall){at, false};
}

void upcr_forall_end(struct upcr_forall *loop)
{
	END(GASP_UPC_FORALL, loop->at);
	loop->is_over = true;
}

struct lock {
	uint64_t asked;
	uint64_t served;
	bool is_held;
};

static struct lock *lock_behind(upc_lock_t *lock)
{
	return here((uint64_t)lock);
}

static upc_lock_t *lock_new(void)
{
	upc_lock_t *lock = (upc_lock_t *)object_new(1, sizeof(struct lock), self.thread);

	memset(lock_behind(lock), 0, sizeof(struct lock));
	return lock;
}

static uint64_t first_lock_new(const struct collective_call *call)
{
	upc_lock_t *lock;

	START(GASP_UPC_ALLOC, call->at, sizeof(struct lock));
	lock = lock_new();
	END(GASP_UPC_ALLOC, call->at, sizeof(struct lock), (void *)&lock);
	return (uint64_t)lock;
}

upc_lock_t *upcr_all_lock_alloc(struct upcr_place at)
{
	upc_lock_t *lock;

	START(GASP_UPC_ALL_LOCK_ALLOC, at);
	lock = (upc_lock_t *)result_of_first(first_lock_new, &(struct collective_call){.at = at});
	END(GASP_UPC_ALL_LOCK_ALLOC, at, (void *)&lock);
	return lock;
}

upc_lock_t *upcr_global_lock_alloc(struct upcr_place at)
{
	upc_lock_t *lock;

	START(GASP_UPC_GLOBAL_LOCK_ALLOC, at);
	lock = lock_new();
	END(GASP_UPC_GLOBAL_LOCK_ALLOC, at, (void *)&lock);
	return lock;
}

void upcr_lock_free(upc_lock_t *lock, struct upcr_place at)
{
	START(GASP_UPC_LOCK_FREE, at, (void *)&lock);
	object_free((uint64_t)lock);
	END(GASP_UPC_LOCK_FREE, at, (void *)&lock);
}

void upcr_lock(upc_lock_t *lock, struct upcr_place at)
{
	struct lock *behind = lock_behind(lock);
	uint64_t ticket;

	START(GASP_UPC_LOCK, at, (void *)&lock);
	lock_segment();
	ticket = behind->asked++;
	while (behind->is_held || behind->served != ticket)
		wait_for_change();
	behind->served++;
	behind->is_held = true;
	unlock_segment();
	END(GASP_UPC_LOCK, at, (void *)&lock);
}

int upcr_lock_attempt(upc_lock_t *lock, struct upcr_place at)
{
	struct lock *behind = lock_behind(lock);
	int is_mine;

	START(GASP_UPC_LOCK_ATTEMPT, at, (void *)&lock);
	lock_segment();
	is_mine = !behind->is_held && behind->asked == behind->served;
	if (is_mine) {
		behind->asked++;
		behind->served++;
		behind->is_held = true;
	}
	unlock_segment();
	END(GASP_UPC_LOCK_ATTEMPT, at, (void *)&lock, is_mine);
	return is_mine;
}

void upcr_unlock(upc_lock_t *lock, struct upcr_place at)
{
	START(GASP_UPC_UNLOCK, at, (void *)&lock);
	lock_segment();
	lock_behind(lock)->is_held = false;
	tell_change();
	unlock_segment();
	END(GASP_UPC_UNLOCK, at, (void *)&lock);
}
