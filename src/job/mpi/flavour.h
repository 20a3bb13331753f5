/* Differences between MPI libraries beyond <mpi.h>: one small file each. A flavour defines
 *
 *	FLAVOUR                     its name in traces and file names
 *	status_bytes(status)        bytes of a completed receive
 *	status_cancelled(status)
 *	f_comm(p), f_type(p), …     the C handle of a Fortran handle
 *	HANDLE(h)                   a handle as a number
 *	EAGER_VARIABLES             control variables with the eager limit (eager.c)
 *
 * The build probes which functions the library has (cmake/MpiLibraries.cmake): HAS_SESSIONS and HAS_LARGE_COUNTS are
 * compiler definitions. Only the fake library defines them in its flavour.
 *
 * In both libraries a Fortran status, old or new, has the layout of the C one. */
#ifndef TARRY_JOB_MPI_FLAVOUR_H
#define TARRY_JOB_MPI_FLAVOUR_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(TARRY_FAKE_MPI)
#include "job/mpi/flavour_fake.h"
#elif defined(OPEN_MPI)
#include "job/mpi/flavour_openmpi.h"
#else
#include "job/mpi/flavour_mpich.h"
#endif

#endif
