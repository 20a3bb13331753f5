/* Differences between MPI libraries beyond <mpi.h>: one small file each. A flavour defines
 *
 *	FLAVOUR                     its name in traces and file names
 *	status_bytes(status)        bytes of a completed receive
 *	status_cancelled(status)
 *	HANDLE(h)                   a handle as a number
 *	OF_FORTRAN(Type, number)    the C handle of a Fortran handle; f_comm(place), f_type(place), … are made of it
 *	FORTRAN_IGNORED, FORTRAN_IN_PLACE, FORTRAN_SENTINELS
 *	                            special addresses in Fortran: the symbol, whether it is a pointer to the address, and in
 *	                            FORTRAN_SENTINELS, which has all of them, the C equivalent
 *	EAGER_VARIABLES             control variables with the eager limit (src/job/record/lifecycle.c)
 *
* The build finds out which functions the library has (cmake/MpiLibraries.cmake) and defines HAS_SESSIONS and
 * HAS_LARGE_COUNTS. Only the fake library defines them in its flavour.
 *
 * In all these libraries, a status in Fortran, of the old or the new interface, has the layout of the one in C. */
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

#define FORTRAN_HANDLE(letters, C, Type) \
	static inline C f_##letters(const void *place) \
	{ \
		return OF_FORTRAN(Type, *(const MPI_Fint *)place); \
	}

FORTRAN_HANDLE(comm, MPI_Comm, Comm)
FORTRAN_HANDLE(type, MPI_Datatype, Type)
FORTRAN_HANDLE(request, MPI_Request, Request)
FORTRAN_HANDLE(group, MPI_Group, Group)
FORTRAN_HANDLE(win, MPI_Win, Win)
FORTRAN_HANDLE(file, MPI_File, File)
FORTRAN_HANDLE(op, MPI_Op, Op)
FORTRAN_HANDLE(message, MPI_Message, Message)
FORTRAN_HANDLE(info, MPI_Info, Info)
FORTRAN_HANDLE(errhandler, MPI_Errhandler, Errhandler)
#if HAS_SESSIONS
FORTRAN_HANDLE(session, MPI_Session, Session)
#endif
#undef FORTRAN_HANDLE

#endif
