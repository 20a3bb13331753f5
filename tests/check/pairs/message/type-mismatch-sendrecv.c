/* pair: check=message.type-mismatch ranks=2 at=0,1
 *
 * The pairs that MPI_MAXLOC works on have the types that a struct of them has. */
#include "../pair.h"

int main(int argc, char **argv)
{
	struct {
		double value;
		int where;
	} mine = {1.5, 0}, other = {0, 0};
	int two[2] = {3, 4}, got[2] = {0};
	MPI_Datatype record;

	start(&argc, &argv);
	mine.where = rank;
	MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_DOUBLE, MPI_INT},
	                       &record);
	MPI_Type_commit(&record);
	MPI_Sendrecv(&mine, 1, MPI_DOUBLE_INT, !rank, 0, &other, 1, record, !rank, 0, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
	expect(other.where == !rank);
	MPI_Sendrecv(two, 1, MPI_2INT, !rank, 0, got, 2, MPI_INT, !rank, 0, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
	expect(got[1] == 4);
#ifdef WRONG
	MPI_Sendrecv(two, 1, MPI_2INT, !rank, 0, &other, 1, MPI_DOUBLE, !rank, 0, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE); /* FOUND */
#endif
	MPI_Type_free(&record);
	return finish();
}
