/* Requirements of single functions, beyond those of their parameters' kinds: topologies, groups, layouts of datatypes. */
#include "calls/calls.h"
#include "job/check/arguments/argument_check.h"
#include "job/check/objects/finding_draft.h"

#include <stdio.h>
#include <stdlib.h>

static void values_of_int(struct argument_check *check, int parameter, int64_t low, int64_t high)
{
	const int64_t value = check->values[parameter];

	if (UNLIKELY(value < low || value > high))
		report_bad_value(check, parameter, value);
}

/* Checks that all elements are from `low` to `high`; reports the first one outside. */
static bool elements_within(struct argument_check *check, int parameter, int64_t count, int64_t low,
                            int64_t high)
{
	if (!check->values[parameter])
		return count <= 0;
	for (int64_t i = 0; i < count; i++) {
		const int64_t value = element_of(check, parameter, i);

		if (UNLIKELY(value < low || value > high)) {
			report_bad_element(check, parameter, i, value);
			return false;
		}
	}
	return true;
}

static bool ranks_within(struct argument_check *check, int parameter, int64_t count, int64_t size,
                         const struct checked_object *object, bool may_be_nobody)
{
	if (!check->values[parameter])
		return count <= 0;
	for (int64_t i = 0; i < count; i++) {
		const int64_t rank = element_of(check, parameter, i);

		if (UNLIKELY(rank < 0 || rank >= size) && !(may_be_nobody && rank == MPI_PROC_NULL)) {
			report_rank_element(check, parameter, i, rank, size, object);
			return false;
		}
	}
	return true;
}

/* "4 x 3" */
static const char *dimensions_text(const struct argument_check *check, int64_t ndims, char text[VALUE_TEXT])
{
	size_t used = 0;

	for (int64_t i = 0; i < ndims && used < VALUE_TEXT; i++)
		used += (size_t)snprintf(text + used, VALUE_TEXT - used, "%s%lld", i ? " x " : "",
		                         (long long)element_of(check, 2, i));
	return text;
}

/* (comm ndims dims …): a grid must not need more processes than there are. */
static void check_grid(struct argument_check *check)
{
	const int64_t ndims = check->values[1];
	int64_t product = 1;

	if (ndims < 0) {
		report_negative(check, 1, ndims);
		return;
	}
	if (!elements_within(check, 2, ndims, 0, INT32_MAX) || !check->comm || !check->values[2])
		return;
	for (int64_t i = 0; i < ndims && product <= INT32_MAX; i++)
		product *= element_of(check, 2, i);
	if (product > check->comm->size) {
		char text[VALUE_TEXT];
		report_bad_word(check, 2, dimensions_text(check, ndims, text));
	}
}

/* (nnodes ndims dims): the product of the given dimensions must divide the number of processes. */
static void check_dims_create(struct argument_check *check)
{
	const int64_t nodes = check->values[0], ndims = check->values[1];
	int64_t product = 1;

	if (ndims < 0)
		report_negative(check, 1, ndims);
	if (nodes < 0)
		report_negative(check, 0, nodes);
	if (ndims < 0 || nodes <= 0 || !elements_within(check, 2, ndims, 0, INT32_MAX) || !check->values[2])
		return;
	for (int64_t i = 0; i < ndims && product <= nodes; i++)
		if (element_of(check, 2, i) > 0)
			product *= element_of(check, 2, i);
	if (nodes % product != 0)
		report_bad_value(check, 0, nodes);
}

/* (comm coords rank): in dimensions that are not periodic, coordinates must be inside. */
static void check_coordinates(struct argument_check *check)
{
	enum { DIMENSIONS = 16 };
	int dims[DIMENSIONS], periods[DIMENSIONS], coords[DIMENSIONS];
	MPI_Comm comm = (MPI_Comm)(uintptr_t)check->values[0];

	if (!check->comm || check->comm->topology != TOPOLOGY_CART || check->comm->dimensions > DIMENSIONS ||
	    !check->values[1] ||
	    PMPI_Cart_get(comm, check->comm->dimensions, dims, periods, coords) != MPI_SUCCESS)
		return;
	for (int i = 0; i < check->comm->dimensions; i++) {
		const int64_t at = element_of(check, 1, i);

		if (!periods[i] && (at < 0 || at >= dims[i])) {
			report_bad_element(check, 1, i, at);
			return;
		}
	}
}

