/* A finding that is put together.
 *
 *	struct report report = report_begin(CHECK_MESSAGE_LOST);
 *	report_call(&report, send, NOTE_SENT);
 *	report_value(&report, "tag", "%d", tag);
 *	number = report_end(&report, log);
 */
#ifndef TARRY_CHECK_KNOWN_REPORT_H
#define TARRY_CHECK_KNOWN_REPORT_H

#include "check/checks/checks.h"
#include "check/known/findings_log.h"
#include "check/known/known.h"

struct report_draft {
	struct check_finding finding;
	struct check_call calls[FINDING_CALLS_MAX];
	struct check_value values[FINDING_VALUES_MAX];
};

void report_begin(struct report_draft *report, enum check check);
void report_call(struct report_draft *report, const struct analysed_call *call, const char *note);
void report_value(struct report_draft *report, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Of a process without a known call: as if in MPI_Init. */
void report_process(struct report_draft *report, const struct analysed_process *process);
/* Its number in the log. */
uint32_t report_end(struct report_draft *report, struct findings_log *log);
/* Instead: it is nothing. */
void report_release(struct report_draft *report);

#endif
