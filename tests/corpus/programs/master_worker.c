/* corpus: ranks=4
 *
 * Counting primes with a master and its workers. The master hands out a range to each worker that asks (Recv from
 * MPI_ANY_SOURCE); a worker answers with all the primes of its range, a message whose length is not known before
 * (Probe, Get_count). Ranges of large numbers take longer, so the order of answers differs from run to run.
 *
 * Check: the number of primes below a million's tenth is known. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { LIMIT = 100000, RANGE = 1500, KNOWN_PRIMES = 9592 };
enum tag { TAG_ASK, TAG_RANGE, TAG_STOP, TAG_PRIMES };

static bool is_prime(int number)
{
	if (number < 2)
		return false;
	for (int divisor = 2; divisor * divisor <= number; divisor++)
		if (number % divisor == 0)
			return false;
	return true;
}

struct harvest {
	long primes;
	int largest;
};

/* Receives an answer whose sender and length are known from a probe. */
static void take_primes(struct harvest *harvest, const MPI_Status *probed)
{
	int count, *primes;

	MPI_Get_count(probed, MPI_INT, &count);
	primes = malloc((size_t)(count + 1) * sizeof(int));
	if (!primes)
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_Recv(primes, count, MPI_INT, probed->MPI_SOURCE, TAG_PRIMES, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	harvest->primes += count;
	if (count > 0 && primes[count - 1] > harvest->largest)
		harvest->largest = primes[count - 1];
	free(primes);
}

/* Returns whether the worker got more to do. */
static bool hand_out(int worker, int *next)
{
	int range[2] = {*next, *next + RANGE < LIMIT ? *next + RANGE : LIMIT};

	if (*next >= LIMIT) {
		MPI_Send(NULL, 0, MPI_INT, worker, TAG_STOP, MPI_COMM_WORLD);
		return false;
	}
	MPI_Send(range, 2, MPI_INT, worker, TAG_RANGE, MPI_COMM_WORLD);
	*next = range[1];
	return true;
}

static struct harvest lead(int workers)
{
	struct harvest harvest = {0, 0};
	int next = 0;

	while (workers > 0) {
		MPI_Status status;

		MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
		if (status.MPI_TAG == TAG_PRIMES) {
			take_primes(&harvest, &status);
			continue;
		}
		MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, TAG_ASK, MPI_COMM_WORLD, &status);
		workers -= !hand_out(status.MPI_SOURCE, &next);
	}
	return harvest;
}

static void work(void)
{
	int range[2], primes[RANGE];

	for (;;) {
		MPI_Status status;
		int found = 0;

		MPI_Send(NULL, 0, MPI_INT, 0, TAG_ASK, MPI_COMM_WORLD);
		MPI_Recv(range, 2, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
		if (status.MPI_TAG == TAG_STOP)
			return;
		for (int number = range[0]; number < range[1]; number++)
			if (is_prime(number))
				primes[found++] = number;
		MPI_Send(primes, found, MPI_INT, 0, TAG_PRIMES, MPI_COMM_WORLD);
	}
}

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rank == 0) {
		struct harvest harvest = lead(size - 1);

		printf("%s : %ld primes below %d, the largest is %d\n",
		       harvest.primes == KNOWN_PRIMES ? "ok" : "wrong", harvest.primes, LIMIT,
		       harvest.largest);
	} else {
		work();
	}
	MPI_Finalize();
	return 0;
}
