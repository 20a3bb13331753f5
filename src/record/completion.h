/* Calls that complete requests. Before the call the requests are claimed, because afterwards their handles are gone;
 * then MPI runs; then each completed request adds to the key its number and, if it received, what came from
 * whom. A status that the program does not want is replaced by one of ours.
 *
 *	struct completion done;
 *	completion_begin(&done, s, count, requests, sizeof(MPI_Request), false);
 *	rc = PMPI_Waitall(count, requests, completion_statuses(&done, statuses));
 *	completion_all(&done);
 *	… key = completion_key(&done, …) */
#ifndef TARRY_RECORD_COMPLETION_H
#define TARRY_RECORD_COMPLETION_H

#include "record/comms.h"
#include "record/requests.h"

struct completion {
	struct stream *s;
	int count;
	uint32_t *numbers; /* of the requests; NO_REQUEST where there is none */
	int64_t *key;      /* grows: fixed values by the wrapper, then pairs */
	uint32_t words;
	bool wants_status; /* one of them received, or was cancelled */
	uint32_t one;      /* storage for a single request */
	int64_t few[KEY_VALUES + 24];
	MPI_Status status;
};

/* `requests` are C handles, or Fortran ones (an array of MPI_Fint). */
void completion_begin(struct completion *done, struct stream *s, int count, const void *requests, bool fortran);

/* The statuses to hand to MPI: the program's, or ours where it ignores them but we need them. */
MPI_Status *completion_status(struct completion *done, MPI_Status *given, bool ignored);
MPI_Status *completion_statuses(struct completion *done, MPI_Status *given, bool ignored);

/* Starts the key with what stands before the completed requests. */
void completion_value(struct completion *done, int64_t value);

/* Other pairs than those of completions: first room for all of them (false: there is none), then each. */
bool completion_room(struct completion *done, int pairs);
void completion_pair(struct completion *done, enum field_key field, int64_t value);

/* Request i of the array completed with this status (NULL: not known). */
void completion_add(struct completion *done, int i, const MPI_Status *status);
/* All of them, unless their status says that they did not. */
void completion_add_all(struct completion *done, const MPI_Status *statuses, int rc);
/* Those that Waitsome or Testsome names; indices count from `base` (Fortran: 1). */
void completion_add_some(struct completion *done, const MPI_Status *statuses, int count, const int *indices, int base);

/* For MPI_Startall, with completion_begin of no requests before it: those that it begins. */
void completion_starts(struct completion *done, int count, const void *requests, bool fortran);

/* Gives up the claims on requests that did not complete. */
void completion_end(struct completion *done);

#endif
