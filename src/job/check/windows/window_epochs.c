#include "job/check/windows/window_epochs.h"
#include "job/check/objects/finding_draft.h"

#include "calls/calls.h"
#include "job/mpi/flavour.h"
#include "job/mpi/host.h"

#include <stdlib.h>

enum { BITS = 64 };

static int64_t argument(const struct agent_call *call, enum parameter_kind kind)
{
	return call->arguments[call_parameter(call->id, kind)];
}

static struct opening_call this_call(const struct agent_call *call)
{
	return (struct opening_call){.is_set = true, .by = call->id, .at = agent_place(call)};
}

static void add_call(struct finding_draft *draft, const struct opening_call *call, const char *note)
{
	if (call->is_set)
		finding_draft_call(draft, call->by, call->at, note);
}

/* A target's lock, or NULL. */
static struct opening_call *lock_of(const struct checked_window *window, int64_t target)
{
	return window->locks && target >= 0 && target < window->size && window->locks[target].is_set
	               ? &window->locks[target]
	               : NULL;
}

static const struct opening_call *any_lock(const struct checked_window *window)
{
	for (int32_t i = 0; window->lock_count && i < window->size; i++)
		if (window->locks[i].is_set)
			return &window->locks[i];
	return NULL;
}

/* What is open afterwards depends on whether MPI accepts the call, and how: nothing more is said of the window's epochs. */
static void report_nested(struct agent_call *call, struct checked_window *window,
                          const struct opening_call *open)
{
	struct finding_draft draft;

	if (!open || !open->is_set || call->problems)
		return;
	call->problems++;
	window->is_uncertain = true;
	finding_draft(&draft, CHECK_WINDOW_NESTED_EPOCH, call);
	finding_draft_value(&draft, "epoch", "%s", all_calls[open->by].name);
	add_call(&draft, open, NOTE_EARLIER);
	finding_report(&draft);
}

static void report_not_open(struct agent_call *call, struct checked_window *window, const char *needed)
{
	struct finding_draft draft;

	call->problems++;
	window->is_uncertain |= window->start.is_set || window->lock_all.is_set || window->lock_count;
	finding_draft(&draft, CHECK_WINDOW_NOT_OPEN, call);
	finding_draft_value(&draft, "needed", "%s", needed);
	add_call(&draft, &window->created, NOTE_CREATED);
	finding_report(&draft);
}

static void report_flush(struct agent_call *call, const struct checked_window *window)
{
	struct finding_draft draft;

	call->problems++;
	finding_draft(&draft, CHECK_WINDOW_FLUSH_WITHOUT_LOCK, call);
	add_call(&draft, &window->created, NOTE_CREATED);
	finding_report(&draft);
}

static void report_assertion(struct agent_call *call, const struct opening_call *other, const char *assertion)
{
	struct finding_draft draft;

	call->problems++;
	finding_draft(&draft, CHECK_WINDOW_ASSERTION, call);
	finding_draft_value(&draft, "assertion", "%s", assertion);
	add_call(&draft, other, NOTE_EARLIER);
	finding_report(&draft);
}

static void report_access(struct agent_call *call, enum check check, int64_t target,
                          const struct opening_call *other, const char *note)
{
	struct finding_draft draft;

	call->problems++;
	finding_draft(&draft, check, call);
	finding_draft_value(&draft, "target", "%d", (int)target);
	add_call(&draft, other, note);
	finding_report(&draft);
}

static void check_access(struct agent_call *call, const struct checked_window *window)
{
	const int64_t target = argument(call, KIND_target);
	const bool has_request = call_parameter(call->id, KIND_newrequest) >= 0;

	if (target < 0 || target >= window->size || window->lock_all.is_set || lock_of(window, target))
		return;
	if (window->start.is_set && window->started && !(window->started[target / BITS] >> target % BITS & 1))
		report_access(call, CHECK_WINDOW_TARGET_NOT_IN_GROUP, target, &window->start, NOTE_EARLIER);
	else if (has_request && (window->start.is_set || window->fence_is_open))
		report_access(call, CHECK_WINDOW_REQUEST_EPOCH, target,
		              window->start.is_set ? &window->start : &window->fence, NOTE_EARLIER);
	else if (window->start.is_set || window->fence_is_open)
		return;
	else if (window->fence.is_set && window->fence_assertion & MPI_MODE_NOSUCCEED)
		report_assertion(call, &window->fence, "MPI_MODE_NOSUCCEED");
	else
		report_access(call, CHECK_WINDOW_NO_EPOCH, target, &window->created, NOTE_CREATED);
}