/* (comm nnodes index edges …) */
static void check_graph(struct argument_check *check)
{
	const int64_t nodes = check->values[1];
	int64_t reached = 0;

	if (nodes < 0)
		report_negative(check, 1, nodes);
	else if (check->comm && nodes > check->comm->size)
		report_bad_value(check, 1, nodes);
	else if (nodes == 0 || !check->values[2])
		return;
	if (check->call->problems)
		return;
	for (int64_t i = 0; i < nodes; i++) {
		const int64_t end = element_of(check, 2, i);

		if (end < reached) {
			report_bad_element(check, 2, i, end);
			return;
		}
		reached = end;
	}
	elements_within(check, 3, reached, 0, nodes - 1);
}

static bool has_weights(const struct argument_check *check, int parameter)
{
	const void *weights = (const void *)(uintptr_t)check->values[parameter];

#if !defined(TARRY_FAKE_MPI)
	if (weights == (const void *)MPI_UNWEIGHTED || weights == (const void *)MPI_WEIGHTS_EMPTY)
		return false;
#endif
	return weights != NULL;
}

/* Neighbours in a distributed graph must be ranks, and weights must not be negative. */
static void check_neighbours(struct argument_check *check, int count, int ranks, int weights)
{
	const int64_t degree = check->values[count];

	if (degree < 0) {
		report_negative(check, count, degree);
		return;
	}
	if (check->comm && ranks_within(check, ranks, degree, check->comm->size, check->comm_object, false) &&
	    has_weights(check, weights))
		elements_within(check, weights, degree, 0, INT32_MAX);
}

/* (comm n sources degrees destinations weights …) */
static void check_dist_graph(struct argument_check *check)
{
	const int64_t nodes = check->values[1];
	int64_t edges = 0;

	if (nodes < 0) {
		report_negative(check, 1, nodes);
		return;
	}
	if (!check->comm || !ranks_within(check, 2, nodes, check->comm->size, check->comm_object, false) ||
	    !elements_within(check, 3, nodes, 0, INT32_MAX))
		return;
	for (int64_t i = 0; i < nodes; i++)
		edges += element_of(check, 3, i);
	if (ranks_within(check, 4, edges, check->comm->size, check->comm_object, false) &&
	    has_weights(check, 5))
		elements_within(check, 5, edges, 0, INT32_MAX);
}

/* Ranks must be different ranks of the group. */
static void check_ranks_of_group(struct argument_check *check)
{
	struct checked_object *group = object_find(OBJECT_GROUP, (uint64_t)check->values[0]);
	const int64_t members = group ? members_get(group) : -1, count = check->values[1];

	if (count < 0) {
		report_negative(check, 1, count);
		return;
	}
	if (members < 0 || !ranks_within(check, 2, count, members, group, false) || !check->values[2])
		return;
	uint8_t *seen = calloc((size_t)members + 1, 1);
	for (int64_t i = 0; seen && i < count; i++)
		if (seen[element_of(check, 2, i)]++) {
			report_bad_element(check, 2, i, element_of(check, 2, i));
			break;
		}
	free(seen);
}

/* (group1 n ranks1 group2 ranks2) */
static void check_translated_ranks(struct argument_check *check)
{
	struct checked_object *group = object_find(OBJECT_GROUP, (uint64_t)check->values[0]);
	const int64_t members = group ? members_get(group) : -1;

	if (check->values[1] < 0)
		report_negative(check, 1, check->values[1]);
	else if (members >= 0)
		ranks_within(check, 2, check->values[1], members, group, true);
}

