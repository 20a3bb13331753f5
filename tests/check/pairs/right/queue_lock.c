/* pair: check=none ranks=3
 *
 * A queue of processes that wait for a lock: each polls its own memory until the one before it hands the lock on. */
#include "../pair.h"

enum { TAIL, NEXT, LOCKED, DATA };

static MPI_Win win;
static int *mem;

static int fetch(int target, int where)
{
	int v = 0, d = 0;
	MPI_Fetch_and_op(&d, &v, MPI_INT, target, where, MPI_NO_OP, win);
	MPI_Win_flush(target, win);
	return v;
}

static void set(int target, int where, int v)
{
	MPI_Accumulate(&v, 1, MPI_INT, target, where, 1, MPI_INT, MPI_REPLACE, win);
	MPI_Win_flush(target, win);
}

static int swap(int target, int where, int v)
{
	int r;
	MPI_Fetch_and_op(&v, &r, MPI_INT, target, where, MPI_REPLACE, win);
	MPI_Win_flush(target, win);
	return r;
}

static int cas(int target, int where, int want, int v)
{
	int r;
	MPI_Compare_and_swap(&v, &want, &r, MPI_INT, target, where, win);
	MPI_Win_flush(target, win);
	return r;
}

static void lock(void)
{
	set(rank, NEXT, -1);
	set(rank, LOCKED, 1);
	int before = swap(0, TAIL, rank);
	if (before != -1) {
		set(before, NEXT, rank);
		while (fetch(rank, LOCKED))
			;
	}
}

static void unlock(void)
{
	if (fetch(rank, NEXT) == -1) {
		if (cas(0, TAIL, rank, -1) == rank)
			return;
		while (fetch(rank, NEXT) == -1)
			;
	}
	set(fetch(rank, NEXT), LOCKED, 0);
}

int main(int argc, char **argv)
{
	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
	mem[TAIL] = mem[NEXT] = -1;
	mem[LOCKED] = mem[DATA] = 0;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	MPI_Win_sync(win);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < 5; i++) {
		int v;
		lock();
		MPI_Get(&v, 1, MPI_INT, 0, DATA, 1, MPI_INT, win);
		MPI_Win_flush(0, win);
		v++;
		MPI_Put(&v, 1, MPI_INT, 0, DATA, 1, MPI_INT, win);
		MPI_Win_flush(0, win);
		unlock();
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_sync(win);
	if (!rank)
		expect(mem[DATA] == 15);
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	return finish();
}
