#include "job/check/windows/window_epochs.h"

#include "job/check/objects/finding_draft.h"
#include "job/mpi/flavour.h"
#include "job/mpi/host.h"

#include <stdio.h>
#include <stdlib.h>

struct opening_call opening_call(const struct agent_call *call)
{
	return (struct opening_call){.is_set = true, .by = call->id, .at = agent_place(call)};
}

/* NULL: there has not been a lock or start yet, or the rank is outside the window. */
static struct window_target *find_target(const struct checked_window *window, int64_t target)
{
	return window->targets && target >= 0 && target < window->size ? &window->targets[target] : NULL;
}

struct peer_epochs *epoch_peer(const struct checked_window *window, int64_t target)
{
	struct window_target *there = find_target(window, target);

	return there ? &there->epochs : NULL;
}

/* The call that opened an open epoch; a lock of this target, or else of any target. */
static const struct opening_call *find_opening(const struct checked_window *window, enum epoch_kind kind,
                                               const struct window_target *there)
{
	if (kind != EPOCH_LOCK)
		return &window->opened[kind];
	if (there && there->epochs.is_locked)
		return &there->lock;
	for (int32_t i = 0; window->targets && i < window->size; i++)
		if (window->targets[i].epochs.is_locked)
			return &window->targets[i].lock;
	return &window->created;
}

/* Findings */

static void report(struct agent_call *call, enum check check, const char *name, const char *value,
                   const struct opening_call *other, const char *note)
{
	struct finding_draft draft = problem_draft(check, call);

	if (name)
		finding_draft_value(&draft, name, "%s", value);
	if (other->is_set)
		finding_draft_call(&draft, other->by, other->at, note);
	finding_report(&draft);
}

/* Which epochs are open now depends on whether MPI accepts the call, so the window's epochs are no longer checked. */
static void report_open(struct agent_call *call, struct checked_window *window, enum check check,
                        const struct opening_call *open)
{
	window->is_uncertain = true;
	report(call, check, "epoch", all_calls[open->by].name, open, NOTE_EARLIER);
}

static void report_missing(struct agent_call *call, struct checked_window *window, enum epoch_kind kind)
{
	static const enum call_id openers[EPOCH_KINDS] = {[EPOCH_START] = CALL_Win_start,
	                                                  [EPOCH_POST] = CALL_Win_post,
	                                                  [EPOCH_LOCK] = CALL_Win_lock,
	                                                  [EPOCH_LOCK_ALL] = CALL_Win_lock_all};
	const enum rma_action action = all_calls[call->id].rma;

	if (action == RMA_FLUSH || action == RMA_FLUSH_ALL) {
		report(call, CHECK_WINDOW_FLUSH_WITHOUT_LOCK, NULL, NULL, &window->created, NOTE_CREATED);
		return;
	}
	window->is_uncertain |= epoch_is_open(&window->epochs, EPOCH_START) ||
	                        epoch_is_open(&window->epochs, EPOCH_LOCK_ALL) || window->epochs.locks;
	report(call, CHECK_WINDOW_NOT_OPEN, "needed", all_calls[openers[kind]].name, &window->created,
	       NOTE_CREATED);
}

/* Reports once for each fence. */
static void report_broken(struct agent_call *call, struct checked_window *window, const char *assertion,
                          const struct opening_call *other)
{
	if (window->is_fence_broken)
		call->problems++; /* MPI may reject this access as well */
	else
		report(call, CHECK_WINDOW_ASSERTION, "assertion", assertion, other, NOTE_EARLIER);
	window->is_fence_broken = true;
}

static void report_access(struct agent_call *call, enum check check, const struct opening_call *other,
                          const char *note)
{
	char target[16];

	snprintf(target, sizeof target, "%d", (int)call_argument(call, KIND_target));
	report(call, check, "target", target, other, note);
}

static void check_access(struct agent_call *call, struct checked_window *window)
{
	const int64_t target = call_argument(call, KIND_target);
	const struct peer_epochs *there = epoch_peer(window, target);
	const enum epoch_kind kind = epoch_of_access(&window->epochs, there);
	const bool has_request = call_parameter(call->id, KIND_newrequest) >= 0;

	if (target < 0 || target >= window->size || kind == EPOCH_LOCK || kind == EPOCH_LOCK_ALL)
		return;
	if (kind == EPOCH_START && window->group_is_known && !peer_is_started(&window->epochs, there))
		report_access(call, CHECK_WINDOW_TARGET_NOT_IN_GROUP, &window->opened[kind], NOTE_EARLIER);
	else if (kind && has_request)
		report_access(call, CHECK_WINDOW_REQUEST_EPOCH, &window->opened[kind], NOTE_EARLIER);
	else if (kind)
		return;
	else if (window->opened[EPOCH_FENCE].is_set && window->fence_assertion & MPI_MODE_NOSUCCEED)
		report_broken(call, window, "MPI_MODE_NOSUCCEED", &window->opened[EPOCH_FENCE]);
	else
		report_access(call, CHECK_WINDOW_NO_EPOCH, &window->created, NOTE_CREATED);
}

