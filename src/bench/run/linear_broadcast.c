/* A broadcast with a known time in each process that loops measure wrongly: process 0 sends to one process
 * after another, and each message takes a planted time. Process i is done after i of them, process 0 after
 * the last. */
#include "bench/run/self_test.h"
#include "bench/run/trial.h"

#include <time.h>

enum { MESSAGE_NS = 5 * 1000 * 1000, POLL_NS = 10 * 1000, TAG = 1, SECOND_NS = 1000 * 1000 * 1000 };

static int send_slowly(struct trial *trial)
{
	struct timespec at;
	int code = MPI_SUCCESS;
	char token = 0;

	clock_gettime(CLOCK_MONOTONIC, &at);
	for (int peer = 1; peer < trial->ranks && code == MPI_SUCCESS; peer++) {
		at.tv_nsec += MESSAGE_NS;
		if (at.tv_nsec >= SECOND_NS) {
			at.tv_nsec -= SECOND_NS;
			at.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
		code = MPI_Send(&token, 1, MPI_BYTE, peer, TAG, trial->comm);
	}
	return code;
}

/* Sleeps, because polling processes would take the cores from the others. */
static int receive_patiently(struct trial *trial)
{
	int is_there = 0, code;
	char token;

	do {
		code = MPI_Iprobe(0, TAG, trial->comm, &is_there, MPI_STATUS_IGNORE);
		if (!is_there)
			nanosleep(&(struct timespec){.tv_nsec = POLL_NS}, NULL);
	} while (code == MPI_SUCCESS && !is_there);
	return code == MPI_SUCCESS ? MPI_Recv(&token, 1, MPI_BYTE, 0, TAG, trial->comm, MPI_STATUS_IGNORE)
	                           : code;
}

static int broadcast_slowly(struct trial *trial)
{
	return trial->rank == 0 ? send_slowly(trial) : receive_patiently(trial);
}

const struct bench_operation demonstrations[] = {
	{
		.name = "LinearBroadcast",
		.group = "demonstration",
		.help = "process 0 sends to one process after another, 5 ms each: the right time of process i is i times 5 ms",
		.traits = IS_SELF_TEST,
		.ranks_min = 2,
		.run = broadcast_slowly,
	},
	{0},
};
