/* Call paths of findings. A function that many others call makes one mistake, however it is reached: findings at the same lines, with the
 * same partners, are one. Its calls keep the stacks of all paths; people see the first, and how many others there are.
 *
 *	call_paths_group(findings);      those that differ only in callers become one */
#ifndef TARRY_OUTPUT_FINDINGS_CALL_PATHS_H
#define TARRY_OUTPUT_FINDINGS_CALL_PATHS_H

#include "output/findings/findings.h"

/* The first of its findings gives texts and picture of a group. */
void call_paths_group(struct findings *findings);

#endif
