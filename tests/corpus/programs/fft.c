/* corpus: ranks=4
 *
 * A three-dimensional Fourier transform on a grid of ranks. Each rank holds all points along one axis (a pencil); after
 * the transform along it, ranks of one row of the grid exchange blocks (Alltoall on the row's communicator) so that the
 * next axis becomes whole, then those of one column (Alltoallv). And all the way back.
 *
 * Check: a plane wave becomes one single peak, and the way back restores what there was. */
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 16 };

struct grid {
	int rows, columns; /* of ranks */
	int row, column;   /* of this rank */
	int a, b;          /* points across the pencil: N / rows, N / columns */
	MPI_Comm in_row, in_column;
};

static void grid_init(struct grid *g)
{
	int rank, size, shape[2] = {0, 0};

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Dims_create(size, 2, shape);
	g->rows = shape[0];
	g->columns = shape[1];
	g->row = rank / g->columns;
	g->column = rank % g->columns;
	g->a = N / g->rows;
	g->b = N / g->columns;
	MPI_Comm_split(MPI_COMM_WORLD, g->row, g->column, &g->in_row);
	MPI_Comm_split(MPI_COMM_WORLD, g->column, g->row, &g->in_column);
	MPI_Comm_set_name(g->in_row, "row");
	MPI_Comm_set_name(g->in_column, "column");
}

static void grid_release(struct grid *g)
{
	MPI_Comm_free(&g->in_row);
	MPI_Comm_free(&g->in_column);
}

/* In place, by halves. `sign`: -1 there, 1 back. */
static void transform_line(double complex *line, int n, int sign)
{
	double complex even[N / 2], odd[N / 2];

	if (n == 1)
		return;
	for (int i = 0; i < n / 2; i++) {
		even[i] = line[2 * i];
		odd[i] = line[2 * i + 1];
	}
	transform_line(even, n / 2, sign);
	transform_line(odd, n / 2, sign);
	for (int i = 0; i < n / 2; i++) {
		double complex turned = odd[i] * cexp(sign * 2 * M_PI * I * i / n);

		line[i] = even[i] + turned;
		line[i + n / 2] = even[i] - turned;
	}
}

static void transform_lines(double complex *lines, int count, int sign)
{
	for (int i = 0; i < count; i++)
		transform_line(&lines[(size_t)i * N], N, sign);
}

/* Among the ranks of a row. From [a][b][N] with the last axis whole to [a][N / columns][N] with the middle one whole. It
 * is its own way back. */
static void turn_in_row(const struct grid *g, double complex *data, double complex *work)
{
	const int block = g->a * g->b * g->b;

	for (int to = 0, i = 0; to < g->columns; to++)
		for (int x = 0; x < g->a; x++)
			for (int z = 0; z < g->b; z++)
				for (int y = 0; y < g->b; y++)
					work[i++] = data[(x * g->b + y) * N + to * g->b + z];
	MPI_Alltoall(MPI_IN_PLACE, block, MPI_C_DOUBLE_COMPLEX, work, block, MPI_C_DOUBLE_COMPLEX, g->in_row);
	for (int from = 0, i = 0; from < g->columns; from++)
		for (int x = 0; x < g->a; x++)
			for (int z = 0; z < g->b; z++)
				for (int y = 0; y < g->b; y++)
					data[(x * g->b + z) * N + from * g->b + y] = work[i++];
}

/* Among the ranks of a column. From [a][b][N] to [N / rows][b][N] with the first axis whole in the place of the last. */
static void turn_in_column(const struct grid *g, double complex *data, double complex *work)
{
	const int block = g->a * g->a * g->b;
	int counts[N], places[N];
	double complex *arrived = work + (size_t)g->a * (size_t)g->b * N;

	for (int to = 0, i = 0; to < g->rows; to++) {
		counts[to] = block;
		places[to] = to * block;
		for (int y = 0; y < g->a; y++)
			for (int z = 0; z < g->b; z++)
				for (int x = 0; x < g->a; x++)
					work[i++] = data[(x * g->b + z) * N + to * g->a + y];
	}
	MPI_Alltoallv(work, counts, places, MPI_C_DOUBLE_COMPLEX, arrived, counts, places,
	              MPI_C_DOUBLE_COMPLEX, g->in_column);
	for (int from = 0, i = 0; from < g->rows; from++)
		for (int y = 0; y < g->a; y++)
			for (int z = 0; z < g->b; z++)
				for (int x = 0; x < g->a; x++)
					data[(y * g->b + z) * N + from * g->a + x] = arrived[i++];
}

static void transform(const struct grid *g, double complex *data, double complex *work)
{
	transform_lines(data, g->a * g->b, -1);
	turn_in_row(g, data, work);
	transform_lines(data, g->a * g->b, -1);
	turn_in_column(g, data, work);
	transform_lines(data, g->a * g->b, -1);
}

static void transform_back(const struct grid *g, double complex *data, double complex *work)
{
	transform_lines(data, g->a * g->b, 1);
	turn_in_column(g, data, work);
	transform_lines(data, g->a * g->b, 1);
	turn_in_row(g, data, work);
	transform_lines(data, g->a * g->b, 1);
	for (int i = 0; i < g->a * g->b * N; i++)
		data[i] /= N * N * N;
}

/* The wave with one period along x, two along y, three along z. */
static double complex wave(const struct grid *g, int i)
{
	int x = g->row * g->a + i / N / g->b, y = g->column * g->b + i / N % g->b, z = i % N;

	return cexp(2 * M_PI * I * (x + 2 * y + 3 * z) / N);
}

int main(int argc, char **argv)
{
	double complex *data, *work;
	double own[2] = {0, 0},
	       all[2]; /* the largest value after the transform, the largest error after the way back */
	struct grid grid;
	int points;

	MPI_Init(&argc, &argv);
	grid_init(&grid);
	points = grid.a * grid.b * N;
	data = calloc((size_t)points, sizeof(*data));
	work = calloc(2 * (size_t)points, sizeof(*work));
	if (!data || !work)
		MPI_Abort(MPI_COMM_WORLD, 1);

	for (int i = 0; i < points; i++)
		data[i] = wave(&grid, i);
	transform(&grid, data, work);
	for (int i = 0; i < points; i++)
		own[0] += cabs(data[i]);
	transform_back(&grid, data, work);
	for (int i = 0; i < points; i++)
		own[1] += cabs(data[i] - wave(&grid, i));
	MPI_Reduce(own, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (grid.row + grid.column == 0)
		printf("%s : peak %.3f of %d, error %.1e\n",
		       fabs(all[0] - N * N * N) < 1e-6 && all[1] < 1e-6 ? "ok" : "wrong", all[0], N * N * N,
		       all[1]);
	free(data);
	free(work);
	grid_release(&grid);
	MPI_Finalize();
	return 0;
}
