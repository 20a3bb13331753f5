#include "job/check/agent.h"

#include "base/hash.h"
#include "job/check/arguments/arguments.h"
#include "job/check/buffers/guarded_pages.h"
#include "job/check/buffers/receive_shadows.h"
#include "job/check/buffers/retired_buffers.h"
#include "job/check/buffers/watched_memory.h"
#include "job/check/events/call_events.h"
#include "job/check/events/comms.h"
#include "job/check/events/events.h"
#include "job/check/lifetimes.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/objects/threads.h"
#include "job/check/order.h"
#include "job/check/rejected_calls.h"
#include "job/check/requests/request_states.h"
#include "job/check/shmem_agent.h"
#include "job/check/windows/window_buffers.h"
#include "job/check/windows/windows.h"
#include "job/check/wire/crash.h"
#include "job/check/wire/ending.h"
#include "job/check/wire/findings.h"
#include "job/check/wire/node.h"
#include "job/check/wire/places.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/program_signals.h"
#include "job/check/wire/service.h"
#include "job/check/wire/thread_order.h"
#include "job/check/wire/unsent_events.h"
#include "job/check/wrap.h"
#include "job/mpi/members.h"
#include "job/mpi/nesting.h"
#include "job/mpi/world.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The call site of the thread's current call, for the recorder. */
static _Thread_local const void *agent_site __attribute__((tls_model("initial-exec")));

/* The state of threads for which there was no memory. */
static struct agent_thread no_thread = {.limit = UINTPTR_MAX, .idle_limit = UINTPTR_MAX};

static int exit_code; /* as far as exit handlers were told */

static pthread_key_t thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void forget_thread(void *argument)
{
	struct agent_thread *thread = argument;

	host_lock();
	thread_ended(thread);
	for (struct agent_thread **link = &checked.threads; *link; link = &(*link)->next)
		if (*link == thread) {
			*link = thread->next;
			break;
		}
	host_unlock();
	if (thread->origins)
		origins_free(thread->origins);
	free(thread);
	agent_self = &no_thread;
}

/* A forked child shares its parent's connections: analysers would take its messages for the parent's. */
static void after_fork(void)
{
	checked.lock = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
	RELAXED_STORE(checked.phase, AGENT_OFF);
	service_abandon();
	guards_after_fork();
	program_signals_after_fork();
}

static void exit_begins(int code, void *unused)
{
	const int saved = errno;

	(void)unused;
	exit_code = code;
	if (code == 0)
		service_exits_well();
	errno = saved;
}

static void start(void)
{
	if (pthread_key_create(&thread_end, forget_thread) || pthread_atfork(NULL, NULL, after_fork)) {
		checked.phase = AGENT_OFF;
		return;
	}
	checked.phase = node_settings() ? AGENT_READY : AGENT_OFF;
	if (checked.phase != AGENT_READY)
		return;
	on_exit(exit_begins, NULL); /* if it fails, analysers do not learn how the process ends */
	lifetimes_start();
}

/* The lowest unused number, because programs may start any number of threads one after the other. Needs the lock. */
static uint32_t free_number(void)
{
	uint32_t number = 0;

	for (const struct agent_thread *thread = checked.threads; thread;)
		if (thread->number == number) {
			number++;
			thread = checked.threads;
		} else {
			thread = thread->next;
		}
	return number;
}

static struct agent_thread *begin_thread(void)
{
	struct agent_thread *thread;

	agent_self = &no_thread;
	pthread_once(&once, start);
	if (agent_is_off() || !(thread = host_table(1, sizeof *thread)))
		return agent_self;
	pthread_setspecific(thread_end, thread);
	thread->system_id = (int32_t)syscall(SYS_gettid);
	host_lock();
	thread->number = free_number();
	thread->next = checked.threads;
	checked.threads = thread;
	host_unlock();
	return agent_self = thread;
}

