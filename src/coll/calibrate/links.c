#include "coll/calibrate/links.h"

#include "coll/calibrate/messages.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 2, WARM_UP = 3, ROUNDS = 10, NODES_MIN = 3, MACHINE_NODES_MAX = 32 };

/* One process of each node; the others get MPI_COMM_NULL. */
static MPI_Comm find_leaders(void)
{
	MPI_Comm node, leaders;
	int rank, number;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
	MPI_Comm_rank(node, &number);
	MPI_Comm_free(&node);
	MPI_Comm_split(MPI_COMM_WORLD, number ? MPI_UNDEFINED : 0, rank, &leaders);
	return leaders;
}

/* Half of the fastest round trip: anything longer is noise. */
static double ping(MPI_Comm leaders, int partner, int is_first)
{
	double fastest = 0;
	char byte = 0;

	for (int round = 0; round < WARM_UP + ROUNDS; round++) {
		double start = MPI_Wtime(), time;
		if (is_first)
			message_send(&byte, 1, partner, TAG, leaders);
		message_receive(&byte, 1, partner, TAG, leaders);
		time = (MPI_Wtime() - start) / 2;
		if (!is_first)
			message_send(&byte, 1, partner, TAG, leaders);
		if (round >= WARM_UP && (fastest <= 0 || time < fastest))
			fastest = time;
	}
	return fastest;
}

/* One pair at a time, so that pairs do not disturb each other. */
static void ping_all(MPI_Comm leaders, int rank, int count, double *latencies)
{
	for (int i = 0; i < count; i++) {
		for (int j = 0; j < i; j++) {
			if (rank == i)
				latencies[i * count + j] = ping(leaders, j, 1);
			else if (rank == j)
				ping(leaders, i, 0);
			MPI_Barrier(leaders);
		}
	}
}

static int have_own_names(char (*names)[MPI_MAX_PROCESSOR_NAME], int count)
{
	for (int i = 0; i < count; i++)
		for (int j = 0; j < i; j++)
			if (strcmp(names[i], names[j]) == 0)
				return 0;
	return 1;
}

static void write_links(FILE *file, char (*names)[MPI_MAX_PROCESSOR_NAME], const double *latencies, int count)
{
	for (int i = 0; i < count; i++)
		for (int j = 0; j < i; j++)
			if (latencies[i * count + j] > 0)
				fprintf(file, "Link=%s,%s Latency=%.4g\n", names[j], names[i],
				        latencies[i * count + j]);
}

static void measure_leaders(MPI_Comm leaders, FILE *file)
{
	static char names[MACHINE_NODES_MAX][MPI_MAX_PROCESSOR_NAME];
	static double own[MACHINE_NODES_MAX * MACHINE_NODES_MAX], all[MACHINE_NODES_MAX * MACHINE_NODES_MAX];
	char name[MPI_MAX_PROCESSOR_NAME] = "";
	int rank, count, length;

	MPI_Comm_rank(leaders, &rank);
	MPI_Comm_size(leaders, &count);
	if (count < NODES_MIN || count > MACHINE_NODES_MAX)
		return;
	MPI_Get_processor_name(name, &length);
	MPI_Allgather(name, sizeof name, MPI_CHAR, names, sizeof name, MPI_CHAR, leaders);
	if (!have_own_names(names, count))
		return;
	ping_all(leaders, rank, count, own);
	MPI_Reduce(own, all, count * count, MPI_DOUBLE, MPI_MAX, 0, leaders);
	if (rank == 0)
		write_links(file, names, all, count);
}

void links_measure(FILE *file)
{
	MPI_Comm leaders = find_leaders();

	if (leaders == MPI_COMM_NULL)
		return;
	measure_leaders(leaders, file);
	MPI_Comm_free(&leaders);
}
