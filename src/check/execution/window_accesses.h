/* Accesses to the memory of one member of a window that may still conflict with later ones: reads,
 * writes, and updates (accumulates). Each kind has a set of intervals, so that accesses that cannot
 * conflict are not visited.
 *
 *	struct window_conflict conflict;
 *	if (accesses_add(accesses, access, first, &conflict))          reports it; the access is added anyway
 *	accesses_clear(accesses);                                      the end of an epoch orders all earlier ones
 *
 * An access is removed when a later one that happens after it covers its bytes and would conflict
 * with the same accesses. */
#ifndef TARRY_CHECK_EXECUTION_WINDOW_ACCESSES_H
#define TARRY_CHECK_EXECUTION_WINDOW_ACCESSES_H

#include "check/execution/byte_intervals.h"
#include "check/execution/ordering.h"

enum access_kind {
	ACCESS_READS,
	ACCESS_WRITES,
	ACCESS_UPDATES, /* atomic with other updates of the same operation and type */
};

struct window_access {
	struct analysed_call *call; /* kept */
	struct executed_process *process;
	int64_t place;       /* target_disp */
	uint32_t content;    /* of a put of OpenSHMEM: a hash of its data; 0: unknown */
	uint64_t number;     /* of the process's accesses to the window, from 1 */
	uint32_t references; /* by intervals and lists */
	uint8_t kind;        /* enum access_kind */
	bool is_passive;     /* under a lock; otherwise it is complete at the end of the target's epoch */
	bool is_exclusive;
	bool is_local;      /* by the program itself, to its own memory: `place` is the byte */
	bool is_buffer;     /* of a local one: by the buffer of a call */
	bool is_locked;     /* of a local one: under a lock */
	bool is_repeated;   /* the same line repeated this load later */
	bool is_watched;    /* of a local one: CHECK_CALL_WATCHED */
	bool has_read;      /* its process had read window memory before */
	uint64_t began;     /* number of accesses and ends seen before it */
	uint64_t ended;     /* the same at its completion; 0: not complete */
	uint64_t completed; /* number of an event of the process (ordering_count) after its completion */
	uint64_t writes;    /* number of the process's writes to window memory until its completion */
	struct window_access *next_open; /* of the same process and target, not complete */
};

/* Updates that are atomic with each other, as far as they share whole elements. */
struct update_set {
	uint64_t operator;
	bool is_shifted;  /* elements begin at different remainders, or runs are not whole elements */
	int64_t boundary; /* first byte of an element, modulo its size */
	const struct signature *type; /* of one of them */
	struct analysed_call *call;   /* call with this type; kept */
	struct byte_intervals intervals;
};

/* An access without any possible conflict so far. */
struct waiting_access {
	struct window_access *access; /* kept */
	int64_t start;
};

struct window_accesses {
	struct ordering *ordering;
	struct known *known;
	uint32_t hints; /* enum accumulate_hint */
	/* Reads of memory that is never written, or updates of one set alone, by call and place: the last one
	 * of each. They become intervals when another kind of access arrives. So accesses to a matrix need
	 * not look up each of its rows. */
	ARRAY(struct waiting_access) waiting;
	struct map waiting_numbers;
	uint64_t waiting_runs;
	struct byte_intervals reads, writes;
	ARRAY(struct update_set) updates;
};

struct window_conflict {
	struct window_access *earlier; /* owned by the caller */
	int64_t first, end;            /* common bytes */
	bool is_update;                /* of two updates that differ */
};

struct window_access *access_keep(struct window_access *access);
void access_drop(struct known *known, struct window_access *access);

/* True if it changes memory: all but reads, and updates with MPI_NO_OP. */
bool access_writes(const struct window_access *access);

/* True: it conflicts with another one. `start` is the position of target_disp in the window. */
bool accesses_add(struct window_accesses *accesses, struct window_access *access, int64_t start,
                  struct window_conflict *conflict);
/* Number of kept intervals. */
uint64_t accesses_count(const struct window_accesses *accesses);
void accesses_clear(struct window_accesses *accesses);
/* Removes only complete accesses. */
void accesses_clear_completed(struct window_accesses *accesses);

#endif
