/* Findings of this process on their way to the analyser. */
#ifndef TARRY_JOB_CHECK_WIRE_FINDINGS_H
#define TARRY_JOB_CHECK_WIRE_FINDINGS_H

#include "check/protocol/finding.h"

/* Takes the finding, with all that it holds. It is on its way when this returns, or counted: a mistake in a loop is reported whenever its number
 * has doubled, and at the end. */
void finding_send(struct check_finding *finding);
/* Sends the findings that were only counted; before the end. */
void findings_flush(void);
void finding_release(struct check_finding *finding);

#endif
