#include "job/check/order.h"

#include "calls/calls.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/objects/threads.h"
#include "job/check/wrap.h"

#include <dlfcn.h>

enum mpi_life { MPI_NOT_YET, MPI_ALIVE, MPI_OVER };

bool agent_translates_handles;

static enum mpi_life life;
static int sessions; /* open sessions */

static bool initializes(enum call_id id)
{
	return all_calls[id].life == LIFE_BEGINS && all_calls[id].class != CLASS_SESSION;
}

static void report_order(struct agent_call *call, enum check which)
{
	struct finding_draft draft = problem_draft(which, call);

	finding_report(&draft);
}

/* MPI may have been started without a call that the agent saw. */
static bool has_begun(void)
{
	int begun = 0, over = 0;

	return PMPI_Initialized(&begun) == MPI_SUCCESS && begun && PMPI_Finalized(&over) == MPI_SUCCESS &&
	       !over;
}

/* The library is newer than that of the build, so there are no wrappers for sessions. */
static bool has_unseen_sessions(void)
{
	return !HAS_SESSIONS && dlsym(RTLD_DEFAULT, "PMPI_Session_init");
}

static void set_life(enum mpi_life now)
{
	life = now;
	agent_translates_handles = now == MPI_ALIVE || sessions > 0;
}

/* Sessions and info objects exist without MPI_Init, but Fortran handles may not be translated yet. */
static bool has_handles_already(const struct agent_call *call)
{
	const enum call_class class = all_calls[call->id].class;

	return (class == CLASS_SESSION || class == CLASS_INFO) &&
	       (!call->fortran || agent_translates_handles);
}

bool order_before(struct agent_call *call)
{
	if (LIKELY(life == MPI_ALIVE)) {
		if (UNLIKELY(initializes(call->id)))
			report_order(call, CHECK_ORDER_INIT_TWICE);
		return true;
	}
	if (__atomic_load_n(&sessions, __ATOMIC_RELAXED) > 0)
		return !initializes(call->id);
	if (life == MPI_NOT_YET && initializes(call->id))
		return false;
	if (all_calls[call->id].anytime)
		return has_handles_already(call);
	if (life == MPI_NOT_YET && has_begun()) {
		set_life(MPI_ALIVE);
		return false; /* the handles of this call were not translated */
	}
	if (!has_unseen_sessions())
		report_order(call, life == MPI_OVER ? CHECK_ORDER_AFTER_FINALIZE : CHECK_ORDER_BEFORE_INIT);
	return false;
}

void order_after(const struct agent_call *call, int rc)
{
	if (rc != MPI_SUCCESS || call->nested)
		return;
	if (initializes(call->id)) {
		threads_start(call);
		set_life(MPI_ALIVE);
	} else if (call->id == CALL_Finalize) {
		set_life(MPI_OVER);
	} else if (all_calls[call->id].life) { /* of a session */
		__atomic_fetch_add(&sessions, all_calls[call->id].life == LIFE_BEGINS ? 1 : -1,
		                   __ATOMIC_RELAXED);
		set_life(life);
	}
}
