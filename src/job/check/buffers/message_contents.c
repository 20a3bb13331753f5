#include "job/check/buffers/message_contents.h"

#include "job/check/buffers/buffer_contents.h"
#include "job/check/buffers/call_buffers.h"
#include "job/check/buffers/program_memory.h"
#include "job/check/objects/type_layout.h"
#include "job/check/wire/process_state.h"

bool message_contents_wanted;

bool message_contents_are_compared(void)
{
	return UNLIKELY(message_contents_wanted) && !checked.shared;
}

struct message_content content_of_pattern(const struct byte_pattern *pattern, bool in_order, int64_t limit)
{
	const int64_t bytes = pattern->times > 0 ? byte_pattern_bytes(pattern) : 0;
	struct message_content content = {.bytes = (uint64_t)(bytes < limit ? bytes : limit)};
	int64_t first, end;

	if (!in_order || limit < 0)
		return content;
	/* Memory of a device may not be readable. */
	if (content.bytes && (!byte_pattern_hull(pattern, &first, &end) ||
	                      !is_program_memory((uintptr_t)first, (uintptr_t)end, MEMORY_READABLE)))
		return content;
	content.hash = content.bytes ? byte_pattern_hash_first(pattern, limit) : 1;
	content.hash += !content.hash;
	return content;
}

/* NULL: none. MPI_Sendrecv_replace has one buffer for both. */
static const struct shaped_buffer *find_buffer(const struct call_shape *shape, bool sends)
{
	for (int i = 0; i < shape->buffer_count; i++)
		if (shape->buffers[i].sends == sends || shape->buffer_count == 1)
			return &shape->buffers[i];
	return NULL;
}

struct message_content content_of_call(const struct agent_call *call, bool sends, int64_t limit)
{
	const struct argument_check check = {
		.call = (struct agent_call *)(uintptr_t)call, /* only read */
		.shape = &call_shapes[call->id],
		.values = call->arguments,
	};
	const struct shaped_buffer *buffer = find_buffer(check.shape, sends);
	struct message_content content = {0};
	struct byte_runs list = {0};
	const struct type_layout *layout = NULL;
	struct byte_pattern pattern;

	if (buffer && !call->uses_foreign_memory && buffer_pattern(&check, buffer, &list, &layout, &pattern))
		content = content_of_pattern(&pattern, layout ? layout->in_order : !list.reordered, limit);
	byte_runs_release(&list);
	return content;
}

struct message_content content_received(const struct agent_call *call)
{
	return content_of_call(call, false, call->status ? status_bytes(call->status) : -1);
}
