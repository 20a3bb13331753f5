#include "bench/collectives.h"
#include "bench/computing.h"

static enum status prepare(struct trial *t)
{
	(void)t;
	computing_calibrate();
	return OK;
}

static int complete(struct trial *t, int code)
{
	if (code != MPI_SUCCESS)
		return code;
	if (t->compute_ns > 0)
		compute(t->compute_ns);
	return MPI_Wait(&t->request, MPI_STATUS_IGNORE);
}

#define RUN(Name, name, traits, send, receive, sources, arguments, help) \
	static int run_I##name(struct trial *t) \
	{ \
		return complete(t, MPI_I##name(ARGUMENTS arguments t->call_on, &t->request)); \
	}

#define ENTRY(group, name, traits, send, receive, sources, help) \
	{"MPI_I" #name, group,   help,    (traits) | CAN_OVERLAP, 1, \
	 send,          receive, sources, .prepare = prepare,     .run = run_I##name},
#define NONBLOCKING(Name, name, traits, send, receive, sources, arguments, help) \
	ENTRY("non-blocking", name, traits, send, receive, sources, help)
#define NEIGHBOURHOOD(Name, name, traits, send, receive, sources, arguments, help) \
	ENTRY("neighbourhood", name, traits, send, receive, sources, help)

COLLECTIVES(RUN)
NEIGHBOURHOOD_COLLECTIVES(RUN)

// clang-format off
const struct operation nonblocking_operations[] = {
	COLLECTIVES(NONBLOCKING)
	NEIGHBOURHOOD_COLLECTIVES(NEIGHBOURHOOD)
	{0}
};
// clang-format on
