/* The reference clock of a job: a thread that answers questions of the processes of the job, on all nodes,
 * for the time (base/clock_service.h). */
#ifndef TARRY_CLI_CLOCK_SERVER_H
#define TARRY_CLI_CLOCK_SERVER_H

#include "base/status.h"

/* Sets SETTING_CLOCK for the processes that are started afterwards. Without a network it does nothing and
 * succeeds. */
enum status clock_server_start(void) MUST_CHECK;
void clock_server_stop(void);

#endif
