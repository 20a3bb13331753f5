/* Open MPI: handles are pointers. */
#ifndef TARRY_JOB_MPI_FLAVOUR_OPENMPI_H
#define TARRY_JOB_MPI_FLAVOUR_OPENMPI_H

#define FLAVOUR "openmpi"
#define HANDLE(handle) ((uint64_t)(uintptr_t)(handle))

static inline int64_t status_bytes(const MPI_Status *status)
{
	return (int64_t)status->_ucount;
}

static inline bool status_cancelled(const MPI_Status *status)
{
	return status->_cancelled;
}

#define OF_FORTRAN(Type, number) PMPI_##Type##_f2c(number)

/* Variables of the point-to-point layer `ob1`. A BTL that is not in use has none. The limits include that
 * layer's largest header, 56 bytes on 64-bit machines. */
#define EAGER_BTL(name, distance) \
	{ \
		"btl_" name "_eager_limit", distance, 56, "pml_ob1_priority", NULL \
	}
#define EAGER_BTLS(distance) \
	EAGER_BTL("openib", distance), EAGER_BTL("usnic", distance), EAGER_BTL("ugni", distance), \
		EAGER_BTL("uct", distance), EAGER_BTL("ofi", distance), EAGER_BTL("tcp", distance)
#define EAGER_VARIABLES EAGER_BTL("vader", NODE), EAGER_BTL("sm", NODE), EAGER_BTLS(NODE), EAGER_BTLS(NETWORK)

#define FORTRAN_IGNORED(PLACE) \
	PLACE("mpi_fortran_status_ignore_", false) \
	PLACE("mpi_fortran_statuses_ignore_", false)
#define FORTRAN_IN_PLACE(PLACE) PLACE("mpi_fortran_in_place_", false)
#define FORTRAN_SENTINELS(SENTINEL) \
	SENTINEL("mpi_fortran_bottom_", false, MPI_BOTTOM) \
	SENTINEL("mpi_fortran_in_place_", false, MPI_IN_PLACE) \
	SENTINEL("mpi_fortran_status_ignore_", false, MPI_STATUS_IGNORE) \
	SENTINEL("mpi_fortran_statuses_ignore_", false, MPI_STATUSES_IGNORE) \
	SENTINEL("mpi_fortran_unweighted_", false, MPI_UNWEIGHTED) \
	SENTINEL("mpi_fortran_weights_empty_", false, MPI_WEIGHTS_EMPTY) \
	SENTINEL("mpi_fortran_errcodes_ignore_", false, MPI_ERRCODES_IGNORE) \
	SENTINEL("mpi_fortran_argv_null_", false, MPI_ARGV_NULL) \
	SENTINEL("mpi_fortran_argvs_null_", false, MPI_ARGVS_NULL)

#endif
