#include "analysis/whatif/send_queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Messages of 100 bytes occupy the link for 1 us, empty ones for 300 ns. */
static const struct network_model network = {
	.latency = 5000, .send_overhead = 200, .receive_overhead = -1, .gap = 300, .gap_per_byte = 10};

static void messages_wait_for_those_before_them(void **state)
{
	struct send_queue queue = {0};

	(void)state;
	assert_int_equal(send_queue_wait(&queue, &network, 1000, 100), 0);
	assert_int_equal(send_queue_wait(&queue, &network, 1200, 0), 800);
	assert_int_equal(send_queue_wait(&queue, &network, 1300, 100), 1000);
	assert_int_equal(send_queue_wait(&queue, &network, 5000, 100), 0);
}

static void overtaken_messages_do_not_wait(void **state)
{
	struct send_queue queue = {0};

	(void)state;
	assert_int_equal(send_queue_wait(&queue, &network, 1000, 100), 0);
	assert_int_equal(send_queue_wait(&queue, &network, 900, 100), 0);
	assert_int_equal(send_queue_wait(&queue, &network, 1500, 100), 500);
}

static void unknown_gaps_delay_nothing(void **state)
{
	static const struct network_model unknown = {-1, -1, -1, -1, -1};
	struct send_queue queue = {0};

	(void)state;
	assert_int_equal(send_queue_wait(&queue, &unknown, 1000, 100), 0);
	assert_int_equal(send_queue_wait(&queue, &unknown, 1000, 100), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_wait_for_those_before_them),
		cmocka_unit_test(overtaken_messages_do_not_wait),
		cmocka_unit_test(unknown_gaps_delay_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
