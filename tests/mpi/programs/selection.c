/* tarry-test: ranks=2 unlocated=1
 *
 * Three steps of the same exchange, marked in all the ways by which a part of the run can be named: what selection.py
 * records with each option. Here, all of it. */
#include <mpi.h>
#include <tarry.h>

enum { STEPS = 3 };

static void step(int number, MPI_Comm comm, int peer)
{
	MPI_Request requests[2];
	int in = 0, out = number;

	tarry_region_begin("step");
	/* @* x3 region=step */
	MPI_Irecv(&in, 1, MPI_INT, peer, 5, comm, &requests[0]);
	/* @* x3 comm=$copy request=0 */
	MPI_Isend(&out, 1, MPI_INT, peer, 5, comm, &requests[1]);
	/* @* x3 comm=$copy request=1 sent=4 */
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	/* @0 x3 count=2 done=0 source=1 received=4 done=1
	 * @1 x3 count=2 done=0 source=0 received=4 done=1 */
	MPI_Barrier(comm);
	/* @* x3 comm=$copy */
	MPI_Pcontrol(number);
	/* @* x3 level=1..3 */
	tarry_region_end("step");
	/* @* x3 region=step */
}

int main(int argc, char **argv)
{
	int rank, sum = 0;
	MPI_Comm copy;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	/* @* */
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	/* @* newcomm=$copy */
	tarry_phase("steps");
	/* @* region=steps */
	for (int i = 1; i <= STEPS; i++)
		step(i, copy, 1 - rank);
	tarry_phase("end");
	/* @* region=end */
	tarry_mark("summing");
	/* @* region=summing */
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, copy);
	/* @* comm=$copy */
	MPI_Comm_free(&copy);
	/* @* comm=$copy */
	MPI_Finalize();
	/* @* */
	return sum != 1;
}
