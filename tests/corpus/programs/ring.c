/* corpus: ranks=4
 *
 * Gravity among bodies, as a ring pipeline: each rank keeps its bodies and passes a travelling copy of others' on.
 * The transfers are always the same, so they are prepared once (Send_init, Recv_init) and started in every round
 * (Start, Startall), two buffers in turn; while one travels, the rank computes and asks now and then (Testall)
 * whether it is there.
 *
 * Check: forces on all bodies add up to nothing, and one body's force is what a sum over all bodies gives. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 60, STEPS = 5, BODIES_BETWEEN_TESTS = 15, BUFFERS = 2 };

struct body {
	double place[3], mass;
};

struct ring {
	int rank, size;
	struct body travelling[BUFFERS][BODIES];
	MPI_Request transfers[BUFFERS][2]; /* out of this buffer, into the other */
};

/* The same body on every rank that asks. */
static struct body body_number(int number)
{
	double n = number + 1;

	return (struct body){{sin(n), cos(2 * n), sin(3 * n + 1)}, 1 + fmod(n, 7)};
}

static void add_force(double *force, const struct body *on, const struct body *from)
{
	double difference[3], distance = 1e-3, strength;

	for (int i = 0; i < 3; i++) {
		difference[i] = from->place[i] - on->place[i];
		distance += difference[i] * difference[i];
	}
	strength = on->mass * from->mass / (distance * sqrt(distance));
	for (int i = 0; i < 3; i++)
		force[i] += strength * difference[i];
}

static void ring_init(struct ring *r)
{
	int next, before;

	MPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &r->size);
	next = (r->rank + 1) % r->size;
	before = (r->rank + r->size - 1) % r->size;
	for (int i = 0; i < BUFFERS; i++) {
		MPI_Send_init(r->travelling[i], sizeof(r->travelling[i]), MPI_BYTE, next, i, MPI_COMM_WORLD,
		              &r->transfers[i][0]);
		MPI_Recv_init(r->travelling[1 - i], sizeof(r->travelling[i]), MPI_BYTE, before, i,
		              MPI_COMM_WORLD, &r->transfers[i][1]);
	}
}

static void ring_release(struct ring *r)
{
	for (int i = 0; i < BUFFERS; i++)
		for (int j = 0; j < 2; j++)
			MPI_Request_free(&r->transfers[i][j]);
}

/* Adds the travelling bodies' pull, and looks after the transfer meanwhile. Returns whether it is complete. */
static int pull(struct ring *r, int buffer, const struct body *own, double (*force)[3], int moving)
{
	int there = 0;

	for (int i = 0; i < BODIES; i++) {
		for (int j = 0; j < BODIES; j++)
			add_force(force[i], &own[i], &r->travelling[buffer][j]);
		if (moving && !there && i % BODIES_BETWEEN_TESTS == 0)
			MPI_Testall(2, r->transfers[buffer], &there, MPI_STATUSES_IGNORE);
	}
	return there;
}

static void compute_forces(struct ring *r, const struct body *own, double (*force)[3])
{
	int buffer = 0;

	memcpy(r->travelling[0], own, sizeof(r->travelling[0]));
	memset(force, 0, BODIES * sizeof(*force));
	for (int round = 0; round < r->size; round++) {
		int moving = round + 1 < r->size, there = 0;

		if (moving && round % 2)
			MPI_Startall(2, r->transfers[buffer]);
		else if (moving)
			for (int i = 0; i < 2; i++)
				MPI_Start(&r->transfers[buffer][i]);
		there = pull(r, buffer, own, force, moving);
		while (moving && !there)
			MPI_Testall(2, r->transfers[buffer], &there, MPI_STATUSES_IGNORE);
		buffer = 1 - buffer;
	}
}

/* How far the first own body's force is from a plain sum. */
static double error_of_first(const struct ring *r, const struct body *own, double (*force)[3])
{
	double plain[3] = {0}, error = 0;

	for (int i = 0; i < r->size * BODIES; i++) {
		struct body other = body_number(i);

		add_force(plain, &own[0], &other);
	}
	for (int i = 0; i < 3; i++)
		error = fmax(error, fabs(plain[i] - force[0][i]));
	return error;
}

int main(int argc, char **argv)
{
	static struct ring ring;
	struct body own[BODIES];
	double force[BODIES][3], total[3] = {0}, error, sums[4], all[4];

	MPI_Init(&argc, &argv);
	ring_init(&ring);
	for (int i = 0; i < BODIES; i++)
		own[i] = body_number(ring.rank * BODIES + i);
	for (int step = 0; step < STEPS; step++)
		compute_forces(&ring, own, force);

	for (int i = 0; i < BODIES; i++)
		for (int j = 0; j < 3; j++)
			total[j] += force[i][j];
	error = error_of_first(&ring, own, force);
	memcpy(sums, total, sizeof(total));
	sums[3] = error > 1e-6;
	MPI_Reduce(sums, all, 4, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (ring.rank == 0)
		printf("%s : total force %.1e, %g wrong bodies\n",
		       all[3] == 0 && fabs(all[0]) + fabs(all[1]) + fabs(all[2]) < 1e-3 ? "ok" : "wrong",
		       fabs(all[0]) + fabs(all[1]) + fabs(all[2]), all[3]);
	ring_release(&ring);
	MPI_Finalize();
	return 0;
}
