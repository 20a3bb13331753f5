/* Signals that the agent handles before the program: those that end a process (crash.h), and those of guarded pages and watchpoints. The program sets and sees only its
 * own handlers, by a preloaded library (base/page_hooks.h), and these get all signals that are not ours, as the kernel would have called them. A signal
 * that ends the program ends it as before, with the same core file: its instruction is executed again, or it is sent again. */
#ifndef TARRY_JOB_CHECK_WIRE_PROGRAM_SIGNALS_H
#define TARRY_JOB_CHECK_WIRE_PROGRAM_SIGNALS_H

#include "base/page_hooks.h"

/* Of the preloaded library; NULL: it is not there, and no signal can be taken. */
struct page_hooks *program_signal_hooks(void);

/* True: the signal was ours, and is handled. */
typedef bool signal_claim(siginfo_t *info, void *context);

/* Handles a signal from now on. `claim` NULL: none of them is ours. */
bool program_signal_take(int number, signal_claim *claim);
/* Sees a signal as long as it ends the program: it is left to a program that handles or ignores it. */
void program_signal_watch(int number);

/* Called before a handler of the program that must not be interrupted by SIGSEGV. */
void program_signals_open_with(void (*open_pages)(void));

/* Called before each signal of the program's, except SIGTRAP. `is_end`: the program has no handler of its own. */
typedef void signal_witness(int number, const siginfo_t *info, bool is_end);
void program_signals_seen_by(signal_witness *witness);

/* In the child of a fork: a thread that is not there may have had the lock. */
void program_signals_after_fork(void);

#endif
