/* pair: check=argument.negative-count ranks=2 at=0,1
 *
 * Strides and displacements may be negative, counts and block lengths may not. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, reversed[4] = {0};
	MPI_Datatype backwards, none, before;

	start(&argc, &argv);
	return_errors();
	MPI_Type_vector(4, 1, -2, MPI_INT, &backwards);
	MPI_Type_commit(&backwards);
	MPI_Sendrecv(values + 6, 1, backwards, !rank, 0, reversed, 4, MPI_INT, !rank, 0, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
	expect(reversed[0] == 7 && reversed[3] == 1);
	MPI_Type_create_hindexed(2, (int[]){1, 0}, (MPI_Aint[]){-4, -400}, MPI_INT, &before);
	MPI_Type_commit(&before);
	MPI_Sendrecv(values + 1, 1, before, !rank, 0, reversed, 4, MPI_INT, !rank, 0, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
	expect(reversed[0] == 1 && reversed[1] == 5);
	MPI_Type_contiguous(0, MPI_INT, &none);
	MPI_Type_free(&none);
	MPI_Type_free(&before);
	MPI_Type_free(&backwards);
#ifdef WRONG
	MPI_Type_vector(2, -1, 3, MPI_INT, &backwards); /* FOUND */
#endif
	return finish();
}
