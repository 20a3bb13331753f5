/* Loads and stores of the program in its own memory of a window (`--buffers=all`), at the granularity of
 * pages. Memory that MPI allocated and shares between processes is mapped a second time: the program gets
 * the new address, MPI keeps the old one. So the program's pages can be guarded (guarded_pages.h) without
 * disturbing MPI and other processes. Between two MPI calls, the first access to each part of the window is
 * seen, and its event is pushed before the second call (WINDOW_LOADED, WINDOW_STORED), up to WINDOW_ACCESSES
 * per part after a synchronisation.
 *
* MPI_WIN_BASE is the program's address. Other memory (of the program, of MPI_Win_allocate_shared, or of a
 * process that is alone on its node) is not mapped again; there, single bytes of the first elements get
 * watchpoints, and accesses of threads that have never called MPI do not count, because such threads may
 * belong to the MPI library. Functions need the lock under MPI_THREAD_MULTIPLE. */
#ifndef TARRY_JOB_CHECK_WINDOWS_LOCAL_ACCESSES_H
#define TARRY_JOB_CHECK_WINDOWS_LOCAL_ACCESSES_H

#include "job/check/buffers/guarded_pages.h"
#include "job/check/windows/window_epochs.h"
#include "job/mpi/host.h"

enum {
	WINDOW_GUARDS = 32,
	WINDOW_WATCHPOINTS = 2,
	WATCHED_EVERY = 4,
	WATCHED_APART_MAX = 64,
	WINDOW_ACCESSES = 8
};

/* The second mapping of the memory, or the memory itself. */
struct local_memory {
	bool is_mapped;                 /* the memory is mapped a second time */
	int64_t first, end;             /* its pages, or bytes */
	int64_t base;                   /* the program's address */
	uint32_t count;                 /* of guards */
	int64_t part;                   /* bytes per guard */
	uint32_t guards[WINDOW_GUARDS]; /* 0: not guarded now */
	uint8_t seen[WINDOW_GUARDS];    /* accesses since the last synchronisation */
	bool is_guarded;                /* all parts were guarded when `opened` guards had been opened */
	uint32_t opened;
};

/* Reads the setting. */
void local_accesses_init(void);
/* A window was created; passes the new address to the program. */
void local_accesses_map(const struct agent_call *call, struct checked_window *window);
/* The window ends, or is no longer followed. */
void local_accesses_unmap(struct checked_window *window);
/* MPI_Win_get_attr has returned. */
void local_accesses_attribute(const struct agent_call *call, const struct checked_window *window);
/* A synchronisation has returned: later accesses are seen again. */
void local_accesses_guard(struct checked_window *window);
/* True if there may be new accesses. */
bool local_accesses_are_new(void);
/* Takes the next access that was seen; false: none. */
bool local_accesses_next(struct checked_window *window, struct page_access *access);

#endif
