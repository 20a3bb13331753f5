/* A call of MPI as all parts of the agent see it, and the place where it was made. */
#ifndef TARRY_JOB_CHECK_WIRE_AGENT_CALL_H
#define TARRY_JOB_CHECK_WIRE_AGENT_CALL_H

#include "calls/parameters.h"

#include <stdbool.h>
#include <stdint.h>

enum { AGENT_ARGUMENTS_MAX = 24 };

struct agent_call {
	enum call_id id;
	const void *site;  /* return address */
	const void *frame; /* the wrapper's */
	/* Values, handles (HANDLE()) and addresses, in the order of the table of calls; of Fortran, C's values: buffers,
	 * MPI_BOTTOM, MPI_IN_PLACE and MPI_STATUS_IGNORE are translated. */
	const int64_t *arguments;
	bool fortran;   /* arrays of handles and new handles are MPI_Fint, indices begin with 1 */
	bool described; /* buffers came as descriptors (TS 29113): they may be sections of arrays, with gaps */
	const void *const *descriptors; /* of such buffers, in the order of the parameters */
	/* MPI_Status, for calls that give one or several: the program's, or room of the wrapper where the program ignores it; it
	 * is MPI_STATUSES_IGNORE where there was no memory for many. */
	void *status;
	/* What MPI gets as its receive buffer, of calls whose buffers may have a shadow (receive_shadows.h): the program's, until agent_before
	 * puts another in its place. Other wrappers do not look at it. */
	void *receive_buffer;
	/* Set by agent_enter: a callback of the program made the call inside of another one. Objects and requests are followed, so that what
	 * callbacks make and free is known; nothing is checked, no event is sent. */
	bool nested;
	const struct agent_call *outer; /* of a nested call: the one that it was made in */
	/* set by agent_before, for agent_after */
	uint32_t problems; /* findings that MPI itself may reject the call for */
	void *state;       /* of the functions that follow requests */
	void *object;      /* of objects.c: what this call ends */
	uint32_t place;    /* agent_place's, once it is known */
	bool place_known;
	bool uses_foreign_memory; /* a buffer of it was freed, or is too short: others may write there at any time */
	uint8_t event;            /* enum call_event: the events that it makes */
	bool postponed;           /* its events wait until MPI has accepted it */
	bool has_returned;        /* MPI has made the call */
	bool followed; /* it was made while MPI was alive: objects, requests and events have seen it before */
	bool window_changed; /* of MPI_MODE_NOSTORE: the own memory of the window is not as it was (windows.c) */
	bool fence_broken;              /* of MPI_Win_fence: ASSERTION_BROKEN */
	uint32_t hints;                 /* enum accumulate_hint of its info object */
	uint32_t hints_given;           /* hints with a key in the info object */
	uint64_t sent;                  /* hash of the data that it sends (message_contents.h); 0: unknown */
	uint64_t ended;                 /* handle of the object that the call ends */
	struct repeated_call *repeated; /* a call like it (repeated_calls.h); NULL: none */
	uint64_t
		access; /* number of the access to a window that was reported to analysers; 0: none (window_events.c) */
	bool withheld; /* MPI_Request_free must not reach MPI: the agent completes the operation itself */
};

/* 0 if there is no such parameter. */
static inline int64_t call_argument(const struct agent_call *call, enum parameter_kind kind)
{
	const int at = call_parameter(call->id, kind);

	return at < 0 ? 0 : call->arguments[at];
}

/* Of the first parameter that there is. */
static inline int64_t call_argument_or(const struct agent_call *call, enum parameter_kind kind,
                                       enum parameter_kind other)
{
	const int at = call_parameter_or(call->id, kind, other);

	return at < 0 ? 0 : call->arguments[at];
}

/* Of a variable or an array of the program. NULL if there is no such parameter. */
static inline void *call_address(const struct agent_call *call, enum parameter_kind kind)
{
	return (void *)(uintptr_t)call_argument(call, kind); /* NOLINT(performance-no-int-to-ptr) */
}

/* Where a call was made, kept for objects and requests: the number of a place with its stack (places are never forgotten, equal
 * ones are one). */
uint32_t agent_place(const struct agent_call *call);

/* One sentence for the user, in the notes of the run. */
void agent_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void agent_step_aside(const char *reason);

#endif
