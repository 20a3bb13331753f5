/* Calls that MPI itself rejects, with MPI's text. If MPI returns the error, as with MPI_ERRORS_RETURN, the finding is a note. If MPI ends the program,
 * it is an error, and it is reported before MPI acts. The agent only listens where the library passes errors on to error handlers: the output and
 * the end of the program do not change.
 *
 * These functions are not part of the standard: ompi_errhandler_invoke of Open MPI, MPIR_Err_return_comm and MPIR_Err_return_win
 * of MPICH. The preloaded library has entry points for them (src/calls/generator/preload.py). With other libraries, and with the standard's binary
 * interface (libmpi_abi), only returned errors are reported.
 *
 * An error is not reported if the agent has already reported a problem in the call. */
#ifndef TARRY_JOB_CHECK_REJECTED_CALLS_H
#define TARRY_JOB_CHECK_REJECTED_CALLS_H

#include "job/check/wire/agent_call.h"

/* call.error-returned: the call has returned `code`, which is not MPI_SUCCESS. */
void rejected_call_returned(const struct agent_call *call, int code);

/* call.fatal: the process ends inside this call. False: MPI did not reject the call, or this
 * was already reported. */
bool rejected_call_ends(const struct agent_call *call);

#endif
