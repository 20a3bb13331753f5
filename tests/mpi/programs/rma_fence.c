/* tarry-test: ranks=2
 *
 * One-sided communication between fences, every kind of access; window made by MPI_Win_create. */
#include "checksum.h"

#include <mpi.h>

static int memory[16] __attribute__((aligned(64)));
static int local[16], result[16];

static void plain(MPI_Win win, int peer)
{
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	/* @* win=$win assert=8 */
	MPI_Put(local, 3, MPI_INT, peer, 2, 3, MPI_INT, win);
	/* @0 win=$win target=1 disp=2 sent=12 epoch=1
	 * @1 win=$win target=0 disp=2 sent=12 epoch=1 */
	MPI_Win_fence(0, win);
	/* @* win=$win */
	MPI_Get(result, 4, MPI_INT, peer, 1, 4, MPI_INT, win);
	/* @0 win=$win target=1 disp=1 received=16 epoch=1
	 * @1 win=$win target=0 disp=1 received=16 epoch=1 */
	MPI_Win_fence(0, win);
	/* @* win=$win */
	MPI_Accumulate(local, 2, MPI_INT, peer, 0, 2, MPI_INT, MPI_SUM, win);
	/* @0 win=$win target=1 disp=0 sent=8 op=3 epoch=1
	 * @1 target=0 disp=0 sent=8 op=3 epoch=1 */
	MPI_Win_fence(0, win);
	/* @* win=$win */
}

static void atomic(MPI_Win win, int peer)
{
	int one = 1, old = 0, none = 0;

	MPI_Get_accumulate(local, 2, MPI_INT, result, 2, MPI_INT, peer, 4, 2, MPI_INT, MPI_REPLACE, win);
	/* @0 win=$win target=1 disp=4 sent=8 received=8 op=13 epoch=1
	 * @1 target=0 sent=8 received=8 op=13 epoch=1 */
	MPI_Win_fence(0, win);
	/* @* win=$win */
	MPI_Fetch_and_op(&one, &old, MPI_INT, peer, 6, MPI_SUM, win);
	/* @0 win=$win target=1 disp=6 sent=4 received=4 op=3 epoch=1
	 * @1 target=0 disp=6 */
	MPI_Win_fence(0, win);
	/* @* win=$win */
	MPI_Compare_and_swap(&one, &none, &old, MPI_INT, peer, 7, win);
	/* @0 win=$win target=1 disp=7 size=4 epoch=1
	 * @1 target=0 disp=7 */
	MPI_Put(local, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
	/* @* win=$win target=null */
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	/* @* win=$win assert=16 */
}

int main(int argc, char **argv)
{
	MPI_Win win;
	int rank;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 16; i++)
		local[i] = rank * 16 + i;
	MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	/* @* comm=$world win=$win */
	plain(win, 1 - rank);
	atomic(win, 1 - rank);
	MPI_Win_free(&win);
	/* @* win=$win */
	checksum_add(memory, sizeof(memory));
	checksum_add(result, sizeof(result));
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
/* @win $win size=64 unit=4 comm=$world */
