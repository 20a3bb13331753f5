/* Writes findings, at once or piece by piece.
 *
 *	report_finding(log, CHECK_MESSAGE_LOST, 1, CALLS({send, NOTE_SENT}), "dest=%d" AND "tag=%d", dest, tag);
 *
 *	struct report_draft report;
 *	report_begin(&report, CHECK_MESSAGE_LOST);
 *	report_call(&report, send, NOTE_SENT);
 *	report_value(&report, "tag", "%d", tag);
 *	number = report_end(&report, log); */
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

struct reported_call {
	const struct analysed_call *call; /* NULL: none */
	const char *note;
};

#define CALLS(...) ((const struct reported_call[]){__VA_ARGS__, {NULL, NULL}})
#define AND "\x1f" /* separates the values of a format */

/* Found so many times. `format` has "name=%d" for each value; NULL: none. Returns its number in the log. */
uint32_t report_finding(struct findings_log *log, enum check check, uint64_t times,
                        const struct reported_call *calls, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

void report_begin(struct report_draft *report, enum check check);
void report_call(struct report_draft *report, const struct analysed_call *call, const char *note);
void report_value(struct report_draft *report, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Its number in the log. */
uint32_t report_end(struct report_draft *report, struct findings_log *log);
/* Discards the draft instead. */
void report_release(struct report_draft *report);

#endif
