/* Tells whether code may be in a loop: a load in a loop may wait for another process, a load outside of loops cannot.
 *
 *	if (!stack_has_loop(&access.stack))       it is executed once for each call of main()
 *
 * Code is in a loop if a branch of its function that is behind it in memory leads back to it, or before it. So the functions of all return addresses are
 * searched for such branches. Functions of the C library, which call main() and handlers, are left out. The answer is yes if in doubt. */
#ifndef TARRY_JOB_CHECK_BUFFERS_CODE_LOOPS_H
#define TARRY_JOB_CHECK_BUFFERS_CODE_LOOPS_H

#include "job/check/wire/interrupt.h"

bool stack_has_loop(const struct interrupted_stack *stack);

struct code_branch {
	uintptr_t at, target;
};

/* The first branch in these bytes, not a call, that leads to `back` or before it. False: there is none. One file for each processor:
 * code_loops_PROCESSOR.c. */
bool code_branch_back(uintptr_t first, uintptr_t end, uintptr_t back, struct code_branch *found);

#endif
