/* pair: check=argument.communicator-kind ranks=2 at=0,1
 *
 * Many collective calls work on intercommunicators; prefix sums do not, and neither do topologies. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int sum = -1, between;
	MPI_Comm across, copy, all;

	start(&argc, &argv);
	return_errors();
	MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, !rank, 1, &across);
	MPI_Comm_set_errhandler(across, MPI_ERRORS_RETURN);
	MPI_Comm_test_inter(across, &between);
	expect(between);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, across);
	expect(sum == !rank);
	MPI_Comm_dup(across, &copy);
	MPI_Barrier(copy);
	MPI_Intercomm_merge(copy, rank, &all);
	MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, all);
	expect(sum == rank);
#ifdef WRONG
	MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, across); /* FOUND */
#endif
	MPI_Comm_free(&all);
	MPI_Comm_free(&copy);
	MPI_Comm_free(&across);
	return finish();
}