static void check_ranges_of_group(struct argument_check *check)
{
	struct checked_object *group = object_find(OBJECT_GROUP, (uint64_t)check->values[0]);
	const int64_t members = group ? members_get(group) : -1;
	const int(*ranges)[3] = (const int(*)[3])(uintptr_t)check->values[2];

	if (check->values[1] < 0)
		report_negative(check, 1, check->values[1]);
	for (int64_t i = 0; ranges && members >= 0 && i < check->values[1]; i++) {
		const int first = ranges[i][0], last = ranges[i][1], stride = ranges[i][2];
		const int64_t end = stride ? first + (int64_t)((last - first) / stride) * stride : first;

		if (stride == 0 || (stride > 0 && first > last) || (stride < 0 && first < last)) {
			report_bad_element(check, 2, i, stride);
			return;
		}
		if (first < 0 || first >= members || end < 0 || end >= members) {
			report_rank_element(check, 2, i, first < 0 || first >= members ? first : end, members,
			                    group);
			return;
		}
	}
}

/* (ndims sizes subsizes starts order oldtype newtype) */
static void check_subarray(struct argument_check *check)
{
	const int64_t ndims = check->values[0];

	if (ndims < 0)
		report_negative(check, 0, ndims);
	if (ndims <= 0 || !check->values[1] || !check->values[2] || !check->values[3] ||
	    !elements_within(check, 1, ndims, 1, INT64_MAX))
		return;
	for (int64_t i = 0; i < ndims; i++) {
		const int64_t size = element_of(check, 1, i), part = element_of(check, 2, i),
			      start = element_of(check, 3, i);

		if (part < 1 || part > size) {
			report_bad_element(check, 2, i, part);
			return;
		}
		if (start < 0 || start > size - part) {
			report_bad_element(check, 3, i, start);
			return;
		}
	}
#if !defined(TARRY_FAKE_MPI)
	if (check->values[4] != MPI_ORDER_C && check->values[4] != MPI_ORDER_FORTRAN)
		report_bad_value(check, 4, check->values[4]);
#endif
}

/* (count blocklengths …) */
static void check_block_lengths(struct argument_check *check)
{
	if (!check->values[1])
		return;
	for (int64_t i = 0; i < check->values[0]; i++) {
		const int64_t length = element_of(check, 1, i);

		if (UNLIKELY(length < 0)) {
			report_negative_element(check, 1, i, length);
			return;
		}
	}
}

static void check_types_of_struct(struct argument_check *check)
{
	check_block_lengths(check);
	if (!check->values[3] || !check->values[1])
		return;
	for (int64_t i = 0; i < check->values[0]; i++)
		type_check(check, 3,
		           handle_at(OBJECT_TYPE, (const void *)(uintptr_t)check->values[3], (size_t)i,
		                     check->call->fortran));
}

static void check_thread_level(struct argument_check *check)
{
	const int64_t level = check->values[2];

	if (level != MPI_THREAD_SINGLE && level != MPI_THREAD_FUNNELED && level != MPI_THREAD_SERIALIZED &&
	    level != MPI_THREAD_MULTIPLE)
		report_bad_value(check, 2, level);
}

static void check_whence(struct argument_check *check)
{
#if !defined(TARRY_FAKE_MPI)
	const int64_t whence = check->values[2];

	if (whence != MPI_SEEK_SET && whence != MPI_SEEK_CUR && whence != MPI_SEEK_END)
		report_bad_value(check, 2, whence);
#else
	(void)check;
#endif
}

static void check_size(struct argument_check *check)
{
	if (UNLIKELY(check->values[0] < 0))
		report_negative(check, 0, check->values[0]);
}

static void check_rank(struct argument_check *check)
{
	const int64_t rank = check->values[1];

	if (check->comm && UNLIKELY(rank < 0 || rank >= check->comm->size))
		report_rank(check, 1, rank, check->comm->size, check->comm_object);
}

static void check_rank_and_count(struct argument_check *check)
{
	if (UNLIKELY(check->values[2] < 0))
		report_negative(check, 2, check->values[2]);
	check_rank(check);
}

