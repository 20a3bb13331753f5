/* Lines of a Python program. A call that mpi4py or ctypes makes has a return address in their libraries; what the user
 * wrote is the line that Python's interpreter is at.
 *
 * The interpreter may be asked only by the thread that holds its lock. mpi4py and ctypes give the lock away before they
 * call MPI, and take it again as soon as MPI returns. So we, who ask when MPI has returned, may take it
 * too: the next thing that this thread does is to wait for it anyway. Nothing but Python's public interface is used,
 * which is found in the process if it is there. */
#ifndef TARRY_JOB_MPI_PYTHON_H
#define TARRY_JOB_MPI_PYTHON_H

#include <stdbool.h>
#include <stdint.h>

bool python_is_here(void);

/* Is this the file of something that calls MPI for Python, and takes the interpreter's lock after it? */
bool python_runs_in(const char *path);

/* The word of a place: the line that Python is at and those it was called from, up to `depth`; `site` if it is at none. */
int64_t python_origin(int64_t site, uint32_t depth);

#endif
