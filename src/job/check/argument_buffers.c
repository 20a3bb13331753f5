/* Buffers: where MPI_IN_PLACE may stand, whether the memory is there, and whether two buffers of a call overlap. */
#include "calls/calls.h"
#include "job/check/active_buffers.h"
#include "job/check/argument_check.h"
#include "job/check/fortran_section.h"
#include "job/check/mapped_memory.h"

#include <string.h>

#define IN_PLACE ((int64_t)(uintptr_t)MPI_IN_PLACE)

static bool in_place_is_allowed(const struct argument_check *check, const struct shaped_buffer *buffer)
{
	if (!check->comm)
		return true; /* nothing is known */
	switch (check->shape->in_place) {
	case IN_PLACE_SEND:
		return buffer->sends && !check->comm->inter;
	case IN_PLACE_SEND_AT_ROOT:
		return buffer->sends && !check->comm->inter && check->at_root;
	case IN_PLACE_RECEIVE_AT_ROOT:
		return !buffer->sends && !check->comm->inter && check->at_root;
	default:
		return false;
	}
}

void in_place_check(struct argument_check *check)
{
	for (int i = 0; i < check->shape->buffer_count; i++) {
		const struct shaped_buffer *buffer = &check->shape->buffers[i];
		bool *matters = buffer->sends ? &check->send_matters : &check->receive_matters;
		struct finding_draft draft;

		if (LIKELY(check->values[buffer->buffer] != IN_PLACE) || !*matters)
			continue;
		if (!in_place_is_allowed(check, buffer)) {
			finding_draft(&draft, CHECK_ARGUMENT_IN_PLACE, check->call);
			finding_draft_value(&draft, "parameter", "%s",
			                    call_parameter_name(check->call->id, (uint32_t)buffer->buffer));
			report_problem(check, &draft);
		}
		*matters = false; /* neither do count and type */
		check->input_in_place |= buffer->sends;
	}
}

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

static const struct type_limits *type_at(const struct argument_check *check, uint64_t handle)
{
	struct checked_object *type = object_find(OBJECT_TYPE, handle);

	(void)check;
	return type ? type_limits_get(type) : NULL;
}

static enum data_blocks blocks_of(const struct argument_check *check, const struct shaped_buffer *buffer)
{
	return UNLIKELY(check->input_in_place) && !buffer->sends ? buffer->blocks_in_place : buffer->blocks;
}

/* How many blocks of `count` a buffer has; -1: not known. */
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

