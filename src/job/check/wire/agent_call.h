/* An MPI call as all parts of the agent see it, and its place. */
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
	/* Values, handles (HANDLE()) and addresses, in the order of the table of calls. Fortran arguments are
	 * translated to C values: buffers, MPI_BOTTOM, MPI_IN_PLACE and MPI_STATUS_IGNORE. */
	const int64_t *arguments;
	/* Of calls outside MPI: their arguments as a text on the heap, instead of the above. */
	char *(*text)(const struct agent_call *call);
	bool fortran;   /* handles in arrays and new handles are MPI_Fint, indices begin with 1 */
	bool described; /* buffers are descriptors (TS 29113): they may be sections of arrays, with gaps */
	const void *const *descriptors; /* the descriptors of such buffers, in the order of the parameters */
	/* The MPI_Status, or several, of the call: the program's, or memory of the wrapper if the program
	 * ignores it; MPI_STATUSES_IGNORE if there was not enough memory. */
	void *status;
	/* The receive buffer for MPI, in calls whose buffers may have a shadow (receive_shadows.h): the
	 * program's, unless agent_before() replaces it. Other wrappers ignore it. */
	void *receive_buffer;
	/* Set by agent_enter(): a callback of the program made the call inside another one. Objects and
	 * requests are tracked, so that those created and freed by callbacks are known. Nothing is
	 * checked, and no event is sent. */
	bool nested;
	const struct agent_call *outer; /* of a nested call: the enclosing call */
	/* Set by agent_before(), for agent_after(): */
	uint32_t problems; /* findings for which MPI itself may reject the call */
	void *state;       /* of the functions that follow requests */
	void *object;      /* of objects.c: the object that this call ends */
	uint32_t place;    /* result of agent_place(), if known */
	bool place_known;
	bool uses_foreign_memory; /* a buffer was freed, or is too small: other code may write to its memory */
	uint8_t event;            /* enum call_event: its events */
	bool postponed;           /* its events wait until MPI has accepted the call */
	bool has_returned;        /* MPI's function has returned */
	bool followed; /* MPI was active before the call, so objects, requests and events have seen it */
	bool window_changed; /* this process's memory of the window has changed, for MPI_MODE_NOSTORE (windows.c) */
	bool fence_broken;              /* of MPI_Win_fence: ASSERTION_BROKEN */
	uint32_t hints;                 /* enum accumulate_hint of its info object */
	uint32_t hints_given;           /* hints whose key is in the info object */
	uint64_t sent;                  /* hash of the sent data (message_contents.h); 0: unknown */
	uint64_t ended;                 /* handle of the object that the call ends */
	struct repeated_call *repeated; /* an equal call (repeated_calls.h); NULL: none */
	uint64_t
		access; /* number of the access to a window that was reported to analysers; 0: none (window_events.c) */
	bool withheld; /* MPI_Request_free must not reach MPI: the agent completes the operation itself */
};

/* 0 without such a parameter. */
static inline int64_t call_argument(const struct agent_call *call, enum parameter_kind kind)
{
	const int at = call_parameter(call->id, kind);

	return at < 0 ? 0 : call->arguments[at];
}

/* The value of the first of two kinds of parameters that the call has. */
static inline int64_t call_argument_or(const struct agent_call *call, enum parameter_kind kind,
                                       enum parameter_kind other)
{
	const int at = call_parameter_or(call->id, kind, other);

	return at < 0 ? 0 : call->arguments[at];
}

/* The address of a variable or an array of the program. NULL without such a parameter. */
static inline void *call_address(const struct agent_call *call, enum parameter_kind kind)
{
	return (void *)(uintptr_t)call_argument(call, kind); /* NOLINT(performance-no-int-to-ptr) */
}

/* The place of a call, a number for its call stack, which objects and requests keep. Equal places have the same
 * number; places are never forgotten. */
uint32_t agent_place(const struct agent_call *call);

/* Leaves a sentence for the user in the notes of the run. */
void agent_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void agent_step_aside(const char *reason);

#endif
