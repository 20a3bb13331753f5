/* Requests under way. Each has a number, the lowest that was free when it began: a loop that starts and
 * completes the same operations gets the same numbers every time, which is what keeps traces small.
 *
 * MPI may give several requests the same handle (MPICH does for sends that were complete at once); then the place
 * where the program keeps the handle tells them apart, and otherwise the oldest is taken. */
#ifndef TARRY_RECORD_REQUESTS_H
#define TARRY_RECORD_REQUESTS_H

#include "record/stream.h"

#include <stdbool.h>
#include <stdint.h>

#define NO_REQUEST UINT32_MAX

enum request_trait {
	REQUEST_RECEIVES = 1,   /* its completion tells what came from whom */
	REQUEST_PERSISTENT = 2, /* survives its completion */
	REQUEST_CANCELLED = 4,  /* MPI_Cancel was called: the status tells whether it did */
	REQUEST_MAKES_COMM = 8, /* MPI_Comm_idup: the communicator exists from the completion on */
	REQUEST_FORTRAN = 16,   /* the place of the new communicator holds a Fortran handle */
	REQUEST_CLAIMED = 32,   /* a call that may complete it is under way */
	REQUEST_STARTED = 64,   /* a persistent one between its start and its completion */
};

struct request {
	uint64_t handle;
	const void *place;
	uint32_t next; /* in the chain of its hash; NO_REQUEST ends it */
	uint32_t traits;
	void *new_comm;      /* where the program wants it */
	int64_t parent_comm; /* object number */
};

/* The number of a new request, ABSENT when it cannot be followed. */
int64_t request_add(uint64_t handle, const void *place, uint32_t traits);
/* NO_REQUEST: MPI_REQUEST_NULL, or unknown. */
uint32_t request_find(uint64_t handle, const void *place);
/* The same for a call that may complete it: of equal handles each is claimed by one call only. */
uint32_t request_claim(uint64_t handle, const void *place);
void request_unclaim(uint32_t number);

/* Matched messages (MPI_Mprobe … MPI_Mrecv) are numbered along with requests, from other handles. */
#define MESSAGE_HANDLE(handle) (HANDLE(handle) ^ 1ull << 63)
/* Stays where it is as long as the request lives. */
struct request *request_get(uint32_t number);
/* A persistent request begins: its number, or ABSENT. */
int64_t request_start(uint64_t handle, const void *place);
/* MPI_Cancel was called for it: its number, or ABSENT. */
int64_t request_cancel(uint64_t handle, const void *place);
/* The request ends (a persistent one: when it is freed). */
void request_remove(uint32_t number);

#endif