/* Counts and displacements for each peer. */
static bool cover_blocks(const struct argument_check *check, const struct shaped_buffer *buffer,
                         int64_t start, struct byte_range *range)
{
	const int64_t blocks = block_count(check, buffer);
	const struct type_limits *type = buffer->type >= 0
	                                         ? type_at(check, (uint64_t)check->values[buffer->type])
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
			type = types ? type_at(check,
			                       handle_at(OBJECT_TYPE, types, (size_t)i, check->call->fortran))
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

/* false: it is not known. */
static bool range_of(const struct argument_check *check, const struct shaped_buffer *buffer,
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
	const struct type_limits *type = type_at(check, (uint64_t)check->values[buffer->type]);
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

static void report_memory(struct argument_check *check, const struct shaped_buffer *buffer,
                          const struct byte_range *range)
{
	const int64_t start = check->values[buffer->buffer], spanned = range->last - range->first + 1;
	struct finding_draft draft;

	finding_draft(&draft, start ? CHECK_ARGUMENT_UNMAPPED_BUFFER : CHECK_ARGUMENT_NULL_BUFFER,
	              check->call);
	finding_draft_value(&draft, "parameter", "%s",
	                    call_parameter_name(check->call->id, (uint32_t)buffer->buffer));
	if (start)
		finding_draft_value(&draft, "value", "%#llx", (unsigned long long)start);
	/* of memory, with holes; of a null buffer, of data */
	finding_draft_value(&draft, "bytes", "%lld", (long long)(start ? spanned : range->bytes));
	report_problem(check, &draft);
}

/* A message to or from nobody moves nothing. */
static bool goes_nowhere(const struct argument_check *check, const struct shaped_buffer *buffer)
{
	const struct call_shape *shape = check->shape;
	const int peer = shape->win >= 0                      ? call_parameter(check->call->id, KIND_target)
	                 : buffer->sends || shape->source < 0 ? shape->dest
	                                                      : shape->source;

	if (shape->dest >= 0 && shape->source >= 0 && shape->buffer_count == 1) /* MPI_Sendrecv_replace */
		return check->values[shape->dest] == MPI_PROC_NULL &&
		       check->values[shape->source] == MPI_PROC_NULL;
	return peer >= 0 && check->values[peer] == MPI_PROC_NULL;
}

/* Bytes of data of one kind, for each peer. */
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

/* Elements of a section of an array; false: it is not known which those are. */
static bool list_section(const struct argument_check *check, const struct shaped_buffer *buffer,
                         struct byte_runs *list)
{
	const struct type_limits *type = buffer->type >= 0
	                                         ? type_at(check, (uint64_t)check->values[buffer->type])
	                                         : NULL;
	const int64_t blocks = block_count(check, buffer);

	return type && buffer->count >= 0 && blocks > 0 && type->bytes == type->extent &&
	       type->bytes == type->true_extent &&
	       fortran_section_runs(descriptor_of(check, buffer), blocks * check->values[buffer->count],
	                            type->bytes, list);
}

/* Of a section with gaps where it begins and ends, or, if that is not known, its first byte. */
static void describe_section(const struct argument_check *check, int index, struct byte_range *range)
{
	const struct shaped_buffer *buffer = &check->shape->buffers[index];
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

/* Between holes there may be room for the other one. */
static bool share_bytes(const struct argument_check *check, const struct byte_range *ranges, int i, int j)
{
	const struct byte_range *a = &ranges[i], *b = &ranges[j];
	struct byte_runs list_a = {0}, list_b = {0};
	struct byte_pattern pattern_a, pattern_b;
	const struct type_layout *layout;
	int64_t at;
	bool shared;

	if (!a->bytes || !b->bytes || a->first > b->last || b->first > a->last)
		return false;
	if ((a->solid && b->solid) || a->first == b->first)
		return true;
	shared = buffer_pattern(check, &check->shape->buffers[i], &list_a, &layout, &pattern_a) &&
	         buffer_pattern(check, &check->shape->buffers[j], &list_b, &layout, &pattern_b) &&
	         byte_patterns_overlap(&pattern_a, &pattern_b, &at) == BYTES_OVERLAP;
	byte_runs_release(&list_a);
	byte_runs_release(&list_b);
	return shared;
}

static void check_overlap(struct argument_check *check, const struct byte_range *ranges)
{
	const struct call_shape *shape = check->shape;

	for (int i = 0; i < shape->buffer_count; i++)
		for (int j = i + 1; j < shape->buffer_count; j++) {
			const struct byte_range *a = &ranges[i], *b = &ranges[j];
			struct finding_draft draft;

			/* Data that is only read may be shared. */
			if ((shape->buffers[i].sends && shape->buffers[j].sends) ||
			    !share_bytes(check, ranges, i, j))
				continue;
			const int64_t first = a->first > b->first ? a->first : b->first,
				      last = a->last < b->last ? a->last : b->last, shared = last - first + 1;
			finding_draft(&draft, CHECK_ARGUMENT_ALIASED_BUFFERS, check->call);
			finding_draft_value(
				&draft, "parameter", "%s",
				call_parameter_name(check->call->id, (uint32_t)shape->buffers[i].buffer));
			finding_draft_value(
				&draft, "other_parameter", "%s",
				call_parameter_name(check->call->id, (uint32_t)shape->buffers[j].buffer));
			finding_draft_value(&draft, "bytes", "%lld", (long long)shared);
			report_problem(check, &draft);
			return;
		}
}

/* How many bytes of a buffer MPI would write more than once, at least. */
static int64_t written_twice(const struct argument_check *check, const struct shaped_buffer *buffer,
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
	type = type_at(check, (uint64_t)check->values[buffer->type]);
	layout = type_layout_get((uint64_t)check->values[buffer->type]);
	if (type && layout && !layout->approximate && layout->bytes < type->bytes)
		return type->bytes - layout->bytes;
	return range->bytes > spanned ? range->bytes - spanned : 0;
}

/* Not allowed where MPI writes, even if less comes than fits. */
static void check_entries(struct argument_check *check, const struct shaped_buffer *buffer,
                          const struct byte_range *range)
{
	const bool is_read = all_calls[check->call->id].moves == MOVES_BCAST && check->at_root;
	const int64_t bytes = is_read || check->call->described ? 0 : written_twice(check, buffer, range);
	struct finding_draft draft;

	if (bytes <= 0)
		return;
	finding_draft(&draft, CHECK_ARGUMENT_OVERLAPPING_ENTRIES, check->call);
	finding_draft_value(&draft, "parameter", "%s",
	                    call_parameter_name(check->call->id, (uint32_t)buffer->buffer));
	finding_draft_value(&draft, "bytes", "%lld", (long long)bytes);
	finding_report(&draft);
}

void buffers_check(struct argument_check *check)
{
	const struct call_shape *shape = check->shape;
	struct byte_range ranges[SHAPED_BUFFERS] = {{0}};

	for (int i = 0; i < shape->buffer_count; i++) {
		const struct shaped_buffer *buffer = &shape->buffers[i];
		struct byte_range *range = &ranges[i];

		if (!(buffer->sends ? check->send_matters : check->receive_matters) ||
		    goes_nowhere(check, buffer) || !range_of(check, buffer, range) || range->bytes <= 0) {
			range->bytes = 0;
			continue;
		}
		if (UNLIKELY(check->call->described))
			describe_section(check, i, range);
		if (UNLIKELY(!is_mapped((uint64_t)range->first) || !is_mapped((uint64_t)range->last)))
			report_memory(check, buffer, range), range->bytes = 0;
		else if (UNLIKELY(!range->solid && !range->in_order && !buffer->sends))
			check_entries(check, buffer, range);
	}
	if (shape->buffer_count > 1)
		check_overlap(check, ranges);
	active_buffers_before(check, ranges);
}
