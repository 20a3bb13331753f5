/* Persistent collectives: MPI_Start and MPI_Wait are measured. They are part of MPI 4; earlier versions of
 * Open MPI have them as an extension. CMake detects them. */
#include "bench/run/collectives.h"

#include "bench/run/buffers.h"
#include "bench/run/overlap.h"

#ifdef TARRY_PERSISTENT_EXTENSION
#include <mpi-ext.h>
#define INIT(Name) MPIX_##Name##_init
#elif defined TARRY_PERSISTENT
#define INIT(Name) MPI_##Name##_init
#endif

#ifdef INIT

static int forget(struct trial *t)
{
	return t->request == MPI_REQUEST_NULL ? MPI_SUCCESS : MPI_Request_free(&t->request);
}

static void release(struct trial *t)
{
	(void)forget(t);
}

static int run(struct trial *t)
{
	return overlap_finish(t, t->trouble ? t->trouble : MPI_Start(&t->request));
}

/* A request is bound to its buffers: new buffers need a new request. */
#define TURN(Name, name, traits, send, receive, sources, arguments, help) \
	static int turn_##Name(struct trial *t) \
	{ \
		int code = MPI_SUCCESS; \
		if (t->request != MPI_REQUEST_NULL && t->buffers->slots.count == 1) \
			return code; \
		code = forget(t); \
		return code ? code : INIT(Name)(ARGUMENTS arguments t->call_on, MPI_INFO_NULL, &t->request); \
	}

COLLECTIVES(TURN)
NEIGHBOURHOOD_COLLECTIVES(TURN)

#define ENTRY(group, Name, traits, send, receive, sources, help) \
	{"MPI_" #Name "_init", \
	 group, \
	 help, \
	 (traits) | CAN_OVERLAP, \
	 1, \
	 send, \
	 receive, \
	 sources, \
	 .turn = turn_##Name, \
	 .run = run, \
	 .release = release},

#else

#define ENTRY(group, Name, traits, send, receive, sources, help) \
	{"MPI_" #Name "_init", group, help, traits, 1, send, receive, sources, .run = NULL},

#endif

#define PERSISTENT(Name, name, traits, send, receive, sources, arguments, help) \
	ENTRY("persistent", Name, traits, send, receive, sources, help)
#define NEIGHBOURHOOD(Name, name, traits, send, receive, sources, arguments, help) \
	ENTRY("neighbourhood", Name, traits, send, receive, sources, help)

// clang-format off
const struct bench_operation persistent_operations[] = {
	COLLECTIVES(PERSISTENT)
	NEIGHBOURHOOD_COLLECTIVES(NEIGHBOURHOOD)
	{0}
};
// clang-format on
