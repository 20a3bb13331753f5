/* tarry-test: ranks=2 threads=5
 *
 * MPI_THREAD_MULTIPLE: four threads of each rank talk to their counterparts on a tag of their own, 200
 * times; each thread is a stream of its own in the trace, after that of the main thread. */
#include "checksum.h"

#include <mpi.h>
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 200 };

static int rank;
static long sums[THREADS];

static void *talk(void *argument)
{
	int tag = *(int *)argument, peer = 1 - rank, in, out;

	for (int i = 0; i < ROUNDS; i++) {
		MPI_Request request[2];

		out = rank * 1000 + i + tag;
		MPI_Irecv(&in, 1, MPI_INT, peer, tag, MPI_COMM_WORLD, &request[0]);
		/* @* x800 comm=$world tag=0..3 room=4 request=* */
		MPI_Isend(&out, 1, MPI_INT, peer, tag, MPI_COMM_WORLD, &request[1]);
		/* @* x800 comm=$world tag=0..3 sent=4 request=* */
		MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
		/* @* x800 count=2 done=* received=4 done=* */
		MPI_Sendrecv(&out, 1, MPI_INT, peer, tag, &in, 1, MPI_INT, peer, tag, MPI_COMM_WORLD,
		             MPI_STATUS_IGNORE);
		/* @* x800 tag=0..3 sent=4 received=4 */
		sums[tag] += in;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	int number[THREADS], provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	/* @* level=3 */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < THREADS; i++) {
		number[i] = i;
		pthread_create(&thread[i], NULL, talk, &number[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	MPI_Barrier(MPI_COMM_WORLD);
	/* @* comm=$world */
	checksum_add(sums, sizeof(sums));
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return provided == MPI_THREAD_MULTIPLE ? 0 : 9;
}
