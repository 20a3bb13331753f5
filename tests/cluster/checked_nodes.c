/* Messages and collective calls between nodes, four ranks: `right`; `wrong`, which the program survives; `late`: an error after all right calls; `deadlock`. Wherever the ranks run, the same errors
 * are there. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { RANKS = 4, STEPS = 100 };

static int rank, other;

static void exchange(void)
{
	double values[4] = {1, 2, 3, 4};
	int numbers[8];

	for (int i = 0; i < STEPS; i++)
		MPI_Sendrecv(values, 4, MPI_DOUBLE, other, i, numbers, 4, MPI_DOUBLE, other, i,
		             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Collective calls of other groups than the nodes, and of an intercommunicator */
static void use_groups(void)
{
	MPI_Comm half, both;
	int sum = 0, counts[RANKS] = {1, 2, 3, 4}, places[RANKS] = {0, 1, 3, 6}, mine[RANKS] = {0},
	    all[10] = {0};

	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, !(rank % 2), 7, &both);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, both);
	MPI_Barrier(both);
	for (int i = 0; i < STEPS; i++)
		MPI_Bcast(all, 10, MPI_INT, i % RANKS, MPI_COMM_WORLD);
	MPI_Allgatherv(mine, counts[rank], MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
	MPI_Comm_free(&both);
	MPI_Comm_free(&half);
}

static void be_right(void)
{
	double values[4] = {1, 2, 3, 4}, sum;
	MPI_Status status;

	if (rank == 0)
		MPI_Send(values, 2, MPI_DOUBLE, 2, 0, MPI_COMM_WORLD);
	if (rank == 2) {
		MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
		MPI_Recv(values, 2, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
		         MPI_STATUS_IGNORE);
	}
	MPI_Allreduce(values, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* As Python programs receive objects */
static void receive_probed(void)
{
	double values[4] = {1, 2, 3, 4};
	MPI_Message message;

	if (rank < other)
		MPI_Send(values, 4, MPI_DOUBLE, other, 8, MPI_COMM_WORLD);
	if (rank > other) {
		MPI_Mprobe(other, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
		MPI_Mrecv(values, 4, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
	}
}

/* Found by the analysers of the receivers */
static void send_other_types(void)
{
	double values[4] = {1, 2, 3, 4};
	int numbers[8];

	if (rank == 0)
		MPI_Send(values, 2, MPI_DOUBLE, 2, 0, MPI_COMM_WORLD);
	if (rank == 2)
		MPI_Recv(numbers, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank == 3)
		MPI_Send(values, 1, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
	if (rank == 1)
		MPI_Recv(numbers, 2, MPI_INT, 3, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Found by the first analyser, which takes over */
static void be_wrong(void)
{
	double value = rank, sum;
	int number = 0;
	MPI_Request request;

	if (rank == 1) { /* it is never received */
		MPI_Isend(&number, 1, MPI_INT, 3, 99, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, rank == 2 ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
	/* Right only because MPI buffers the messages. */
	MPI_Send(&number, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
	MPI_Recv(&number, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void wait_for_ever(void)
{
	int number;

	if (rank < RANKS - 1)
		MPI_Recv(&number, 1, MPI_INT, (rank + 1) % (RANKS - 1), 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	other = (rank + RANKS / 2) % RANKS;
	if (strcmp(argv[1], "wrong") == 0)
		send_other_types();
	exchange();
	use_groups();
	if (strcmp(argv[1], "right") == 0 || strcmp(argv[1], "late") == 0) {
		be_right();
		receive_probed();
	}
	if (strcmp(argv[1], "late") == 0)
		send_other_types();
	if (strcmp(argv[1], "wrong") == 0)
		be_wrong();
	printf("rank %d\n", rank);
	fflush(stdout);
	if (strcmp(argv[1], "deadlock") == 0)
		wait_for_ever();
	MPI_Finalize();
	return 0;
}
