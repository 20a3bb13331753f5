/* pair: check=window.accumulate-type ranks=2 at=0 dies
 *
 * A structure is put, not accumulated. */
#include "../pair.h"

struct particle {
	double mass;
	int charge;
};

int main(int argc, char **argv)
{
	struct particle *memory, one = {2.5, -1};
	MPI_Datatype type;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(*memory), sizeof(*memory), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, offsetof(struct particle, charge)},
	                       (MPI_Datatype[]){MPI_DOUBLE, MPI_INT}, &type);
	MPI_Type_commit(&type);
	MPI_Win_fence(0, win);
	if (rank == 0)
#ifdef WRONG
		MPI_Accumulate(&one, 1, type, 1, 2, 1, type, MPI_REPLACE, win); /* FOUND */
#else
		MPI_Put(&one, 1, type, 1, 2, 1, type, win);
#endif
	MPI_Win_fence(0, win);
#ifndef WRONG
	expect(rank == 0 || (memory[2].mass == 2.5 && memory[2].charge == -1));
#endif
	MPI_Type_free(&type);
	MPI_Win_free(&win);
	return finish();
}
