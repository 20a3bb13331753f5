/* Jobs that measure algorithms. One that ends or stops a job is named and left out, and the rest goes on in the next job. */
#ifndef TARRY_CLI_TUNE_JOBS_H
#define TARRY_CLI_TUNE_JOBS_H

#include "bench/tuning/place.h"
#include "cli/bench_launch.h"

struct tune_jobs {
	const struct bench_launch *launch;
	const char *folder; /* for files that jobs leave */
	int64_t patience;   /* seconds without news until a job is taken as stopped */
	struct arena *arena;
	int ended_by; /* the signal after which the user wants no more of it; 0: none */
};

/* All algorithms of what the plan says; when it was interrupted, those that it came to. */
enum status tune_measure(struct tune_jobs *jobs, struct results *results) MUST_CHECK;

/* The same points again without the tuning file and with it, in jobs of their own, in turns. */
enum status tune_try(struct tune_jobs *jobs, const struct choices *choices, const struct tuning_place *place,
                     struct results *without, struct results *with) MUST_CHECK;

#endif
