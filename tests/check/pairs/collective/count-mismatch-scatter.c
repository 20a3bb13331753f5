/* pair: check=collective.count-mismatch ranks=3 among=0,2 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[6] = {1, 2, 3, 4, 5, 6}, mine[4] = {0}, room = 2;

	start(&argc, &argv);
	return_errors();
#ifdef WRONG
	if (rank == 2)
		room = 3;
#endif
	MPI_Scatter(values, 2, MPI_INT, mine, room, MPI_INT, 0, MPI_COMM_WORLD); /* FOUND */
	expect(mine[1] == 2 * rank + 2);
	return finish();
}
