#include "job/check/shmem_agent.h"

#include "job/check/agent.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/shmem/shmem_accesses.h"
#include "job/check/shmem/shmem_arguments.h"
#include "job/check/shmem/shmem_call.h"
#include "job/check/shmem/shmem_events.h"
#include "job/check/shmem/shmem_locks.h"
#include "job/check/shmem/symmetric_memory.h"
#include "job/check/wire/ending.h"
#include "job/check/wire/findings.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/service.h"
#include "job/check/wire/thread_order.h"
#include "job/mpi/flavour.h"

#include <errno.h>

#define EXPORT __attribute__((visibility("default")))

static bool has_started_mpi; /* shmem_init() did: the program has not called MPI_Init */

/* The library implements some functions by others. */
static bool is_nested(const void *frame)
{
	const struct agent_call *current = agent_self ? RELAXED_LOAD(agent_self->current) : NULL;

	return current && current->text && (uintptr_t)frame < (uintptr_t)current->frame;
}

static void report_order(struct shmem_call *c)
{
	struct finding_draft draft = problem_draft(
		checked_shmem.life == SHMEM_OVER ? CHECK_SHMEM_AFTER_FINALIZE : CHECK_SHMEM_BEFORE_INIT,
		&c->call);

	finding_report(&draft);
}

static void check_before(struct shmem_call *c)
{
	if (checked_shmem.life != SHMEM_ACTIVE) {
		if (checked_shmem.life == SHMEM_OVER || !has_started_mpi)
			report_order(c);
		return;
	}
	shmem_arguments_check(c);
	if (all_calls[c->call.id].pgas == PGAS_LOCK)
		shmem_locks_before(c);
	symmetric_before(c);
	if (c->call.id == CALL_shmem_finalize) {
		shmem_locks_report_left();
		symmetric_report_left();
	}
	shmem_events_before(c);
}

static bool before(struct shmem_checked_call *checked_call, uint32_t id, const struct shmem_values *values,
                   const void *site, const void *frame)
{
	struct shmem_call *c = (struct shmem_call *)checked_call;
	const int saved = errno;

	_Static_assert(sizeof *c <= sizeof *checked_call, "too small");
	if (agent_is_off() || is_nested(frame))
		return false;
	*c = (struct shmem_call){
		.call = {.id = id, .site = site, .text = shmem_argument_text},
		.values = values,
	};
	if (!agent_enter(&c->call, frame) || c->call.nested) {
		errno = saved;
		return false;
	}
	thread_order_enters();
	host_lock();
	check_before(c);
	host_unlock();
	if (id == CALL_shmem_global_exit)
		agent_job_ends();
	else if (c->call.problems)
		service_expect_end(true);
	errno = saved;
	return true;
}

static void after(struct shmem_checked_call *checked_call, const struct shmem_values *values)
{
	struct shmem_call *c = (struct shmem_call *)checked_call;
	const int saved = errno;

	c->values = values;
	c->call.has_returned = true;
	if (c->call.problems)
		service_expect_end(false);
	host_lock();
	if (checked_shmem.life == SHMEM_ACTIVE) {
		symmetric_after(c);
		if (all_calls[c->call.id].pgas == PGAS_LOCK)
			shmem_locks_after(c);
		shmem_events_after(c);
	}
	host_unlock();
	agent_leave(&c->call);
	errno = saved;
}

/* Open MPI's OpenSHMEM is based on its MPI, whose ranks are the PEs. */
static bool begin_process(const struct agent_call *call)
{
	int has_mpi = 0;

	if (checked.phase == AGENT_IN_MPI)
		return true;
	if (checked.phase != AGENT_READY || PMPI_Initialized(&has_mpi) != MPI_SUCCESS || !has_mpi)
		return false;
	service_prepare();
	has_started_mpi = agent_begin(call);
	return has_started_mpi;
}

static void start(const struct shmem_start *start, const void *site, const void *frame)
{
	const struct shmem_values none = {.pe = 0};
	struct shmem_call c = {.call = {.id = start->call, .site = site, .text = shmem_argument_text},
	                       .values = &none};
	const int saved = errno;

	if (!agent_is_off() && agent_enter(&c.call, frame) && !c.call.nested) {
		if (checked_shmem.life == SHMEM_NOT_YET && begin_process(&c.call)) {
			checked.shared |= start->is_multithreaded;
			checked_shmem.pe = start->pe;
			checked_shmem.pe_count = start->pe_count;
			checked_shmem.life = SHMEM_ACTIVE;
			if ((uint32_t)start->pe != checked.rank || (uint32_t)start->pe_count != checked.size)
				agent_step_aside("its PEs are not the ranks of MPI");
			host_lock();
			shmem_events_start(&c);
			host_unlock();
		}
		agent_leave(&c.call);
	}
	errno = saved;
}

static void end_process(enum process_end end)
{
	RELAXED_STORE(checked.phase, AGENT_FINALIZED);
	findings_flush();
	service_end(end);
}

/* shmem_finalize() has ended MPI, unless a library keeps it. */
static void finish(void)
{
	const int saved = errno;
	int is_over = 0;

	checked_shmem.life = SHMEM_OVER;
	if (!agent_is_off() && checked.phase == AGENT_IN_MPI &&
	    (has_started_mpi || (PMPI_Finalized(&is_over) == MPI_SUCCESS && is_over)))
		end_process(END_FINALIZED);
	errno = saved;
}

/* A program may leave shmem_finalize() to the library. */
bool shmem_agent_exit(int code)
{
	if (!has_started_mpi)
		return false;
	checked_shmem.life = SHMEM_OVER;
	end_process(code ? END_EXITED : END_FINALIZED);
	return true;
}

static void shared(void)
{
	host_lock();
	shmem_accesses_shared();
	host_unlock();
}

static const struct shmem_checker checker = {
	.start = start, .before = before, .after = after, .shared = shared, .finish = finish};

/* Called by the preloaded library when it has loaded this one. */
EXPORT void tarry_shmem_link(struct shmem_link *link);
EXPORT void tarry_shmem_link(struct shmem_link *link)
{
	__atomic_store_n(&link->checker, &checker, __ATOMIC_RELEASE);
}
