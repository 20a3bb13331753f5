#include "job/check/wire/ending.h"

#include "job/check/wire/findings.h"
#include "job/check/wire/service.h"

#include <time.h>
#include <unistd.h>

enum { ABORT_MS = 25 };

void agent_job_ends(void)
{
	const struct timespec moment = {.tv_nsec = ABORT_MS * 1000000};

	findings_flush();
	service_end(END_ABORTED);
	/* MPI will kill the other processes, whose events must be sent before that. */
	nanosleep(&moment, NULL);
}

noreturn void ending_stop(void)
{
	findings_flush();
	service_end(END_STOPPED);
	_exit(EXIT_STOPPED);
}
