/* The interface between the checker's agent, which guards pages of the program
 * (src/job/check/buffers/guarded_pages.h), and a small preloaded library that wraps functions of the C
 * library (src/job/system_calls). A system call does not fault on a guarded page but fails with EFAULT, so
 * the agent must open the page first. The library also lets the program set and query its own handlers of the
 * agent's signals (src/job/check/wire/program_signals.h). */
#ifndef TARRY_BASE_PAGE_HOOKS_H
#define TARRY_BASE_PAGE_HOOKS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The second library contains the first and also wraps system calls. */
#define PROCESS_HOOKS_LIBRARY "libtarry-process-calls.so"
#define PAGE_HOOKS_LIBRARY "libtarry-system-calls.so"
#define PAGE_HOOKS_SYMBOL "tarry_page_hooks"

/* Signals that the agent handles before the program: for guarded pages, for watchpoints, and others that end
 * a process. 0 ends the list. */
static const int page_hook_signals[] = {SIGSEGV, SIGTRAP, SIGBUS, SIGFPE, SIGILL,
                                        SIGABRT, SIGTERM, SIGINT, SIGHUP, 0};
/* How many of them, from the first, must not be blocked while pages are guarded. */
enum { PAGE_HOOK_UNBLOCKED = 2 };

struct page_hooks {
	/* All guarded pages are between these addresses; equal: there are none. */
	uintptr_t low, high;
	/* A system call in the function that returns to `site` will read or write these bytes. */
	void (*access)(uintptr_t first, uintptr_t end, bool is_write, const void *site);
	/* mremap() will move these bytes; may be NULL. */
	void (*moves)(uintptr_t first, uintptr_t end);
	/* sigaction() for a signal of page_hook_signals while the agent has its own
	 * handlers; NULL: it has none. */
	int (*signal_action)(int number, const struct sigaction *action, struct sigaction *before);
	/* System calls are wrapped: pages may be guarded, and their signals are never blocked. */
	bool has_system_calls;
	/* The function that returns to `site`, of the program or a library, starts a thread; may be NULL. */
	void (*thread_begins)(const void *site);
	/* The function that returns to `site` is about to free the block. Only blocks that begin between the
	 * two bounds matter; equal: none. */
	uintptr_t block_low, block_high;
	void (*freed)(void *block, const void *site);
	/* The C library's sigaction(), for the agent. */
	int (*real_sigaction)(int number, const struct sigaction *action, struct sigaction *before);
};

#endif
