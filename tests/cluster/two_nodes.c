/* tarry-test: ranks=4
 *
 * Two ranks on each of two nodes: messages within a node and across the network, collectives over all, and
 * a communicator for each node. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	int rank, next, before, token = 7, in = 0, sum = 0;
	MPI_Comm near;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	/* @* comm=$world */
	next = (rank + 1) % 4;
	before = (rank + 3) % 4;
	MPI_Sendrecv(&token, 1, MPI_INT, next, 3, &in, 1, MPI_INT, before, 3, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
	/* @0 comm=$world peer=1 recv_peer=3 sent=4 received=4
	 * @1 comm=$world peer=2 recv_peer=0 sent=4 received=4
	 * @2 comm=$world peer=3 recv_peer=1 sent=4 received=4
	 * @3 comm=$world peer=0 recv_peer=2 sent=4 received=4 */
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
	/* @0,1 comm=$world newcomm=$first_node
	 * @2,3 comm=$world newcomm=$second_node */
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, near);
	/* @0,1 comm=$first_node
	 * @2,3 comm=$second_node */
	printf("rank %d: %d\n", rank, sum);
	MPI_Comm_free(&near);
	/* @* comm=* */
	MPI_Barrier(MPI_COMM_WORLD);
	/* @* comm=$world */
	MPI_Finalize();
	/* @*
	 * @comm $first_node size=2 members=0,1
	 * @comm $second_node size=2 members=2,3 */
	return 0;
}
