/* Building blocks of the generated functions that note arguments (src/calls/generator/arguments.py), and their installation between a wrapper and
 * MPI.
 *
 * Nothing is read through a pointer, and no handle is asked for its name, before MPI has accepted the call: then all of them were good.
 * Arguments that mean nothing on this process, such as the receive counts of MPI_Gatherv away from its root, are not read at all. */
#ifndef TARRY_JOB_RECORD_ARGUMENT_HOOKS_H
#define TARRY_JOB_RECORD_ARGUMENT_HOOKS_H

#include "calls/ids.h"
#include "job/mpi/fortran.h"
#include "job/record/stream.h"

#define ADDRESS(pointer) ((int64_t)(uintptr_t)(pointer))
/* A handle of Fortran is translated when its name is asked for. */
#define FORTRAN_HANDLE_VALUE(word, place) ADDRESS(place)

#pragma GCC visibility push(hidden)

struct noted_call {
	struct recording_stream *s; /* NULL: it is a part of another call, or nothing is recorded */
	uint32_t call;
	bool is_fortran;
	const int64_t *values; /* numbers and handles of C as they are, everything else by its address */
	const size_t *lengths; /* of Fortran's texts; NULL: there are none */
};

void arguments_before(struct noted_call *noted, uint32_t call, const int64_t *values, const size_t *lengths,
                      bool is_fortran);
void arguments_after(struct noted_call *noted, int rc);

static inline int fortran_code(const void *ierror)
{
	return ierror ? F_INT(ierror) : MPI_SUCCESS;
}

/* A function that notes arguments, and the place of what it calls. */
struct argument_hook {
	const char *symbol; /* NULL: there are no more */
	uint32_t call;
	void *function;
	void *rest;
};

extern const struct argument_hook argument_hooks[], argument_fortran_hooks[];

/* Puts them in, where rules ask for arguments; again when wrappers have got others to call. */
void arguments_hook(void);
/* The function that a Fortran wrapper calls: one that notes arguments, or `next`. */
void *arguments_fortran_next(const char *symbol, void *next);

/* MPI_Abort is recorded before it is called. */
void arguments_of_abort(struct recording_stream *s, int errorcode);

#pragma GCC visibility pop

#endif
