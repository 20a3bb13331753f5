/* tarry-test: ranks=4
 *
 * Communicators of every make. Each is used once by a reduction, so that the identity in the event can be
 * compared with the one at its making, on every member. */
#include "checksum.h"

#include <mpi.h>

static int rank;

static void duplicates(void)
{
	MPI_Comm dup, idup, info;
	MPI_Request request;

	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	/* @* comm=$world newcomm=$dup */
	MPI_Barrier(dup);
	/* @* comm=$dup */
	MPI_Comm_idup(dup, &idup, &request);
	/* @* comm=$dup request=0 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* @* done=0 newcomm=$idup? */
	MPI_Barrier(idup);
	/* @* comm=$idup */
	MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &info);
	/* @* comm=$world newcomm=$info */
	MPI_Barrier(info);
	/* @* comm=$info */
	MPI_Comm_free(&info);
	/* @* comm=$info */
	MPI_Comm_free(&idup);
	/* @* comm=$idup */
	MPI_Comm_free(&dup);
	/* @* comm=$dup */
}

/* Even and odd ranks, the highest first; then only ranks below three. */
static void splits(void)
{
	MPI_Comm half, some, node;
	int sum = rank;

	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
	/* @0,2 comm=$world color=0 newcomm=$even
	 * @1,3 comm=$world color=1 newcomm=$odd */
	MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, half);
	/* @0,2 comm=$even
	 * @1,3 comm=$odd */
	checksum_add(&sum, sizeof(sum));
	MPI_Send(&sum, 1, MPI_INT, MPI_PROC_NULL, 0, half);
	/* @0,2 comm=$even
	 * @1,3 comm=$odd */
	MPI_Comm_split(MPI_COMM_WORLD, rank < 3 ? 7 : MPI_UNDEFINED, rank, &some);
	/* @0,1,2 color=7 newcomm=$some
	 * @3 color=-1 newcomm=0 */
	if (some != MPI_COMM_NULL)
		MPI_Barrier(some);
	/* @0,1,2 comm=$some */
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
	/* @* comm=$world newcomm=$node */
	MPI_Barrier(node);
	/* @* comm=$node */
	MPI_Comm_free(&node);
	/* @* comm=$node */
	if (some != MPI_COMM_NULL)
		MPI_Comm_free(&some);
	/* @0,1,2 comm=$some */
	MPI_Comm_free(&half);
	/* @0,2 comm=$even
	 * @1,3 comm=$odd */
}

static void from_groups(void)
{
	static const int members[] = {3, 1};
	MPI_Group world, pair;
	MPI_Comm created, grouped;

	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 2, members, &pair);
	MPI_Comm_create(MPI_COMM_WORLD, pair, &created);
	/* @0,2 comm=$world newcomm=0
	 * @1,3 comm=$world newcomm=$created */
	if (created != MPI_COMM_NULL) {
		MPI_Barrier(created);
		/* @1,3 comm=$created */
		MPI_Comm_create_group(MPI_COMM_WORLD, pair, 5, &grouped);
		/* @1,3 comm=$world tag=5 newcomm=$grouped */
		MPI_Barrier(grouped);
		/* @1,3 comm=$grouped */
		MPI_Comm_free(&grouped);
		/* @1,3 comm=$grouped */
		MPI_Comm_free(&created);
		/* @1,3 comm=$created */
	}
	MPI_Group_free(&pair);
	MPI_Group_free(&world);
}

static void topologies(void)
{
	static const int dims[] = {2, 2}, periods[] = {1, 0}, keep[] = {1, 0};
	MPI_Comm grid, row;
	int left, right;

	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
	/* @0 comm=$world newcomm=$grid member=2,2,1
	 * @1 comm=$world newcomm=$grid member=3,3,0
	 * @2 comm=$world newcomm=$grid member=0,0,3
	 * @3 comm=$world newcomm=$grid member=1,1,2 */
	MPI_Cart_sub(grid, keep, &row);
	/* @0 comm=$grid newcomm=$column0 member=1,1
	 * @2 comm=$grid newcomm=$column0 member=0,0
	 * @1 comm=$grid newcomm=$column1 member=1,1
	 * @3 comm=$grid newcomm=$column1 member=0,0 */
	MPI_Cart_shift(row, 0, 1, &left, &right);
	MPI_Barrier(row);
	/* @0,2 comm=$column0
	 * @1,3 comm=$column1 */
	MPI_Comm_free(&row);
	/* @0,2 comm=$column0
	 * @1,3 comm=$column1 */
	MPI_Comm_free(&grid);
	/* @* comm=$grid */
}

static void graphs(void)
{
	static const int index[] = {1, 3, 5, 6}, edges[] = {1, 0, 2, 1, 3, 2};
	int next = (rank + 1) % 4, before = (rank + 3) % 4, one = 1;
	MPI_Comm line, ring, general;

	MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 0, &line);
	/* @0 comm=$world newcomm=$line member=1
	 * @1 comm=$world newcomm=$line member=0,2
	 * @2 comm=$world newcomm=$line member=1,3
	 * @3 comm=$world newcomm=$line member=2 */
	MPI_Barrier(line);
	/* @* comm=$line */
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
	                               MPI_INFO_NULL, 0, &ring);
	/* @0 comm=$world newcomm=$distring member=3
	 * @1 comm=$world newcomm=$distring member=0
	 * @2 comm=$world newcomm=$distring member=1
	 * @3 comm=$world newcomm=$distring member=2 */
	MPI_Barrier(ring);
	/* @* comm=$distring */
	MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
	                      &general);
	/* @0 comm=$world newcomm=$general member=3
	 * @1 comm=$world newcomm=$general member=0
	 * @2 comm=$world newcomm=$general member=1
	 * @3 comm=$world newcomm=$general member=2 */
	MPI_Barrier(general);
	/* @* comm=$general */
	MPI_Comm_free(&general);
	/* @* comm=$general */
	MPI_Comm_free(&ring);
	/* @* comm=$distring */
	MPI_Comm_free(&line);
	/* @* comm=$line */
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	duplicates();
	splits();
	from_groups();
	topologies();
	graphs();
	MPI_Barrier(MPI_COMM_SELF);
	/* @* comm=%self */
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
/* @comm $world size=4 kind=intra members=0,1,2,3
 * @comm $dup size=4 members=0,1,2,3 parent=$world
 * @comm $idup size=4 members=0,1,2,3 parent=$dup
 * @comm $info size=4 members=0,1,2,3 parent=$world
 * @comm $even size=2 members=2,0 parent=$world
 * @comm $odd size=2 members=3,1 parent=$world
 * @comm $some size=3 members=0,1,2 parent=$world
 * @comm $node size=4 members=0,1,2,3 parent=$world
 * @comm $created size=2 members=3,1 parent=$world
 * @comm $grouped size=2 members=3,1 parent=$world
 * @comm $grid size=4 kind=cart members=0,1,2,3
 * @comm $column0 size=2 kind=cart members=0,2 parent=$grid
 * @comm $column1 size=2 kind=cart members=1,3 parent=$grid
 * @comm $line size=4 kind=graph members=0,1,2,3
 * @comm $distring size=4 kind=dist_graph members=0,1,2,3
 * @comm $general size=4 kind=dist_graph members=0,1,2,3 */
