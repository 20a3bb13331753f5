/* Fences of UPC: what a thread has begun to read and write elsewhere since it was last sure that all of it is done. */
#include "analysis/model/follower.h"
#include "analysis/model/spans.h"
#include "base/memory.h"

#include <stdlib.h>

/* Of one process, since its last synchronisation. */
struct outstanding {
	struct occurrence last; /* no semantics: none */
	uint64_t accesses;
	int64_t bytes;
};

struct thread_fences {
	struct row_writer *rows;
	struct outstanding of[];
};

static void *fences_new(const struct replay_input *input)
{
	size_t count = input->reader->process_count;
	struct thread_fences *fences;

	if (!wants_rows(input->rows, RELATION_THREAD_FENCE) || !has_upc(input->comms))
		return NULL;
	fences = memory_new(1, sizeof *fences + count * sizeof *fences->of);
	fences->rows = input->rows;
	return fences;
}

static bool wants_fence(void *self, const struct call_semantics *semantics)
{
	(void)self;
	return semantics->kind->info && (semantics->kind->info->class == CLASS_UPC_ACCESS ||
	                                 semantics->kind->info->class == CLASS_UPC_SYNC ||
	                                 semantics->kind->info->class == CLASS_UPC_COLLECTIVE);
}

static bool is_elsewhere(const struct call_semantics *semantics, int32_t thread)
{
	return thread >= 0 && semantics->kind->own_comm != NO_COMM && (uint32_t)thread != semantics->own_rank;
}

/* upc_memcpy may read from another thread too. */
static bool is_remote(const struct call_semantics *semantics)
{
	return is_elsewhere(semantics, semantics->dest) || is_elsewhere(semantics, semantics->source);
}

static int64_t bytes_of(const struct call_semantics *semantics)
{
	int64_t bytes;

	if (call_field(semantics->call, FIELD_SENT, &bytes) && bytes > 0)
		return bytes;
	return call_field(semantics->call, FIELD_RECEIVED, &bytes) && bytes > 0 ? bytes : 0;
}

static void add_access(struct outstanding *outstanding, const struct occurrence *call)
{
	int64_t bytes = bytes_of(call->semantics);

	outstanding->last = *call;
	outstanding->accesses++;
	outstanding->bytes = plus(outstanding->bytes, bytes);
}

static void follow_fence(void *self, const struct occurrence *call, const struct event *event)
{
	struct thread_fences *fences = self;
	const struct call_semantics *semantics = call->semantics;
	struct outstanding *outstanding = &fences->of[semantics->process];

	(void)event;
	if (semantics->kind->info->class == CLASS_UPC_ACCESS) {
		if (is_remote(semantics))
			add_access(outstanding, call);
		return;
	}
	if (semantics->kind->info == &all_calls[CALL_upc_fence])
		write_row(fences->rows, RELATION_THREAD_FENCE,
		          &(struct thread_fence){.call = *call,
		                                 .last = outstanding->last.semantics ? outstanding->last
		                                                                     : *call,
		                                 .accesses = outstanding->accesses,
		                                 .bytes = outstanding->bytes});
	*outstanding = (struct outstanding){0};
}

static void lose_fences(void *self, uint32_t process)
{
	((struct thread_fences *)self)->of[process] = (struct outstanding){0};
}

const struct follower thread_fence_follower = {
	.new = fences_new, .wants = wants_fence, .call = follow_fence, .lost = lose_fences, .finish = free};
