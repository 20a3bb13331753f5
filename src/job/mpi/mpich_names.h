/* Names in MPICH's library that do not depend on its binary interface: control variables, and special addresses of mpif.h and `use mpi`. */
#ifndef TARRY_JOB_MPI_MPICH_NAMES_H
#define TARRY_JOB_MPI_MPICH_NAMES_H

/* All devices define all variables; the library's version string names the active device. Negative values: the
 * device chooses. The limit of CH3 includes a header, which is smaller than the one given here. The device
 * ch4:ucx has no variable. */
#define MPICH_EAGER_VARIABLES \
	{"MPIR_CVAR_NEMESIS_SHM_EAGER_MAX_SZ", NODE, 64, NULL, "ch3:nemesis"}, \
		{"MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE", NETWORK, 64, NULL, "ch3:"}, \
	{ \
		"MPIR_CVAR_CH4_OFI_EAGER_MAX_MSG_SIZE", NETWORK, 0, NULL, "ch4:ofi" \
	}

/* Special addresses (flavour.h). */
#define MPICH_FORTRAN_IGNORED(PLACE) \
	PLACE("MPI_F_STATUS_IGNORE", true) \
	PLACE("MPI_F_STATUSES_IGNORE", true)
#define MPICH_FORTRAN_IN_PLACE(PLACE) PLACE("MPIR_F_MPI_IN_PLACE", true)
#define MPICH_FORTRAN_SENTINELS(SENTINEL) \
	SENTINEL("MPIR_F_MPI_BOTTOM", true, MPI_BOTTOM) \
	SENTINEL("MPIR_F_MPI_IN_PLACE", true, MPI_IN_PLACE) \
	SENTINEL("MPI_F_STATUS_IGNORE", true, MPI_STATUS_IGNORE) \
	SENTINEL("MPI_F_STATUSES_IGNORE", true, MPI_STATUSES_IGNORE) \
	SENTINEL("MPIR_F_MPI_UNWEIGHTED", true, MPI_UNWEIGHTED) \
	SENTINEL("MPIR_F_MPI_WEIGHTS_EMPTY", true, MPI_WEIGHTS_EMPTY) \
	SENTINEL("MPI_F_ERRCODES_IGNORE", true, MPI_ERRCODES_IGNORE) \
	SENTINEL("MPI_F_ARGV_NULL", true, MPI_ARGV_NULL) \
	SENTINEL("MPI_F_ARGVS_NULL", true, MPI_ARGVS_NULL)

#endif
