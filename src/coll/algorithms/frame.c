#include "coll/algorithms/frame.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

const char *const coll_operation_names[COLL_OPERATIONS] = {
	[COLL_ALLGATHER] = "allgather",
	[COLL_ALLGATHERV] = "allgatherv",
	[COLL_ALLREDUCE] = "allreduce",
	[COLL_BCAST] = "bcast",
	[COLL_REDUCE] = "reduce",
	[COLL_ALLTOALL] = "alltoall",
	[COLL_GATHER] = "gather",
	[COLL_SCATTER] = "scatter",
	[COLL_REDUCE_SCATTER] = "reduce_scatter",
	[COLL_REDUCE_SCATTER_BLOCK] = "reduce_scatter_block",
	[COLL_BARRIER] = "barrier",
};

int coll_scratch(struct coll_comm *c, size_t bytes)
{
	if (bytes <= c->scratch_bytes)
		return MPI_SUCCESS;
	if (bytes > COLL_SCRATCH_MAX)
		return COLL_DECLINED;

	size_t larger = c->scratch_bytes ? c->scratch_bytes : 4096;
	while (larger < bytes)
		larger *= 2;
	/* No realloc(), because the old contents are not needed. */
	free(c->scratch);
	c->scratch = malloc(larger);
	c->scratch_bytes = 0;
	int code = coll_agree(c, c->scratch != NULL);
	if (code == MPI_SUCCESS)
		c->scratch_bytes = larger;
	return code;
}

int coll_requests(struct coll_comm *c, size_t count)
{
	if (count <= c->request_count)
		return MPI_SUCCESS;
	if (count > COLL_REQUESTS_MAX)
		return COLL_DECLINED;
	free(c->requests);
	c->requests = malloc(count * sizeof *c->requests);
	c->request_count = 0;
	int code = coll_agree(c, c->requests != NULL);
	if (code == MPI_SUCCESS)
		c->request_count = count;
	return code;
}

size_t coll_packed_bytes(int count, MPI_Datatype type)
{
	MPI_Count size = 0;

	if (PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size <= 0 || count <= 0)
		return 0;
	return (size_t)size * (size_t)count;
}

bool coll_is_plain(MPI_Datatype type)
{
	int integers, addresses, types, combiner;
	MPI_Aint lb, extent;
	int size;

	/* Size and extent of a derived type do not tell the order of its elements. */
	if (PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS ||
	    combiner != MPI_COMBINER_NAMED)
		return false;
	if (PMPI_Type_get_extent(type, &lb, &extent) != MPI_SUCCESS ||
	    PMPI_Type_size(type, &size) != MPI_SUCCESS)
		return false;
	return lb == 0 && extent == size;
}

int coll_pack(const struct coll_comm *c, const void *buffer, int count, MPI_Datatype type, void *bytes)
{
	size_t length = coll_packed_bytes(count, type);
	int position = 0;

	if (!length)
		return MPI_SUCCESS;
	if (coll_is_plain(type)) {
		memcpy(bytes, buffer, length);
		return MPI_SUCCESS;
	}
	return PMPI_Pack(buffer, count, type, bytes, (int)length, &position, c->comm);
}

int coll_unpack(const struct coll_comm *c, const void *bytes, void *buffer, int count, MPI_Datatype type)
{
	size_t length = coll_packed_bytes(count, type);
	int position = 0;

	if (!length)
		return MPI_SUCCESS;
	if (coll_is_plain(type)) {
		memcpy(buffer, bytes, length);
		return MPI_SUCCESS;
	}
	return PMPI_Unpack(bytes, (int)length, &position, buffer, count, type, c->comm);
}

int coll_copy(const struct coll_comm *c, const void *from, int count, MPI_Datatype type, void *to,
              int to_count, MPI_Datatype to_type)
{
	size_t length = coll_packed_bytes(count, type);

	if (!length || from == to)
		return MPI_SUCCESS;
	if (coll_is_plain(type) && length <= INT_MAX)
		return coll_unpack(c, from, to, to_count, to_type);
	if (coll_is_plain(to_type) && length <= INT_MAX)
		return coll_pack(c, from, count, type, to);
	return PMPI_Sendrecv(from, count, type, c->rank, COLL_TAG, to, to_count, to_type, c->rank, COLL_TAG,
	                     c->comm, MPI_STATUS_IGNORE);
}

