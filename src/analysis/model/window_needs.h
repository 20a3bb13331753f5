/* Locks and epochs of windows: what has to be known of earlier calls to tell whom an open one waits for. Internal to call_needs.h. */
#ifndef TARRY_ANALYSIS_MODEL_WINDOW_NEEDS_H
#define TARRY_ANALYSIS_MODEL_WINDOW_NEEDS_H

#include "analysis/model/call_needs.h"

void window_needs_release(struct waiting_process *process);

/* Adds whom the open call waits for. The group is that of the window. */
void window_needs_find(struct call_needs *needs, const struct member_group *group);
/* Adds a partner, once. */
void call_needs_add(struct call_needs *needs, uint32_t process, uint32_t partner);

#endif
