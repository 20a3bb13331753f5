/* MPICH and compatible libraries: handles are integers, the same in C and Fortran (except MPI_File). */
#ifndef TARRY_JOB_MPI_FLAVOUR_MPICH_H
#define TARRY_JOB_MPI_FLAVOUR_MPICH_H

#include "job/mpi/mpich_names.h"

#define FLAVOUR "mpich"
#define HANDLE(handle) ((uint64_t)(handle))

/* The count is split into two words. The lowest bit of the second word means "cancelled". */
static inline int64_t status_bytes(const MPI_Status *status)
{
	uint64_t high = (uint32_t)status->count_hi_and_cancelled >> 1;

	return (int64_t)(high << 32 | (uint32_t)status->count_lo);
}

static inline bool status_cancelled(const MPI_Status *status)
{
	return status->count_hi_and_cancelled & 1;
}

#define OF_FORTRAN(Type, number) PMPI_##Type##_f2c(number)
#define EAGER_VARIABLES MPICH_EAGER_VARIABLES

/* Special addresses: MPICH's names, and those of `use mpi_f08`. */
#define FORTRAN_IGNORED(PLACE) \
	MPICH_FORTRAN_IGNORED(PLACE) \
	PLACE("MPI_F08_STATUS_IGNORE", true) \
	PLACE("MPI_F08_STATUSES_IGNORE", true) \
	PLACE("MPIR_F08_MPI_STATUS_IGNORE_OBJ", false)
#define FORTRAN_IN_PLACE(PLACE) \
	MPICH_FORTRAN_IN_PLACE(PLACE) \
	PLACE("MPIR_F08_MPI_IN_PLACE", false)
#define FORTRAN_SENTINELS(SENTINEL) \
	MPICH_FORTRAN_SENTINELS(SENTINEL) \
	SENTINEL("MPIR_F08_MPI_BOTTOM", false, MPI_BOTTOM) \
	SENTINEL("MPIR_F08_MPI_IN_PLACE", false, MPI_IN_PLACE) \
	SENTINEL("MPI_F08_STATUS_IGNORE", true, MPI_STATUS_IGNORE) \
	SENTINEL("MPI_F08_STATUSES_IGNORE", true, MPI_STATUSES_IGNORE) \
	SENTINEL("MPIR_F08_MPI_STATUS_IGNORE_OBJ", false, MPI_STATUS_IGNORE) \
	SENTINEL("MPIR_F08_MPI_STATUSES_IGNORE_OBJ", false, MPI_STATUSES_IGNORE) \
	SENTINEL("__mpi_f08_link_constants_MOD_mpi_unweighted", false, MPI_UNWEIGHTED) \
	SENTINEL("__mpi_f08_link_constants_MOD_mpi_weights_empty", false, MPI_WEIGHTS_EMPTY) \
	SENTINEL("__mpi_f08_link_constants_MOD_mpi_errcodes_ignore", false, MPI_ERRCODES_IGNORE) \
	SENTINEL("__mpi_f08_link_constants_MOD_mpi_argv_null", false, MPI_ARGV_NULL) \
	SENTINEL("__mpi_f08_link_constants_MOD_mpi_argvs_null", false, MPI_ARGVS_NULL)

#endif