/* What must not be open when another epoch of accesses begins. */
static void check_accesses_over(struct agent_call *call, struct checked_window *window)
{
	report_nested(call, window, &window->start);
	report_nested(call, window, &window->lock_all);
	if (window->fence_access.is_set)
		report_nested(call, window, &window->fence);
}

static void check_fence(struct agent_call *call, struct checked_window *window)
{
	report_nested(call, window, &window->start);
	report_nested(call, window, &window->post);
	report_nested(call, window, &window->lock_all);
	report_nested(call, window, any_lock(window));
	if (!call->problems && window->fence_access.is_set &&
	    argument(call, KIND_assert) & MPI_MODE_NOPRECEDE)
		report_assertion(call, &window->fence_access, "MPI_MODE_NOPRECEDE");
}

static void check_opening(struct agent_call *call, struct checked_window *window, enum rma_action action)
{
	if (action == RMA_FENCE) {
		check_fence(call, window);
	} else if (action == RMA_POST) {
		report_nested(call, window, &window->post);
		if (window->fence_access.is_set)
			report_nested(call, window, &window->fence);
	} else {
		check_accesses_over(call, window);
		report_nested(call, window,
		              action == RMA_LOCK ? lock_of(window, argument(call, KIND_target))
		                                 : any_lock(window));
	}
}

void epoch_check(struct agent_call *call, struct checked_window *window)
{
	const enum rma_action action = all_calls[call->id].rma;

	if (window->is_uncertain)
		return;
	switch (action) {
	case RMA_ACCESS:
		check_access(call, window);
		break;
	case RMA_COMPLETE:
		if (!window->start.is_set)
			report_not_open(call, window, "MPI_Win_start");
		break;
	case RMA_WAIT:
		if (!window->post.is_set)
			report_not_open(call, window, "MPI_Win_post");
		break;
	case RMA_UNLOCK:
		if (argument(call, KIND_target) >= 0 && argument(call, KIND_target) < window->size &&
		    !lock_of(window, argument(call, KIND_target)))
			report_not_open(call, window, "MPI_Win_lock");
		break;
	case RMA_UNLOCK_ALL:
		if (!window->lock_all.is_set)
			report_not_open(call, window, "MPI_Win_lock_all");
		break;
	case RMA_FLUSH:
		if (argument(call, KIND_target) >= 0 && !window->lock_all.is_set &&
		    !lock_of(window, argument(call, KIND_target)))
			report_flush(call, window);
		break;
	case RMA_FLUSH_ALL:
		if (!window->lock_all.is_set && !window->lock_count)
			report_flush(call, window);
		break;
	case RMA_NONE:
	case RMA_SYNC:
		break;
	default:
		check_opening(call, window, action);
	}
}

#define WIN_OF(window) ((MPI_Win)(uintptr_t)(window)->handle)
#define GROUP_OF(handle) ((MPI_Group)(uintptr_t)(handle))

int epoch_group(const struct checked_window *window, uint64_t handle, int **found)
{
	MPI_Group group = GROUP_OF(handle), all;
	int count = 0, *ranks;

	*found = NULL;
	if (PMPI_Group_size(group, &count) != MPI_SUCCESS || count < 0 ||
	    !(ranks = host_table(2 * (size_t)count + 1, sizeof *ranks)))
		return -1;
	for (int i = 0; i < count; i++)
		ranks[count + i] = i;
	if (PMPI_Win_get_group(WIN_OF(window), &all) != MPI_SUCCESS) {
		free(ranks);
		return -1;
	}
	if (PMPI_Group_translate_ranks(group, count, ranks + count, all, ranks) != MPI_SUCCESS) {
		free(ranks);
		count = -1;
	} else {
		*found = ranks;
	}
	PMPI_Group_free(&all);
	return count;
}

