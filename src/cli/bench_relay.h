/* What a benchmark's job prints, passed on as it comes. Between its lines on stderr are those by which it tells how far it is: of
 * them the bar is made, and the count of what was measured.
 *
 *	struct bench_relay *relay;
 *	TRY(bench_relay_start(&relay));
 *	… a job with relay->streams …
 *	bench_relay_finish(relay, &reached); */
#ifndef TARRY_CLI_BENCH_RELAY_H
#define TARRY_CLI_BENCH_RELAY_H

#include "base/status.h"
#include "cli/job.h"

#include <stdbool.h>

/* Points of the table. */
struct bench_progress {
	unsigned done, total; /* 0, 0 as long as it has reported nothing */
};

/* Asked several times a second: whether the job has to be ended, as one that hangs. */
struct bench_supervisor {
	bool (*must_stop)(void *argument,
	                  const struct bench_progress *reached); /* in another thread; NULL: never */
	void *argument;
};

struct bench_relay;

enum status bench_relay_start(struct bench_supervisor supervisor, struct bench_relay **relay) MUST_CHECK;
const struct job_streams *bench_relay_streams(const struct bench_relay *relay);
/* When the job is over. */
void bench_relay_finish(struct bench_relay *relay, struct bench_progress *reached);

#endif
