#include "analysis/model/thread_fences.h"

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
	const struct teller *teller;
	struct outstanding of[];
};

struct thread_fences *thread_fences_new(size_t process_count, const struct teller *teller)
{
	struct thread_fences *fences = memory_new(1, sizeof *fences + process_count * sizeof *fences->of);

	fences->teller = teller;
	return fences;
}

bool thread_fences_want(const struct role *role)
{
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

static void tell(const struct teller *teller, const struct outstanding *outstanding,
                 const struct occurrence *call)
{
	struct thread_fence told = {.call = *call,
	                            .last = outstanding->last.role ? outstanding->last : *call,
	                            .accesses = outstanding->accesses,
	                            .bytes = outstanding->bytes};

	teller->thread_fence(teller->context, &told);
}

void thread_fences_call(struct thread_fences *fences, const struct occurrence *call)
{
	const struct role *role = call->role;
	struct outstanding *outstanding = &fences->of[role->process];

	if (role->kind->info->class == CLASS_UPC_ACCESS) {
		if (is_remote(role))
			add_access(outstanding, call);
		return;
	}
	if (role->kind->info == &all_calls[CALL_upc_fence])
		tell(fences->teller, outstanding, call);
	*outstanding = (struct outstanding){0};
}

void thread_fences_blind(struct thread_fences *fences, uint32_t process)
{
	fences->of[process] = (struct outstanding){0};
}

void thread_fences_finish(struct thread_fences *fences)
{
	free(fences);
}