bool agent_enter(struct agent_call *call, const void *frame)
{
	struct agent_thread *thread = agent_self;

	if (UNLIKELY(!thread)) {
		const int saved = errno;

		thread = begin_thread();
		errno = saved;
	}
	if (UNLIKELY(agent_is_off()) || UNLIKELY(thread == &no_thread)) {
		agent_site = call->site;
		call->frame = frame;
		/* Data that MPI receives into a shadow must still be copied to the buffer. */
		call->nested = UNLIKELY(RELAXED_LOAD(receive_shadows_live)) &&
		               (request_effects(call->id) > EFFECT_NEW_REQUEST ||
		                all_calls[call->id].accesses);
		return call->nested;
	}
	call->frame = frame;
	if (UNLIKELY((uintptr_t)frame < RELAXED_LOAD(thread->limit))) {
		const enum call_nesting nesting = call_nesting(RELAXED_LOAD(thread->limit), frame);

		if (nesting != NOT_NESTED && call->id == CALL_Comm_set_errhandler)
			RELAXED_STORE(checked.chooses_handlers, true);
		/* An error handler of the program calls MPI_Abort. */
		if (nesting != NOT_NESTED && call->id == CALL_Abort &&
		    rejected_call_ends(RELAXED_LOAD(thread->current)))
			agent_job_ends();
		if (nesting == NESTED_IN_MPI && !lifetimes_follow(call->id, RELAXED_LOAD(thread->current)))
			return false;
		call->nested = nesting != NOT_NESTED;
		call->outer = call->nested ? RELAXED_LOAD(thread->current) : NULL;
	}
	if (LIKELY(!call->nested)) {
		agent_site = call->site;
		RELAXED_STORE(thread->limit, (uintptr_t)frame);
		RELAXED_STORE(thread->current, call);
		RELAXED_STORE(thread->entered, thread->entered + 1);
	}
	return true;
}

void agent_leave(const struct agent_call *call)
{
	struct agent_thread *thread = agent_self;

	if (UNLIKELY(call->nested))
		return;
	thread_order_leaves();
	thread->last_id = call->id;
	thread->last_site = call->site;
	RELAXED_STORE(thread->current, NULL);
	RELAXED_STORE(thread->limit, thread->idle_limit);
}

static bool begins_mpi(enum call_id id)
{
	return all_calls[id].life == LIFE_BEGINS;
}

/* Opens guarded pages that a new window may contain, and completes shadows before MPI_Finalize. */
static void shadows_before(const struct agent_call *call)
{
	if (all_calls[call->id].plain == CALL_Win_create || call->id == CALL_Win_attach)
		guards_open(0, INT64_MAX);
	if (call->id == CALL_Finalize && RELAXED_LOAD(receive_shadows_adopted))
		receive_shadows_poll(true);
}

void agent_before(struct agent_call *call)
{
	const int saved = errno;

	if (UNLIKELY(begins_mpi(call->id)) && !call->nested)
		service_prepare();
	if (!call->nested && !order_before(call)) {
		errno = saved;
		return;
	}
	if (LIKELY(!call->nested)) {
		windows_report_local();
		retired_buffers_report();
		thread_order_enters();
		threads_before(call);
		arguments_check(call);
	}
	call->followed = true;
	if (UNLIKELY(call->id == CALL_Finalize) && !call->nested)
		events_finalizing();
	if (UNLIKELY(RELAXED_LOAD(receive_shadows_live)) && !call->nested)
		shadows_before(call);
	lifetimes_before(call);
	events_before(call);
	if (UNLIKELY(call->id == CALL_Abort) && !call->nested) {
		struct finding_draft draft = finding_draft(CHECK_END_ABORT, call);

		finding_draft_value(&draft, "code", "%d", (int)call->arguments[1]);
		finding_report(&draft);
		agent_job_ends();
	} else if (UNLIKELY(call->problems)) {
		service_expect_end(true);
	}
	errno = saved;
}

static void identify(int rank, int size)
{
	int common = 0;
	uint64_t world = world_identity(hash_bytes(checked.key, sizeof checked.key), size, &common);

	checked.world = world_claim(agent_folder(), world, rank);
	checked.rank = (uint32_t)rank;
	checked.size = (uint32_t)size;
}

#if HAS_SESSIONS
static bool identify_by_session(const struct agent_call *call, MPI_Group *world)
{
	const void *variable = call_address(call, KIND_newsession);
	MPI_Session session = call->fortran ? f_session(variable) : *(const MPI_Session *)variable;
	int rank = 0, size = 1;

	if (PMPI_Group_from_session_pset(session, "mpi://WORLD", world) != MPI_SUCCESS)
		return false;
	PMPI_Group_rank(*world, &rank);
	PMPI_Group_size(*world, &size);
	identify(rank, size);
	return true;
}
#endif

