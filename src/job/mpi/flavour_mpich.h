/* MPICH and compatible libraries: handles are integers, the same in C and Fortran (except MPI_File). */
#ifndef TARRY_JOB_MPI_FLAVOUR_MPICH_H
#define TARRY_JOB_MPI_FLAVOUR_MPICH_H

#define FLAVOUR "mpich"
#define HANDLE(handle) ((uint64_t)(handle))

/* The count is in two words; the lowest bit of the second one means cancelled. */
static inline int64_t status_bytes(const MPI_Status *status)
{
	uint64_t high = (uint32_t)status->count_hi_and_cancelled >> 1;

	return (int64_t)(high << 32 | (uint32_t)status->count_lo);
}

static inline bool status_cancelled(const MPI_Status *status)
{
	return status->count_hi_and_cancelled & 1;
}

#define FORTRAN_HANDLE(letter, C) \
	static inline C f_##letter(const void *p) \
	{ \
		return *(const MPI_Fint *)p; \
	}

FORTRAN_HANDLE(comm, MPI_Comm)
FORTRAN_HANDLE(type, MPI_Datatype)
FORTRAN_HANDLE(request, MPI_Request)
FORTRAN_HANDLE(group, MPI_Group)
FORTRAN_HANDLE(win, MPI_Win)
FORTRAN_HANDLE(op, MPI_Op)
FORTRAN_HANDLE(message, MPI_Message)
FORTRAN_HANDLE(info, MPI_Info)
FORTRAN_HANDLE(errhandler, MPI_Errhandler)
#if HAS_SESSIONS
FORTRAN_HANDLE(session, MPI_Session)
#endif
#undef FORTRAN_HANDLE

static inline MPI_File f_file(const void *p)
{
	return PMPI_File_f2c(*(const MPI_Fint *)p);
}

/* All devices have all variables; the library version gives the active device. A negative value: the
 * device chooses. The limit of CH3 includes a header, which is smaller than this. The device ch4:ucx has
 * no variable. */
#define EAGER_VARIABLES \
	{"MPIR_CVAR_NEMESIS_SHM_EAGER_MAX_SZ", NODE, 64, NULL, "ch3:nemesis"}, \
		{"MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE", NETWORK, 64, NULL, "ch3:"}, \
	{ \
		"MPIR_CVAR_CH4_OFI_EAGER_MAX_MSG_SIZE", NETWORK, 0, NULL, "ch4:ofi" \
	}

/* Special addresses; true: the symbol is a pointer to the address. */
#define FORTRAN_IGNORED(PLACE) \
	PLACE("MPI_F_STATUS_IGNORE", true) \
	PLACE("MPI_F_STATUSES_IGNORE", true) \
	PLACE("MPI_F08_STATUS_IGNORE", true) \
	PLACE("MPI_F08_STATUSES_IGNORE", true) \
	PLACE("MPIR_F08_MPI_STATUS_IGNORE_OBJ", false)
#define FORTRAN_IN_PLACE(PLACE) \
	PLACE("MPIR_F_MPI_IN_PLACE", true) \
	PLACE("MPIR_F08_MPI_IN_PLACE", false)
/* All special addresses, with their C equivalents. */
#define FORTRAN_SENTINELS(SENTINEL) \
	SENTINEL("MPIR_F_MPI_BOTTOM", true, MPI_BOTTOM) \
	SENTINEL("MPIR_F08_MPI_BOTTOM", false, MPI_BOTTOM) \
	SENTINEL("MPIR_F_MPI_IN_PLACE", true, MPI_IN_PLACE) \
	SENTINEL("MPIR_F08_MPI_IN_PLACE", false, MPI_IN_PLACE) \
	SENTINEL("MPI_F_STATUS_IGNORE", true, MPI_STATUS_IGNORE) \
	SENTINEL("MPI_F_STATUSES_IGNORE", true, MPI_STATUSES_IGNORE) \
	SENTINEL("MPI_F08_STATUS_IGNORE", true, MPI_STATUS_IGNORE) \
	SENTINEL("MPI_F08_STATUSES_IGNORE", true, MPI_STATUSES_IGNORE) \
	SENTINEL("MPIR_F08_MPI_STATUS_IGNORE_OBJ", false, MPI_STATUS_IGNORE) \
	SENTINEL("MPIR_F08_MPI_STATUSES_IGNORE_OBJ", false, MPI_STATUSES_IGNORE) \
	SENTINEL("MPIR_F_MPI_UNWEIGHTED", true, MPI_UNWEIGHTED) \
	SENTINEL("MPIR_F_MPI_WEIGHTS_EMPTY", true, MPI_WEIGHTS_EMPTY) \
	SENTINEL("__mpi_f08_link_constants_MOD_mpi_unweighted", false, MPI_UNWEIGHTED) \
	SENTINEL("__mpi_f08_link_constants_MOD_mpi_weights_empty", false, MPI_WEIGHTS_EMPTY) \
	SENTINEL("MPI_F_ERRCODES_IGNORE", true, MPI_ERRCODES_IGNORE) \
	SENTINEL("MPI_F_ARGV_NULL", true, MPI_ARGV_NULL) \
	SENTINEL("MPI_F_ARGVS_NULL", true, MPI_ARGVS_NULL) \
	SENTINEL("__mpi_f08_link_constants_MOD_mpi_errcodes_ignore", false, MPI_ERRCODES_IGNORE) \
	SENTINEL("__mpi_f08_link_constants_MOD_mpi_argv_null", false, MPI_ARGV_NULL) \
	SENTINEL("__mpi_f08_link_constants_MOD_mpi_argvs_null", false, MPI_ARGVS_NULL)

#endif
