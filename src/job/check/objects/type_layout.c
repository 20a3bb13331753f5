#include "job/check/objects/type_layout.h"

#include "job/check/objects/objects.h"
#include "job/check/objects/type_contents.h"
#include "job/check/wire/process_state.h"

#include <stdlib.h>
#include <string.h>

enum { DIMENSIONS_MAX = 32 };

/* The runs of a type while it is decoded. */
struct type_pieces {
	struct byte_runs runs;
	int64_t extent;
};

static bool take_apart(MPI_Datatype type, struct type_pieces *pieces);

static int64_t extent_of(MPI_Datatype type)
{
	MPI_Count lb = 0, extent = 0;

	PMPI_Type_get_extent_x(type, &lb, &extent);
	return (int64_t)extent;
}

static void add_hull(struct byte_runs *runs, MPI_Datatype type)
{
	MPI_Count lb = 0, extent = 0;

	PMPI_Type_get_true_extent_x(type, &lb, &extent);
	runs->approximate = true;
	byte_runs_add(runs, (int64_t)lb, (int64_t)extent);
}

/* Pair types for MPI_MINLOC have a gap if the second member needs alignment. */
static void add_named(struct byte_runs *runs, MPI_Datatype type)
{
	MPI_Count bytes = 0, lb = 0, extent = 0;

	PMPI_Type_size_x(type, &bytes);
	PMPI_Type_get_true_extent_x(type, &lb, &extent);
	if (type == MPI_SHORT_INT && bytes == sizeof(short) + sizeof(int)) {
		byte_runs_add(runs, 0, sizeof(short));
		byte_runs_add(runs, sizeof(int), sizeof(int));
	} else {
		byte_runs_add(runs, 0, (int64_t)bytes); /* a gap can only be at the end */
	}
}

/* `count` consecutive elements. */
static void add_block(struct byte_runs *runs, const struct type_pieces *element, int64_t displacement,
                      int64_t count)
{
	const struct byte_pattern pattern = {.run = element->runs.run,
	                                     .count = element->runs.count,
	                                     .start = displacement,
	                                     .stride = element->extent,
	                                     .times = count};

	runs->reordered |= element->runs.reordered;
	byte_runs_add_pattern(runs, &pattern);
}

/* Open MPI 4.1 treats a stride of -1 byte as "no stride", and makes the blocks contiguous (docs/libraries.md).
 * Then only the bounds that it reports for the type show where the data is. */
static bool is_misunderstood(int64_t stride, int64_t blocks)
{
#ifdef OPEN_MPI
	return stride == -1 && blocks > 1;
#else
	(void)stride;
	(void)blocks;
	return false;
#endif
}

static bool add_vector(struct byte_runs *runs, const struct type_pieces *element,
                       const struct type_contents *c)
{
	const int64_t stride = c->combiner == MPI_COMBINER_VECTOR ? c->integers[2] * element->extent
	                                                          : (int64_t)c->addresses[0];

	if (is_misunderstood(stride, c->integers[0]))
		return false;
	for (int64_t i = 0; i < c->integers[0]; i++)
		add_block(runs, element, i * stride, c->integers[1]);
	return true;
}

/* Blocks at displacements: in elements, or in bytes. */
static void add_indexed(struct byte_runs *runs, const struct type_pieces *element,
                        const struct type_contents *c)
{
	const bool equal = c->combiner == MPI_COMBINER_INDEXED_BLOCK ||
	                   c->combiner == MPI_COMBINER_HINDEXED_BLOCK;
	const int count = c->integers[0];
	const int *displacements = &c->integers[equal ? 2 : 1 + count];

	for (int i = 0; i < count; i++) {
		const int64_t length = equal ? c->integers[1] : c->integers[1 + i],
			      displacement = c->address_count > 0 ? (int64_t)c->addresses[i]
		                                                  : displacements[i] * element->extent;

		add_block(runs, element, displacement, length);
	}
}

static bool add_struct(struct byte_runs *runs, const struct type_contents *c) /* NOLINT(misc-no-recursion) */
{
	for (int i = 0; i < c->type_count; i++) {
		struct type_pieces element = {0};
		const bool known = take_apart(c->types[i], &element);

		if (known)
			add_block(runs, &element, (int64_t)c->addresses[i], c->integers[1 + i]);
		byte_runs_release(&element.runs);
		if (!known)
			return false;
	}
	return true;
}

