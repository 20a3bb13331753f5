/* pair: check=request.overwritten ranks=2 at=0,1 */
#include "../pair.h"

static MPI_Request exchange(int *value)
{
	MPI_Request request;

	MPI_Ibcast(value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
	return request;
}

int main(int argc, char **argv)
{
	int first, second, sum = 0;
	MPI_Request request, other;

	start(&argc, &argv);
	first = second = rank + 5;
	/* Both from one variable, which is gone by now. */
	request = exchange(&first);
	other = exchange(&second);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Wait(&other, MPI_STATUS_IGNORE);
	expect(first == 5 && second == 5);
#ifdef WRONG
	MPI_Ibarrier(MPI_COMM_WORLD, &request); /* PARTNER */
#endif
	MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request); /* FOUND */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
	expect(sum == 1);
	return finish();
}