bool agent_begin(const struct agent_call *call)
{
	int rank = 0, size = 1, level = MPI_THREAD_SINGLE;

	threads_start(call);
	if (call->id != CALL_Session_init)
		PMPI_Query_thread(&level);
	checked.shared = call->id == CALL_Session_init || level == MPI_THREAD_MULTIPLE;
	checked.any_thread_calls = checked.shared || level == MPI_THREAD_SERIALIZED;
	watched_memory_start();
#if HAS_SESSIONS
	if (call->id == CALL_Session_init) {
		MPI_Group world;

		if (!identify_by_session(call, &world))
			return false;
		checked.by_session = true;
		members_start(world);
	} else
#endif
	{
		PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
		PMPI_Comm_size(MPI_COMM_WORLD, &size);
		identify(rank, size);
		comms_start();
	}
	RELAXED_STORE(checked.phase, AGENT_IN_MPI);
	service_start();
	crash_watch();
	comms_announce();
	return true;
}

void agent_after(struct agent_call *call, int rc)
{
	const int saved = errno;

	call->has_returned = true;
	if (UNLIKELY(call->problems))
		service_expect_end(false);
	if (UNLIKELY(rc != MPI_SUCCESS))
		rejected_call_returned(call, rc);
	if (LIKELY(!call->nested)) {
		threads_after(call);
		order_after(call, rc);
	}
	if (UNLIKELY(begins_mpi(call->id)) && rc == MPI_SUCCESS && checked.phase == AGENT_READY)
		agent_begin(call);
	if (LIKELY(call->followed)) {
		lifetimes_after(call, rc);
		events_after(call, rc);
		window_buffers_after(call, rc);
		if (all_calls[call->id].creates)
			windows_made(call, rc);
		if (UNLIKELY(RELAXED_LOAD(receive_shadows_adopted)) && checked.phase == AGENT_IN_MPI)
			receive_shadows_poll(false);
	}
	if (UNLIKELY(call->id == CALL_Finalize) && rc == MPI_SUCCESS) {
		RELAXED_STORE(checked.phase, AGENT_FINALIZED);
		findings_flush();
		service_end(END_FINALIZED);
	}
	agent_leave(call);
	errno = saved;
}

/* For the recorder, which the preloaded library puts between the agent and MPI: the call site in
 * the program. */
static const void *calling_site(const void *return_address)
{
	(void)return_address;
	return agent_site;
}

EXPORT void tarry_check_chain(void *recorder);
EXPORT void tarry_check_chain(void *recorder)
{
	void *found = dlsym(recorder, "tarry_called_through");
	void (*set_site)(const void *(*site)(const void *return_address));

	agent_chain(recorder);
	if (!found)
		return;
	memcpy(&set_site, &found, sizeof set_site);
	set_site(calling_site);
}

/* Runs after all exit handlers and destructors of the program, which may call MPI_Finalize. A process that ends inside a call was ended by MPI:
 * by an error handler, or by a thread of MPI after the launcher has gone. */
__attribute__((destructor)) static void end_of_process(void)
{
	const struct agent_thread *thread = agent_self;
	const bool in_call = !thread || thread->current;
	uint32_t place;

	if (RELAXED_LOAD(checked.phase) == AGENT_NEW)
		return;
	if (agent_is_off()) {
		service_end(END_UNCHECKED);
		return;
	}
	if (RELAXED_LOAD(checked.phase) == AGENT_IN_MPI && !in_call && shmem_agent_exit(exit_code))
		return;
	if (RELAXED_LOAD(checked.phase) == AGENT_FINALIZED)
		lifetimes_end(false);
	else if (thread && in_call && thread->current->id == CALL_Finalize)
		lifetimes_end(true);
	if (checked.by_session && !in_call) {
		lifetimes_end(false);
		findings_flush();
		service_end(END_FINALIZED);
		return;
	}
	if (RELAXED_LOAD(checked.phase) == AGENT_IN_MPI && !in_call) {
		struct finding_draft draft = finding_draft(CHECK_ORDER_NO_FINALIZE, NULL);
		place = place_here();
		/* After main() has returned, no function of the program is on the stack: the
		 * thread's last call is reported. */
		if (place == NO_PLACE && thread)
			finding_draft_call(&draft, thread->last_id, place_of_site(thread->last_site),
			                   NOTE_HERE);
		else
			finding_draft_call(&draft, CALL_Finalize, place, NOTE_HERE);
		finding_report(&draft);
	}
	if (thread)
		rejected_call_ends(thread->current);
	findings_flush();
	service_end(in_call ? END_ABORTED : END_EXITED);
}
