/* corpus: ranks=3
 *
 * Several threads of each rank talk to MPI at once (MPI_THREAD_MULTIPLE). One thread of each rank is a service that others
 * ask for sums of its numbers; it waits with Recv from any source. The others are customers: each asks all services in turn
 * (Send, Recv on its own tag) and meets its counterparts of the other ranks in collectives on a communicator that
 * belongs to the thread.
 *
 * Check: every answer is the sum of the range that was asked for. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { CUSTOMERS = 3, QUESTIONS = 16, MOST_NUMBERS = 500, TAG_QUESTION = 0, TAG_ANSWER = 100 };

struct question {
	int from, to; /* the range to be summed; none at all: a customer is done */
	int customer;
};

struct customer {
	int number, wrong;
	MPI_Comm comm;
	pthread_t thread;
};

static int rank, size;

static int number_of(int of_rank, int index)
{
	return of_rank * 31 + index * 7 % 13;
}

static int sum_of(int of_rank, int from, int to)
{
	int sum = 0;

	for (int i = from; i < to; i++)
		sum += number_of(of_rank, i);
	return sum;
}

/* Ends when all customers of all ranks are done. */
static void *serve(void *unused)
{
	int left = CUSTOMERS * size;

	while (left > 0) {
		struct question q;
		MPI_Status status;
		int sum;

		MPI_Recv(&q, 3, MPI_INT, MPI_ANY_SOURCE, TAG_QUESTION, MPI_COMM_WORLD, &status);
		if (q.from == q.to) {
			left--;
			continue;
		}
		sum = sum_of(rank, q.from, q.to);
		MPI_Send(&sum, 1, MPI_INT, status.MPI_SOURCE, TAG_ANSWER + q.customer, MPI_COMM_WORLD);
	}
	return unused;
}

static void ask(struct customer *c, int whom, int from, int to)
{
	struct question q = {from, to, c->number};
	int sum;

	MPI_Send(&q, 3, MPI_INT, whom, TAG_QUESTION, MPI_COMM_WORLD);
	if (from == to)
		return;
	MPI_Recv(&sum, 1, MPI_INT, whom, TAG_ANSWER + c->number, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	c->wrong += sum != sum_of(whom, from, to);
}

static void *shop(void *argument)
{
	struct customer *c = argument;
	int own, largest;

	for (int i = 0; i < QUESTIONS; i++) {
		own = (rank * 17 + i * 29 + c->number * 5) % MOST_NUMBERS;
		ask(c, (rank + i) % size, own, own + i + 1);
		if (i % 8 != 0)
			continue;
		MPI_Allreduce(&own, &largest, 1, MPI_INT, MPI_MAX, c->comm);
		c->wrong += largest < own;
	}
	for (int i = 0; i < size; i++)
		ask(c, i, 0, 0);
	MPI_Barrier(c->comm);
	return NULL;
}

int main(int argc, char **argv)
{
	struct customer customers[CUSTOMERS];
	int provided, wrong = 0, wrong_anywhere;
	pthread_t service;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	if (provided < MPI_THREAD_MULTIPLE)
		MPI_Abort(MPI_COMM_WORLD, 2);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < CUSTOMERS; i++) {
		customers[i] = (struct customer){.number = i};
		MPI_Comm_dup(MPI_COMM_WORLD, &customers[i].comm);
	}
	pthread_create(&service, NULL, serve, NULL);
	for (int i = 0; i < CUSTOMERS; i++)
		pthread_create(&customers[i].thread, NULL, shop, &customers[i]);
	for (int i = 0; i < CUSTOMERS; i++) {
		pthread_join(customers[i].thread, NULL);
		wrong += customers[i].wrong;
		MPI_Comm_free(&customers[i].comm);
	}
	pthread_join(service, NULL);
	MPI_Reduce(&wrong, &wrong_anywhere, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%s : %d answers, %d wrong\n", wrong_anywhere ? "wrong" : "ok",
		       CUSTOMERS * size * QUESTIONS, wrong_anywhere);
	MPI_Finalize();
	return 0;
}
