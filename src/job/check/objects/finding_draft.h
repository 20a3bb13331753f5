/* Drafts of findings of this process. A draft has the text of the call's arguments; further calls are added by their places. When
 * finding_report() returns, the finding has left the process, so it survives whatever the call does next.
 *
 *	struct finding_draft draft = problem_draft(CHECK_ARGUMENT_NEGATIVE_COUNT, call);
 *	finding_draft_value(&draft, "value", "%d", count);
 *	finding_draft_call(&draft, object->created_by, object->created_at, NOTE_CREATED);
 *	finding_report(&draft);
 */
#ifndef TARRY_JOB_CHECK_OBJECTS_FINDING_DRAFT_H
#define TARRY_JOB_CHECK_OBJECTS_FINDING_DRAFT_H

#include "check/checks/checks.h"
#include "check/protocol/finding.h"
#include "job/check/wire/agent_call.h"

struct finding_draft {
	struct check_finding finding;
	bool failed;
};

/* `call` NULL: the finding has no call, for example at the end of the process. */
struct finding_draft finding_draft(enum check check, const struct agent_call *call);
/* The same for a problem because of which MPI may reject the call. */
struct finding_draft problem_draft(enum check check, struct agent_call *call);
void finding_draft_value(struct finding_draft *draft, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void finding_draft_call(struct finding_draft *draft, enum call_id function, uint32_t place, const char *note);
void finding_report(struct finding_draft *draft);

/* "parameter": the name of a parameter of the call. */
static inline void finding_draft_parameter(struct finding_draft *draft, const struct agent_call *call,
                                           int parameter)
{
	finding_draft_value(draft, "parameter", "%s", call_parameter_name(call->id, (uint32_t)parameter));
}

#endif