/* In one dimension of an array: the indices that belong to the type, as blocks at equal distances. */
struct index_blocks {
	int64_t size;             /* of the dimension */
	int64_t first, length;    /* of the first block */
	int64_t distance, blocks; /* the last block ends at `size` */
	int64_t stride;           /* bytes from one index to the next */
};

/* The first dimension is the innermost. */
static void add_array(struct byte_runs *runs,
                      const struct type_pieces *element, /* NOLINT(misc-no-recursion) */
                      const struct index_blocks *dimension, int dimensions, int64_t start)
{
	for (int64_t block = 0; block < dimension->blocks && !runs->approximate; block++) {
		const int64_t first = dimension->first + block * dimension->distance,
			      rest = dimension->size - first,
			      length = dimension->length < rest ? dimension->length : rest;

		if (dimensions == 1)
			add_block(runs, element, start + first * dimension->stride, length);
		else
			for (int64_t i = first; i < first + length && !runs->approximate; i++)
				add_array(runs, element, dimension - 1, dimensions - 1,
				          start + i * dimension->stride);
	}
}

/* In C order the last dimension is the innermost. */
static void set_strides(struct index_blocks *dimensions, int count, int64_t extent)
{
	for (int i = 0; i < count; i++) {
		dimensions[i].stride = extent;
		extent *= dimensions[i].size;
	}
}

static bool add_subarray(struct byte_runs *runs, const struct type_pieces *element,
                         const struct type_contents *c)
{
	struct index_blocks dimensions[DIMENSIONS_MAX];
	const int count = c->integers[0], *sizes = &c->integers[1], *lengths = sizes + count,
		  *starts = lengths + count, order = starts[count];

	if (count < 1 || count > DIMENSIONS_MAX)
		return false;
	for (int i = 0; i < count; i++) {
		const int at = order == MPI_ORDER_C ? count - 1 - i : i;

		dimensions[i] = (struct index_blocks){
			.size = sizes[at], .first = starts[at], .length = lengths[at], .blocks = 1};
	}
	set_strides(dimensions, count, element->extent);
	add_array(runs, element, &dimensions[count - 1], count, 0);
	return true;
}

/* The part of a process in one dimension of a distributed array. */
static struct index_blocks distributed(int64_t size, int distribution, int argument, int64_t processes,
                                       int64_t coordinate)
{
	const bool is_default = argument == MPI_DISTRIBUTE_DFLT_DARG;
	const int64_t even = (size + processes - 1) / processes,
		      length = distribution == MPI_DISTRIBUTE_BLOCK ? (is_default ? even : argument)
	                                                            : (is_default ? 1 : argument);
	struct index_blocks part = {.size = size, .length = size, .blocks = 1};

	if (distribution == MPI_DISTRIBUTE_NONE)
		return part;
	part.first = coordinate * length;
	part.length = length;
	part.distance = length * processes;
	part.blocks = part.first >= size                     ? 0
	              : distribution == MPI_DISTRIBUTE_BLOCK ? 1
	                                                     : (size - part.first - 1) / part.distance + 1;
	return part;
}

static bool add_darray(struct byte_runs *runs, const struct type_pieces *element,
                       const struct type_contents *c)
{
	struct index_blocks dimensions[DIMENSIONS_MAX];
	const int count = c->integers[2], *sizes = &c->integers[3], *distributions = sizes + count,
		  *arguments = distributions + count, *processes = arguments + count,
		  order = processes[count];
	int64_t rank = c->integers[1];

	if (count < 1 || count > DIMENSIONS_MAX)
		return false;
	/* processes are in C order, whatever the order of the array */
	for (int at = count - 1; at >= 0; at--) {
		const int i = order == MPI_ORDER_C ? count - 1 - at : at;

		dimensions[i] = distributed(sizes[at], distributions[at], arguments[at], processes[at],
		                            rank % processes[at]);
		rank /= processes[at];
	}
	set_strides(dimensions, count, element->extent);
	add_array(runs, element, &dimensions[count - 1], count, 0);
	return true;
}

