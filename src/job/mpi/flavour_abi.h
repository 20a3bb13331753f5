/* MPI's standard binary interface (MPI 5.0), of any library: handles are addresses, or small numbers if they are predefined. Fields of a status that
 * only MPI uses are hidden, so functions read them. */
#ifndef TARRY_JOB_MPI_FLAVOUR_ABI_H
#define TARRY_JOB_MPI_FLAVOUR_ABI_H

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

/* The integers of handles are Fortran's handles. */
#define PMPI_Request_c2f PMPI_Request_toint

#define FORTRAN_HANDLE(letter, C, Type) \
	static inline C f_##letter(const void *p) \
	{ \
		return PMPI_##Type##_fromint(*(const MPI_Fint *)p); \
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
FORTRAN_HANDLE(session, MPI_Session, Session)
#undef FORTRAN_HANDLE

/* The names are MPICH's. The library version names the device, so limits of other devices are not used. */
#define EAGER_VARIABLES \
	{"MPIR_CVAR_NEMESIS_SHM_EAGER_MAX_SZ", NODE, 64, NULL, "ch3:nemesis"}, \
		{"MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE", NETWORK, 64, NULL, "ch3:"}, \
	{ \
		"MPIR_CVAR_CH4_OFI_EAGER_MAX_MSG_SIZE", NETWORK, 0, NULL, "ch4:ofi" \
	}

/* The standard has no names for special addresses in Fortran. These are those of MPICH's library for mpif.h and `use mpi`. */
#define FORTRAN_IGNORED(PLACE) \
	PLACE("MPI_F_STATUS_IGNORE", true) \
	PLACE("MPI_F_STATUSES_IGNORE", true)
#define FORTRAN_IN_PLACE(PLACE) PLACE("MPIR_F_MPI_IN_PLACE", true)
#define FORTRAN_SENTINELS(SENTINEL) \
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
