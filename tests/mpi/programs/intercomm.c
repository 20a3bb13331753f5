/* tarry-test: ranks=3
 *
 * An intercommunicator between rank 0 and ranks 1 and 2: ranks in its calls are of the remote group,
 * MPI_ROOT and MPI_PROC_NULL are roots. Then merged to one, the lower ranks last. */
#include "checksum.h"

#include <mpi.h>

static void talk(MPI_Comm inter, int world_rank)
{
	int value = world_rank + 50, sum = 0;

	if (world_rank == 0) {
		MPI_Send(&value, 1, MPI_INT, 1, 3, inter);
		/* @0 comm=$inter peer=1 tag=3 sent=4 */
		MPI_Bcast(&value, 1, MPI_INT, MPI_ROOT, inter);
		/* @0 comm=$inter root=root sent=4 */
	} else {
		if (world_rank == 2)
			MPI_Recv(&sum, 1, MPI_INT, MPI_ANY_SOURCE, 3, inter, MPI_STATUS_IGNORE);
		/* @2 comm=$inter peer=any tag=3 source=0 received=4 */
		MPI_Bcast(&value, 1, MPI_INT, 0, inter);
		/* @1,2 comm=$inter root=0 received=4 */
	}
	MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, inter);
	/* @* comm=$inter op=3 sent=4 */
	checksum_add(&sum, sizeof(sum));
	if (world_rank > 0)
		MPI_Bcast(&value, 1, MPI_INT, world_rank == 1 ? MPI_ROOT : MPI_PROC_NULL, inter);
	/* @1 comm=$inter root=root sent=4
		 * @2 comm=$inter root=null */
	else
		MPI_Bcast(&value, 1, MPI_INT, 0, inter);
	/* @0 comm=$inter root=0 received=4 */
	checksum_add(&value, sizeof(value));
}

int main(int argc, char **argv)
{
	int rank, leader;
	MPI_Comm side, inter, merged;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &side);
	/* @0 comm=$world newcomm=%left
	 * @1,2 comm=$world newcomm=$right */
	leader = rank > 0 ? 0 : 1;
	MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, leader, 8, &inter);
	/* @0 comm=%left tag=8 leader=1 newcomm=$inter
	 * @1,2 comm=$right tag=8 leader=0 newcomm=$inter */
	talk(inter, rank);
	MPI_Intercomm_merge(inter, rank == 0, &merged);
	/* @* comm=$inter newcomm=$merged */
	MPI_Barrier(merged);
	/* @* comm=$merged */
	MPI_Comm_free(&merged);
	/* @* comm=$merged */
	MPI_Comm_free(&inter);
	/* @* comm=$inter */
	MPI_Comm_free(&side);
	/* @0 comm=%left
	 * @1,2 comm=$right */
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
/* @comm $right size=2 members=1,2 parent=$world
 * @comm $inter kind=inter
 * @comm $merged size=3 kind=intra members=1,2,0 parent=$inter */
