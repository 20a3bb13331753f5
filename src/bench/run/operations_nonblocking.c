#include "bench/run/collectives.h"

#include "bench/run/overlap.h"

#define RUN(Name, name, traits, send, receive, sources, arguments, help) \
	static int run_I##name(struct trial *t) \
	{ \
		return overlap_finish(t, MPI_I##name(ARGUMENTS arguments t->call_on, &t->request)); \
	}

#define ENTRY(group, name, traits, send, receive, sources, help) \
	{"MPI_I" #name, group, help, (traits) | CAN_OVERLAP, 1, send, receive, sources, .run = run_I##name},
#define NONBLOCKING(Name, name, traits, send, receive, sources, arguments, help) \
	ENTRY("non-blocking", name, traits, send, receive, sources, help)
#define NEIGHBOURHOOD(Name, name, traits, send, receive, sources, arguments, help) \
	ENTRY("neighbourhood", name, traits, send, receive, sources, help)

COLLECTIVES(RUN)
NEIGHBOURHOOD_COLLECTIVES(RUN)

// clang-format off
const struct bench_operation nonblocking_operations[] = {
	COLLECTIVES(NONBLOCKING)
	NEIGHBOURHOOD_COLLECTIVES(NEIGHBOURHOOD)
	{0}
};
// clang-format on
