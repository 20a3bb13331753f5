/* tarry-test: ranks=2 mpi=mpich
 *
 * Partitioned point-to-point (MPI 4): 4 partitions of 3 integers, made ready one by one, in a range and
 * by list. */
#include "checksum.h"

#include <mpi.h>

enum { PARTITIONS = 4, COUNT = 3 };

static int data[PARTITIONS * COUNT];

static void send_parts(void)
{
	int list[] = {3};
	MPI_Request request;

	for (int i = 0; i < PARTITIONS * COUNT; i++)
		data[i] = 100 + i;
	MPI_Psend_init(data, PARTITIONS, COUNT, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	/* @0 comm=$world peer=1 tag=9 sent=48 partitions=4 request=0 persistent=1 */
	MPI_Start(&request);
	/* @0 request=0 */
	MPI_Pready(0, request);
	/* @0 request=0 partition=0 */
	MPI_Pready_range(1, 2, request);
	/* @0 request=0 partition=1 partitions=2 */
	MPI_Pready_list(1, list, request);
	/* @0 request=0 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* @0 done=0 */
	MPI_Request_free(&request);
	/* @0 request=0 */
}

static void receive_parts(void)
{
	MPI_Request request;
	int flag = 0;

	MPI_Precv_init(data, PARTITIONS, COUNT, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	/* @1 comm=$world peer=0 tag=9 room=48 partitions=4 request=0 persistent=1 */
	MPI_Start(&request);
	/* @1 request=0 */
	while (!flag)
		MPI_Parrived(request, 2, &flag);
	/* @1 polls request=0 partition=2
		 * @1 request=0 partition=2 flag=1 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* @1 done=0 */
	MPI_Request_free(&request);
	/* @1 request=0 */
}

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		send_parts();
	else
		receive_parts();
	checksum_add(data, sizeof(data));
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
