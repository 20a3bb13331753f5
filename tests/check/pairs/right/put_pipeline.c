/* pair: check=none ranks=2 always=--buffers=all
 *
 * Buffers are used again as soon as their request is complete. */
#include "../pair.h"

enum { N = 8, C = 1000 };

int main(int argc, char **argv)
{
	static int out[N][C], in[N][C];
	int *mem;
	MPI_Win win;
	MPI_Request r[N], g[N];
	start(&argc, &argv);
	MPI_Win_allocate(N * C * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
	memset(mem, 0, N * C * sizeof(int));
	MPI_Win_lock_all(0, win);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < N; i++) {
			for (int k = 0; k < C; k++)
				out[i][k] = round + i + k + rank;
			MPI_Rput(out[i], C, MPI_INT, !rank, i * C, C, MPI_INT, win, &r[i]);
		}
		for (int left = N; left; left--) {
			int i;
			MPI_Waitany(N, r, &i, MPI_STATUS_IGNORE);
			memset(out[i], 0, sizeof out[i]);
		}
		MPI_Win_flush_all(win);
		MPI_Barrier(MPI_COMM_WORLD);
		for (int i = 0; i < N; i++)
			MPI_Rget(in[i], C, MPI_INT, rank, i * C, C, MPI_INT, win, &g[i]);
		MPI_Waitall(N, g, MPI_STATUSES_IGNORE);
		for (int i = 0; i < N; i++)
			expect(in[i][5] == round + i + 5 + !rank);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	return finish();
}
