#include "bench/run/communicators.h"

#include "base/text.h"
#include "bench/run/agreement.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The colour of a process, or MPI_UNDEFINED. */
static enum status color_in_list(const char *list, int rank, int *color)
{
	struct text word = {0};
	const char *at = list;
	int64_t number = 0;
	enum status status = OK;

	for (int i = 0; i < rank; i++) {
		at += strcspn(at, ",");
		at = *at ? at + 1 : list;
	}
	text_add_bytes(&word, at, strcspn(at, ","));
	if (strcmp(text_get(&word), "-") == 0)
		number = MPI_UNDEFINED;
	else if (parse_integer(text_get(&word), &number) != OK || number < 0 || number > INT_MAX)
		status = fail("'%s' is not a colour: take a number of at least 0, or '-' for none",
		              text_get(&word));
	*color = (int)number;
	text_release(&word);
	return status;
}

static bool is_split(const char *words)
{
	return text_begins(words, "split:");
}

static enum status check_split(const char *words)
{
	const char *list = words + strlen("split:");
	int color, count = 1;

	for (const char *at = list; *at; at++)
		count += *at == ',';
	for (int i = 0; i < count; i++)
		TRY_BECAUSE(color_in_list(list, i, &color), "communicator '%s'", words);
	TRY(color_in_list(list, 0, &color));
	if (color == MPI_UNDEFINED)
		return fail(
			"communicator '%s' has no colour for process 0: give it one, because it keeps the results",
			words);
	return OK;
}

enum status communicator_check(const char *words)
{
	static const char *const known[] = {"world", "halves", "node"};

	if (!words)
		return OK;
	if (is_split(words))
		return check_split(words);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(words, known[i]) == 0)
			return OK;
	return fail("unknown communicator '%s': take world, halves, node, or a colour for each rank as in "
	            "split:0,0,1,1",
	            words);
}

/* The key of a group of processes. */
static enum status find_color(const char *words, int rank, int size, int *color)
{
	*color = 0;
	if (!words)
		return OK;
	if (is_split(words))
		return color_in_list(words + strlen("split:"), rank, color);
	if (strcmp(words, "halves") == 0)
		*color = rank >= (size + 1) / 2;
	return OK;
}

/* MPI requires that all groups are created; only that of process 0 is kept. */
static void keep_first_part(MPI_Comm *part)
{
	int rank, world_rank, is_first;

	if (*part == MPI_COMM_NULL)
		return;
	MPI_Comm_rank(*part, &rank);
	MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
	is_first = world_rank == 0;
	MPI_Bcast(&is_first, 1, MPI_INT, 0, *part);
	if (!is_first)
		MPI_Comm_free(part);
}

enum status communicator_part(const char *words, MPI_Comm *part)
{
	int rank, size, color;

	TRY(communicator_check(words));
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	TRY(find_color(words, rank, size, &color));
	if (words && strcmp(words, "node") == 0)
		TRY(mpi_status(
			MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, part),
			"MPI_Comm_split_type"));
	else
		TRY(mpi_status(MPI_Comm_split(MPI_COMM_WORLD, color, rank, part), "MPI_Comm_split"));
	keep_first_part(part);
	return OK;
}

enum status communicator_first(MPI_Comm part, int ranks, MPI_Comm *first)
{
	int rank;

	MPI_Comm_rank(part, &rank);
	return mpi_status(MPI_Comm_split(part, rank < ranks ? 0 : MPI_UNDEFINED, rank, first),
	                  "MPI_Comm_split");
}

/* The place of this process among the nodes with enough processes; `node` -1: its node has too few. */
struct node_place {
	int node, rank;
};

static enum status find_place(MPI_Comm part, int per_node, struct node_place *place)
{
	MPI_Comm node, leaders;
	int rank, size;

	MPI_Comm_rank(part, &rank);
	TRY(mpi_status(MPI_Comm_split_type(part, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node),
	               "MPI_Comm_split_type"));
	MPI_Comm_rank(node, &place->rank);
	MPI_Comm_size(node, &size);
	TRY(mpi_status(MPI_Comm_split(part, place->rank == 0 && size >= per_node ? 0 : MPI_UNDEFINED, rank,
	                              &leaders),
	               "MPI_Comm_split"));
	place->node = -1;
	if (leaders != MPI_COMM_NULL) {
		MPI_Comm_rank(leaders, &place->node);
		MPI_Comm_free(&leaders);
	}
	MPI_Bcast(&place->node, 1, MPI_INT, 0, node);
	MPI_Comm_free(&node);
	return OK;
}

enum status communicator_layout(MPI_Comm part, const struct rank_layout *layout, MPI_Comm *comm)
{
	struct node_place place;
	int rank, members = 0, is_member, has_first;

	TRY(find_place(part, layout->per_node, &place));
	MPI_Comm_rank(part, &rank);
	is_member = place.node >= 0 && place.node < layout->nodes && place.rank < layout->per_node;
	has_first = is_member;
	MPI_Bcast(&has_first, 1, MPI_INT, 0, part);
	MPI_Allreduce(&is_member, &members, 1, MPI_INT, MPI_SUM, part);
	/* Process 0 keeps the results. */
	if (!has_first || members != layout->nodes * layout->per_node)
		return fail(
			"layout '%s': the job has not %d nodes with %d processes each, that of process 0 included: "
			"start it on more nodes, or leave the layout out",
			layout->words, layout->nodes, layout->per_node);
	return mpi_status(MPI_Comm_split(part, is_member ? 0 : MPI_UNDEFINED, rank, comm), "MPI_Comm_split");
}

void communicator_free(MPI_Comm *comm)
{
	if (*comm != MPI_COMM_NULL)
		MPI_Comm_free(comm);
}
