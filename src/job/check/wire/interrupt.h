/* Where a thread is that is not in a call of MPI: it is interrupted by a real-time signal whose handler collects the return addresses.
 *
 *	struct interrupted_stack stack;
 *	if (interrupt_thread(thread->system_id, &stack))
 *		place_of_addresses(stack.addresses, stack.count, stack.is_whole);
 *
 * A signal is used that the program has no handler for, and only if the thread does not block it; its disposition is as before when all threads
 * that were asked have been interrupted. Most system calls go on (SA_RESTART). Others, such as nanosleep() and poll(), fail with EINTR after any
 * handler. The program must not see that. So threads are interrupted only in a run that is to be ended, and a thread in such a system call
 * stays in the handler until the process ends; interrupt_release() is for a run that goes on because its analyser is gone. For the service thread alone. */
#ifndef TARRY_JOB_CHECK_WIRE_INTERRUPT_H
#define TARRY_JOB_CHECK_WIRE_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { INTERRUPTED_DEPTH = 64 };

struct interrupted_stack {
	uintptr_t addresses[INTERRUPTED_DEPTH]; /* innermost first, as return addresses */
	uint32_t count;
	bool is_whole; /* no more frames were there */
};

/* By the thread's number in the kernel. False: it cannot be interrupted, or does not answer. */
bool interrupt_thread(int32_t system_id, struct interrupted_stack *stack);

/* Threads that are held return to the program. Without it they do so after a minute. */
void interrupt_release(void);

#pragma GCC visibility pop

#endif
