#include "cases.h"

#include "library_call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t case_next(struct case_random *random, uint32_t below)
{
	random->state = random->state * 6364136223846793005u + 1442695040888963407u;
	return below ? (uint32_t)(random->state >> 33) % below : 0;
}

MPI_Datatype case_type(enum case_shape shape, MPI_Datatype basic)
{
	int swapped[] = {2, 0, 1};
	int sparse[] = {-3, 0, 2};
	MPI_Datatype type = MPI_DATATYPE_NULL;
	MPI_Datatype whole;
	MPI_Aint lb, extent;

	PMPI_Type_get_extent(basic, &lb, &extent);
	switch (shape) {
	case SHAPE_BASIC:
		return basic;
	case SHAPE_CONTIGUOUS:
		PMPI_Type_contiguous(3, basic, &type);
		break;
	case SHAPE_VECTOR:
		PMPI_Type_vector(3, 1, 2, basic, &type);
		break;
	case SHAPE_SWAPPED:
		PMPI_Type_create_indexed_block(3, 1, swapped, basic, &type);
		break;
	case SHAPE_NEGATIVE:
		PMPI_Type_create_indexed_block(3, 1, sparse, basic, &whole);
		PMPI_Type_create_resized(whole, -3 * extent, 7 * extent, &type);
		PMPI_Type_free(&whole);
		break;
	default:
		PMPI_Type_contiguous(0, basic, &type);
	}
	PMPI_Type_commit(&type);
	return type;
}

/* Not commutative, but associative: the digits of a number base 2^8, of which the last that is not 0 wins. */
static void take_right(void *in, void *inout, int *length, MPI_Datatype *type)
{
	const int *left = in;
	int *right = inout;

	(void)type;
	for (int i = 0; i < *length; i++)
		right[i] = right[i] % 5 ? right[i] : left[i];
}

static MPI_Op make_op(struct case_call *made, struct case_random *random)
{
	made->commutes = true;
	switch (case_next(random, 5)) {
	case 0:
		return MPI_SUM;
	case 1:
		return MPI_MAX;
	case 2:
		return MPI_MIN;
	case 3:
		return MPI_PROD;
	default:
		if (made->basic == MPI_INT) {
			static MPI_Op op = MPI_OP_NULL;
			if (op == MPI_OP_NULL)
				PMPI_Op_create(take_right, 0, &op);
			made->commutes = false;
			return op;
		}
		return MPI_SUM;
	}
}

static bool is_reduction(enum coll_operation operation)
{
	return operation == COLL_ALLREDUCE || operation == COLL_REDUCE || operation == COLL_REDUCE_SCATTER ||
	       operation == COLL_REDUCE_SCATTER_BLOCK;
}

static bool may_be_in_place(const struct case_call *made, int rank)
{
	switch (made->call.operation) {
	case COLL_BCAST:
	case COLL_BARRIER:
		return false;
	case COLL_GATHER:
	case COLL_SCATTER:
	case COLL_REDUCE:
		return rank == made->call.root;
	default:
		return true;
	}
}

static int elements_of(enum case_shape shape, int blocks)
{
	return shape == SHAPE_BASIC ? blocks * SHAPE_ELEMENTS : blocks;
}

static void make_counts(struct case_call *made, struct case_random *random, int size)
{
	int at = 0;

	made->counts = malloc((size_t)size * sizeof *made->counts);
	made->displacements = malloc((size_t)size * sizeof *made->displacements);
	for (int i = 0; i < size; i++) {
		int blocks = (int)case_next(random, (uint32_t)made->blocks + 1);
		made->counts[i] = elements_of(made->receive_shape, blocks);
		made->displacements[i] = at;
		at += made->counts[i] + (int)case_next(random, 2);
	}
	made->call.counts = made->counts;
	made->call.displacements = made->displacements;
}

/* Mostly few elements, sometimes many; sometimes none. */
static int random_blocks(struct case_random *random)
{
	static const uint32_t most[] = {2, 8, 8, 50, 400, 4000};

	return (int)case_next(random, most[case_next(random, 6)]);
}

