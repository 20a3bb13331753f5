/* The order in which receives are told of: those that could take the message of one whose message is not known yet wait for it. */
#include "job/check/events/receives.h"
#include "job/check/wire/unsent_events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What receives.c needs of others: here events become letters, with + for the course alone, with = for matching alone, where those of wildcards have what they took. */

static char events[256];

void *host_table(size_t count, size_t size)
{
	return calloc(count, size);
}

static uint64_t operations;

static void add_event(const char *prefix, const struct announced_call *call)
{
	snprintf(events + strlen(events), sizeof events - strlen(events), "%s%c ", prefix, (char)call->hash);
}

uint64_t push_event_with(struct announced_call *call, uint64_t number)
{
	(void)number;
	add_event("", call);
	return ++operations;
}

uint64_t push_begins(struct announced_call *call)
{
	add_event("+", call);
	return ++operations;
}

void push_matches_with(struct announced_call *call, uint64_t number)
{
	(void)number;
	add_event("=", call);
}

void comm_free(struct followed_comm *c)
{
	(void)c;
	fail_msg("its handle is still there");
}

void push_wildcard(struct announced_call *call, int32_t source, int32_t tag, int32_t source_in_world,
                   uint32_t ticket)
{
	(void)ticket;
	snprintf(events + strlen(events), sizeof events - strlen(events), "=%c(%d,%d,%d) ", (char)call->hash,
	         source, tag, source_in_world);
}

void push_content(struct announced_call *call, uint32_t ticket, int32_t peer_in_world,
                  const struct message_content *content)
{
	snprintf(events + strlen(events), sizeof events - strlen(events), "#%u:%d,%d,%c ", ticket,
	         (int)content->hash, peer_in_world, (char)call->hash);
}

static int ranks[] = {5, 6, 7, 8};
static struct followed_comm comm = {.size = 4, .peers = 4, .world_ranks = ranks, .holds = 1};
static struct announced_call calls[26];

static struct announced_call *call(char letter)
{
	calls[letter - 'a'].hash = (uint64_t)letter;
	return &calls[letter - 'a'];
}

static uint32_t ticket_of(char letter)
{
	return (uint32_t)(letter - 'a' + 1);
}

static struct pending_receive *post(char letter, int32_t source, int32_t tag)
{
	uint64_t operation = 0;
	struct pending_receive *receive = receive_post(&comm, call(letter), source, tag, ticket_of(letter),
	                                               &operation);

	assert_int_equal(operation, operations);
	return receive;
}

static int begin(void **state)
{
	(void)state;
	events[0] = '\0';
	return 0;
}

/* Nothing waits any more, and no call is held. */
static void expect_reported(const char *text)
{
	assert_string_equal(events, text);
	assert_null(comm.first);
	assert_null(comm.last);
	assert_int_equal(comm.holds, 1);
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		assert_int_equal(calls[i].pins, 0);
}

static void plain_receives_are_told_at_once(void **state)
{
	(void)state;
	assert_null(post('a', 0, 1));
	assert_null(post('b', 1, 1));
	expect_reported("a b ");
}

static void those_behind_a_wildcard_wait(void **state)
{
	struct pending_receive *wildcard = post('a', ANY, 1), *same, *other;

	(void)state;
	assert_non_null(wildcard);
	same = post('b', 2, 1);
	assert_non_null(same);
	other = post('c', 2, 9); /* another tag: it cannot take that message */
	assert_null(other);
	assert_string_equal(events, "+a +b +c =c ");
	receive_resolve(wildcard, NULL, 3, 1);
	expect_reported("+a +b +c =c =a(3,1,8) =b ");
}

static void wildcards_are_told_in_the_order_of_posts(void **state)
{
	struct pending_receive *first = post('a', ANY, ANY), *second = post('b', ANY, ANY);

	(void)state;
	receive_resolve(second, NULL, 1, 4);
	assert_string_equal(events, "+a +b ");
	receive_resolve(first, NULL, 0, 4);
	expect_reported("+a +b =a(0,4,5) =b(1,4,6) ");
}

