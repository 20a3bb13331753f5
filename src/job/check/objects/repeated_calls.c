#include "job/check/objects/repeated_calls.h"

#include "base/hash.h"
#include "calls/calls.h"
#include "job/check/wire/process_state.h"

enum { REPEATED_CALLS = 256 };

static struct repeated_call known[REPEATED_CALLS];
static uint32_t compared
	[MPI_CALLS]; /* bits: the parameters to compare; 0: calls of this function never count as repeated */

void repeated_calls_start(void)
{
	for (enum call_id id = 0; id < MPI_CALLS; id++) {
		const enum rma_action action = all_calls[id].rma;
		const uint8_t *kinds = call_parameter_kinds(id);

		if ((action != RMA_ACCESS && action != RMA_FLUSH && action != RMA_FLUSH_ALL) ||
		    call_parameter(id, KIND_newrequest) >= 0)
			continue;
		for (int i = 0; kinds[i] != KIND_END; i++)
			if (kinds[i] != KIND_sbuf && kinds[i] != KIND_rbuf && kinds[i] != KIND_disp)
				compared[id] |= 1u << i;
	}
}

static struct repeated_call *entry_of(const struct agent_call *call)
{
	const uint64_t target = (uint64_t)call_argument(call, KIND_target),
		       window = (uint64_t)call_argument(call, KIND_win),
		       hash = hash_word(hash_word(window, target), agent_place(call));

	return &known[hash_fold(hash) % REPEATED_CALLS];
}

bool repeated_call_find(struct agent_call *call)
{
	struct repeated_call *one;

	if (!compared[call->id] || UNLIKELY(checked.shared))
		return false;
	one = entry_of(call);
	if (one->id != call->id || one->place != call->place || one->fortran != call->fortran ||
	    one->generation != RELAXED_LOAD(checked.generation))
		return false;
	for (uint32_t left = compared[call->id]; left; left &= left - 1) {
		const int i = __builtin_ctz(left);

		if (one->arguments[i] != call->arguments[i])
			return false;
	}
	call->repeated = one;
	return true;
}

void repeated_call_keep(struct agent_call *call)
{
	struct repeated_call *one;

	if (!compared[call->id] || UNLIKELY(checked.shared))
		return;
	one = call->repeated = entry_of(call);
	*one = (struct repeated_call){.id = call->id,
	                              .fortran = call->fortran,
	                              .place = call->place,
	                              .generation = RELAXED_LOAD(checked.generation)};
	for (uint32_t left = compared[call->id]; left; left &= left - 1)
		one->arguments[__builtin_ctz(left)] = call->arguments[__builtin_ctz(left)];
}
