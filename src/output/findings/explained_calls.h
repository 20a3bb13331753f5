/* Calls that MPI rejected (class "call" of checks), if another finding says why: then that finding is enough. */
#ifndef TARRY_OUTPUT_FINDINGS_EXPLAINED_CALLS_H
#define TARRY_OUTPUT_FINDINGS_EXPLAINED_CALLS_H

#include "output/findings/findings.h"

/* Removes them from the list. */
void explained_calls_remove(struct findings *findings);

#endif
