/* What an access and its target show together, without regard to other accesses: displacements, types, assertions. */
#ifndef TARRY_CHECK_EXECUTION_WINDOW_CHECKS_H
#define TARRY_CHECK_EXECUTION_WINDOW_CHECKS_H

#include "check/execution/window_accesses.h"

/* As a member announced its part of a window (WINDOW_MEMORY). */
struct announced_memory {
	bool is_known;
	uint32_t kind;
	int64_t bytes, unit;
};

/* Where in the target's window the access begins. False: nowhere, which is reported. */
bool window_access_start(const struct announced_memory *memory, const struct window_access *access,
                         struct findings_log *log, int64_t *start);
/* Origin and target; once for each call. */
void window_types_check(struct analysed_call *call, struct findings_log *log);
/* MPI_MODE_NOPUT of the target: `exposed` is its fence or post; NULL: none is known. */
void window_assertion_check(const struct analysed_call *call, const struct analysed_call *exposed,
                            struct findings_log *log);

#endif
