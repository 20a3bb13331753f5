#include "job/check/buffers/call_buffers.h"

#include "job/check/buffers/fortran_section.h"
#include "job/check/objects/type_layout.h"

const struct buffers_observer *buffers_observer;

int64_t element_of(const struct argument_check *check, int parameter, int64_t index)
{
	const void *array = (const void *)(uintptr_t)check->values[parameter];
	const uint8_t kind = call_parameter_kinds(check->call->id)[parameter];

	if (kind == KIND_adispls || kind == KIND_wideaints)
		return ((const MPI_Aint *)array)[index];
	if (!all_calls[check->call->id].large || kind == KIND_numbers || kind == KIND_outnumbers ||
	    kind == KIND_truths)
		return ((const int *)array)[index];
	return kind == KIND_displs ? ((const MPI_Aint *)array)[index] : ((const MPI_Count *)array)[index];
}

static void cover(struct byte_range *range, int64_t start, int64_t count, const struct type_limits *type)
{
	const int64_t reach = (count - 1) * type->extent,
		      first = start + type->true_lb + (reach < 0 ? reach : 0),
		      last = start + type->true_lb + type->true_extent - 1 + (reach > 0 ? reach : 0);

	if (count <= 0 || type->bytes <= 0 || type->true_extent <= 0)
		return;
	const bool is_solid = type->bytes == type->true_extent && (count == 1 || type->extent == type->bytes);
	range->solid = !range->bytes && is_solid;
	range->in_order = is_solid && (!range->bytes || (range->in_order && first > range->last));
	if (!range->bytes || first < range->first)
		range->first = first;
	if (!range->bytes || last > range->last)
		range->last = last;
	range->bytes += count * type->bytes;
}

static const struct type_limits *type_at(uint64_t handle)
{
	struct checked_object *type = object_find(OBJECT_TYPE, handle);

	return type ? type_limits_get(type) : NULL;
}

static enum data_blocks blocks_of(const struct argument_check *check, const struct shaped_buffer *buffer)
{
	return UNLIKELY(check->input_in_place) && !buffer->sends ? buffer->blocks_in_place : buffer->blocks;
}

/* The number of blocks of `count` elements in a buffer; -1: unknown. */
static int64_t block_count(const struct argument_check *check, const struct shaped_buffer *buffer)
{
	switch (blocks_of(check, buffer)) {
	case ONE_BLOCK:
		return 1;
	case BLOCK_PER_PARTITION:
		return check->values[call_parameter(check->call->id, KIND_partitions)];
	case BLOCK_PER_PEER:
		return !check->comm ? -1 : check->shape->op >= 0 ? check->comm->size : check->comm->peers;
	case BLOCK_PER_SOURCE:
		return check->comm ? check->comm->sources : -1;
	case BLOCK_PER_DESTINATION:
		return check->comm ? check->comm->destinations : -1;
	default:
		return check->comm ? check->comm->size : -1;
	}
}

/* Covers blocks with counts and displacements, one for each peer. */
static bool cover_blocks(const struct argument_check *check, const struct shaped_buffer *buffer,
                         int64_t start, struct byte_range *range)
{
	const int64_t blocks = block_count(check, buffer);
	const struct type_limits *type = buffer->type >= 0 ? type_at((uint64_t)check->values[buffer->type])
	                                                   : NULL;

	if (blocks < 0 || !check->values[buffer->counts] || (!type && buffer->types < 0))
		return false;
	if (blocks_of(check, buffer) == OWN_BLOCK) {
		cover(range, start, element_of(check, buffer->counts, check->comm->rank), type);
		return true;
	}
	if (buffer->displs >= 0 && !check->values[buffer->displs])
		return false;
	for (int64_t i = 0, reached = 0; i < blocks; i++) {
		const int64_t count = element_of(check, buffer->counts, i);
		int64_t displacement = buffer->displs >= 0 ? element_of(check, buffer->displs, i) : reached;

		reached += count;
		if (count <= 0)
			continue;
		if (buffer->types >= 0) {
			const void *types = (const void *)(uintptr_t)check->values[buffer->types];
			type = types ? type_at(handle_at(OBJECT_TYPE, types, (size_t)i, check->call->fortran))
			             : NULL;
			if (!type)
				return false;
		} else {
			displacement *= type->extent;
		}
		cover(range, start + displacement, count, type);
	}
	return true;
}

static bool whole_range(const struct argument_check *check, const struct shaped_buffer *buffer,
                        struct byte_range *range)
{
	const int64_t start = check->values[buffer->buffer];

	*range = (struct byte_range){.first = start};
	if (buffer->bytes >= 0) {
		range->bytes = check->values[buffer->bytes];
		range->last = start + range->bytes - 1;
		range->solid = true;
		return true;
	}
	if (buffer->counts >= 0)
		return cover_blocks(check, buffer, start, range);
	if (buffer->type < 0)
		return false;
	const struct type_limits *type = type_at((uint64_t)check->values[buffer->type]);
	const int64_t blocks = block_count(check, buffer),
		      count = buffer->count < 0 ? 1 : check->values[buffer->count];
	if (!type || blocks < 0)
		return false;
	if (LIKELY(blocks == 1 || (count < INT32_MAX && blocks < INT32_MAX))) {
		cover(range, start, count * blocks, type);
		return true;
	}
	return false;
}

