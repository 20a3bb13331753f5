/* pair: check=none ranks=2
 *
 * A request that the program completes itself. */
#include "../pair.h"

static int query(void *state, MPI_Status *status)
{
	(void)state;
	MPI_Status_set_elements(status, MPI_INT, 0);
	MPI_Status_set_cancelled(status, 0);
	status->MPI_SOURCE = MPI_UNDEFINED;
	status->MPI_TAG = MPI_UNDEFINED;
	return MPI_SUCCESS;
}

static int release(void *state)
{
	*(int *)state += 1;
	return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
	(void)state, (void)complete;
	return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
	int released = 0, value = 0;
	MPI_Request requests[2];

	start(&argc, &argv);
	MPI_Grequest_start(query, release, cancel, &released, &requests[0]);
	MPI_Irecv(&value, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[1]);
	MPI_Send(&rank, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD);
	MPI_Grequest_complete(requests[0]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	expect(released == 1 && value == !rank);
	return finish();
}
