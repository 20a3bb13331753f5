/* pair: check=none ranks=4 */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Group world, even, odd, both, none, turned;
	MPI_Comm comm;
	int ranks[4] = {3, 2, 1, 0}, seen[4], result;

	start(&argc, &argv);
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_range_incl(world, 1, (int[1][3]){{0, 3, 2}}, &even);
	MPI_Group_difference(world, even, &odd);
	MPI_Group_union(odd, even, &both);
	MPI_Group_intersection(odd, even, &none);
	MPI_Group_incl(world, 4, ranks, &turned);
	MPI_Group_compare(both, world, &result);
	expect(result == MPI_SIMILAR);
	MPI_Group_translate_ranks(turned, 4, ranks, world, seen);
	expect(seen[0] == 0 && none == MPI_GROUP_EMPTY);
	MPI_Comm_create(MPI_COMM_WORLD, rank % 2 ? odd : even, &comm);
	expect(comm != MPI_COMM_NULL);
	MPI_Barrier(comm);
	MPI_Comm_free(&comm);
	MPI_Comm_create(MPI_COMM_WORLD, none, &comm);
	expect(comm == MPI_COMM_NULL);
	MPI_Group_free(&turned);
	MPI_Group_free(&none);
	MPI_Group_free(&both);
	MPI_Group_free(&odd);
	MPI_Group_free(&even);
	MPI_Group_free(&world);
	return finish();
}