static void check_direction(struct argument_check *check)
{
	if (check->comm && check->comm->topology == TOPOLOGY_CART)
		values_of_int(check, 1, 0, check->comm->dimensions - 1);
}

static void check_both_neighbours(struct argument_check *check)
{
	check_neighbours(check, 1, 2, 3);
	check_neighbours(check, 4, 5, 6);
}

void values_check(struct argument_check *check)
{
	static void (*const checks[ARGUMENTS_VALUES])(struct argument_check * check) = {
		[ARGUMENTS_GRID] = check_grid,
		[ARGUMENTS_COORDINATES] = check_coordinates,
		[ARGUMENTS_DIMS] = check_dims_create,
		[ARGUMENTS_GRAPH] = check_graph,
		[ARGUMENTS_EDGES] = check_dist_graph,
		[ARGUMENTS_NEIGHBOURS] = check_both_neighbours,
		[ARGUMENTS_RANK] = check_rank,
		[ARGUMENTS_LOCAL_LEADER] = check_rank,
		[ARGUMENTS_RANK_AND_COUNT] = check_rank_and_count,
		[ARGUMENTS_DIRECTION] = check_direction,
		[ARGUMENTS_SUBARRAY] = check_subarray,
		[ARGUMENTS_PART_TYPES] = check_types_of_struct,
		[ARGUMENTS_BLOCK_LENGTHS] = check_block_lengths,
		[ARGUMENTS_GROUP_RANKS] = check_ranks_of_group,
		[ARGUMENTS_GROUP_RANGES] = check_ranges_of_group,
		[ARGUMENTS_TRANSLATED_RANKS] = check_translated_ranks,
		[ARGUMENTS_THREAD_LEVEL] = check_thread_level,
		[ARGUMENTS_SIZE] = check_size,
		[ARGUMENTS_WHENCE] = check_whence,
	};

	checks[all_calls[check->call->id].arguments](check);
}

/* A word that mpi.checks has a text for. */
static const char *kind_word(const struct comm_shape *comm, enum comm_need need)
{
	static const char *const topologies[] = {
		"communicator without a topology", "communicator with a Cartesian topology",
		"communicator with a graph topology", "communicator with a distributed graph topology"};

	if (comm->inter)
		return "intercommunicator";
	return need == NEEDS_INTER ? "intracommunicator" : topologies[comm->topology];
}

static bool fits(const struct comm_shape *comm, enum comm_need need)
{
	switch (need) {
	case NEEDS_INTER:
		return comm->inter;
	case NEEDS_INTRA:
		return !comm->inter;
	case NEEDS_TOPOLOGY:
		return comm->topology != TOPOLOGY_NONE;
	case NEEDS_CART:
		return comm->topology == TOPOLOGY_CART;
	case NEEDS_GRAPH:
		return comm->topology == TOPOLOGY_GRAPH;
	case NEEDS_DIST_GRAPH:
		return comm->topology == TOPOLOGY_DIST_GRAPH;
	default:
		return true;
	}
}

void comm_kind_check(struct argument_check *check)
{
	static const char *const needs[] = {
		[NEEDS_INTRA] = "intracommunicator",
		[NEEDS_INTER] = "intercommunicator",
		[NEEDS_TOPOLOGY] = "communicator with a topology",
		[NEEDS_CART] = "communicator with a Cartesian topology",
		[NEEDS_GRAPH] = "communicator with a graph topology",
		[NEEDS_DIST_GRAPH] = "communicator with a distributed graph topology"};
	const enum comm_need need = all_calls[check->call->id].needs;

	if (!check->comm || LIKELY(fits(check->comm, need)))
		return;
	struct finding_draft draft = argument_draft(check, CHECK_ARGUMENT_COMMUNICATOR_KIND,
	                                            check->shape->comm);
	finding_draft_value(&draft, "kind", "%s", kind_word(check->comm, need));
	finding_draft_value(&draft, "needed", "%s", needs[need]);
	finding_report(&draft);
}
