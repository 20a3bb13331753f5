/* Heat spreads over a plate that is divided into one block per rank. In each step a rank exchanges the
 * edges of its block with up to four neighbours and then computes. One rank computes more slowly than
 * the others, which therefore wait for it. Tarry shows these waits.
 *
 *	mpicc -g -o heat heat.c
 *	mpirun -n 4 ./heat [steps [slow rank [milliseconds lost in each step]]] */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { EDGE = 128, WIDTH = EDGE + 2, STEPS_BETWEEN_CHECKS = 10 };

/* The block with one row or column of the neighbours' cells on each side. */
typedef double plate[WIDTH][WIDTH];

struct block {
	MPI_Comm comm;
	MPI_Datatype column;
	int rank;
	int up, down, left, right; /* MPI_PROC_NULL at the rim of the plate */
	plate *now;
	plate *next;
};

struct options {
	int steps;
	int slow_rank;
	int lost_ms;
};

static int argument(int argc, char **argv, int index, int otherwise)
{
	return index < argc ? atoi(argv[index]) : otherwise;
}

static void block_init(struct block *b)
{
	int size, dims[2] = {0, 0}, periods[2] = {0, 0};

	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Dims_create(size, 2, dims);
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &b->comm);
	MPI_Comm_rank(b->comm, &b->rank);
	MPI_Cart_shift(b->comm, 0, 1, &b->up, &b->down);
	MPI_Cart_shift(b->comm, 1, 1, &b->left, &b->right);

	MPI_Type_vector(EDGE, 1, WIDTH, MPI_DOUBLE, &b->column);
	MPI_Type_commit(&b->column);

	b->now = calloc(1, sizeof(plate));
	b->next = calloc(1, sizeof(plate));
	if (!b->now || !b->next)
		MPI_Abort(MPI_COMM_WORLD, 1);
	if (b->up == MPI_PROC_NULL)
		for (int x = 0; x < WIDTH; x++)
			(*b->now)[0][x] = (*b->next)[0][x] = 100.0;
}

static void block_release(struct block *b)
{
	free(b->now);
	free(b->next);
	MPI_Type_free(&b->column);
	MPI_Comm_free(&b->comm);
}

static void exchange_edges(struct block *b)
{
	plate *p = b->now;
	MPI_Request requests[8];

	MPI_Irecv(&(*p)[0][1], EDGE, MPI_DOUBLE, b->up, 0, b->comm, &requests[0]);
	MPI_Irecv(&(*p)[EDGE + 1][1], EDGE, MPI_DOUBLE, b->down, 0, b->comm, &requests[1]);
	MPI_Irecv(&(*p)[1][0], 1, b->column, b->left, 0, b->comm, &requests[2]);
	MPI_Irecv(&(*p)[1][EDGE + 1], 1, b->column, b->right, 0, b->comm, &requests[3]);

	MPI_Isend(&(*p)[1][1], EDGE, MPI_DOUBLE, b->up, 0, b->comm, &requests[4]);
	MPI_Isend(&(*p)[EDGE][1], EDGE, MPI_DOUBLE, b->down, 0, b->comm, &requests[5]);
	MPI_Isend(&(*p)[1][1], 1, b->column, b->left, 0, b->comm, &requests[6]);
	MPI_Isend(&(*p)[1][EDGE], 1, b->column, b->right, 0, b->comm, &requests[7]);

	MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
}

/* Returns the largest change of a cell. */
static double compute(struct block *b)
{
	const plate *from = b->now;
	plate *to = b->next;
	double change = 0;

	for (int y = 1; y <= EDGE; y++)
		for (int x = 1; x <= EDGE; x++) {
			double column = (*from)[y - 1][x] + (*from)[y + 1][x];
			double row = (*from)[y][x - 1] + (*from)[y][x + 1];
			(*to)[y][x] = (column + row) / 4;
			change = fmax(change, fabs((*to)[y][x] - (*from)[y][x]));
		}
	b->next = b->now;
	b->now = to;
	return change;
}

/* Much longer than the disturbances of a busy machine. */
static void lose_time(int ms)
{
	nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL);
}

static double spread_heat(struct block *b, const struct options *options)
{
	double change, largest = 0;

	for (int step = 1; step <= options->steps; step++) {
		exchange_edges(b);
		change = compute(b);
		if (b->rank == options->slow_rank)
			lose_time(options->lost_ms);
		if (step % STEPS_BETWEEN_CHECKS == 0)
			MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, b->comm);
	}
	return largest;
}

int main(int argc, char **argv)
{
	struct options options;
	struct block block;
	double change;
	int size;

	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	options.steps = argument(argc, argv, 1, 20);
	options.slow_rank = argument(argc, argv, 2, size / 2);
	options.lost_ms = argument(argc, argv, 3, 100);
	block_init(&block);
	change = spread_heat(&block, &options);
	if (block.rank == 0)
		printf("after %d steps no cell changes by more than %.4f degrees\n", options.steps, change);
	block_release(&block);
	MPI_Finalize();
	return 0;
}
