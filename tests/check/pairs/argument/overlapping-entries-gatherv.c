/* pair: check=argument.overlapping-entries ranks=3 at=0
 *
 * The blocks lie in descending order, which is allowed. */
#include "../pair.h"

int main(int argc, char **argv)
{
	const int counts[] = {2, 2, 2};
	int all[6] = {0}, own[2], places[] = {4, 2, 0};

	start(&argc, &argv);
	own[0] = own[1] = rank;
#ifdef WRONG
	places[1] = 1;
#endif
	MPI_Gatherv(own, 2, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD); /* FOUND */
	expect(rank || (all[4] == 0 && all[0] == 2));
	return finish();
}