static void make_types(struct case_call *made, struct case_random *random, enum coll_operation operation)
{
	MPI_Datatype basics[] = {MPI_INT, MPI_DOUBLE, MPI_BYTE, MPI_SHORT};
	bool reduction = is_reduction(operation);

	made->basic = basics[case_next(random, reduction ? 2 : 4)];
	PMPI_Type_size(made->basic, &made->basic_bytes);
	made->receive_shape = reduction ? SHAPE_BASIC : case_next(random, SHAPES);
	made->send_shape = reduction || made->receive_shape == SHAPE_EMPTY ? made->receive_shape
	                                                                   : case_next(random, SHAPES - 1);
}

void case_make(struct case_call *made, struct case_random *random, enum coll_operation operation, int rank,
               int size)
{
	*made = (struct case_call){.blocks = random_blocks(random)};
	made->call.operation = operation;
	made->call.root = (int)case_next(random, (uint32_t)size);
	make_types(made, random, operation);
	made->call.op = is_reduction(operation) ? make_op(made, random) : MPI_OP_NULL;
	/* In rooted operations, what the others receive does not matter. */
	made->root_in_place = case_next(random, 3) == 0;
	made->in_place = made->root_in_place && may_be_in_place(made, rank);
	if (operation == COLL_ALLGATHERV || operation == COLL_REDUCE_SCATTER)
		make_counts(made, random, size);

	struct coll_call *call = &made->call;
	call->send_type = case_type(made->send_shape, made->basic);
	call->receive_type = case_type(made->receive_shape, made->basic);
	call->send_count = elements_of(made->send_shape, made->blocks);
	call->receive_count = elements_of(made->receive_shape, made->blocks);
	if (operation == COLL_ALLGATHERV)
		call->send_count = made->counts[rank] / elements_of(made->receive_shape, 1) *
		                   elements_of(made->send_shape, 1);

	size_t margin = SHAPE_REACH * (size_t)made->basic_bytes;
	made->storage_bytes = margin * ((size_t)size * ((size_t)made->blocks + 1) + 3);
	made->send = malloc(made->storage_bytes);
	made->receive = malloc(made->storage_bytes);
	made->spare = malloc(made->storage_bytes);
	call->send = made->send + margin;
	call->receive = made->receive + margin;
	if (made->in_place && operation == COLL_SCATTER)
		call->receive = MPI_IN_PLACE;
	else if (made->in_place)
		call->send = MPI_IN_PLACE;
}

void case_release(struct case_call *made)
{
	if (made->send_shape != SHAPE_BASIC)
		PMPI_Type_free(&made->call.send_type);
	if (made->receive_shape != SHAPE_BASIC)
		PMPI_Type_free(&made->call.receive_type);
	free(made->counts);
	free(made->displacements);
	free(made->send);
	free(made->receive);
	free(made->spare);
}

/* Sums and products of few processes are exact in any order. */
static void fill_numbers(struct case_call *made, char *storage, struct case_random *random)
{
	size_t count = made->storage_bytes / (size_t)made->basic_bytes;

	for (size_t i = 0; i < count; i++) {
		int value = (int)case_next(random, 4) - 1;
		double number = value;
		if (made->basic == MPI_INT)
			memcpy(storage + i * sizeof value, &value, sizeof value);
		else
			memcpy(storage + i * sizeof number, &number, sizeof number);
	}
}

void case_fill(struct case_call *made, uint64_t seed, int rank)
{
	struct case_random random = {seed * 1000003u + (uint64_t)rank};

	if (is_reduction(made->call.operation)) {
		fill_numbers(made, made->send, &random);
		fill_numbers(made, made->receive, &random);
		return;
	}
	for (size_t i = 0; i + 4 <= made->storage_bytes; i += 4) {
		uint32_t values[] = {case_next(&random, UINT32_MAX), case_next(&random, UINT32_MAX)};
		memcpy(made->send + i, &values[0], 4);
		memcpy(made->receive + i, &values[1], 4);
	}
}

