/* pair: check=none ranks=4 always=--buffers=all
 *
 * Odd ranks write to their own window memory, and all meet in a barrier. Then threads of even ranks read it: one that is created after the barrier, and one that
 * exists already and is woken up. Odd ranks compute before and after the barrier, so that analysers mostly get their events after those of even ranks. */
#include "../pair.h"

#include <pthread.h>
#include <unistd.h>

enum { ROUNDS = 2, COMPUTED_US = 40000 };

static MPI_Win win;
static pthread_barrier_t gate;

static void *get(void *argument)
{
	int got = -1;

	(void)argument;
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank + 1, 0, win);
	MPI_Get(&got, 1, MPI_INT, rank + 1, 0, 1, MPI_INT, win);
	MPI_Win_unlock(rank + 1, win);
	expect(got >= 0);
	return NULL;
}

static void *get_when_woken(void *argument)
{
	pthread_barrier_wait(&gate);
	get(argument);
	pthread_barrier_wait(&gate);
	return NULL;
}

static void read_in_thread(int is_created)
{
	pthread_t created;

	if (is_created) {
		pthread_create(&created, NULL, get, NULL);
		pthread_join(created, NULL);
	} else {
		pthread_barrier_wait(&gate);
		pthread_barrier_wait(&gate);
	}
}

int main(int argc, char **argv)
{
	pthread_t woken;
	int *memory;

	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	MPI_Win_allocate(40, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	pthread_barrier_init(&gate, NULL, 2);
	if (rank % 2 == 0)
		pthread_create(&woken, NULL, get_when_woken, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		if (rank % 2) {
			usleep(COMPUTED_US);
			memory[0] = i;
		}
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank % 2)
			usleep(COMPUTED_US);
		else
			read_in_thread((rank / 2 + i) % 2);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	if (rank % 2 == 0)
		pthread_join(woken, NULL);
	pthread_barrier_destroy(&gate);
	MPI_Win_free(&win);
	return finish();
}
