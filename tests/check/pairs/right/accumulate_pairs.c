/* pair: check=none ranks=2
 *
 * Pair types are predefined: accumulates may use them, and types that repeat one of them. */
#include "../pair.h"

struct place {
	double value;
	int index;
};

int main(int argc, char **argv)
{
	struct place *memory, ours[2] = {{1, 2}, {3, 4}}, old[2] = {{0, 0}, {0, 0}};
	struct {
		short value;
		int index;
	} small = {1, 2}, found;
	MPI_Datatype two;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Type_contiguous(2, MPI_DOUBLE_INT, &two);
	MPI_Type_commit(&two);
	MPI_Win_allocate(8 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memset(memory, 0, 8 * sizeof *memory);
	MPI_Win_fence(0, win);
	MPI_Accumulate(ours, 1, MPI_DOUBLE_INT, 1, 0, 1, MPI_DOUBLE_INT, MPI_MAXLOC, win);
	MPI_Accumulate(ours, 1, two, 1, 0, 1, two, MPI_MAXLOC, win);
	MPI_Win_fence(0, win);
	expect(rank == 0 || (memory[0].value == 1 && memory[1].index == 4));
	if (rank == 0) {
		MPI_Accumulate(ours, 2, MPI_DOUBLE_INT, 1, 2, 1, two, MPI_REPLACE, win);
		MPI_Get_accumulate(NULL, 0, MPI_DOUBLE_INT, old, 2, MPI_DOUBLE_INT, 1, 0, 2, MPI_DOUBLE_INT,
		                   MPI_NO_OP, win);
		MPI_Accumulate(&small, 1, MPI_SHORT_INT, 1, 5, 1, MPI_SHORT_INT, MPI_MINLOC, win);
	}
	MPI_Win_fence(0, win);
	expect(rank == 1 || (old[0].value == 1 && old[1].index == 4));
	MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
	MPI_Fetch_and_op(&small, &found, MPI_SHORT_INT, 1, 6, MPI_NO_OP, win);
	MPI_Win_unlock(1, win);
	MPI_Type_free(&two);
	MPI_Win_free(&win);
	return finish();
}
