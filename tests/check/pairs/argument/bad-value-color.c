/* pair: check=argument.bad-value ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Comm part = MPI_COMM_NULL;

	start(&argc, &argv);
	return_errors();
	/* The key may be anything. */
	MPI_Comm_split(MPI_COMM_WORLD, rank ? MPI_UNDEFINED : 1000000, -5, &part);
	expect(rank ? part == MPI_COMM_NULL : part != MPI_COMM_NULL);
	if (part != MPI_COMM_NULL)
		MPI_Comm_free(&part);
#ifdef WRONG
	MPI_Comm_split(MPI_COMM_WORLD, -77, 0, &part); /* FOUND */
	if (part != MPI_COMM_NULL)
		MPI_Comm_free(&part); /* some libraries take it */
#endif
	return finish();
}
