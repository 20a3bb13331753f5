#include "calls/epochs.h"

#include <stddef.h>

#define BIT(kind) (1u << EPOCH_##kind)

const struct epoch_effect epoch_effects[RMA_VALUES] = {
	[RMA_FENCE] = {.opens = EPOCH_FENCE,
                       .excluded_by = BIT(START) | BIT(POST) | BIT(LOCK_ALL) | BIT(LOCK)},
	[RMA_START] = {.opens = EPOCH_START,
                       .waits_for = PARTNERS_GROUP,
                       .excluded_by = BIT(START) | BIT(LOCK_ALL) | BIT(FENCE) | BIT(LOCK)},
	[RMA_COMPLETE] = {.closes = EPOCH_START, .waits_for = PARTNERS_GROUP},
	[RMA_POST] = {.opens = EPOCH_POST, .excluded_by = BIT(POST) | BIT(FENCE)},
	[RMA_WAIT] = {.closes = EPOCH_POST, .waits_for = PARTNERS_GROUP},
	[RMA_LOCK] = {.opens = EPOCH_LOCK,
                      .waits_for = PARTNERS_HOLDERS,
                      .excluded_by = BIT(START) | BIT(LOCK_ALL) | BIT(FENCE) | BIT(LOCK)},
	[RMA_UNLOCK] = {.closes = EPOCH_LOCK, .waits_for = PARTNERS_HOLDERS},
	[RMA_LOCK_ALL] = {.opens = EPOCH_LOCK_ALL,
                          .waits_for = PARTNERS_HOLDERS,
                          .excluded_by = BIT(START) | BIT(LOCK_ALL) | BIT(FENCE) | BIT(LOCK)},
	[RMA_UNLOCK_ALL] = {.closes = EPOCH_LOCK_ALL, .waits_for = PARTNERS_HOLDERS},
	[RMA_FLUSH] = {.waits_for = PARTNERS_HOLDERS},
	[RMA_FLUSH_ALL] = {.waits_for = PARTNERS_HOLDERS},
};

static void set_open(struct window_epochs *own, enum epoch_kind kind, bool is_open)
{
	own->open = (own->open & ~(1u << kind)) | (uint32_t)is_open << kind;
}

static void follow_lock(struct window_epochs *own, struct peer_epochs *there, bool locks, bool is_exclusive)
{
	struct peer_epochs any = {.is_locked = !locks && own->locks};

	if (!there)
		there = &any;
	own->locks += locks - there->is_locked;
	own->exclusive += (locks && is_exclusive) - there->is_exclusive;
	there->is_locked = locks;
	there->is_exclusive = locks && is_exclusive;
	set_open(own, EPOCH_LOCK, own->locks);
}

void epochs_follow(struct window_epochs *own, struct peer_epochs *there, const struct epoch_call *call)
{
	enum epoch_kind opens = epoch_effects[call->action].opens,
			closes = epoch_effects[call->action].closes;

	if (opens)
		set_open(own, EPOCH_FENCE, opens == EPOCH_FENCE && !call->is_last);
	if (opens == EPOCH_FENCE)
		own->has_accessed = false;
	else if (opens == EPOCH_LOCK || closes == EPOCH_LOCK)
		follow_lock(own, there, opens, call->is_exclusive);
	else if (opens || closes)
		set_open(own, opens + closes, opens);
	own->starts += opens == EPOCH_START;
	if (call->action == RMA_ACCESS && epoch_of_access(own, there) == EPOCH_FENCE)
		own->has_accessed = true;
}

void epoch_count(struct epoch_counts *counts, enum rma_action action)
{
	counts->posts += action == RMA_POST;
	counts->starts += action == RMA_START;
	counts->completes += action == RMA_COMPLETE;
}

bool epoch_is_answered(enum rma_action action, const struct epoch_counts *own,
                       const struct epoch_counts *other)
{
	if (action == RMA_WAIT)
		return other->completes >= own->posts;
	return other->posts >= own->starts + (action == RMA_START);
}
