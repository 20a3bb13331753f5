/* Findings of this process on their way to the analyser. */
#ifndef TARRY_JOB_CHECK_WIRE_FINDINGS_H
#define TARRY_JOB_CHECK_WIRE_FINDINGS_H

#include "check/protocol/finding.h"

/* Takes ownership of the finding. On return, it has been sent, or counted: an error in a loop is reported
 * whenever its count has doubled, and at the end. */
void finding_send(struct check_finding *finding);
/* Sends findings that were only counted; before the end. */
void findings_flush(void);
void finding_release(struct check_finding *finding);

#endif
