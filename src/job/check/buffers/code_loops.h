/* Finds out whether code may be in a loop: a load in a loop may wait for another process, a load
 * outside all loops cannot.
 *
 *	if (!stack_has_loop(&access.stack))       executed once per call of main()
 *
* Code is in a loop if a later branch of its function jumps back to it or to an address before it. So the
 * functions of all return addresses are searched for such branches. Functions of the C library, which call
 * main() and handlers, are skipped. If in doubt, the answer is yes. */
#ifndef TARRY_JOB_CHECK_BUFFERS_CODE_LOOPS_H
#define TARRY_JOB_CHECK_BUFFERS_CODE_LOOPS_H

#include "job/check/wire/interrupt.h"

bool stack_has_loop(const struct interrupted_stack *stack);

struct code_branch {
	uintptr_t at, target;
};

/* The first branch (not a call) in these bytes that jumps to `back` or before it. False: none. One file per
 * processor: code_loops_PROCESSOR.c. */
bool code_branch_back(uintptr_t first, uintptr_t end, uintptr_t back, struct code_branch *found);

#endif
