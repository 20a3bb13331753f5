/* Calls that MPI itself rejects, with MPI's own words. MPI either returns an error, as under MPI_ERRORS_RETURN: that is a note. Or it
 * ends the program: that is an error, and has to be reported before MPI acts on it. What MPI prints and how the program ends stays as it
 * is: the agent only listens where the library passes errors on to error handlers.
 *
 * The functions that do so are not part of the standard: ompi_errhandler_invoke of Open MPI, MPIR_Err_return_comm and MPIR_Err_return_win
 * of MPICH. The preloaded library has entry points for them (src/calls/generator/preload.py). With a library that lacks them, or calls
 * them differently, only returned errors are reported, not those that end the program.
 *
 * If the agent has already reported a problem in the call, the error is not reported again. */
#ifndef TARRY_JOB_CHECK_REJECTED_CALLS_H
#define TARRY_JOB_CHECK_REJECTED_CALLS_H

#include "job/check/wire/agent_call.h"

#pragma GCC visibility push(hidden)

/* call.error-returned: the call has returned `code`, which is not MPI_SUCCESS. */
void rejected_call_returned(const struct agent_call *call, int code);

/* call.fatal: the process ends inside of this call. False: MPI did not reject it, or that was reported before. */
bool rejected_call_ends(const struct agent_call *call);

#pragma GCC visibility pop

#endif
