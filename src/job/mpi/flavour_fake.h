/* The fake MPI library of the unit tests: handles are integers, the same in C and Fortran. */
#ifndef TARRY_JOB_MPI_FLAVOUR_FAKE_H
#define TARRY_JOB_MPI_FLAVOUR_FAKE_H

#define FLAVOUR "fake"
#define HANDLE(handle) ((uint64_t)(handle))

static inline int64_t status_bytes(const MPI_Status *status)
{
	return status->bytes;
}

static inline bool status_cancelled(const MPI_Status *status)
{
	return status->cancelled;
}

#define OF_FORTRAN(Type, number) (number)

#define EAGER_VARIABLES \
	{"fake_absent_limit", NODE, 0, NULL, NULL}, {"fake_eager_limit", NODE, 8, NULL, NULL}, \
		{"fake_eager_limit", NETWORK, 0, NULL, "another version"}, \
	{ \
		"fake_far_limit", NETWORK, 0, "fake_absent_limit", NULL \
	}

#define HAS_LARGE_COUNTS 1
#define HAS_SESSIONS 1
/* Libraries define these addresses in two ways; the fake library uses both. */
#define FORTRAN_IGNORED(PLACE) \
	PLACE("fake_status_ignore_", false) \
	PLACE("fake_statuses_ignore", true)
#define FORTRAN_IN_PLACE(PLACE) \
	PLACE("fake_in_place_", false) \
	PLACE("fake_f08_in_place", true)
#define FORTRAN_SENTINELS(SENTINEL) \
	SENTINEL("fake_status_ignore_", false, MPI_STATUS_IGNORE) \
	SENTINEL("fake_statuses_ignore", true, MPI_STATUSES_IGNORE) \
	SENTINEL("fake_in_place_", false, MPI_IN_PLACE) \
	SENTINEL("fake_f08_in_place", true, MPI_IN_PLACE)

#endif