/* MPICH 4.0 ends with a fault if MPI_IN_PLACE comes from a root other than 0. */
static int reduce_by_library(const struct case_call *made, MPI_Comm comm)
{
	const struct coll_call *c = &made->call;
	const void *send = c->send;

	if (made->in_place) {
		memcpy(made->spare, made->receive, made->storage_bytes);
		send = made->spare + ((char *)c->receive - made->receive);
	}
	return PMPI_Reduce(send, c->receive, c->receive_count, c->receive_type, c->op, c->root, comm);
}

/* Open MPI 4.1 exchanges short blocks of 16 processes in a way that takes the senders' datatype for that of the receivers. */
static int alltoall_by_library(const struct case_call *made, MPI_Comm comm)
{
	const struct coll_call *c = &made->call;
	char *send = made->spare + ((char *)c->receive - made->receive);
	int size;

	if (made->in_place)
		return library_call(c, comm);
	PMPI_Comm_size(comm, &size);
	PMPI_Sendrecv(c->send, size * c->send_count, c->send_type, 0, 0, send, size * c->receive_count,
	              c->receive_type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
	return PMPI_Alltoall(send, c->receive_count, c->receive_type, c->receive, c->receive_count,
	                     c->receive_type, comm);
}

int case_by_library(const struct case_call *made, MPI_Comm comm)
{
	switch (made->call.operation) {
	case COLL_REDUCE:
		return reduce_by_library(made, comm);
	case COLL_ALLTOALL:
		return alltoall_by_library(made, comm);
	default:
		return library_call(&made->call, comm);
	}
}

/* The part of the reduced vector that a process gets. */
static void reduced_part(const struct case_call *made, int rank, int *first, int *count)
{
	const struct coll_call *c = &made->call;

	*first = c->operation == COLL_REDUCE_SCATTER_BLOCK ? rank * c->receive_count : 0;
	*count = c->operation == COLL_REDUCE && rank != c->root ? 0 : c->receive_count;
	if (c->operation == COLL_REDUCE_SCATTER) {
		for (int i = 0; i < rank; i++)
			*first += made->counts[i];
		*count = made->counts[rank];
	}
}

bool case_by_hand(struct case_call *made, uint64_t seed, int rank, int size)
{
	const struct coll_call *c = &made->call;
	size_t margin = SHAPE_REACH * (size_t)made->basic_bytes;
	char *sum = made->spare + margin;
	int first, count;

	if (!is_reduction(c->operation))
		return false;
	reduced_part(made, size - 1, &first, &count);
	int all = c->operation == COLL_REDUCE ? c->receive_count : first + count;
	for (int i = size - 1; i >= 0; i--) {
		case_fill(made, seed, i);
		char *operand = (made->root_in_place && may_be_in_place(made, i) ? made->receive
		                                                                 : made->send) +
		                margin;
		if (i == size - 1)
			memcpy(sum, operand, (size_t)all * (size_t)made->basic_bytes);
		else if (all > 0)
			PMPI_Reduce_local(operand, sum, all, c->receive_type, c->op);
	}
	case_fill(made, seed, rank);
	reduced_part(made, rank, &first, &count);
	memcpy(made->receive + margin, sum + (size_t)first * (size_t)made->basic_bytes,
	       (size_t)count * (size_t)made->basic_bytes);
	return true;
}

void case_describe(const struct case_call *made, char *text, size_t size)
{
	static const char *const shapes[] = {"basic", "contiguous", "vector", "swapped", "negative", "empty"};

	snprintf(text, size, "%s, %d blocks of %d bytes, %s to %s%s, root %d",
	         coll_operation_names[made->call.operation], made->blocks, 3 * made->basic_bytes,
	         shapes[made->send_shape], shapes[made->receive_shape], made->in_place ? ", in place" : "",
	         made->call.root);
}
