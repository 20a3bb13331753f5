/* tarry-test: ranks=2 mpi=mpich
 *
 * Persistent collectives (MPI 4): prepared once, started twice. */
#include "checksum.h"

#include <mpi.h>

enum { CALLS = 6 };

static int out[32], in[CALLS][32];

int main(int argc, char **argv)
{
	MPI_Request request[CALLS];
	int rank;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 32; i++)
		out[i] = i + 1;
	MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
	/* @* comm=$world request=0 persistent=1 */
	MPI_Bcast_init(in[1], 4, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
	/* @0 root=1 request=1 persistent=1
	 * @1 root=1 sent=16 request=1 persistent=1 */
	MPI_Allreduce_init(out, in[2], 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request[2]);
	/* @* op=3 sent=8 request=2 persistent=1 */
	MPI_Alltoall_init(out, 3, MPI_INT, in[3], 3, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request[3]);
	/* @* sent=24 request=3 persistent=1 */
	MPI_Reduce_init(out, in[4], 5, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request[4]);
	/* @* root=0 op=1 sent=20 request=4 persistent=1 */
	MPI_Allgather_init(out, 1, MPI_INT, in[5], 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request[5]);
	/* @* sent=4 request=5 persistent=1 */
	for (int i = 0; i < 2; i++) {
		MPI_Startall(CALLS, request);
		/* @* x2 count=6 request=0,1,2,3,4,5 */
		MPI_Waitall(CALLS, request, MPI_STATUSES_IGNORE);
		/* @* x2 count=6 done=0 done=1 done=2 done=3 done=4 done=5 */
		checksum_add(in, sizeof(in));
	}
	for (int i = 0; i < CALLS; i++)
		MPI_Request_free(&request[i]);
	/* @* x6 request=0..5 */
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
