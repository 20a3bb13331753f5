/* Facts about all functions of MPI, UPC and OpenSHMEM and all OpenMP events, independent of any library; generated from
 * mpi.calls, upc.calls, shmem.calls and omp.calls.
 *
 *	all_calls[CALL_Issend].name          "MPI_Issend"
 *	all_calls[CALL_Issend].mode          MODE_SYNCHRONOUS
 *	all_calls[CALL_Issend].plain         CALL_Ssend
 *	all_calls[CALL_Waitany].completes    COMPLETES_ANY */
#ifndef TARRY_CALLS_CALLS_H
#define TARRY_CALLS_CALLS_H

#include "calls/parameters.h"

#include <stdbool.h>

struct call_info {
	const char *name;
	const char *
		kinds; /* of the parameters, in order, separated by spaces; for others than MPI: fields of the trace */
	enum call_id
		plain; /* the equivalent blocking call without large counts: MPI_Bcast for MPI_Ibcast_c; often itself */
	enum call_class class;
	/* See facts.txt. */
	enum movement moves;
	enum collective_needs collective;
	enum send_mode mode;
	enum request_choice completes;
	bool tests, keeps_requests;
	bool persistent, starts;
	enum rma_action rma;
	enum access_state accesses;
	enum creation new_object;
	bool committed;
	enum window_memory window_memory;
	enum comm_need needs;
	enum life_step life;
	bool always_recorded, anytime, any_thread, deletes_attributes;
	enum comm_origin new_comm;
	enum file_pointer pointer;
	enum split_step split;
	bool resizes;
	enum buffer_use buffer;
	enum argument_rule arguments;
	enum pgas_role pgas;
	enum mutex_action mutex;
	bool creates, frees; /* an object: a communicator, datatype, window, … */
	uint16_t nullable;   /* bits of the parameters that may be null handles */
	bool large;          /* the large-count variant of another call */
};

extern const struct call_info all_calls[ALL_CALLS];
extern const uint16_t calls_by_name[ALL_CALLS]; /* sorted by name */
extern const char *const call_class_names[CALL_CLASSES];
/* As in the tables: "synchronous"; "" for none. */
extern const char *const moves_names[MOVES_VALUES], *const mode_names[MODE_VALUES],
							    *const completes_names[COMPLETES_VALUES];

/* By name, "MPI_Send", "upc_barrier"; NULL: unknown. */
const struct call_info *call_find(const char *name);
/* Of UPC or OpenSHMEM. */
bool call_is_pgas(const struct call_info *call);
bool call_is_shmem(const struct call_info *call);
bool call_is_openmp(const struct call_info *call);

static inline enum call_id call_id_of(const struct call_info *call)
{
	return (enum call_id)(call - all_calls);
}

/* Whether the call has a parameter of this kind (others than MPI: such a field). */
static inline bool call_has(const struct call_info *call, enum parameter_kind kind)
{
	return call_parameter(call_id_of(call), kind) >= 0;
}

/* Sends a message, at the call or when its request is started. */
static inline bool call_sends(const struct call_info *call)
{
	return call->moves == MOVES_SEND || call->moves == MOVES_SENDRECV || call->moves == MOVES_REPLACE;
}

static inline bool call_receives(const struct call_info *call)
{
	return call->moves == MOVES_RECV || call->moves == MOVES_SENDRECV || call->moves == MOVES_REPLACE;
}

/* Starts an operation and returns; the operation completes with its request. */
static inline bool call_is_nonblocking(const struct call_info *call)
{
	return !call->persistent && call_has(call, KIND_newrequest);
}

/* Completes requests, with or without waiting for them. */
static inline bool call_completes(const struct call_info *call)
{
	return call->completes && !call->keeps_requests;
}

/* Returns only when requests are complete. */
static inline bool call_waits_for_requests(const struct call_info *call)
{
	return call->completes && !call->tests;
}

/* One complete request is enough. */
static inline bool call_needs_one_request(const struct call_info *call)
{
	return call->completes == COMPLETES_ANY || call->completes == COMPLETES_SOME;
}

/* Involves neither other processes nor files: MPI_Comm_rank, MPI_Type_commit. */
bool call_is_local(const struct call_info *call);

#endif
