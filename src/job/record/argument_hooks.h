/* Building blocks of the generated functions that note arguments (src/calls/generator/arguments.py), and their installation between
 * wrappers and MPI.
 *
* Pointers are followed and handles are used only after the call has succeeded, which shows that they were valid. Arguments that are not
 * significant on this process, such as the receive counts of MPI_Gatherv on ranks other than the root, are never read. */
#ifndef TARRY_JOB_RECORD_ARGUMENT_HOOKS_H
#define TARRY_JOB_RECORD_ARGUMENT_HOOKS_H

#include "calls/ids.h"
#include "job/mpi/fortran.h"
#include "job/record/stream.h"

#define ADDRESS(pointer) ((int64_t)(uintptr_t)(pointer))
/* A Fortran handle is converted when its name is needed. */
#define FORTRAN_HANDLE_VALUE(word, place) ADDRESS(place)

#pragma GCC visibility push(hidden)

struct noted_call {
	struct recording_stream *s; /* NULL: nested in another call, or recording is off */
	uint32_t call;
	bool is_fortran;
	const int64_t *values; /* the values of numbers and C handles; the addresses of all other arguments */
	const size_t *lengths; /* of Fortran texts; NULL: none */
};

void arguments_before(struct noted_call *noted, uint32_t call, const int64_t *values, const size_t *lengths,
                      bool is_fortran);
void arguments_after(struct noted_call *noted, int rc);

static inline int fortran_code(const void *ierror)
{
	return ierror ? F_INT(ierror) : MPI_SUCCESS;
}

/* A function that notes arguments, and the pointer to the function it calls. */
struct argument_hook {
	const char *symbol; /* NULL: end of the table */
	uint32_t call;
	void *function;
	void *rest;
};

extern const struct argument_hook argument_hooks[], argument_fortran_hooks[];

/* Installs the functions that rules need. Called again when the wrappers call other functions. */
void arguments_hook(void);
/* The function that a Fortran wrapper calls: one that notes arguments, or `next`. */
void *arguments_fortran_next(const char *symbol, void *next);

/* MPI_Abort does not return, so it is recorded before the call. */
void arguments_of_abort(struct recording_stream *s, int errorcode);

#pragma GCC visibility pop

#endif
