/* pair: check=message.type-mismatch ranks=8 at=0,1,2,3,4,5,6,7
 *
 * All ranks make the same mistake: one finding. */
#include "../pair.h"

int main(int argc, char **argv)
{
	long long out[2] = {1, 2}, in[2] = {0};
	MPI_Request requests[2];
	MPI_Datatype two;

	start(&argc, &argv);
	MPI_Type_contiguous(2, MPI_LONG_LONG, &two);
	MPI_Type_commit(&two);
#ifdef WRONG
	MPI_Irecv(in, 2, MPI_DOUBLE, (rank + 7) % 8, 0, MPI_COMM_WORLD, &requests[0]); /* FOUND */
#else
	MPI_Irecv(in, 2, MPI_LONG_LONG, (rank + 7) % 8, 0, MPI_COMM_WORLD, &requests[0]);
#endif
	MPI_Isend(out, 1, two, (rank + 1) % 8, 0, MPI_COMM_WORLD, &requests[1]); /* FOUND */
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_Type_free(&two);
	expect(in[1] == 2);
	return finish();
}
