/* Signals that the agent handles before the program: fatal ones (crash.h), and those of guarded pages and
 * watchpoints. A preloaded library lets the program set and query only its own handlers (base/page_hooks.h).
 * They get all other signals, as from the kernel. A fatal signal ends the program as usual,
 * with the same core file: the instruction is executed again, or the signal is sent again. */
#ifndef TARRY_JOB_CHECK_WIRE_PROGRAM_SIGNALS_H
#define TARRY_JOB_CHECK_WIRE_PROGRAM_SIGNALS_H

#include "base/page_hooks.h"

/* The hooks of the preloaded library; NULL: it is not loaded, and signals cannot be handled. */
struct page_hooks *program_signal_hooks(void);

/* True: the signal was ours, and is handled. */
typedef bool signal_claim(siginfo_t *info, void *context);

/* From now on, handles this signal first. `claim` NULL: all of these signals are the program's. */
bool program_signal_take(int number, signal_claim *claim);
/* Watches a signal only while it is fatal: if the program handles or ignores it, the program gets it directly. */
void program_signal_watch(int number);

/* `open_pages` is called before a handler of the program that SIGSEGV must not interrupt. */
void program_signals_open_with(void (*open_pages)(void));

/* Called before each signal of the program, except SIGTRAP. `is_end`: the program has no handler for it. */
typedef void signal_witness(int number, const siginfo_t *info, bool is_end);
void program_signals_seen_by(signal_witness *witness);

/* In the child of a fork: a thread that does not exist here may have held the lock. */
void program_signals_after_fork(void);

#endif