static void check_fence(struct agent_call *call, struct checked_window *window)
{
	const bool precedes_nothing = call_argument(call, KIND_assert) & MPI_MODE_NOPRECEDE;

	if (precedes_nothing && window->epochs.has_accessed)
		report_broken(call, window, "MPI_MODE_NOPRECEDE", &window->fence_access);
	call->fence_broken = window->is_fence_broken;
	if (precedes_nothing || !window->fence_lock.is_set)
		return;
	/* No problem_draft(), because MPI does not reject such a call. */
	struct finding_draft draft = finding_draft(CHECK_WINDOW_LOCK_BETWEEN_FENCES, call);
	finding_draft_call(&draft, window->fence_lock.by, window->fence_lock.at, NOTE_EARLIER);
	finding_draft_call(&draft, window->opened[EPOCH_FENCE].by, window->opened[EPOCH_FENCE].at,
	                   NOTE_BEGAN);
	finding_report(&draft);
}

void epoch_check(struct agent_call *call, struct checked_window *window)
{
	const enum rma_action action = all_calls[call->id].rma;
	const int64_t target = call_parameter(call->id, KIND_target) < 0 ? 0
	                                                                 : call_argument(call, KIND_target);
	const struct window_target *there = find_target(window, target);
	const struct peer_epochs *peer = there ? &there->epochs : NULL;
	enum epoch_kind kind;

	if (window->is_uncertain)
		return;
	if (action == RMA_ACCESS) {
		check_access(call, window);
		return;
	}
	kind = epoch_in_the_way(&window->epochs, peer, action);
	if (kind && !call->problems)
		report_open(call, window, CHECK_WINDOW_NESTED_EPOCH, find_opening(window, kind, there));
	kind = target < 0 || target >= window->size ? EPOCH_NONE
	                                            : epoch_missing(&window->epochs, peer, action);
	if (kind)
		report_missing(call, window, kind);
	if (action == RMA_FENCE && !call->problems)
		check_fence(call, window);
}

/* Groups */

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

static void name_started(const struct agent_call *call, struct checked_window *window)
{
	int *ranks;
	const int count = epoch_group(window, (uint64_t)call_argument(call, KIND_group), &ranks);

	window->group_is_known = count >= 0 && window->targets;
	for (int i = 0; window->group_is_known && i < count; i++)
		if (ranks[i] >= 0 && ranks[i] < window->size)
			peer_start(&window->epochs, &window->targets[ranks[i]].epochs);
	free(ranks);
}

/* False: the call does not change an epoch, or out of memory. */
static bool is_followed(const struct agent_call *call, struct checked_window *window, int64_t target)
{
	const enum rma_action action = all_calls[call->id].rma;
	const int flag = call_parameter(call->id, KIND_flag);

	/* NOLINTNEXTLINE(performance-no-int-to-ptr): the address of a variable */
	if (flag >= 0 && !*(const int *)(uintptr_t)call->arguments[flag])
		return false;
	if ((action == RMA_LOCK || action == RMA_START) && !window->targets)
		window->targets = host_table((size_t)window->size, sizeof *window->targets);
	return action != RMA_NONE && target >= 0 &&
	       ((action != RMA_LOCK && action != RMA_UNLOCK) || find_target(window, target));
}

void epoch_follow(const struct agent_call *call, struct checked_window *window)
{
	const enum rma_action action = all_calls[call->id].rma;
	const int64_t target = call_parameter(call->id, KIND_target) < 0 ? 0
	                                                                 : call_argument(call, KIND_target);
	const enum epoch_kind opens = epoch_effects[action].opens;
	const bool had_accessed = window->epochs.has_accessed;

	if (action == RMA_FLUSH || action == RMA_FLUSH_ALL ||
	    (action == RMA_ACCESS && (had_accessed || !epoch_is_open(&window->epochs, EPOCH_FENCE))))
		return;
	if (!is_followed(call, window, target))
		return;
	if (action == RMA_FENCE) {
		window->fence_assertion = (int)call_argument(call, KIND_assert);
		window->is_fence_broken = window->fence_lock.is_set = false;
	} else if ((opens == EPOCH_LOCK || opens == EPOCH_LOCK_ALL) &&
	           epoch_is_open(&window->epochs, EPOCH_FENCE) && !window->fence_lock.is_set) {
		window->fence_lock = opening_call(call);
	}
	epochs_follow(&window->epochs, epoch_peer(window, target),
	              &(struct epoch_call){
			      .action = action,
			      .is_last = action == RMA_FENCE && window->fence_assertion & MPI_MODE_NOSUCCEED,
			      .is_exclusive = action == RMA_LOCK &&
	                                      call_argument(call, KIND_lock) != MPI_LOCK_SHARED});
	if (opens == EPOCH_LOCK)
		window->targets[target].lock = opening_call(call);
	else if (opens)
		window->opened[opens] = opening_call(call);
	if (opens == EPOCH_START)
		name_started(call, window);
	if (!had_accessed && window->epochs.has_accessed)
		window->fence_access = opening_call(call);
}

void epochs_check_closed(struct agent_call *call, struct checked_window *window)
{
	static const enum epoch_kind kinds[] = {EPOCH_START, EPOCH_POST, EPOCH_LOCK_ALL, EPOCH_LOCK};

	if (window->is_uncertain)
		return;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (epoch_is_open(&window->epochs, kinds[i]))
			report_open(call, window, CHECK_WINDOW_UNCLOSED_EPOCH,
			            find_opening(window, kinds[i], NULL));
	if (window->epochs.has_accessed)
		report_open(call, window, CHECK_WINDOW_UNCLOSED_EPOCH, &window->fence_access);
}

void epochs_release(struct checked_window *window)
{
	free(window->targets);
	free(window->members);
	free(window);
}
