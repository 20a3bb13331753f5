/* Buffers: MPI_IN_PLACE, unmapped and freed memory, buffers that are too small, and overlapping buffers of one call. */
#include "calls/calls.h"
#include "job/check/arguments/argument_check.h"
#include "job/check/buffers/active_buffers.h"
#include "job/check/buffers/memory_extents.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/objects/mapped_memory.h"

#include <string.h>

#define IN_PLACE ((int64_t)(uintptr_t)MPI_IN_PLACE)

static bool in_place_is_allowed(const struct argument_check *check, const struct shaped_buffer *buffer)
{
	if (!check->comm)
		return true; /* unknown */
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

		if (LIKELY(check->values[buffer->buffer] != IN_PLACE) || !*matters)
			continue;
		if (!in_place_is_allowed(check, buffer)) {
			struct finding_draft draft = argument_draft(check, CHECK_ARGUMENT_IN_PLACE,
			                                            buffer->buffer);
			finding_report(&draft);
		}
		*matters = false; /* count and type are insignificant as well */
		check->input_in_place |= buffer->sends;
	}
}

static void report_memory(struct argument_check *check, const struct shaped_buffer *buffer,
                          const struct byte_range *range)
{
	const int64_t start = check->values[buffer->buffer], spanned = range->last - range->first + 1;
	struct finding_draft draft = argument_draft(
		check, start ? CHECK_ARGUMENT_UNMAPPED_BUFFER : CHECK_ARGUMENT_NULL_BUFFER, buffer->buffer);

	if (start)
		finding_draft_value(&draft, "value", "%#llx", (unsigned long long)start);
	/* the size of the memory with its gaps; for a null buffer, of the data */
	finding_draft_value(&draft, "bytes", "%lld", (long long)(start ? spanned : range->bytes));
	finding_report(&draft);
}

/* A message to or from MPI_PROC_NULL has no data. */
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

/* If a datatype has gaps, the buffer may consist of several variables, unless its first element is in one. */
static bool may_have_several_variables(const struct argument_check *check, const struct shaped_buffer *buffer,
                                       const struct byte_range *range, const struct memory_extent *extent)
{
	struct checked_object *type = buffer->type >= 0 ? object_find(OBJECT_TYPE,
	                                                              (uint64_t)check->values[buffer->type])
	                                                : NULL;
	const struct type_limits *limits = type ? type_limits_get(type) : NULL;

	if (range->solid)
		return false;
	return !limits || (limits->bytes != limits->true_extent &&
	                   (uintptr_t)(range->first + limits->true_extent) > extent->end);
}

static void report_exceeded(struct argument_check *check, int parameter, int64_t first, int64_t bytes,
                            const struct memory_extent *extent)
{
	static const char *const owners[] = {
		[OWNER_BLOCK] = "heap block", [OWNER_VARIABLE] = "variable", [OWNER_FRAME] = "stack frame"};
	const bool is_freed = extent->owner == OWNER_NOBODY;
	/* No problem_draft(), because MPI does not reject such a call. */
	struct finding_draft draft = finding_draft(
		is_freed ? CHECK_ARGUMENT_FREED_BUFFER : CHECK_ARGUMENT_BUFFER_EXCEEDED, check->call);

	check->call->uses_foreign_memory = true;
	finding_draft_parameter(&draft, check->call, parameter);
	if (!is_freed) {
		finding_draft_value(&draft, "kind", "%s", owners[extent->owner]);
		finding_draft_value(&draft, "free", "%lld", (long long)extent->end - first);
	}
	finding_draft_value(&draft, is_freed ? "bytes" : "needed", "%lld", (long long)bytes);
	finding_report(&draft);
}

static void check_extent(struct argument_check *check, const struct shaped_buffer *buffer,
                         const struct byte_range *range)
{
	struct memory_extent extent;

	if (UNLIKELY(memory_is_exceeded((uintptr_t)range->first, (uintptr_t)range->last + 1,
	                                check->call->site, &extent)) &&
	    !may_have_several_variables(check, buffer, range, &extent))
		report_exceeded(check, buffer->buffer, range->first, range->last - range->first + 1, &extent);
}

void window_buffer_check(struct argument_check *check)
{
	const int parameter = call_parameter(check->call->id, KIND_pointer);
	const int64_t first = check->values[parameter], bytes = call_argument(check->call, KIND_winsize);
	struct memory_extent extent;

	if (first && bytes > 0 &&
	    memory_is_exceeded((uintptr_t)first, (uintptr_t)(first + bytes), check->call->site, &extent))
		report_exceeded(check, parameter, first, bytes, &extent);
}

/* One buffer may be in the gaps of the other. */
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

			/* Data that is only read may be shared. */
			if ((shape->buffers[i].sends && shape->buffers[j].sends) ||
			    !share_bytes(check, ranges, i, j))
				continue;
			const int64_t first = a->first > b->first ? a->first : b->first,
				      last = a->last < b->last ? a->last : b->last, shared = last - first + 1;
			struct finding_draft draft = argument_draft(check, CHECK_ARGUMENT_ALIASED_BUFFERS,
			                                            shape->buffers[i].buffer);
			finding_draft_value(
				&draft, "other_parameter", "%s",
				call_parameter_name(check->call->id, (uint32_t)shape->buffers[j].buffer));
			finding_draft_value(&draft, "bytes", "%lld", (long long)shared);
			finding_report(&draft);
			return;
		}
}

/* Overlapping entries are not allowed in buffers that MPI writes, even if the message is too short to overlap. */
static void check_entries(struct argument_check *check, const struct shaped_buffer *buffer,
                          const struct byte_range *range)
{
	const bool is_read = all_calls[check->call->id].moves == MOVES_BCAST && check->at_root;
	const int64_t bytes = is_read || check->call->described ? 0
	                                                        : buffer_written_twice(check, buffer, range);

	if (bytes <= 0)
		return;
	/* No problem_draft(), because MPI does not reject such a call. */
	struct finding_draft draft = finding_draft(CHECK_ARGUMENT_OVERLAPPING_ENTRIES, check->call);
	finding_draft_parameter(&draft, check->call, buffer->buffer);
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
		    goes_nowhere(check, buffer) || !buffer_range(check, buffer, range)) {
			range->bytes = 0;
			continue;
		}
		if (UNLIKELY(!is_mapped((uint64_t)range->first) || !is_mapped((uint64_t)range->last)))
			report_memory(check, buffer, range), range->bytes = 0;
		else if (UNLIKELY(!range->solid && !range->in_order && !buffer->sends))
			check_entries(check, buffer, range);
		if (range->bytes)
			check_extent(check, buffer, range);
	}
	if (shape->buffer_count > 1)
		check_overlap(check, ranges);
	active_buffers_before(check, ranges);
	if (UNLIKELY(buffers_observer != NULL) && !check->call->problems)
		buffers_observer->called(check, ranges);
}
