/* corpus: ranks=4
 *
 * Points are put into clusters (k-means), with collectives that run while the rank computes: the sums of one half of the
 * points travel (Iallreduce) while the other half is classified, and the rank asks now and then whether they arrived
 * (Test). New centres are announced by a rank that changes (Ibcast, Testall), the end by a barrier that does not block.
 *
 * Check: the centres that the points were scattered around are found. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { CLUSTERS = 5, POINTS = 1200, ROUNDS = 8, POINTS_BETWEEN_TESTS = 100 };

struct point {
	double x, y;
};

/* Sums over all points of a cluster. */
struct sums {
	double x[CLUSTERS], y[CLUSTERS], count[CLUSTERS];
};
enum { SUMS = 3 * CLUSTERS };

static struct point true_centre(int cluster)
{
	return (struct point){10 * cos(cluster * 1.2), 10 * sin(cluster * 1.2)};
}

static void make_points(struct point *points, int rank)
{
	for (int i = 0; i < POINTS; i++) {
		struct point centre = true_centre(i % CLUSTERS);
		double angle = i * 2.4 + rank, radius = 2.0 * ((i * 37 + rank * 11) % 100) / 100;

		points[i] = (struct point){centre.x + radius * cos(angle), centre.y + radius * sin(angle)};
	}
}

static int nearest(const struct point *centres, struct point p)
{
	int best = 0;

	for (int i = 1; i < CLUSTERS; i++)
		if (hypot(centres[i].x - p.x, centres[i].y - p.y) <
		    hypot(centres[best].x - p.x, centres[best].y - p.y))
			best = i;
	return best;
}

/* Classifies points while a request is under way. */
static void classify(const struct point *points, int count, const struct point *centres, struct sums *sums,
                     MPI_Request *under_way)
{
	int arrived = 0;

	memset(sums, 0, sizeof(*sums));
	for (int i = 0; i < count; i++) {
		int cluster = nearest(centres, points[i]);

		sums->x[cluster] += points[i].x;
		sums->y[cluster] += points[i].y;
		sums->count[cluster]++;
		if (under_way && !arrived && i % POINTS_BETWEEN_TESTS == 0)
			MPI_Test(under_way, &arrived, MPI_STATUS_IGNORE);
	}
}

static void find_centres(const struct sums *a, const struct sums *b, struct point *centres)
{
	for (int i = 0; i < CLUSTERS; i++) {
		double count = a->count[i] + b->count[i];

		if (count > 0)
			centres[i] = (struct point){(a->x[i] + b->x[i]) / count, (a->y[i] + b->y[i]) / count};
	}
}

static void run_round(const struct point *points, struct point *centres)
{
	struct sums own[2], all[2];
	MPI_Request request[2];

	classify(points, POINTS / 2, centres, &own[0], NULL);
	MPI_Iallreduce(&own[0], &all[0], SUMS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request[0]);
	classify(points + POINTS / 2, POINTS - POINTS / 2, centres, &own[1], &request[0]);
	MPI_Iallreduce(&own[1], &all[1], SUMS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request[1]);
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	find_centres(&all[0], &all[1], centres);
}

/* Everybody has the same centres up to rounding; after this, exactly the same. */
static void agree(struct point *centres, int root)
{
	MPI_Request request;
	int there = 0;

	MPI_Ibcast(centres, 2 * CLUSTERS, MPI_DOUBLE, root, MPI_COMM_WORLD, &request);
	while (!there)
		MPI_Testall(1, &request, &there, MPI_STATUSES_IGNORE);
}

static double error_of(const struct point *centres)
{
	double largest = 0;

	for (int i = 0; i < CLUSTERS; i++) {
		struct point right = true_centre(i), found = centres[nearest(centres, right)];

		largest = fmax(largest, hypot(found.x - right.x, found.y - right.y));
	}
	return largest;
}

int main(int argc, char **argv)
{
	struct point points[POINTS], centres[CLUSTERS];
	MPI_Request over;
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	make_points(points, rank);
	memcpy(centres, points, sizeof(centres));
	agree(centres, 0);
	for (int round = 0; round < ROUNDS; round++) {
		run_round(points, centres);
		agree(centres, round % size);
	}
	MPI_Ibarrier(MPI_COMM_WORLD, &over);
	MPI_Wait(&over, MPI_STATUS_IGNORE);
	if (rank == 0)
		printf("%s : %d clusters, error %.3f\n", error_of(centres) < 0.5 ? "ok" : "wrong", CLUSTERS,
		       error_of(centres));
	MPI_Finalize();
	return 0;
}
