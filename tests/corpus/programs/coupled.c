/* corpus: ranks=6
 *
 * Two models of one climate: four ranks compute an atmosphere, two an ocean below it. Each model has a communicator
 * (Comm_split), and an intercommunicator joins them. In every exchange each ocean rank receives the heat of the
 * atmosphere ranks above it and answers with its temperature, point to point in the other group's ranks; both sides
 * learn the other's mean with a collective between groups (Allreduce), and rank 0 of the atmosphere tells the ocean
 * when to stop (Bcast with MPI_ROOT). In the end the two become one again (Intercomm_merge).
 *
 * Check: what one model loses the other gains. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { ATMOSPHERE, OCEAN, EXCHANGES = 15, AIR_RANKS = 4, TAG_HEAT = 1, TAG_WARMTH = 2 };

struct model {
	int kind, rank, size, other_size;
	MPI_Comm own, between;
	double heat, others_mean;
};

static void model_init(struct model *m)
{
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	m->kind = rank < AIR_RANKS ? ATMOSPHERE : OCEAN;
	MPI_Comm_split(MPI_COMM_WORLD, m->kind, rank, &m->own);
	MPI_Comm_rank(m->own, &m->rank);
	MPI_Comm_size(m->own, &m->size);
	MPI_Intercomm_create(m->own, 0, MPI_COMM_WORLD, m->kind == ATMOSPHERE ? AIR_RANKS : 0, 99,
	                     &m->between);
	MPI_Comm_remote_size(m->between, &m->other_size);
	m->heat = m->kind == ATMOSPHERE ? 300 - m->rank : 280 + m->rank;
}

static void model_release(struct model *m)
{
	MPI_Comm_free(&m->between);
	MPI_Comm_free(&m->own);
}

/* Winds and currents: within a model, heat spreads round a ring. */
static void stir(struct model *m)
{
	double from_left, given = m->heat / 4;
	int right = (m->rank + 1) % m->size, left = (m->rank + m->size - 1) % m->size;

	MPI_Sendrecv(&given, 1, MPI_DOUBLE, right, 0, &from_left, 1, MPI_DOUBLE, left, 0, m->own,
	             MPI_STATUS_IGNORE);
	m->heat += from_left - given;
}

/* Gives a part of the heat to the ocean below and gets a part of the ocean's. */
static void exchange_from_above(struct model *m)
{
	int below = m->rank * m->other_size / m->size;
	double given = m->heat / 10, got;

	MPI_Send(&given, 1, MPI_DOUBLE, below, TAG_HEAT, m->between);
	MPI_Recv(&got, 1, MPI_DOUBLE, below, TAG_WARMTH, m->between, MPI_STATUS_IGNORE);
	m->heat += got - given;
}

static void exchange_from_below(struct model *m)
{
	int above = m->other_size / m->size;
	double given = m->heat / 10 / above, got;

	for (int i = 0; i < above; i++) {
		MPI_Status status;

		MPI_Recv(&got, 1, MPI_DOUBLE, MPI_ANY_SOURCE, TAG_HEAT, m->between, &status);
		MPI_Send(&given, 1, MPI_DOUBLE, status.MPI_SOURCE, TAG_WARMTH, m->between);
		m->heat += got - given;
	}
}

/* Each side gets the sum of the other. */
static void compare_means(struct model *m)
{
	double sum;

	MPI_Allreduce(&m->heat, &sum, 1, MPI_DOUBLE, MPI_SUM, m->between);
	m->others_mean = sum / m->other_size;
}

/* The atmosphere's rank 0 decides for both. */
static int is_over(struct model *m, int exchange)
{
	int over = exchange + 1 == EXCHANGES;

	if (m->kind == ATMOSPHERE)
		MPI_Bcast(&over, 1, MPI_INT, m->rank == 0 ? MPI_ROOT : MPI_PROC_NULL, m->between);
	else
		MPI_Bcast(&over, 1, MPI_INT, 0, m->between);
	return over;
}

static double total_heat(const struct model *m)
{
	double all;
	MPI_Comm both;

	MPI_Intercomm_merge(m->between, m->kind == OCEAN, &both);
	MPI_Allreduce(&m->heat, &all, 1, MPI_DOUBLE, MPI_SUM, both);
	MPI_Comm_free(&both);
	return all;
}

int main(int argc, char **argv)
{
	struct model m;
	double before, after;

	MPI_Init(&argc, &argv);
	model_init(&m);
	before = total_heat(&m);
	for (int i = 0, over = 0; !over; i++) {
		stir(&m);
		if (m.kind == ATMOSPHERE)
			exchange_from_above(&m);
		else
			exchange_from_below(&m);
		compare_means(&m);
		over = is_over(&m, i);
	}
	after = total_heat(&m);
	if (m.kind == ATMOSPHERE && m.rank == 0)
		printf("%s : heat %.6f before, %.6f after, the ocean has %.1f\n",
		       fabs(before - after) < 1e-6 ? "ok" : "wrong", before, after, m.others_mean);
	model_release(&m);
	MPI_Finalize();
	return 0;
}
