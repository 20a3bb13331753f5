#include "job/coll/coll.h"

static bool is_named(MPI_Datatype type)
{
	int integers, addresses, types, combiner = MPI_COMBINER_NAMED;

	return PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
	       combiner == MPI_COMBINER_NAMED;
}

/* MPI_BOTTOM is a null pointer, and valid with a datatype of absolute addresses. */
static bool is_data(const void *buffer, int count, MPI_Datatype type)
{
	return count >= 0 && type != MPI_DATATYPE_NULL && (buffer || !count || !is_named(type));
}

static bool is_sent(const struct coll_call *call)
{
	return call->send != MPI_IN_PLACE && is_data(call->send, call->send_count, call->send_type);
}

static bool is_received(const struct coll_call *call)
{
	return call->receive != MPI_IN_PLACE &&
	       is_data(call->receive, call->receive_count, call->receive_type);
}

static bool are_counts(const int *counts, int size)
{
	for (int i = 0; counts && i < size; i++)
		if (counts[i] < 0)
			return false;
	return counts != NULL;
}

/* MPICH rejects equal buffers; other libraries accept them in some algorithms. */
static bool is_aliased(const struct coll_call *call)
{
#if defined(MPICH)
	return call->send == call->receive && call->send;
#else
	(void)call;
	return false;
#endif
}

/* MPI's predefined operations are defined only for MPI's own datatypes. */
static bool is_operation(const struct coll_call *call)
{
	const MPI_Op own[] = {MPI_MAX, MPI_MIN, MPI_SUM,  MPI_PROD, MPI_LAND,   MPI_BAND,
	                      MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};

	if (call->op == MPI_OP_NULL || call->op == MPI_REPLACE || call->op == MPI_NO_OP)
		return false;
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (call->op == own[i])
			return is_named(call->receive_type);
	return true;
}

static bool is_reduction(const struct coll_call *call, bool receives)
{
	if (call->receive_type == MPI_DATATYPE_NULL || call->receive_count < 0 || !is_operation(call))
		return false;
	if (receives && !is_received(call))
		return false;
	return (call->send == MPI_IN_PLACE && receives) ||
	       (call->send != MPI_IN_PLACE && !(receives && is_aliased(call)) &&
	        is_data(call->send, call->receive_count, call->receive_type));
}

static bool is_exchange(const struct coll_call *call)
{
	return (call->send == MPI_IN_PLACE || (is_sent(call) && !is_aliased(call))) &&
	       call->receive != MPI_IN_PLACE && call->receive_type != MPI_DATATYPE_NULL;
}

bool coll_arguments_are_good(const struct coll_call *call, int rank, int size)
{
	const bool is_root = rank == call->root;

	if (call->root < 0 || call->root >= size)
		return false;
	switch (call->operation) {
	case COLL_ALLGATHER:
	case COLL_ALLTOALL:
		return is_exchange(call) && is_received(call);
	case COLL_ALLGATHERV:
		return is_exchange(call) && are_counts(call->counts, size) && call->displacements;
	case COLL_ALLREDUCE:
	case COLL_REDUCE_SCATTER_BLOCK:
		return is_reduction(call, true);
	case COLL_REDUCE:
		return is_reduction(call, is_root);
	case COLL_REDUCE_SCATTER:
		return are_counts(call->counts, size) && is_reduction(call, true);
	case COLL_BCAST:
		return is_received(call);
	case COLL_GATHER:
		return is_root ? is_received(call) &&
		                         (call->send == MPI_IN_PLACE || (is_sent(call) && !is_aliased(call)))
		               : is_sent(call);
	case COLL_SCATTER:
		return is_root ? is_sent(call) && (call->receive == MPI_IN_PLACE ||
		                                   (is_received(call) && !is_aliased(call)))
		               : is_received(call);
	default:
		return call->operation == COLL_BARRIER;
	}
}
