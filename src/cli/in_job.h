/* The analysis inside a job (base/in_job.h): `tarry run` prepares it and shows its result; helpers in the job, `tarry report --peer`, find it. */
#ifndef TARRY_CLI_IN_JOB_H
#define TARRY_CLI_IN_JOB_H

#include "cli/recording.h"
#include "cli/trace_analysis.h"

/* Of a helper: analyses its part of the ranks of this trace, and takes the options from the folder of the parts. `peer` is "OWN/COUNT/PROCESSES": which of the
 * helpers it is, and how many processes the job has. Returns an
 * exit code. */
int in_job_report(const struct command *command, const char *peer, const char *path,
                  struct report_choice *choice);

/* Leaves the options of the report for the helpers. */
enum status in_job_prepare(const struct recording *plan, const struct report_choice *choice) MUST_CHECK;
/* Prints the report on stderr, and sets its exit code. False: the job has not analysed itself, or not all of its processes. */
bool in_job_show(const struct recording *plan, int *code);

#endif
