/* pair: check=race.local-access ranks=2 watched=gcc-O0,gcc-O2,clang-O2
 *
 * Rank 1 stores into its window between MPI_Win_post and MPI_Win_wait, where rank 0 puts; or before and after. */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Group world, other;
	MPI_Win window;
	int memory[4] = {0}, value = 1, number;

	start(&argc, &argv);
	number = !rank;
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, &number, &other);
	MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
	memory[argc] = 3;
	if (!rank) {
		MPI_Win_start(other, 0, window);
		MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, window); /* FOUND */
		MPI_Win_complete(window);
	} else {
		MPI_Win_post(other, 0, window);
		memory[argc + 1] = 3;
#ifdef WRONG
		memory[argc] = 4; /* USED */
#endif
		MPI_Win_wait(window);
		memory[argc] = 5;
	}
	MPI_Win_free(&window);
	MPI_Group_free(&world);
	MPI_Group_free(&other);
	return finish();
}
