/* What Tarry knows of every function of MPI and UPC, and of what teams of OpenMP threads do, without any library at hand: made from mpi.calls,
 * upc.calls and omp.calls.
 *
 *	all_calls[CALL_Send].name    "MPI_Send"
 *	all_calls[CALL_Send].kinds   "sbuf count type dest tag comm" */
#ifndef TARRY_CALLS_CALLS_H
#define TARRY_CALLS_CALLS_H

#include "calls/ids.h"

#include <stdbool.h>
#include <stdint.h>

struct call_info {
	const char *name;
	enum call_class class;
	const char *moves; /* how data flows; "" if it does not */
	const char
		*meets; /* of a collective call, whom it needs before it ends (mpi.calls); "" if it is none */
	const char *
		kinds; /* of the parameters, in order, separated by spaces; of UPC and OpenMP, fields of the trace */
	bool persistent; /* prepares a request for MPI_Start */
	bool starts;     /* begins requests that were prepared */
	bool large;      /* a large-count twin */
};

extern const struct call_info all_calls[ALL_CALLS];
extern const uint16_t calls_by_name[ALL_CALLS]; /* in the order of their names */
extern const char *const call_class_names[CALL_CLASSES];

/* By name, "MPI_Send", "upc_barrier"; NULL if there is none. */
const struct call_info *call_find(const char *name);
bool call_is_upc(const struct call_info *call);
bool call_is_openmp(const struct call_info *call);
/* Has to do with no other process, nor with files: MPI_Comm_rank, MPI_Type_commit. */
bool call_is_local(const struct call_info *call);

#endif
