/* pair: check=collective.count-mismatch ranks=4 among=0,2 dies
 *
 * Counts differ between ranks, and agree with the root's count for each. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int mine[4], all[10] = {0}, counts[4] = {1, 2, 3, 4}, places[4] = {9, 7, 4, 0};

	start(&argc, &argv);
	return_errors();
	for (int i = 0; i < 4; i++)
		mine[i] = rank;
#ifdef WRONG
	counts[2] = 2;
#endif
	MPI_Gatherv(mine, rank + 1, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD); /* FOUND */
	expect(rank || counts[2] == 2 || (all[9] == 0 && all[6] == 2 && all[0] == 3));
	return finish();
}
