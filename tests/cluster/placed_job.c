/* Ranks that talk much to one other rank each, and a little to the next one. With a file of keys as argument, in the order that it says. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MUCH = 20000, LITTLE = 500, ROUNDS = 3 };

static char data[MUCH];

static MPI_Comm ordered(const char *path)
{
	int rank, key = 0;
	FILE *file = fopen(path, "r");
	MPI_Comm comm;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i <= rank; i++)
		if (!file || fscanf(file, "%d", &key) != 1)
			MPI_Abort(MPI_COMM_WORLD, 1);
	fclose(file);
	MPI_Comm_split(MPI_COMM_WORLD, 0, key, &comm);
	return comm;
}

static void exchange(MPI_Comm comm, int to, int from, int bytes)
{
	MPI_Request request;

	MPI_Irecv(data, bytes, MPI_CHAR, from, 0, comm, &request);
	MPI_Send(data, bytes, MPI_CHAR, to, 0, comm);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* The partner of a rank is half of all ranks away; of an odd number, one has none. */
static int partner_of(int rank, int size)
{
	int half = (size + 1) / 2;

	return rank >= half ? rank - half : rank + half < size ? rank + half : MPI_PROC_NULL;
}

int main(int argc, char **argv)
{
	char name[MPI_MAX_PROCESSOR_NAME];
	int rank, size, length;
	MPI_Comm comm;

	MPI_Init(&argc, &argv);
	comm = argc > 1 ? ordered(argv[1]) : MPI_COMM_WORLD;
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	for (int i = 0; i < ROUNDS; i++) {
		exchange(comm, partner_of(rank, size), partner_of(rank, size), MUCH);
		exchange(comm, (rank + 1) % size, (rank + size - 1) % size, LITTLE);
	}
	MPI_Get_processor_name(name, &length);
	printf("rank %d on %s\n", rank, name);
	MPI_Finalize();
	return 0;
}
