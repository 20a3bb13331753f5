/* Helpers for the generated wrappers (src/calls/generator/check.py): parameters as numbers, Fortran parameters
 * converted to C, memory for statuses that the program ignores, and the next function of the chain. */
#ifndef TARRY_JOB_CHECK_WRAP_H
#define TARRY_JOB_CHECK_WRAP_H

#include "job/check/agent.h"
#include "job/mpi/fortran.h"
#include "job/mpi/host.h"
#include "job/mpi/nesting.h"

#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))
#define HERE \
	(LIKELY(!called_through) ? __builtin_return_address(0) : called_through(__builtin_return_address(0)))
#define FRAME __builtin_frame_address(0)
#define ADDRESS(pointer) ((int64_t)(uintptr_t)(pointer))
#define FUNCTION_ADDRESS(function) ((void *)(function))

/* The call site in the program, if another tool is between it and the agent. NULL: no other tool. */
extern HIDDEN const void *(*called_through)(const void *return_address);

/* The next function of each name: MPI's own, or that of a library in between. */
extern HIDDEN void *agent_next[MPI_CALLS];
extern HIDDEN const char *const agent_next_names[MPI_CALLS]; /* NULL: this MPI library has no such function */
#define NEXT(name) ((__typeof__(&library_##name))agent_next[CALL_##name])

/* Puts `library`, such as the recorder, between the agent and MPI, for all functions in C and Fortran that it
 * has. Must be called before the program's first call. */
void agent_chain(void *library);
HIDDEN void *agent_fortran_next(void **next, const char *name);

/* Fortran handles are valid only while MPI is active: some libraries end the program when asked to translate
 * one before or after that. */
extern HIDDEN bool agent_translates_handles;
#define FORTRAN_HANDLE_VALUE(word, place) \
	(LIKELY(agent_translates_handles) ? (int64_t)F_HANDLE(word, place) : (int64_t)F_INT(place))

/* Replaces MPI_Request_free for a request that the agent keeps. */
static inline int request_forget(MPI_Request *request)
{
	*request = MPI_REQUEST_NULL;
	return MPI_SUCCESS;
}

static inline void fortran_request_forget(void *request)
{
	*(MPI_Fint *)request = PMPI_Request_c2f(MPI_REQUEST_NULL);
}

/* Where MPI puts a status: `value` is the program's argument in C's terms, `given` the argument itself. */
static inline void *status_room(int64_t value, void *given, MPI_Status *own)
{
	return value == ADDRESS(MPI_STATUS_IGNORE) ? own : given;
}

enum { FEW_STATUSES = 16 };

static inline void *statuses_room(int64_t value, void *given, int64_t count, MPI_Status *few)
{
	if (value != ADDRESS(MPI_STATUSES_IGNORE) || count <= 0)
		return given;
	if (count <= FEW_STATUSES)
		return few;
	void *many = malloc((size_t)count * sizeof *few);
	return many ? many : given;
}

static inline void statuses_release(void *used, void *given, MPI_Status *few)
{
	if (used != given && used != few)
		free(used);
}

#endif
