/* pair: check=deadlock.mismatch also=collective.root-mismatch ranks=3 at=0,1,2 */
#include "../pair.h"

enum { COUNT = 1 << 18 };

int main(int argc, char **argv)
{
	int root = 0, *own, *all;

	start(&argc, &argv);
	own = calloc(COUNT, sizeof *own);
	all = calloc((size_t)COUNT * (size_t)size, sizeof *all);
#ifdef WRONG
	root = rank;
#endif
	own[COUNT - 1] = rank;
	MPI_Gather(own, COUNT, MPI_INT, all, COUNT, MPI_INT, root,
	           MPI_COMM_WORLD); /* FOUND FOUND: collective.root-mismatch */
	expect(rank || all[3 * COUNT - 1] == 2);
	free(own);
	free(all);
	return finish();
}
