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

/* The count of MPI_Psend_init and MPI_Precv_init: MPI_Count in MPI 4.0, and int where MPI_Psend_init_c exists (correction of MPI 4.1). */
#if defined(TARRY_FAKE_MPI)
/* See the <mpi.h> of the fake library. */
#elif defined(TARRY_MPI_ABI)
/* See our own <mpi.h>. */
#elif MPI_VERSION >= 4
typedef __typeof__(_Generic(
	&MPI_Psend_init,
	int (*)(const void *, int, int, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request *) : 0,
	default
	: (MPI_Count)0)) partition_count;
#else
typedef MPI_Count partition_count;
#endif

#if defined(TARRY_FAKE_MPI)
#include "job/mpi/flavour_fake.h"
#elif defined(TARRY_MPI_ABI)
#include "job/mpi/flavour_abi.h"
#elif defined(OPEN_MPI)
#include "job/mpi/flavour_openmpi.h"
#else
#include "job/mpi/flavour_mpich.h"
#endif

#endif
