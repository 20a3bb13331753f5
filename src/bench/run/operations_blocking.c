#include "bench/run/collectives.h"

#define RUN(Name, name, traits, send, receive, sources, arguments, help) \
	static int run_##Name(struct trial *t) \
	{ \
		return MPI_##Name(ARGUMENTS arguments t->call_on); \
	}

#define ENTRY(group, Name, traits, send, receive, sources, help) \
	{"MPI_" #Name, group, help, traits, 1, send, receive, sources, .run = run_##Name},
#define BLOCKING(Name, name, traits, send, receive, sources, arguments, help) \
	ENTRY("blocking", Name, traits, send, receive, sources, help)
#define NEIGHBOURHOOD(Name, name, traits, send, receive, sources, arguments, help) \
	ENTRY("neighbourhood", Name, traits, send, receive, sources, help)

COLLECTIVES(RUN)
NEIGHBOURHOOD_COLLECTIVES(RUN)

// clang-format off
const struct bench_operation blocking_operations[] = {
	COLLECTIVES(BLOCKING)
	NEIGHBOURHOOD_COLLECTIVES(NEIGHBOURHOOD)
	{0}
};
// clang-format on
