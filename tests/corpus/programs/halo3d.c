/* corpus: ranks=6
 *
 * Waves in a box with hard walls, on a three-dimensional Cartesian topology. The six faces of a rank's block are
 * subarrays of it, which one neighbourhood collective (Neighbor_alltoallw) exchanges with up to six neighbours. The
 * energy in the box is summed along the pillars of the topology first (Cart_sub), then over them.
 *
 * Check: each rank also computes the whole box alone and finds exactly the same numbers in its block. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { EDGE = 12, STEPS = 20, AXES = 3, FACES = 2 * AXES };

/* A part of the box with a layer of others' cells around it. */
struct block {
	int cells[AXES];
	double *before, *now;
};

struct place {
	MPI_Comm comm;
	int blocks[AXES], at[AXES];
};

static size_t volume(const struct block *b)
{
	return (size_t)(b->cells[0] + 2) * (size_t)(b->cells[1] + 2) * (size_t)(b->cells[2] + 2);
}

static size_t index_of(const struct block *b, int x, int y, int z)
{
	return ((size_t)x * (size_t)(b->cells[1] + 2) + (size_t)y) * (size_t)(b->cells[2] + 2) + (size_t)z;
}

/* `first`: where in the box the block begins. */
static void block_init(struct block *b, const int first[AXES])
{
	b->before = calloc(volume(b), sizeof(double));
	b->now = calloc(volume(b), sizeof(double));
	if (!b->before || !b->now)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int x = 1; x <= b->cells[0]; x++)
		for (int y = 1; y <= b->cells[1]; y++)
			for (int z = 1; z <= b->cells[2]; z++) {
				int sum = (first[0] + x) * 7 + (first[1] + y) * 5 + (first[2] + z) * 3;

				b->now[index_of(b, x, y, z)] = sum % 11 - 5;
				b->before[index_of(b, x, y, z)] = sum % 11 - 5;
			}
}

static void block_release(struct block *b)
{
	free(b->before);
	free(b->now);
}

static void step(struct block *b)
{
	double *next = b->before, *now = b->now;
	size_t dx = index_of(b, 1, 0, 0), dy = index_of(b, 0, 1, 0);

	for (int x = 1; x <= b->cells[0]; x++)
		for (int y = 1; y <= b->cells[1]; y++)
			for (int z = 1; z <= b->cells[2]; z++) {
				size_t i = index_of(b, x, y, z);
				double around = now[i - dx] + now[i + dx] + now[i - dy] + now[i + dy] +
				                now[i - 1] + now[i + 1];

				next[i] = 2 * now[i] - next[i] + (around - 6 * now[i]) / 8;
			}
	b->before = now;
	b->now = next;
}

