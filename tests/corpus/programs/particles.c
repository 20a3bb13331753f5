/* corpus: ranks=4
 *
 * Particles that fall towards a moving point, in a domain whose parts follow them. After each step those that left a
 * rank's part migrate (Alltoall tells how many, Alltoallv moves them). When the load is uneven, the domain is divided again:
 * halves of the ranks take halves of the particles, level by level, each level with communicators of its own
 * (Comm_split).
 *
 * Check: no particle is lost, each is where it belongs, and the cuts made the load even. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { PARTICLES = 1500, STEPS = 8, MOST_RANKS = 64, BINS = 512 };

struct particle {
	double place; /* in [0, 1) */
	long number;
};

struct domain {
	int rank, size;
	double edges[MOST_RANKS + 1]; /* rank i has [edges[i], edges[i + 1]) */
	struct particle *own, *other; /* here now, and room for an exchange */
	int *to;                      /* where each of them goes in an exchange */
	int count, most;
	int cuts; /* how often the domain was divided again */
	MPI_Datatype type;
};

static void *get_memory(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (!memory)
		MPI_Abort(MPI_COMM_WORLD, 1);
	return memory;
}

static void domain_init(struct domain *d)
{
	MPI_Comm_rank(MPI_COMM_WORLD, &d->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &d->size);
	for (int i = 0; i <= d->size; i++)
		d->edges[i] = (double)i / d->size;
	d->most = PARTICLES * d->size;
	d->own = get_memory((size_t)d->most, sizeof(*d->own));
	d->other = get_memory((size_t)d->most, sizeof(*d->other));
	d->to = get_memory((size_t)d->most, sizeof(*d->to));
	d->count = PARTICLES;
	d->cuts = 0;
	for (int i = 0; i < PARTICLES; i++)
		d->own[i] = (struct particle){d->edges[d->rank] + (i + 0.5) / PARTICLES / d->size,
		                              (long)d->rank * PARTICLES + i};
	MPI_Type_contiguous(sizeof(struct particle), MPI_BYTE, &d->type);
	MPI_Type_commit(&d->type);
}

static void domain_release(struct domain *d)
{
	MPI_Type_free(&d->type);
	free(d->own);
	free(d->other);
	free(d->to);
}

static void move_particles(struct domain *d, int step)
{
	double centre = 0.2 + 0.05 * step;

	for (int i = 0; i < d->count; i++) {
		double *place = &d->own[i].place;

		*place += 0.2 * (centre - *place) + 0.001 * sin((double)(d->own[i].number + step));
		*place = fmin(fmax(*place, 0), 1 - 1e-9);
	}
}

static int add_up(const int *counts, int *places, int size)
{
	int sum = 0;

	for (int i = 0; i < size; i++) {
		places[i] = sum;
		sum += counts[i];
	}
	return sum;
}

/* Sends each particle to the rank of `comm` that d->to names. */
static void exchange(struct domain *d, MPI_Comm comm)
{
	int out[MOST_RANKS] = {0}, in[MOST_RANKS], out_places[MOST_RANKS], in_places[MOST_RANKS],
	    next[MOST_RANKS], size;

	MPI_Comm_size(comm, &size);
	for (int i = 0; i < d->count; i++)
		out[d->to[i]]++;
	add_up(out, out_places, size);
	add_up(out, next, size);
	for (int i = 0; i < d->count; i++)
		d->other[next[d->to[i]]++] = d->own[i];
	MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
	d->count = add_up(in, in_places, size);
	MPI_Alltoallv(d->other, out, out_places, d->type, d->own, in, in_places, d->type, comm);
}

static void migrate(struct domain *d)
{
	for (int i = 0; i < d->count; i++) {
		d->to[i] = 0;
		while (d->to[i] + 1 < d->size && d->own[i].place >= d->edges[d->to[i] + 1])
			d->to[i]++;
	}
	exchange(d, MPI_COMM_WORLD);
}

/* Where the given part of the communicator's particles in [low, high) lies left, to within a bin. */
static double find_cut(const struct domain *d, MPI_Comm comm, double low, double high, double part)
{
	long bins[BINS] = {0}, all[BINS], total = 0, sum = 0;
	int bin = 0;

	for (int i = 0; i < d->count; i++) {
		int at = (int)((d->own[i].place - low) / (high - low) * BINS);

		bins[at < 0 ? 0 : at >= BINS ? BINS - 1 : at]++;
	}
	MPI_Allreduce(bins, all, BINS, MPI_LONG, MPI_SUM, comm);
	for (int i = 0; i < BINS; i++)
		total += all[i];
	while (bin + 2 < BINS && (double)(sum + all[bin]) < part * (double)total)
		sum += all[bin++];
	return low + (high - low) * (bin + 1) / BINS;
}

/* The ranks of one level are split into two halves, and so are their particles. */
static MPI_Comm go_down_a_level(struct domain *d, MPI_Comm comm, double *low, double *high)
{
	int rank, size, left;
	double edge;
	MPI_Comm half;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	left = size / 2;
	edge = find_cut(d, comm, *low, *high, (double)left / size);
	for (int i = 0; i < d->count; i++)
		d->to[i] = d->own[i].place < edge ? i % left : left + i % (size - left);
	exchange(d, comm);
	*(rank < left ? high : low) = edge;
	MPI_Comm_split(comm, rank < left, rank, &half);
	return half;
}

static void cut_anew(struct domain *d)
{
	double low = 0, high = 1;
	MPI_Comm comm, half;
	int size = d->size;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	while (size > 1) {
		half = go_down_a_level(d, comm, &low, &high);
		MPI_Comm_free(&comm);
		comm = half;
		MPI_Comm_size(comm, &size);
	}
	MPI_Comm_free(&comm);
	MPI_Allgather(&low, 1, MPI_DOUBLE, d->edges, 1, MPI_DOUBLE, MPI_COMM_WORLD);
	d->cuts++;
}

/* The largest load, in parts of the mean one. */
static double unevenness(const struct domain *d)
{
	int largest;

	MPI_Allreduce(&d->count, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	return (double)largest / PARTICLES;
}

int main(int argc, char **argv)
{
	struct domain d;
	long own[3] = {0}, all[3]; /* particles, sum of their numbers, those in a wrong place */
	double load = 1;

	MPI_Init(&argc, &argv);
	domain_init(&d);
	for (int step = 0; step < STEPS; step++) {
		move_particles(&d, step);
		migrate(&d);
		if (unevenness(&d) > 1.5) {
			cut_anew(&d);
			load = unevenness(&d);
		}
	}
	for (int i = 0; i < d.count; i++) {
		own[0]++;
		own[1] += d.own[i].number;
		own[2] += d.own[i].place < d.edges[d.rank] || d.own[i].place >= d.edges[d.rank + 1];
	}
	MPI_Reduce(own, all, 3, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	if (d.rank == 0) {
		long total = (long)PARTICLES * d.size;

		printf("%s : %ld particles, the domain was cut %d times, the last time to a load of %.2f\n",
		       all[0] == total && all[1] == total * (total - 1) / 2 && !all[2] && d.cuts && load < 1.2
		               ? "ok"
		               : "wrong",
		       all[0], d.cuts, load);
	}
	domain_release(&d);
	MPI_Finalize();
	return 0;
}
