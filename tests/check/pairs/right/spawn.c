/* pair: check=none ranks=1 mpi=openmpi
 *
 * Two worlds: children are this program again. */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Comm parent, children;
	int value = 3, sum = 0;

	start(&argc, &argv);
	MPI_Comm_get_parent(&parent);
	if (parent == MPI_COMM_NULL) {
		MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children,
		               MPI_ERRCODES_IGNORE);
		MPI_Bcast(&value, 1, MPI_INT, MPI_ROOT, children);
		MPI_Reduce(NULL, &sum, 1, MPI_INT, MPI_SUM, MPI_ROOT, children);
		expect(sum == 6);
		MPI_Comm_disconnect(&children);
		return finish();
	}
	value = 0;
	MPI_Bcast(&value, 1, MPI_INT, 0, parent);
	MPI_Reduce(&value, NULL, 1, MPI_INT, MPI_SUM, 0, parent);
	MPI_Comm_disconnect(&parent);
	MPI_Finalize();
	return unexpected;
}