MPI_Aint coll_stride(int count, MPI_Datatype type)
{
	MPI_Aint lb = 0, extent = 0;

	PMPI_Type_get_extent(type, &lb, &extent);
	return extent * count;
}

struct coll_target coll_target_of(const struct coll_call *call)
{
	return (struct coll_target){.call = call,
	                            .extent = coll_stride(1, call->receive_type),
	                            .plain = coll_is_plain(call->receive_type)};
}

int target_count(const struct coll_target *t, int rank)
{
	return t->call->counts ? t->call->counts[rank] : t->call->receive_count;
}

void *target_address(const struct coll_target *t, int rank)
{
	const struct coll_call *call = t->call;
	MPI_Aint elements = call->counts ? call->displacements[rank] : (MPI_Aint)rank * call->receive_count;

	return (char *)call->receive + elements * t->extent;
}

int target_store(const struct coll_comm *c, const struct coll_target *t, int rank, const void *bytes,
                 size_t length)
{
	if (!length)
		return MPI_SUCCESS;
	if (t->plain) {
		memcpy(target_address(t, rank), bytes, length);
		return MPI_SUCCESS;
	}
	return coll_unpack(c, bytes, target_address(t, rank), target_count(t, rank), t->call->receive_type);
}

int target_pack_own(const struct coll_comm *c, const struct coll_target *t, void *bytes)
{
	const struct coll_call *call = t->call;

	if (call->send == MPI_IN_PLACE)
		return coll_pack(c, target_address(t, c->rank), target_count(t, c->rank), call->receive_type,
		                 bytes);
	return coll_pack(c, call->send, call->send_count, call->send_type, bytes);
}

int target_copy_own(const struct coll_comm *c, const struct coll_target *t)
{
	const struct coll_call *call = t->call;

	if (call->send == MPI_IN_PLACE)
		return MPI_SUCCESS;
	return coll_copy(c, call->send, call->send_count, call->send_type, target_address(t, c->rank),
	                 target_count(t, c->rank), call->receive_type);
}

int coll_send(const struct coll_comm *c, const void *bytes, size_t length, int to, int tag)
{
	return PMPI_Send(bytes, (int)length, MPI_BYTE, to, tag, c->comm);
}

int coll_receive(const struct coll_comm *c, void *bytes, size_t length, int from, int tag)
{
	return PMPI_Recv(bytes, (int)length, MPI_BYTE, from, tag, c->comm, MPI_STATUS_IGNORE);
}

int coll_exchange(const struct coll_comm *c, const void *sent, size_t sent_length, int to, void *received,
                  size_t received_length, int from)
{
	return PMPI_Sendrecv(sent, (int)sent_length, MPI_BYTE, to, COLL_TAG, received, (int)received_length,
	                     MPI_BYTE, from, COLL_TAG, c->comm, MPI_STATUS_IGNORE);
}

int coll_leader(const struct coll_comm *c, int node)
{
	return layout_rank(&c->layout, node, 0);
}

static size_t vector_bytes(const struct coll_call *call, int size)
{
	size_t elements = 0;

	for (int i = 0; i < size; i++)
		elements += (size_t)call->counts[i];
	return elements * coll_packed_bytes(1, call->receive_type);
}

size_t coll_bytes(const struct coll_comm *c, const struct coll_call *call)
{
	bool root = c->rank == call->root;

	switch (call->operation) {
	case COLL_BARRIER:
		return 0;
	case COLL_ALLGATHERV:
		return (vector_bytes(call, c->size) + (size_t)c->size - 1) / (size_t)c->size;
	case COLL_REDUCE_SCATTER:
		return vector_bytes(call, c->size);
	case COLL_GATHER:
		if (!root)
			return coll_packed_bytes(call->send_count, call->send_type);
		break;
	case COLL_SCATTER:
		if (root)
			return coll_packed_bytes(call->send_count, call->send_type);
		break;
	default:
		break;
	}
	return coll_packed_bytes(call->receive_count, call->receive_type);
}
