/* MPI's standard binary interface (MPI 5.0), of any library: handles are addresses, or small numbers if they are predefined. The internal fields of
 * a status are opaque, so functions read them. */
#ifndef TARRY_JOB_MPI_FLAVOUR_ABI_H
#define TARRY_JOB_MPI_FLAVOUR_ABI_H

#include "job/mpi/mpich_names.h"

#define FLAVOUR "abi"
#define HANDLE(handle) ((uint64_t)(uintptr_t)(handle))

static inline int64_t status_bytes(const MPI_Status *status)
{
	MPI_Count bytes = 0;

	return PMPI_Get_count_c(status, MPI_BYTE, &bytes) == MPI_SUCCESS ? bytes : 0;
}

static inline bool status_cancelled(const MPI_Status *status)
{
	int is_cancelled = 0;

	return PMPI_Test_cancelled(status, &is_cancelled) == MPI_SUCCESS && is_cancelled;
}

/* A handle's integer is its handle in Fortran. */
#define PMPI_Request_c2f PMPI_Request_toint

#define OF_FORTRAN(Type, number) PMPI_##Type##_fromint(number)

/* The standard does not name control variables or special addresses in Fortran. These are the names of MPICH's library. */
#define EAGER_VARIABLES MPICH_EAGER_VARIABLES
#define FORTRAN_IGNORED MPICH_FORTRAN_IGNORED
#define FORTRAN_IN_PLACE MPICH_FORTRAN_IN_PLACE
#define FORTRAN_SENTINELS MPICH_FORTRAN_SENTINELS

#endif
