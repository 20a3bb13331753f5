/* tarry-test: ranks=2
 *
 * Passive target: locks of both kinds, lock_all, flushes, accesses with requests; shared and dynamic
 * windows. */
#include "checksum.h"

#include <mpi.h>

static int local[8] = {1, 2, 3, 4, 5, 6, 7, 8}, result[8];

static void locked(MPI_Win win, int peer)
{
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, peer, 0, win);
	/* @0 win=$win target=1 lock=2
	 * @1 win=$win target=0 lock=2 */
	MPI_Put(local, 2, MPI_INT, peer, 0, 2, MPI_INT, win);
	/* @0 win=$win target=1 sent=8 epoch=3
	 * @1 target=0 sent=8 epoch=3 */
	MPI_Win_flush(peer, win);
	/* @0 win=$win target=1
	 * @1 win=$win target=0 */
	MPI_Win_flush_local(peer, win);
	/* @0 win=$win target=1
	 * @1 win=$win target=0 */
	MPI_Win_unlock(peer, win);
	/* @0 win=$win target=1
	 * @1 win=$win target=0 */
	MPI_Win_lock(MPI_LOCK_SHARED, peer, MPI_MODE_NOCHECK, win);
	/* @0 win=$win target=1 lock=1 assert=1
	 * @1 win=$win target=0 lock=1 assert=1 */
	MPI_Get(result, 2, MPI_INT, peer, 0, 2, MPI_INT, win);
	/* @0 win=$win target=1 received=8 epoch=3
	 * @1 target=0 received=8 epoch=3 */
	MPI_Win_unlock(peer, win);
	/* @0 win=$win target=1
	 * @1 win=$win target=0 */
}

static void requests(MPI_Win win, int peer)
{
	MPI_Request request[2];

	MPI_Win_lock_all(0, win);
	/* @* win=$win */
	MPI_Rput(local, 3, MPI_INT, peer, 2, 3, MPI_INT, win, &request[0]);
	/* @0 win=$win target=1 disp=2 sent=12 request=0 epoch=4
	 * @1 target=0 sent=12 request=0 epoch=4 */
	MPI_Raccumulate(local, 1, MPI_INT, peer, 6, 1, MPI_INT, MPI_SUM, win, &request[1]);
	/* @0 target=1 disp=6 sent=4 op=3 request=1 epoch=4
	 * @1 target=0 sent=4 request=1 */
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	/* @* count=2 done=0 done=1 */
	MPI_Win_flush_all(win);
	/* @* win=$win */
	MPI_Win_flush_local_all(win);
	/* @* win=$win */
	MPI_Rget(result, 2, MPI_INT, peer, 2, 2, MPI_INT, win, &request[0]);
	/* @0 target=1 disp=2 request=0 epoch=4
	 * @1 target=0 request=0 */
	MPI_Rget_accumulate(local, 1, MPI_INT, result + 4, 1, MPI_INT, peer, 7, 1, MPI_INT, MPI_SUM, win,
	                    &request[1]);
	/* @0 target=1 disp=7 op=3 request=1 epoch=4
	 * @1 target=0 request=1 */
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	/* @* count=2 done=0 done=1 */
	MPI_Win_sync(win);
	/* @* win=$win */
	MPI_Win_unlock_all(win);
	/* @* win=$win */
}

static void shared(int rank)
{
	MPI_Aint bytes;
	MPI_Win win;
	int *mine, *other, unit;

	MPI_Win_allocate_shared(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
	/* @* comm=$world win=$shared */
	MPI_Win_shared_query(win, 1 - rank, &bytes, &unit, &other);
	MPI_Win_fence(0, win);
	/* @* win=$shared */
	mine[0] = rank + 9;
	MPI_Win_fence(0, win);
	/* @* win=$shared */
	checksum_add(other, sizeof(int));
	MPI_Win_free(&win);
	/* @* win=$shared */
}

static void dynamic(int rank)
{
	static int memory[4];
	MPI_Aint here, there;
	MPI_Win win;

	MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	/* @* comm=$world win=$dynamic */
	MPI_Win_attach(win, memory, sizeof(memory));
	/* @* win=$dynamic */
	MPI_Get_address(memory, &here);
	MPI_Sendrecv(&here, 1, MPI_AINT, 1 - rank, 0, &there, 1, MPI_AINT, 1 - rank, 0, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
	/* @0 peer=1 sent=8 received=8
	 * @1 peer=0 sent=8 received=8 */
	MPI_Win_fence(0, win);
	/* @* win=$dynamic */
	MPI_Put(local, 2, MPI_INT, 1 - rank, there, 2, MPI_INT, win);
	/* @0 win=$dynamic target=1 sent=8 epoch=1
	 * @1 win=$dynamic target=0 sent=8 */
	MPI_Win_fence(0, win);
	/* @* win=$dynamic */
	checksum_add(memory, sizeof(memory));
	MPI_Win_detach(win, memory);
	/* @* win=$dynamic */
	MPI_Win_free(&win);
	/* @* win=$dynamic */
}

int main(int argc, char **argv)
{
	static int memory[16] __attribute__((aligned(64)));
	MPI_Win win;
	int rank;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	/* @* comm=$world win=$win */
	locked(win, 1 - rank);
	MPI_Barrier(MPI_COMM_WORLD);
	/* @* comm=$world */
	requests(win, 1 - rank);
	MPI_Win_free(&win);
	/* @* win=$win */
	checksum_add(memory, sizeof(memory));
	shared(rank);
	dynamic(rank);
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
/* @win $win size=64 unit=4 comm=$world
 * @win $shared size=8 unit=4 comm=$world
 * @win $dynamic comm=$world */
