/* Forces between all particles: blocks circulate in a ring. Each rank computes with one block while the
 * next is in transfer (MPI_Isend, MPI_Irecv, MPI_Testall between the rows). */
#include "../timed.h"

#include <math.h>
#include <mpi.h>

enum { PARTICLES = 512, STEPS_OF_LAP = 6, COORDINATES = 2 };

struct block {
	double at[PARTICLES][COORDINATES];
};

static void attract(const struct block *own, const struct block *other, struct block *forces,
                    MPI_Request *requests)
{
	int done;

	for (int i = 0; i < PARTICLES; i++) {
		for (int j = 0; j < PARTICLES; j++) {
			double dx = other->at[j][0] - own->at[i][0], dy = other->at[j][1] - own->at[i][1];
			double square = dx * dx + dy * dy + 1e-3, pull = 1 / (square * sqrt(square));
			forces->at[i][0] += dx * pull;
			forces->at[i][1] += dy * pull;
		}
		if (i % 64 == 63)
			MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
	}
}

static void step(struct block *own, struct block *forces, int rank, int size)
{
	static struct block here, there;
	MPI_Request requests[2];

	memset(forces, 0, sizeof *forces);
	here = *own;
	for (int hop = 0; hop < size; hop++) {
		MPI_Irecv(&there, PARTICLES * COORDINATES, MPI_DOUBLE, (rank + size - 1) % size, hop,
		          MPI_COMM_WORLD, &requests[0]);
		MPI_Isend(&here, PARTICLES * COORDINATES, MPI_DOUBLE, (rank + 1) % size, hop, MPI_COMM_WORLD,
		          &requests[1]);
		attract(own, &here, forces, requests);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		here = there;
	}
	for (int i = 0; i < PARTICLES; i++)
		for (int c = 0; c < COORDINATES; c++)
			own->at[i][c] += 1e-9 * forces->at[i][c];
}

int main(int argc, char **argv)
{
	static struct block own, forces;
	struct timing timing;
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < PARTICLES; i++)
		for (int c = 0; c < COORDINATES; c++)
			own.at[i][c] = (i * 37 + c * 11 + rank * 5) % 101 / 101.0;
	begin(&timing);
	for (int lap = 0; lap < LAPS; lap++) {
		for (int i = 0; i < STEPS_OF_LAP; i++)
			step(&own, &forces, rank, size);
		end_lap(&timing);
	}
	MPI_Finalize();
	tell(&timing, rank, STEPS_OF_LAP, 6);
	return 0;
}
