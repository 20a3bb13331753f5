/* The analysis inside a job (base/in_job.h): `tarry run` prepares it and shows its result; helpers in the
 * job, `tarry report --peer`, do the analysis. */
#ifndef TARRY_CLI_IN_JOB_H
#define TARRY_CLI_IN_JOB_H

#include "cli/recording.h"
#include "cli/trace_analysis.h"

/* For a helper: analyses its part of the ranks of this trace, with the options in the folder of the parts.
 * `peer` is "OWN/COUNT/PROCESSES": the number of the helper, the number of helpers, and the number of
 * processes of the job. Returns an exit code. */
int in_job_report(const struct command *command, const char *peer, const char *path,
                  struct report_choice *choice);

/* Writes the options of the report to the folder of the parts, for the helpers. */
enum status in_job_prepare(const struct recording *plan, const struct report_choice *choice) MUST_CHECK;
/* Prints the report on stderr, and sets its exit code. False: the helpers have not analysed all processes. */
bool in_job_show(const struct recording *plan, int *code);

#endif