/* The layer that is sent or received at one end of an axis. */
static MPI_Datatype layer(const struct block *b, int axis, int where)
{
	int sizes[AXES], cells[AXES], starts[AXES];
	MPI_Datatype type;

	for (int i = 0; i < AXES; i++) {
		sizes[i] = b->cells[i] + 2;
		cells[i] = i == axis ? 1 : b->cells[i];
		starts[i] = i == axis ? where : 1;
	}
	MPI_Type_create_subarray(AXES, sizes, cells, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
	MPI_Type_commit(&type);
	return type;
}

static void make_layers(const struct block *b, MPI_Datatype out[FACES], MPI_Datatype in[FACES])
{
	for (int axis = 0; axis < AXES; axis++) {
		out[2 * axis] = layer(b, axis, 1);
		out[2 * axis + 1] = layer(b, axis, b->cells[axis]);
		in[2 * axis] = layer(b, axis, 0);
		in[2 * axis + 1] = layer(b, axis, b->cells[axis] + 1);
	}
}

static void exchange_faces(MPI_Comm comm, struct block *b, const MPI_Datatype *out, const MPI_Datatype *in)
{
	static const int ones[FACES] = {1, 1, 1, 1, 1, 1};
	static const MPI_Aint nowhere_else[FACES];

	MPI_Neighbor_alltoallw(b->now, ones, nowhere_else, out, b->now, ones, nowhere_else, in, comm);
}

static void find_place(struct place *p)
{
	int size, rank, walls[AXES] = {0, 0, 0};

	p->blocks[0] = p->blocks[1] = p->blocks[2] = 0;
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Dims_create(size, AXES, p->blocks);
	MPI_Cart_create(MPI_COMM_WORLD, AXES, p->blocks, walls, 1, &p->comm);
	MPI_Comm_rank(p->comm, &rank);
	MPI_Cart_coords(p->comm, rank, AXES, p->at);
}

static void propagate(MPI_Comm comm, struct block *b)
{
	MPI_Datatype out[FACES], in[FACES];

	make_layers(b, out, in);
	for (int i = 0; i < STEPS; i++) {
		exchange_faces(comm, b, out, in);
		step(b);
	}
	for (int i = 0; i < FACES; i++) {
		MPI_Type_free(&out[i]);
		MPI_Type_free(&in[i]);
	}
}

static double energy(const struct place *p, const struct block *b)
{
	const int pillar_axis[AXES] = {0, 0, 1}, floor_axes[AXES] = {1, 1, 0};
	MPI_Comm pillar, floor;
	double own = 0, in_pillar = 0, all = 0;

	for (int x = 1; x <= b->cells[0]; x++)
		for (int y = 1; y <= b->cells[1]; y++)
			for (int z = 1; z <= b->cells[2]; z++)
				own += pow(b->now[index_of(b, x, y, z)], 2);
	MPI_Cart_sub(p->comm, pillar_axis, &pillar);
	MPI_Cart_sub(p->comm, floor_axes, &floor);
	MPI_Allreduce(&own, &in_pillar, 1, MPI_DOUBLE, MPI_SUM, pillar);
	MPI_Allreduce(&in_pillar, &all, 1, MPI_DOUBLE, MPI_SUM, floor);
	MPI_Comm_free(&pillar);
	MPI_Comm_free(&floor);
	return all;
}

static int count_wrong_cells(const struct block *part, const int first[AXES], const struct block *whole)
{
	int wrong = 0;

	for (int x = 1; x <= part->cells[0]; x++)
		for (int y = 1; y <= part->cells[1]; y++)
			for (int z = 1; z <= part->cells[2]; z++) {
				size_t there = index_of(whole, first[0] + x, first[1] + y, first[2] + z);

				wrong += part->now[index_of(part, x, y, z)] != whole->now[there];
			}
	return wrong;
}

int main(int argc, char **argv)
{
	struct block part, whole = {.cells = {EDGE, EDGE, EDGE}};
	int first[AXES], nowhere[AXES] = {0}, wrong, wrong_anywhere = 0;
	struct place place;
	double left;

	MPI_Init(&argc, &argv);
	find_place(&place);
	for (int i = 0; i < AXES; i++) {
		part.cells[i] = EDGE / place.blocks[i];
		first[i] = place.at[i] * part.cells[i];
	}
	block_init(&part, first);
	block_init(&whole, nowhere);

	propagate(place.comm, &part);
	left = energy(&place, &part);
	for (int i = 0; i < STEPS; i++)
		step(&whole);
	wrong = count_wrong_cells(&part, first, &whole);
	MPI_Reduce(&wrong, &wrong_anywhere, 1, MPI_INT, MPI_SUM, 0, place.comm);
	if (place.at[0] + place.at[1] + place.at[2] == 0)
		printf("%s : energy %.3f, %d wrong cells\n", wrong_anywhere ? "wrong" : "ok", left,
		       wrong_anywhere);
	block_release(&part);
	block_release(&whole);
	MPI_Comm_free(&place.comm);
	MPI_Finalize();
	return 0;
}
