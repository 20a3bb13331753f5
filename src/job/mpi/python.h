/* Source lines of Python programs. A call by mpi4py or ctypes has a return address in their libraries. The user's
 * line is the current line of the interpreter.
 *
 * Only the thread with the GIL may ask the interpreter. mpi4py and ctypes release the GIL before they call MPI and
 * take it again when MPI returns. We ask after MPI has returned, so we may take it too: this thread waits for it next
 * anyway. Only Python's public C API is used, if the process has it. */
#ifndef TARRY_JOB_MPI_PYTHON_H
#define TARRY_JOB_MPI_PYTHON_H

#include <stdbool.h>
#include <stdint.h>

bool python_is_here(void);

/* Whether this file calls MPI for Python and takes the GIL afterwards. */
bool python_runs_in(const char *path);

/* The word of a place: the current Python line and up to `depth` callers; `site` if there is none. */
int64_t python_origin(int64_t site, uint32_t depth);

#endif
