/* pair: check=none ranks=2 always=--buffers=all
 *
 * Ranks write to their own window memory and meet in a barrier. Then other threads read it: one that is created after the barrier, and one that
 * exists already and is woken up. */
#include "../pair.h"

#include <pthread.h>

enum { ROUNDS = 40 };

static MPI_Win win;
static int got;
static pthread_barrier_t gate;

static void *get(void *argument)
{
	(void)argument;
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
	MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
	MPI_Win_unlock(1, win);
	return NULL;
}

static void *get_when_woken(void *argument)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_barrier_wait(&gate);
		get(argument);
		pthread_barrier_wait(&gate);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t created, woken;
	int *memory;

	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	MPI_Win_allocate(40, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	pthread_barrier_init(&gate, NULL, 2);
	if (!rank)
		pthread_create(&woken, NULL, get_when_woken, NULL);
	for (int i = 0; i < 2 * ROUNDS; i++) {
		memory[0] = i;
		MPI_Barrier(MPI_COMM_WORLD);
		if (!rank && i % 2) {
			pthread_create(&created, NULL, get, NULL);
			pthread_join(created, NULL);
		} else if (!rank) {
			pthread_barrier_wait(&gate);
			pthread_barrier_wait(&gate);
		}
		MPI_Barrier(MPI_COMM_WORLD);
	}
	if (!rank)
		pthread_join(woken, NULL);
	pthread_barrier_destroy(&gate);
	MPI_Win_free(&win);
	return finish();
}
