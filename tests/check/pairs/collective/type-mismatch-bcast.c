/* pair: check=collective.type-mismatch ranks=2 at=0,1
 *
 * Layouts may differ from rank to rank as long as the basic types are the same. */
#include "../pair.h"

int main(int argc, char **argv)
{
	float values[8] = {1, 2, 3, 4};
	int numbers[4];
	MPI_Datatype spread;

	start(&argc, &argv);
	MPI_Type_vector(4, 1, 2, MPI_FLOAT, &spread);
	MPI_Type_commit(&spread);
	if (rank == 0)
		MPI_Bcast(values, 4, MPI_FLOAT, 0, MPI_COMM_WORLD); /* FOUND */
#ifdef WRONG
	else
		MPI_Bcast(numbers, 4, MPI_INT, 0, MPI_COMM_WORLD); /* FOUND */
#else
	else
		MPI_Bcast(values, 1, spread, 0, MPI_COMM_WORLD);
	expect(rank == 0 || values[6] == 4);
#endif
	(void)numbers;
	MPI_Type_free(&spread);
	return finish();
}
