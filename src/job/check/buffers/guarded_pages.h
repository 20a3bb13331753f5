/* Pages that the program should not access for a while. They are protected: a thread that accesses one is
 * interrupted, the access is recorded, the pages are opened, and the thread continues. Only the first access
 * to a guard is seen. Ranges without a whole page may get a watchpoint (watchpoints.h) instead.
 *
 *	uint32_t guard = guard_begin(address, address + bytes, GUARD_ALL, number);      0: nothing was protected
 *	…
 *	struct page_access access;
 *	if (guard_end(guard, &access))
 *		place_of_addresses(access.stack.addresses, access.stack.count, access.stack.is_whole);
 *
 * Only pages completely inside a range are protected, and only the program's own memory (program_memory.h).
 * Guarded pages are opened before other uses: by MPI, when another operation gets the same buffer, and by the
 * agent itself (guards_open). For system calls of the program, a preloaded library does this
 * (base/page_hooks.h); without it, nothing is guarded.
 *
* All other signals go to the program's own handlers of SIGSEGV and SIGTRAP (program_signals.h). Functions take
 * the lock (host_lock); the signal handler does not. */
#ifndef TARRY_JOB_CHECK_BUFFERS_GUARDED_PAGES_H
#define TARRY_JOB_CHECK_BUFFERS_GUARDED_PAGES_H

#include "job/check/wire/interrupt.h"
#include "job/check/wire/saved_registers.h"
#include "job/mpi/host.h"

enum guard_kind {
	GUARD_ALL = 0,    /* reads and writes */
	GUARD_WRITES = 1, /* reads are allowed: needs GUARD_WORDS, protects no pages */
	GUARD_SHARED = 2, /* also memory shared with other processes, such as windows */
	GUARD_WORDS = 4,  /* if no page can be protected, watches the first bytes by a watchpoint */
};

enum { GUARDS_MAX = 1024 };

struct page_access {
	uintptr_t address;
	enum access_kind kind;
	bool in_call;         /* the thread was in a call of MPI */
	bool is_known_thread; /* it has called MPI before */
	bool is_changed;      /* watched bytes had another value before */
	bool is_repeated;     /* these bytes were read several times and not written */
	uint64_t owner;       /* of the guard */
	struct interrupted_stack
		stack; /* beginning with the function that accessed the page or made the system call */
};

/* The number of a guard; 0: there is no whole page, or it cannot be protected. */
uint32_t guard_begin(int64_t first, int64_t end, unsigned kind, uint64_t owner);
/* Ends the guard and opens its pages. True: they were accessed. */
bool guard_end(uint32_t guard, struct page_access *access);
/* Opens all guards that have some of these bytes; later accesses are not seen. */
void guards_open(int64_t first, int64_t end);

/* The number of windows whose memory may be guarded, and a range around all of them. guards_open_windows()
 * opens those of their bytes that MPI uses as a buffer. */
extern HIDDEN uint32_t guarded_windows;
extern HIDDEN int64_t guarded_windows_first, guarded_windows_end;
static inline void guards_open_windows(int64_t first, int64_t end)
{
	if (UNLIKELY(guarded_windows) && first < guarded_windows_end && end > guarded_windows_first)
		guards_open(first, end);
}

/* The total number of accesses to guards so far. */
extern HIDDEN uint32_t guards_touches;
/* The total number of opened guards with GUARD_SHARED so far. */
extern HIDDEN uint32_t guards_opened;
bool guard_is_touched(uint32_t guard);
/* True if the guard was neither accessed nor opened. */
bool guard_is_intact(uint32_t guard);

/* True if the page at this address is protected now. */
bool guards_have(uintptr_t address);

/* In the child of a fork. */
void guards_after_fork(void);

#endif
