/* pair: check=none ranks=2
 *
 * Rank 0 polls until something besides MPI releases it: another thread, then a signal. Meanwhile rank 1 waits for a message, and another one with another tag is
 * there. Nobody calls MPI with an effect for longer than the checker waits. */
#include "../pair.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

enum { SECONDS = 8 };

static volatile sig_atomic_t is_released;

static void release(int number)
{
	(void)number;
	is_released = 1;
}

static void *release_later(void *unused)
{
	(void)unused;
	sleep(SECONDS);
	is_released = 1;
	return NULL;
}

static void poll_until_released(void)
{
	int flag;

	while (!is_released)
		MPI_Iprobe(1, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	is_released = 0;
}

static void wait_for_second(int tag)
{
	MPI_Request request;
	int value = 0, other = 0;

	if (rank) {
		MPI_Recv(&value, 1, MPI_INT, 0, tag + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		return;
	}
	MPI_Isend(&other, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, &request);
	poll_until_released();
	MPI_Send(&value, 1, MPI_INT, 1, tag + 1, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	start_threads(&argc, &argv, MPI_THREAD_FUNNELED);
	if (rank == 0)
		pthread_create(&thread, NULL, release_later, NULL);
	wait_for_second(10);
	if (rank == 0) {
		pthread_join(thread, NULL);
		signal(SIGALRM, release);
		alarm(SECONDS);
	}
	wait_for_second(20);
	return finish();
}
