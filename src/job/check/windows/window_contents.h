/* Finds changes of the own memory of a window between two synchronisations, for MPI_MODE_NOSTORE: compares a hash after a fence or wait
 * with a hash before the next fence or post. Only with `--buffers`, for windows that are small or had such an assertion before, and
 * whose memory belongs to this process and this window alone. Analysers know what MPI wrote meanwhile (ASSERTION_STORED). */
#ifndef TARRY_JOB_CHECK_WINDOWS_WINDOW_CONTENTS_H
#define TARRY_JOB_CHECK_WINDOWS_WINDOW_CONTENTS_H

#include "job/check/windows/window_epochs.h"

/* Where its memory is. */
void window_contents_find(struct checked_window *window);
/* Another one has some of its bytes. */
bool window_contents_overlap(const struct checked_window *window, const struct checked_window *other);
/* MPI is about to run; sets call->window_changed. */
void window_contents_before(struct agent_call *call, struct checked_window *window);
/* It was successful. */
void window_contents_after(const struct agent_call *call, struct checked_window *window);

#endif
