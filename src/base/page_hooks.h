/* Between the checker's agent, which guards pages of the program (src/job/check/buffers/guarded_pages.h), and a small preloaded library that stands
 * before functions of the C library (src/job/system_calls): the kernel does not fault on a guarded page, it fails with EFAULT. So the agent
 * opens the page first. The library also lets the program set and see its own handlers of the agent's signals
 * (src/job/check/wire/program_signals.h). */
#ifndef TARRY_BASE_PAGE_HOOKS_H
#define TARRY_BASE_PAGE_HOOKS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The second one has the first in it, and system calls. */
#define PROCESS_HOOKS_LIBRARY "libtarry-process-calls.so"
#define PAGE_HOOKS_LIBRARY "libtarry-system-calls.so"
#define PAGE_HOOKS_SYMBOL "tarry_page_hooks"

/* Signals that the agent handles before the program: of guarded pages, of watchpoints, and others that end a process. 0 ends the list. */
static const int page_hook_signals[] = {SIGSEGV, SIGTRAP, SIGBUS, SIGFPE, SIGILL,
                                        SIGABRT, SIGTERM, SIGINT, SIGHUP, 0};
/* How many of them, from the first on, must not be blocked while pages are guarded. */
enum { PAGE_HOOK_UNBLOCKED = 2 };

struct page_hooks {
	/* All guarded pages lie between them; equal: there are none. */
	uintptr_t low, high;
	/* A system call, made by the function that returns to `site`, will read these bytes or write to them. */
	void (*access)(uintptr_t first, uintptr_t end, bool is_write, const void *site);
	/* mremap() will move these bytes; NULL: nobody needs to know. */
	void (*moves)(uintptr_t first, uintptr_t end);
	/* sigaction() of a signal of page_hook_signals when the agent has handlers of its own; NULL: it has none. */
	int (*signal_action)(int number, const struct sigaction *action, struct sigaction *before);
	/* System calls are seen: pages may be guarded, and signals of guarded pages are never blocked. */
	bool has_system_calls;
	/* The program, or a library, starts a thread in the function that returns to `site`; NULL: nobody needs to know. */
	void (*thread_begins)(const void *site);
	/* The block is about to be freed by the function that returns to `site`. Only blocks that begin between the two bounds matter; equal: none. */
	uintptr_t block_low, block_high;
	void (*freed)(void *block, const void *site);
	/* The C library's sigaction(), for the agent. */
	int (*real_sigaction)(int number, const struct sigaction *action, struct sigaction *before);
};

#endif
