/* Fences of UPC: what a thread has begun to read and write elsewhere since it was last sure that all of it is done. */
#include "analysis/model/follower.h"
#include "analysis/model/spans.h"
#include "base/memory.h"

#include <stdlib.h>

/* Of one process, since its last synchronisation. */
struct outstanding {
	struct occurrence last; /* no role: none */
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

static bool wants_fence(void *self, const struct role *role)
{
	(void)self;
	return role->kind->info &&
	       (role->kind->info->class == CLASS_UPC_ACCESS || role->kind->info->class == CLASS_UPC_SYNC ||
	        role->kind->info->class == CLASS_UPC_COLLECTIVE);
}

static bool is_elsewhere(const struct role *role, int32_t thread)
{
	return thread >= 0 && role->kind->own_comm != NO_COMM && (uint32_t)thread != role->own_rank;
}

/* upc_memcpy may read from another thread too. */
static bool is_remote(const struct role *role)
{
	return is_elsewhere(role, role->dest) || is_elsewhere(role, role->source);
}

static int64_t bytes_of(const struct role *role)
{
	int64_t bytes;

	if (call_field(role->call, FIELD_SENT, &bytes) && bytes > 0)
		return bytes;
	return call_field(role->call, FIELD_RECEIVED, &bytes) && bytes > 0 ? bytes : 0;
}

static void add_access(struct outstanding *outstanding, const struct occurrence *call)
{
	int64_t bytes = bytes_of(call->role);

	outstanding->last = *call;
	outstanding->accesses++;
	outstanding->bytes = plus(outstanding->bytes, bytes);
}

static void follow_fence(void *self, const struct occurrence *call, const struct event *event)
{
	struct thread_fences *fences = self;
	const struct role *role = call->role;
	struct outstanding *outstanding = &fences->of[role->process];

	(void)event;
	if (role->kind->info->class == CLASS_UPC_ACCESS) {
		if (is_remote(role))
			add_access(outstanding, call);
		return;
	}
	if (role->kind->info == &all_calls[CALL_upc_fence])
		write_row(fences->rows, RELATION_THREAD_FENCE,
		          &(struct thread_fence){.call = *call,
		                                 .last = outstanding->last.role ? outstanding->last : *call,
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
