/* pair: check=memory.overlap ranks=2 at=0,1
 *
 * One of hundreds of receives is in the way. */
#include "../pair.h"

int main(int argc, char **argv)
{
	enum { MANY = 300 };
	static int data[2 * MANY], value = 4;
	static MPI_Request requests[MANY + 1];

	start(&argc, &argv);
	for (int i = 0; i < MANY; i++)
		MPI_Irecv(&data[2 * (i * 7 % MANY)], 1, MPI_INT, !rank, 0, MPI_COMM_WORLD,
		          &requests[i]); /* PARTNER */
#ifdef WRONG
	MPI_Irecv(&data[2 * 211], 1, MPI_INT, !rank, 1, MPI_COMM_WORLD, &requests[MANY]); /* FOUND */
#else
	MPI_Irecv(&data[2 * 211 + 1], 1, MPI_INT, !rank, 1, MPI_COMM_WORLD, &requests[MANY]);
#endif
	for (int i = 0; i < MANY; i++)
		MPI_Send(&value, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD);
	MPI_Send(&value, 1, MPI_INT, !rank, 1, MPI_COMM_WORLD);
	MPI_Waitall(MANY + 1, requests, MPI_STATUSES_IGNORE);
	expect(data[2 * 211] == 4);
	return finish();
}
