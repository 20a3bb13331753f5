/* Locks and epochs of windows: the state from earlier calls that is needed to find the partners of an open
 * one. Internal to call_needs.h. */
#ifndef TARRY_ANALYSIS_MODEL_WINDOW_NEEDS_H
#define TARRY_ANALYSIS_MODEL_WINDOW_NEEDS_H

#include "analysis/model/call_needs.h"

void window_needs_release(struct waiting_process *process);

/* Adds the processes that the open call waits for. The group is that of the window. */
void window_needs_find(struct call_needs *needs, const struct member_group *group);
/* Adds a partner, once. */
void call_needs_add(struct call_needs *needs, uint32_t process, uint32_t partner);

#endif
