/* pair: check=race.local-access ranks=2 watched=gcc-O0,gcc-O2,clang-O2
 *
 * Between two fences rank 0 puts into a window, and rank 1 loads from it and stores into it: one on the heap, one on the stack, one in a global array. */
#include "../pair.h"

enum { N = 16 };

static double global[N];

int main(int argc, char **argv)
{
	double *memories[3] = {calloc(N, sizeof(double)), NULL, global}, stack[N], sum = 0, value = 1;
	MPI_Win windows[3];
	int same = argc + 2, other = argc + 3;

	start(&argc, &argv);
	memories[1] = stack;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < N; j++)
			memories[i][j] = j;
		MPI_Win_create(memories[i], N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD,
		               &windows[i]);
		MPI_Win_fence(0, windows[i]);
	}
	if (!rank)
		for (int i = 0; i < 3; i++)
			MPI_Put(&value, 1, MPI_DOUBLE, 1, same, 1, MPI_DOUBLE, windows[i]); /* FOUND */
	if (rank == 1) {
#ifdef WRONG
		sum += memories[0][same]; /* USED */
		stack[same] = 2;          /* USED */
		sum += global[same];      /* USED */
#endif
		sum += memories[0][other];
		stack[other] = sum;
		global[other] = sum;
	}
	for (int i = 0; i < 3; i++) {
		MPI_Win_fence(MPI_MODE_NOSUCCEED, windows[i]);
		sum += memories[i][same];
		memories[i][same] = sum;
		MPI_Win_free(&windows[i]);
	}
	free(memories[0]);
	return finish();
}