/* Lists the bytes of such blocks. */
static bool list_blocks(const struct argument_check *check, const struct shaped_buffer *buffer,
                        struct byte_runs *list)
{
	const int64_t blocks = block_count(check, buffer), start = check->values[buffer->buffer];
	const struct type_layout *layout = buffer->type >= 0
	                                           ? type_layout_get((uint64_t)check->values[buffer->type])
	                                           : NULL;
	const bool is_own = blocks_of(check, buffer) == OWN_BLOCK;
	const int64_t first = is_own ? check->comm->rank : 0, end = is_own ? first + 1 : blocks;

	for (int64_t i = first, reached = 0; i < end; i++) {
		const int64_t count = element_of(check, buffer->counts, i);
		int64_t displacement = buffer->displs >= 0 ? element_of(check, buffer->displs, i) : reached;

		reached += count;
		if (count <= 0)
			continue;
		if (buffer->types >= 0)
			layout = type_layout_get(
				handle_at(OBJECT_TYPE, (const void *)(uintptr_t)check->values[buffer->types],
			                  (size_t)i, check->call->fortran));
		if (!layout || layout->approximate)
			return false;
		if (buffer->types < 0)
			displacement *= layout->extent;
		const struct byte_pattern block = type_layout_pattern(layout, start + displacement, count);
		byte_runs_add_pattern(list, &block);
	}
	byte_runs_sort(list);
	return !list->approximate;
}

static const void *descriptor_of(const struct argument_check *check, const struct shaped_buffer *buffer)
{
	return check->call->descriptors[buffer - check->shape->buffers];
}

/* Lists the elements of a section of an array. False: they are unknown. */
static bool list_section(const struct argument_check *check, const struct shaped_buffer *buffer,
                         struct byte_runs *list)
{
	const struct type_limits *type = buffer->type >= 0 ? type_at((uint64_t)check->values[buffer->type])
	                                                   : NULL;
	const int64_t blocks = block_count(check, buffer);

	return type && buffer->count >= 0 && blocks > 0 && type->bytes == type->extent &&
	       type->bytes == type->true_extent &&
	       fortran_section_runs(descriptor_of(check, buffer), blocks * check->values[buffer->count],
	                            type->bytes, list);
}

/* Finds where a section with gaps begins and ends; only its first byte, if the end is unknown. */
static void describe_section(const struct argument_check *check, const struct shaped_buffer *buffer,
                             struct byte_range *range)
{
	struct byte_runs list = {0};

	if (fortran_section_kind(descriptor_of(check, buffer)) == SECTION_CONTIGUOUS)
		return;
	range->last = range->first;
	range->solid = false;
	if (list_section(check, buffer, &list) && list.count) {
		range->first = list.run[0].offset;
		range->last = list.run[list.count - 1].offset + list.run[list.count - 1].length - 1;
	}
	byte_runs_release(&list);
}

bool buffer_range(const struct argument_check *check, const struct shaped_buffer *buffer,
                  struct byte_range *range)
{
	if (!whole_range(check, buffer, range) || range->bytes <= 0)
		return false;
	if (UNLIKELY(check->call->described))
		describe_section(check, buffer, range);
	return true;
}

bool buffer_pattern(const struct argument_check *check, const struct shaped_buffer *buffer,
                    struct byte_runs *list, const struct type_layout **layout, struct byte_pattern *pattern)
{
	if (UNLIKELY(check->call->described)) {
		const enum section_kind kind = fortran_section_kind(descriptor_of(check, buffer));

		if (kind == SECTION_UNKNOWN)
			return false;
		if (kind == SECTION_WITH_GAPS) {
			if (!list_section(check, buffer, list))
				return false;
			*pattern = (struct byte_pattern){.run = list->run, .count = list->count, .times = 1};
			return true;
		}
	}
	if (buffer->counts >= 0) {
		if (!list_blocks(check, buffer, list))
			return false;
		*pattern = (struct byte_pattern){.run = list->run, .count = list->count, .times = 1};
		return true;
	}
	*layout = type_layout_get((uint64_t)check->values[buffer->type]);
	if (!*layout || (*layout)->approximate)
		return false;
	*pattern = type_layout_pattern(*layout, check->values[buffer->buffer],
	                               block_count(check, buffer) *
	                                       (buffer->count < 0 ? 1 : check->values[buffer->count]));
	return true;
}

int64_t buffer_written_twice(const struct argument_check *check, const struct shaped_buffer *buffer,
                             const struct byte_range *range)
{
	const int64_t spanned = range->last - range->first + 1;
	const struct type_limits *type;
	const struct type_layout *layout;
	struct byte_runs list = {0};
	int64_t twice = 0;

	if (buffer->counts >= 0) {
		if (list_blocks(check, buffer, &list)) {
			twice = range->bytes;
			for (uint32_t i = 0; i < list.count; i++)
				twice -= list.run[i].length;
		}
		byte_runs_release(&list);
		return twice;
	}
	type = type_at((uint64_t)check->values[buffer->type]);
	layout = type_layout_get((uint64_t)check->values[buffer->type]);
	if (type && layout && !layout->approximate && layout->bytes < type->bytes)
		return type->bytes - layout->bytes;
	return range->bytes > spanned ? range->bytes - spanned : 0;
}
