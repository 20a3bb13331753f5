/* Tells the time to the processes of a job, on whatever machines they run, so that the trace has one time for all
 * (base/clock_service.h). A thread that sleeps until somebody asks. */
#ifndef TARRY_CLI_CLOCK_SERVER_H
#define TARRY_CLI_CLOCK_SERVER_H

#include "base/status.h"

/* Sets SETTING_CLOCK for the processes that are started after it. Without a network there is nobody to tell the time
 * to: that is not a failure. */
enum status clock_server_start(void) MUST_CHECK;
void clock_server_stop(void);

#endif
