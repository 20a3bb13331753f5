/* The bytes that src/job/check/objects/type_layout.c finds in random datatypes are those that MPI_Unpack writes to. One process.
 *
 *	type_layouts [SEED [TYPES]] */
#include "job/check/objects/objects.h"
#include "job/check/objects/type_layout.h"
#include "job/check/wire/process_state.h"
#include "job/mpi/flavour.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 20, BLOCKS = 4, DEPTH = 3, ELEMENTS = 3, PACKED = 1 << 18 };

struct checked_process checked;
struct checked_object *object_cache[OBJECT_KINDS][OBJECT_CACHE];
static struct checked_object object; /* the type that is looked at */
static uint32_t state;
static int approximate; /* layouts from the first byte to the last, with gaps that are not known */

struct checked_object *object_find_slowly(enum object_kind kind, uint64_t handle)
{
	(void)kind;
	(void)handle;
	return &object;
}

void *host_table(size_t count, size_t size)
{
	return calloc(count, size);
}

void host_lock(void)
{
}

void host_unlock(void)
{
}

static int below(int limit)
{
	state = state * 1664525u + 1013904223u;
	return (int)((state >> 8) % (uint32_t)limit);
}

static MPI_Datatype random_type(int depth);

static MPI_Datatype basic_type(void)
{
	const MPI_Datatype types[] = {MPI_CHAR,      MPI_SHORT,      MPI_INT,     MPI_DOUBLE,
	                              MPI_SHORT_INT, MPI_DOUBLE_INT, MPI_LONG_INT};

	return types[below(sizeof types / sizeof *types)];
}

static MPI_Datatype random_struct(int depth)
{
	MPI_Datatype members[BLOCKS], type;
	MPI_Aint displacements[BLOCKS];
	int lengths[BLOCKS];
	const int count = 1 + below(BLOCKS);

	for (int i = 0; i < count; i++) {
		members[i] = random_type(depth - 1);
		lengths[i] = 1 + below(3); /* one of the libraries divides by the size of empty ones */
		displacements[i] = below(4000) - 2000;
	}
	MPI_Type_create_struct(count, lengths, displacements, members, &type);
	return type;
}

static MPI_Datatype random_array(MPI_Datatype element)
{
	int sizes[BLOCKS], parts[BLOCKS], starts[BLOCKS];
	const int dimensions = 1 + below(3), order = below(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
	MPI_Datatype type;

	for (int i = 0; i < dimensions; i++) {
		sizes[i] = 1 + below(5);
		parts[i] = 1 + below(sizes[i]);
		starts[i] = below(sizes[i] - parts[i] + 1);
	}
	MPI_Type_create_subarray(dimensions, sizes, parts, starts, order, element, &type);
	return type;
}

static MPI_Datatype random_blocks(MPI_Datatype element, int kind)
{
	int lengths[BLOCKS], places[BLOCKS];
	MPI_Aint displacements[BLOCKS];
	const int count = 1 + below(BLOCKS);
	MPI_Datatype type;

	for (int i = 0; i < count; i++) {
		lengths[i] = 1 + below(3); /* one of the libraries divides by the size of empty ones */
		places[i] = below(30) - 10;
		displacements[i] = below(3000) - 1000;
	}
	if (kind == 0)
		MPI_Type_indexed(count, lengths, places, element, &type);
	else if (kind == 1)
		MPI_Type_create_hindexed(count, lengths, displacements, element, &type);
	else if (kind == 2)
		MPI_Type_create_indexed_block(count, 2, places, element, &type);
	else
		MPI_Type_create_hindexed_block(count, 3, displacements, element, &type);
	return type;
}

static MPI_Datatype random_type(int depth)
{
	MPI_Datatype element, type;

	if (depth == 0 || below(5) == 0)
		return basic_type();
	if (below(4) == 0)
		return random_struct(depth);
	element = random_type(depth - 1);
	switch (below(8)) {
	case 0:
		MPI_Type_contiguous(1 + below(5), element, &type);
		return type;
	case 1:
		MPI_Type_vector(1 + below(4), 1 + below(2), below(13) - 4, element, &type);
		return type;
	case 2:
		MPI_Type_create_hvector(1 + below(4), 1 + below(3), below(900) - 300, element, &type);
		return type;
	case 3:
		MPI_Type_create_resized(element, below(40) - 20, 1 + below(400), &type);
		return type;
	case 4:
		return random_array(element);
	default:
		return random_blocks(element, below(4));
	}
}

/* Bytes of `count` elements that are not as the layout says; -1: they cannot be compared. */
static int wrong_bytes(MPI_Datatype type, int count)
{
	static unsigned char really[ROOM], found[ROOM], packed[PACKED];
	unsigned char *middle = really + ROOM / 2;
	const struct type_layout *layout;
	struct byte_pattern pattern;
	MPI_Aint lb, extent, true_lb, true_extent;
	int bytes, position = 0, wrong = 0;

	MPI_Type_get_extent(type, &lb, &extent);
	MPI_Type_get_true_extent(type, &true_lb, &true_extent);
	MPI_Pack_size(count, type, MPI_COMM_SELF, &bytes);
	if (bytes > PACKED || labs(true_lb) + true_extent + count * labs(extent) > ROOM / 2)
		return -1;
	memset(really, 0, ROOM);
	memset(found, 0, ROOM);
	memset(packed, 1, sizeof packed);
	MPI_Type_size(type, &bytes);
	MPI_Unpack(packed, bytes * count, &position, middle, count, type, MPI_COMM_SELF);
	object = (struct checked_object){.state = OBJECT_LIVE};
	layout = type_layout_get(HANDLE(type));
	if (!layout)
		return bytes;
	approximate += layout->approximate;
	if (!layout->approximate &&
	    layout->bytes < bytes) { /* members overlap: MPI cannot receive with such a type */
		type_layout_release(layout);
		return -1;
	}
	pattern = type_layout_pattern(layout, ROOM / 2, count);
	for (int64_t i = 0; i < pattern.times; i++)
		for (uint32_t j = 0; j < pattern.count; j++)
			memset(found + pattern.start + i * pattern.stride + pattern.run[j].offset, 1,
			       (size_t)pattern.run[j].length);
	for (int i = 0; i < ROOM; i++)
		wrong += layout->approximate ? really[i] && !found[i] : really[i] != found[i];
	type_layout_release(layout);
	return wrong;
}

int main(int argc, char **argv)
{
	const int seed = argc > 1 ? atoi(argv[1]) : 1, types = argc > 2 ? atoi(argv[2]) : 300;
	int compared = 0;

	MPI_Init(&argc, &argv);
	for (int i = 0; i < types; i++) {
		MPI_Datatype type;
		int wrong;

		state = (uint32_t)(seed * 1000003 + i);
		below(1);
		type = random_type(DEPTH);
		MPI_Type_dup(type, &type);
		MPI_Type_commit(&type);
		wrong = wrong_bytes(type, 1 + below(ELEMENTS));
		MPI_Type_free(&type);
		compared += wrong >= 0;
		if (wrong <= 0)
			continue;
		printf("type %d of seed %d: %d bytes are not as MPI_Unpack has them\n", i, seed, wrong);
		MPI_Abort(MPI_COMM_SELF, 1);
	}
	printf("%d of %d types are as MPI has them, %d from the first byte to the last\n", compared, types,
	       approximate);
	MPI_Finalize();
	return compared < types / 2 || approximate > types / 100;
}
