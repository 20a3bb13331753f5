/* The checker's agent in a process of the user's job. Generated wrappers (src/calls/generator/check.py) put the parameters of a call into
 * a struct agent_call, as numbers in the order of the table of calls, C or Fortran alike; everything else follows from the
 * table:
 *
 *	int MPI_Send(const void *buf, int count, ...)
 *	{
 *		int64_t arguments[] = {…};
 *		struct agent_call call = {.id = CALL_Send, .site = HERE, .arguments = arguments};
 *
 *		if (!agent_enter(&call, FRAME))           nested in another call of MPI, or the agent stepped aside
 *			return NEXT(…);
 *		agent_before(&call);                      checks of arguments, what others have to know before it may block
 *		rc = NEXT(…);
 *		agent_after(&call, rc);                   objects that came into being or ended, what was received
 *		return rc;
 *	}
 *
 * Order inside of agent_before: arguments (arguments.h), objects and requests (objects.h, request_states.h), then events
 * (events.h); agent_after: objects, requests, events. Local checks run in the calling thread: they need the state at this moment, and
 * cost some ten nanoseconds. All that costs more (encoding, sockets) is the service thread's (service.h).
 *
 * The agent never changes what the program asked for, never calls MPI from its own thread, and on any trouble of its own it steps aside:
 * calls go through, a note says why. */
#ifndef TARRY_JOB_CHECK_AGENT_H
#define TARRY_JOB_CHECK_AGENT_H

#include "calls/parameters.h"
#include "check/checks/checks.h"
#include "check/protocol/finding.h"

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
	bool postponed; /* its events wait until MPI has accepted it */
	bool followed; /* it was made while MPI was alive: objects, requests and events have seen it before */
	bool window_changed; /* of MPI_MODE_NOSTORE: the own memory of the window is not as it was (windows.c) */
	uint64_t ended;      /* handle of the object that the call ends */
	uint64_t
		access; /* number of the access to a window that analysers were told of; 0: none (window_events.c) */
	bool withheld; /* MPI_Request_free must not reach MPI: the agent completes the operation itself */
};

bool agent_enter(struct agent_call *call, const void *frame);
void agent_before(struct agent_call *call);
void agent_after(struct agent_call *call, int rc);

/* Where a call was made, kept for objects and requests: the number of a place with its stack (places are never forgotten, equal
 * ones are one). */
uint32_t agent_place(const struct agent_call *call);

/* Findings of this process alone. The text of the arguments of `call` is put in; further calls by the place that was kept. It is on its way to the
 * analyser when finding_report returns, so that it survives whatever the call does next.
 *
 *	struct finding_draft draft;
 *	finding_draft(&draft, CHECK_ARGUMENT_NEGATIVE_COUNT, call);
 *	finding_draft_value(&draft, "parameter", "%s", "count");
 *	finding_draft_call(&draft, object->created_by, object->created_at, NOTE_CREATED);
 *	finding_report(&draft);
 */
struct finding_draft {
	struct check_finding finding;
	bool failed;
};

void finding_draft(struct finding_draft *draft, enum check check,
                   const struct agent_call *call); /* call NULL: none, as at the end */
void finding_draft_value(struct finding_draft *draft, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void finding_draft_call(struct finding_draft *draft, enum call_id function, uint32_t place, const char *note);
void finding_report(struct finding_draft *draft);

/* One sentence for the user, in the notes of the run. */
void agent_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void agent_step_aside(const char *reason);

#endif
