/* The state of a window in one process, and the matching between processes. */
#include "calls/epochs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct window_epochs own;
static struct peer_epochs peers[3];

static void begin(void)
{
	own = (struct window_epochs){0};
	for (int i = 0; i < 3; i++)
		peers[i] = (struct peer_epochs){0};
}

static void follow(enum rma_action action, struct peer_epochs *there)
{
	epochs_follow(&own, there, &(struct epoch_call){.action = action, .is_exclusive = true});
}

static void a_fence_is_an_epoch_only_with_accesses(void **state)
{
	(void)state;
	begin();
	assert_int_equal(epoch_of_access(&own, &peers[0]), EPOCH_NONE);
	assert_int_equal(epoch_effects[RMA_FENCE].opens, EPOCH_FENCE);
	follow(RMA_FENCE, NULL);
	assert_int_equal(epoch_of_access(&own, &peers[0]), EPOCH_FENCE);
	assert_int_equal(epoch_in_the_way(&own, &peers[0], RMA_LOCK), EPOCH_NONE);
	follow(RMA_ACCESS, &peers[0]);
	assert_int_equal(epoch_in_the_way(&own, &peers[0], RMA_LOCK), EPOCH_FENCE);
	assert_int_equal(epoch_in_the_way(&own, NULL, RMA_FENCE), EPOCH_NONE);
	epochs_follow(&own, NULL, &(struct epoch_call){.action = RMA_FENCE, .is_last = true});
	assert_int_equal(epoch_of_access(&own, &peers[0]), EPOCH_NONE);
	follow(RMA_FENCE, NULL);
	follow(RMA_LOCK, &peers[0]);
	follow(RMA_UNLOCK, &peers[0]);
	assert_int_equal(epoch_of_access(&own, &peers[0]), EPOCH_NONE);
}

static void locks_are_of_one_target_or_of_all(void **state)
{
	(void)state;
	begin();
	follow(RMA_LOCK, &peers[1]);
	assert_int_equal(epoch_of_access(&own, &peers[1]), EPOCH_LOCK);
	assert_int_equal(epoch_of_access(&own, &peers[0]), EPOCH_NONE);
	assert_int_equal(epoch_in_the_way(&own, &peers[1], RMA_LOCK), EPOCH_LOCK);
	assert_int_equal(epoch_in_the_way(&own, &peers[0], RMA_LOCK), EPOCH_NONE);
	assert_int_equal(epoch_in_the_way(&own, NULL, RMA_LOCK_ALL), EPOCH_LOCK);
	assert_int_equal(epoch_missing(&own, &peers[0], RMA_UNLOCK), EPOCH_LOCK);
	assert_int_equal(epoch_missing(&own, &peers[0], RMA_FLUSH), EPOCH_LOCK);
	assert_int_equal(epoch_missing(&own, NULL, RMA_FLUSH_ALL), EPOCH_NONE);
	assert_int_equal(own.exclusive, 1);
	follow(RMA_UNLOCK, &peers[1]);
	assert_int_equal(own.locks + own.exclusive, 0);
	follow(RMA_LOCK_ALL, NULL);
	assert_int_equal(epoch_missing(&own, &peers[0], RMA_FLUSH), EPOCH_NONE);
	assert_int_equal(epochs_lock(&own, NULL), LOCKED_SHARED);
	assert_false(locks_exclude(LOCKED_SHARED, LOCKED_SHARED));
	assert_true(locks_exclude(LOCKED_SHARED, LOCKED_EXCLUSIVE));
	assert_false(locks_exclude(LOCKED_NOT, LOCKED_EXCLUSIVE));
}

static void starts_match_posts_by_count(void **state)
{
	struct epoch_counts origin = {0}, target = {0};

	(void)state;
	assert_false(epoch_is_answered(RMA_START, &origin, &target));
	epoch_count(&target, RMA_POST);
	assert_true(epoch_is_answered(RMA_START, &origin, &target));
	epoch_count(&origin, RMA_START);
	assert_true(epoch_is_answered(RMA_COMPLETE, &origin, &target));
	assert_false(epoch_is_answered(RMA_START, &origin, &target));
	assert_false(epoch_is_answered(RMA_WAIT, &target, &origin));
	epoch_count(&origin, RMA_COMPLETE);
	assert_true(epoch_is_answered(RMA_WAIT, &target, &origin));
}

static void a_start_names_its_targets(void **state)
{
	(void)state;
	begin();
	assert_int_equal(epoch_missing(&own, NULL, RMA_COMPLETE), EPOCH_START);
	follow(RMA_START, NULL);
	peer_start(&own, &peers[0]);
	assert_true(peer_is_started(&own, &peers[0]));
	assert_false(peer_is_started(&own, &peers[1]));
	assert_int_equal(epoch_missing(&own, NULL, RMA_COMPLETE), EPOCH_NONE);
	follow(RMA_COMPLETE, NULL);
	assert_false(peer_is_started(&own, &peers[0]));
	follow(RMA_START, NULL);
	assert_false(peer_is_started(&own, &peers[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fence_is_an_epoch_only_with_accesses),
		cmocka_unit_test(locks_are_of_one_target_or_of_all),
		cmocka_unit_test(starts_match_posts_by_count),
		cmocka_unit_test(a_start_names_its_targets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
