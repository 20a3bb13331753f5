/* Finds where a thread is outside MPI: a real-time signal interrupts it, and the handler collects the return addresses.
 *
 *	struct interrupted_stack stack;
 *	if (interrupt_thread(thread->system_id, &stack))
 *		place_of_addresses(stack.addresses, stack.count, stack.is_whole);
 *
* The signal must not have a handler of the program, and the thread must not block it; its disposition is restored when all interrupted
 * threads have answered. Most system calls continue (SA_RESTART). Others, such as nanosleep() and poll(), fail with EINTR after any
 * handler, which the program must not see. So threads are interrupted only in a run that is about to be ended, and a thread in such a system
 * call stays in the handler until the process ends. interrupt_release() is for a run that continues after all, because its analyser is gone. For
 * the service thread only. */
#ifndef TARRY_JOB_CHECK_WIRE_INTERRUPT_H
#define TARRY_JOB_CHECK_WIRE_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

enum { INTERRUPTED_DEPTH = 64 };

struct interrupted_stack {
	uintptr_t addresses[INTERRUPTED_DEPTH]; /* innermost first, as return addresses */
	uint32_t count;
	bool is_whole; /* the stack has no more frames */
};

/* In a signal handler: the stack of this thread, beginning with the interrupted frame, or with the frame
 * that has this return address. */
void interrupted_stack_take(struct interrupted_stack *stack, uintptr_t site);
/* For handlers of SIGSEGV and SIGBUS: does not return if interrupted_stack_take() caused the fault. */
void interrupted_stack_faulted(void);
/* Loads everything that a signal handler will need. */
void interrupted_stack_prepare(void);

/* `system_id`: the thread's number in the kernel. False: it cannot be interrupted, or does not answer. */
bool interrupt_thread(int32_t system_id, struct interrupted_stack *stack);

/* Threads that are held return to the program. Without this call, they return after a minute. */
void interrupt_release(void);

#endif