static void what_a_wildcard_took_may_have_to_wait(void **state)
{
	struct pending_receive *first = post('a', 1, ANY), *second = post('b', ANY, 3);

	(void)state;
	receive_resolve(second, NULL, 2, 3); /* the first cannot have taken it: it wants rank 1 */
	assert_string_equal(events, "+a +b =b(2,3,7) ");
	receive_resolve(first, NULL, 1, 3);
	expect_reported("+a +b =b(2,3,7) =a(1,3,6) ");
}

/* Of receives that wait, and of one whose event was sent. */
static void contents_follow_their_events(void **state)
{
	const struct message_content first = {.hash = 40}, second = {.hash = 50};
	struct pending_receive *wildcard = post('a', ANY, 1), *named = post('b', 2, 1);

	(void)state;
	receive_content(named, call('b'), ticket_of('b'), &second);
	receive_content(wildcard, call('a'), ticket_of('a'), &first);
	assert_string_equal(events, "+a +b ");
	receive_resolve(wildcard, NULL, 3, 1);
	expect_reported("+a +b =a(3,1,8) #1:40,8,a =b #2:50,7,b ");
	assert_null(post('c', 1, 1));
	receive_content(NULL, call('c'), ticket_of('c'), &second);
	receive_content(NULL, call('c'), 0, &second); /* it is not compared */
	expect_reported("+a +b =a(3,1,8) #1:40,8,a =b #2:50,7,b c #3:50,0,c ");
}

static void one_that_never_happened_lets_others_go(void **state)
{
	struct pending_receive *wildcard = post('a', ANY, 1), *owned;

	(void)state;
	receive_own(wildcard, &owned);
	assert_non_null(post('b', 0, 1));
	receive_drop(owned);
	assert_null(owned);
	expect_reported("+a +b =b ");
}

static void a_probe_keeps_its_place(void **state)
{
	struct pending_receive *probe = receive_probed(&comm, call('p'), 0, 1);

	(void)state;
	assert_non_null(probe);
	assert_non_null(post('b', 0, 1));
	assert_string_equal(events, "+b ");
	receive_resolve(probe, call('m'), 0, 1);
	expect_reported("+b =m =b ");
}

static void the_end_tells_what_never_came(void **state)
{
	(void)state;
	assert_non_null(post('a', ANY, 1));
	assert_non_null(receive_probed(&comm, call('p'), 2, 1));
	assert_non_null(post('b', 0, 1));
	receives_end(&comm);
	expect_reported("+a +b =a(-1,-1,-1) =p =b ");
}

static void many_wildcards_cost_little_and_lose_nothing(void **state)
{
	enum { MANY = 200 };
	struct pending_receive *receives[MANY];

	(void)state;
	for (int i = 0; i < MANY; i++)
		receives[i] = post('a', ANY, i);
	for (int i = MANY; i-- > 0;) {
		events[0] = '\0';
		receive_resolve(receives[i], NULL, 0, i);
	}
	assert_null(comm.first);
	assert_int_equal(calls[0].pins, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(plain_receives_are_told_at_once, begin),
		cmocka_unit_test_setup(those_behind_a_wildcard_wait, begin),
		cmocka_unit_test_setup(wildcards_are_told_in_the_order_of_posts, begin),
		cmocka_unit_test_setup(what_a_wildcard_took_may_have_to_wait, begin),
		cmocka_unit_test_setup(contents_follow_their_events, begin),
		cmocka_unit_test_setup(one_that_never_happened_lets_others_go, begin),
		cmocka_unit_test_setup(a_probe_keeps_its_place, begin),
		cmocka_unit_test_setup(the_end_tells_what_never_came, begin),
		cmocka_unit_test_setup(many_wildcards_cost_little_and_lose_nothing, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
