/* Whether all was checked: what is missing in the logs of a run, or was never there. */
#ifndef TARRY_OUTPUT_FINDINGS_CHECK_TRUST_H
#define TARRY_OUTPUT_FINDINGS_CHECK_TRUST_H

#include "base/arena.h"
#include "check/checks/checks.h"
#include "output/findings/run_log.h"

struct check_trust {
	bool is_complete;
	uint32_t processes;   /* that were checked; 0: not known */
	const char **reasons; /* sentences: why it is not complete */
	size_t reason_count;
};

/* What is known of why processes vanished. */
enum job_end {
	JOB_END_UNKNOWN,
	JOB_INTERRUPTED,    /* the user ended the job */
	JOB_ENDED_BY_ERROR, /* one of them takes part in an error that MPI ends jobs for */
	JOB_STOPPED,        /* we ended it: a deadlock or a hang was found */
};

struct check_trust check_trust_of(const struct check_run *run, enum job_end end, const char *lang,
                                  struct arena *arena);

#endif
