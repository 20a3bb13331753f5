#include "job/check/shmem/shmem_locks.h"

#include "job/check/objects/finding_draft.h"
#include "job/check/wire/process_state.h"

/* If a PE holds more locks at a time, the table is not complete, and nothing is reported any more. */
enum { LOCKS_MAX = 1024 };

static struct {
	const volatile void *lock;
	enum call_id by;
	uint32_t at;     /* place */
	uint32_t thread; /* its number */
	uint32_t depth;  /* how often it was set */
} held[LOCKS_MAX];
static uint32_t held_count;
static bool is_incomplete;

static uint32_t find(const volatile void *lock)
{
	uint32_t i = 0;

	while (i < held_count && held[i].lock != lock)
		i++;
	return i;
}

static void report_held(const struct shmem_call *c, uint32_t at)
{
	struct finding_draft draft = finding_draft(CHECK_SHMEM_LOCK_HELD, &c->call);

	finding_draft_call(&draft, held[at].by, held[at].at, NOTE_EARLIER);
	finding_report(&draft);
}

static void report_not_held(struct shmem_call *c)
{
	struct finding_draft draft = problem_draft(CHECK_SHMEM_LOCK_NOT_HELD, &c->call);

	finding_report(&draft);
}

void shmem_locks_before(struct shmem_call *c)
{
	const uint32_t at = find(c->values->object);

	if (is_incomplete)
		return;
	/* Another thread may still give the lock back. */
	if (c->call.id == CALL_shmem_set_lock && at < held_count && held[at].thread == agent_self->number)
		report_held(c, at);
	if (c->call.id == CALL_shmem_clear_lock && at == held_count)
		report_not_held(c);
}

void shmem_locks_after(const struct shmem_call *c)
{
	const bool takes = c->call.id == CALL_shmem_set_lock ||
	                   (c->call.id == CALL_shmem_test_lock && c->values->flag == 1);
	const uint32_t at = find(c->values->object);

	if (c->call.id == CALL_shmem_clear_lock && at < held_count && !--held[at].depth)
		held[at] = held[--held_count];
	if (!takes)
		return;
	if (at < held_count) {
		held[at].depth++;
		return;
	}
	if (held_count == LOCKS_MAX) {
		is_incomplete = true;
		return;
	}
	held[held_count].lock = c->values->object;
	held[held_count].by = c->call.id;
	held[held_count].depth = 1;
	held[held_count].thread = agent_self->number;
	held[held_count++].at = agent_place(&c->call);
}

void shmem_locks_report_left(void)
{
	for (uint32_t i = 0; i < held_count && !is_incomplete; i++) {
		struct finding_draft draft = finding_draft(CHECK_SHMEM_LOCK_LEFT, NULL);

		finding_draft_call(&draft, held[i].by, held[i].at, NOTE_HERE);
		finding_report(&draft);
	}
}
