/* pair: check=none ranks=4
 *
 * Two groups divide the results of each other, each in its own way; and all divide one in place, some of them into nothing. */
#include "../pair.h"

/* A group of one and a group of three: the same result, in one block or in three. */
static void divide_evenly(void)
{
	const int is_alone = rank == 0;
	int values[3] = {rank, rank, rank}, part[3] = {0};
	MPI_Comm group, across;

	MPI_Comm_split(MPI_COMM_WORLD, is_alone, 0, &group);
	MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, is_alone, 3, &across);
	MPI_Reduce_scatter_block(values, part, is_alone ? 3 : 1, MPI_INT, MPI_SUM, across);
	expect(!is_alone || (part[0] == 6 && part[2] == 6));
	MPI_Comm_free(&across);
	MPI_Comm_free(&group);
}

int main(int argc, char **argv)
{
	int values[4] = {1, 2, 3, 4}, part[4] = {0}, left;
	int counts[2], unequal[4] = {0, 3, 0, 1};
	MPI_Comm group, across;

	start(&argc, &argv);
	left = rank < 2;
	counts[0] = left ? 1 : 2;
	counts[1] = left ? 3 : 2;
	MPI_Comm_split(MPI_COMM_WORLD, left, 0, &group);
	MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, left ? 2 : 0, 3, &across);
	MPI_Reduce_scatter(values, part, counts, MPI_INT, MPI_SUM, across);
	expect(rank != 1 || part[2] == 8);
	MPI_Reduce_scatter(MPI_IN_PLACE, values, unequal, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	expect(rank != 3 || values[0] == 16);
	MPI_Comm_free(&across);
	MPI_Comm_free(&group);
	divide_evenly();
	return finish();
}