static void follow_start(const struct agent_call *call, struct checked_window *window)
{
	int *ranks;
	const int count = epoch_group(window, (uint64_t)argument(call, KIND_group), &ranks);

	window->start = this_call(call);
	free(window->started);
	window->started = count < 0 ? NULL
	                            : host_table((size_t)window->size / BITS + 1, sizeof *window->started);
	for (int i = 0; window->started && i < count; i++)
		if (ranks[i] >= 0 && ranks[i] < window->size)
			window->started[ranks[i] / BITS] |= UINT64_C(1) << ranks[i] % BITS;
	free(ranks);
}

static void follow_lock(const struct agent_call *call, struct checked_window *window, bool locks)
{
	const int64_t target = argument(call, KIND_target);

	if (target < 0 || target >= window->size)
		return;
	if (!window->locks && !(window->locks = host_table((size_t)window->size, sizeof *window->locks)))
		return;
	if (window->locks[target].is_set != locks)
		window->lock_count += locks ? 1 : (uint32_t)-1;
	window->locks[target] = locks ? this_call(call) : (struct opening_call){0};
	window->locks[target].is_shared = locks && argument(call, KIND_lock) == MPI_LOCK_SHARED;
}

static void follow_fence(const struct agent_call *call, struct checked_window *window)
{
	window->fence_assertion = (int)argument(call, KIND_assert);
	window->fence = this_call(call);
	window->fence_access.is_set = false;
	window->fence_is_open = !(window->fence_assertion & MPI_MODE_NOSUCCEED);
}

static void follow_access(const struct agent_call *call, struct checked_window *window)
{
	if (window->fence_is_open && !window->fence_access.is_set && !window->start.is_set &&
	    argument(call, KIND_target) >= 0)
		window->fence_access = this_call(call);
}

void epoch_follow(const struct agent_call *call, struct checked_window *window)
{
	const enum rma_action action = all_calls[call->id].rma;
	const int flag = call_parameter(call->id, KIND_flag);

	if (action == RMA_START || action == RMA_POST || action == RMA_LOCK || action == RMA_LOCK_ALL)
		window->fence_is_open = false;
	switch (action) {
	case RMA_FENCE:
		follow_fence(call, window);
		break;
	case RMA_START:
		follow_start(call, window);
		break;
	case RMA_COMPLETE:
		window->start.is_set = false;
		break;
	case RMA_POST:
		window->post = this_call(call);
		break;
	case RMA_WAIT: /* NOLINTNEXTLINE(performance-no-int-to-ptr): the address of a variable */
		if (flag < 0 || *(const int *)(uintptr_t)call->arguments[flag])
			window->post.is_set = false;
		break;
	case RMA_LOCK:
	case RMA_UNLOCK:
		follow_lock(call, window, action == RMA_LOCK);
		break;
	case RMA_LOCK_ALL:
		window->lock_all = this_call(call);
		break;
	case RMA_UNLOCK_ALL:
		window->lock_all.is_set = false;
		break;
	case RMA_ACCESS:
		follow_access(call, window);
		break;
	default:
		break;
	}
}

static void report_unclosed(struct agent_call *call, struct checked_window *window,
                            const struct opening_call *open)
{
	struct finding_draft draft;

	if (!open || !open->is_set)
		return;
	call->problems++;
	window->is_uncertain = true;
	finding_draft(&draft, CHECK_WINDOW_UNCLOSED_EPOCH, call);
	finding_draft_value(&draft, "epoch", "%s", all_calls[open->by].name);
	add_call(&draft, open, NOTE_EARLIER);
	finding_report(&draft);
}

void epochs_check_closed(struct agent_call *call, struct checked_window *window)
{
	if (window->is_uncertain)
		return;
	report_unclosed(call, window, &window->start);
	report_unclosed(call, window, &window->post);
	report_unclosed(call, window, &window->lock_all);
	report_unclosed(call, window, any_lock(window));
	report_unclosed(call, window, &window->fence_access);
}

void epochs_release(struct checked_window *window)
{
	free(window->started);
	free(window->locks);
	free(window->members);
	free(window);
}