/* Adds a type that was created from one other type. False: it is unknown how. */
static bool add_elements(struct byte_runs *runs, const struct type_pieces *element,
                         const struct type_contents *c)
{
	switch (c->combiner) {
	case MPI_COMBINER_DUP:
	case MPI_COMBINER_RESIZED:
		add_block(runs, element, 0, 1);
		return true;
	case MPI_COMBINER_CONTIGUOUS:
		add_block(runs, element, 0, c->integers[0]);
		return true;
	case MPI_COMBINER_VECTOR:
	case MPI_COMBINER_HVECTOR:
		return add_vector(runs, element, c);
	case MPI_COMBINER_INDEXED:
	case MPI_COMBINER_HINDEXED:
	case MPI_COMBINER_INDEXED_BLOCK:
	case MPI_COMBINER_HINDEXED_BLOCK:
		add_indexed(runs, element, c);
		return true;
	case MPI_COMBINER_SUBARRAY:
		return add_subarray(runs, element, c);
	case MPI_COMBINER_DARRAY:
		return add_darray(runs, element, c);
	default:
		return false;
	}
}

static bool add_derived(struct byte_runs *runs, const struct type_contents *c) /* NOLINT(misc-no-recursion) */
{
	struct type_pieces element = {0};
	bool known;

	if (c->combiner == MPI_COMBINER_STRUCT)
		return add_struct(runs, c);
	known = c->type_count == 1 && take_apart(c->types[0], &element) && add_elements(runs, &element, c);
	known &= !element.runs.approximate;
	byte_runs_release(&element.runs);
	return known;
}

/* False: unknown. Recursion depth: the nesting of the program's types. */
static bool take_apart(MPI_Datatype type, struct type_pieces *pieces) /* NOLINT(misc-no-recursion) */
{
	struct type_contents c;
	bool known = false;

	pieces->extent = extent_of(type);
	if (!type_contents_open(&c, type) || c.count_count)
		return false; /* unknown, or created with large counts */
	if (combiner_is_named(c.combiner)) {
		add_named(&pieces->runs, type);
		return true;
	}
	known = type_contents_read(&c, type) && add_derived(&pieces->runs, &c);
	type_contents_release(&c);
	byte_runs_sort(&pieces->runs);
	return known && !pieces->runs.approximate;
}

static struct type_layout *make(MPI_Datatype type)
{
	struct type_pieces pieces = {0};
	struct type_layout *layout;

	if (!take_apart(type, &pieces)) {
		byte_runs_release(&pieces.runs);
		add_hull(&pieces.runs, type);
	}
	layout = host_table(1, sizeof *layout + pieces.runs.count * sizeof *layout->run);
	if (layout) {
		layout->refs = 1;
		layout->count = pieces.runs.count;
		layout->in_order = !pieces.runs.reordered && !pieces.runs.approximate;
		layout->approximate = pieces.runs.approximate;
		layout->extent = pieces.extent;
		for (uint32_t i = 0; i < layout->count; i++) {
			layout->run[i] = pieces.runs.run[i];
			layout->bytes += layout->run[i].length;
		}
		layout->spacing = byte_runs_spacing(layout->run, layout->count);
	}
	byte_runs_release(&pieces.runs);
	return layout;
}

/* Shared with types of the same structure. */
static const struct type_layout *make_shared(const struct type_structure *structure, uint64_t handle)
{
	struct structured_type *known = structured_type_get(structure);
	const struct type_layout *layout = known ? known->layout : NULL;

	if (layout) {
		type_layout_hold(layout);
		return layout;
	}
	layout = make(TYPE_OF(handle));
	if (known && layout)
		structured_type_keep(known, layout);
	return layout;
}

const struct type_layout *type_layout_get(uint64_t handle)
{
	struct checked_object *type = object_find(OBJECT_TYPE, handle);
	const struct type_layout *layout;

	if (UNLIKELY(!type || (type->state != OBJECT_LIVE && type->state != OBJECT_PREDEFINED)))
		return NULL;
	layout = __atomic_load_n(&type->layout, __ATOMIC_ACQUIRE);
	if (LIKELY(layout))
		return layout;
	lock_if_shared();
	layout = type->layout ? type->layout : make_shared(&type->structure, handle);
	__atomic_store_n(&type->layout, layout, __ATOMIC_RELEASE);
	unlock_if_shared();
	return layout;
}

void type_layout_hold(const struct type_layout *layout)
{
	((struct type_layout *)(uintptr_t)layout)->refs++;
}

void type_layout_release(const struct type_layout *layout)
{
	if (layout && --((struct type_layout *)(uintptr_t)layout)->refs == 0)
		free((void *)(uintptr_t)layout);
}
