/* Functions that rules trace, called like from a generated wrapper. */
#include "base/probe.h"
#include "base/settings.h"
#include "scenario.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>

void tarry_probes_link(struct probe_link *link);

static const struct probe_parameter work_parameters[] = {
	{"level", PROBE_INTEGER}, {"omega", PROBE_REAL}, {"file", PROBE_TEXT}};
static const struct probe_parameter plain_parameters[] = {{"n", PROBE_INTEGER}};
static struct probe probes[] = {
	{"work", work_parameters, 3, 0, 0, 0, NULL},
	{"plain", plain_parameters, 1, 1, 3, 0, NULL},
};
static struct probe_table table = {PROBE_VERSION, 2, probes};
static struct probe_link meeting = {.table = &table};

/* Does the same as a wrapper, around `body`. */
static void work(int64_t level, double omega, const char *file, void (*body)(void))
{
	const void *site = __builtin_return_address(0);
	void *begun = meeting.begin ? meeting.begin(&probes[0], site) : NULL;
	int64_t key[PROBE_KEY_WORDS + 3];
	uint64_t start;

	if (!begun) {
		if (body)
			body();
		return;
	}
	key[2] = level;
	memcpy(&key[3], &omega, sizeof omega);
	key[4] = meeting.text(file);
	start = meeting.now();
	if (body)
		body();
	meeting.end(&probes[0], begun, site, start, meeting.now(), key);
}

static void plain(int64_t n)
{
	const void *site = __builtin_return_address(0);
	void *(*begin)(struct probe *, const void *) = __atomic_load_n(&meeting.begin, __ATOMIC_ACQUIRE);
	void *begun = begin ? begin(&probes[1], site) : NULL;
	int64_t key[PROBE_KEY_WORDS + 1] = {0, 0, n};
	uint64_t start;

	if (!begun)
		return;
	start = meeting.now();
	meeting.end(&probes[1], begun, site, start, meeting.now(), key);
}

static void run(void (*inside)(void))
{
	meeting.begin = NULL;
	tarry_probes_link(&meeting);
	plain(0); /* before MPI_Init */
	MPI_Init(NULL, NULL);
	inside();
	MPI_Finalize();
	plain(0);
}

static void some_calls(void)
{
	for (int i = 0; i < 3; i++) {
		work(7, 0.5, "in.dat", NULL);
		plain(i);
	}
}

static void scenario_of_values(void)
{
	run(some_calls);
}

static const char *text_of_field(const struct call *call, enum field_key key, size_t n)
{
	return (const char *)(uintptr_t)nth_field(call, key, n);
}

static void values_have_their_names(void **state)
{
	struct recording r;
	double omega;
	int64_t bits;

	(void)state;
	record(scenario_of_values, &r);
	assert_int_equal(r.count, 2 + 6);
	const struct call *first = nth_call(&r, "work", 0), *second = nth_call(&r, "plain", 2);
	assert_int_equal(field_count(first), 6);
	assert_string_equal(text_of_field(first, FIELD_PARAM, 0), "level");
	assert_int_equal(field(first, FIELD_VALUE), 7);
	assert_string_equal(text_of_field(first, FIELD_PARAM, 1), "omega");
	bits = field(first, FIELD_REAL);
	memcpy(&omega, &bits, sizeof omega);
	assert_true(omega == 0.5);
	assert_string_equal(text_of_field(first, FIELD_PARAM, 2), "file");
	assert_string_equal(text_of_field(first, FIELD_TEXT, 0), "in.dat");
	assert_int_equal(field(second, FIELD_VALUE), 2);
	assert_true(first->outline->has_site);
	assert_ptr_equal(first, nth_call(&r, "work", 2));
	assert_string_equal(process_property(r.process, "traced"), "work");
	recording_release(&r);
}

static void exchange(void)
{
	int word = 0;

	MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
	plain(5);
}

static void work_around_calls(void)
{
	work(1, 0, NULL, exchange);
	work(2, 0, NULL, NULL);
}

static void scenario_of_nesting(void)
{
	run(work_around_calls);
}

/* A library's function may call MPI. Both have events. */
static void what_a_function_calls_is_recorded(void **state)
{
	struct recording r;

	(void)state;
	record(scenario_of_nesting, &r);
	assert_int_equal(r.count, 2 + 4);
	assert_string_equal(r.events[1].call->outline->name, "MPI_Send");
	assert_string_equal(r.events[2].call->outline->name, "plain");
	assert_string_equal(r.events[3].call->outline->name, "work");
	assert_true(r.events[3].start <= r.events[1].start && r.events[3].end >= r.events[2].end);
	assert_true(r.events[4].start >= r.events[3].end);
	assert_int_equal(field_count(r.events[3].call), 4); /* without the invalid text */
	recording_release(&r);
}

static void call_inside(enum call_id id)
{
	if (id == CALL_Barrier)
		plain(9);
}

static void call_from_inside_mpi(void)
{
	fake->inside = call_inside;
	MPI_Barrier(MPI_COMM_WORLD);
	plain(1);
}

static void scenario_of_callbacks(void)
{
	run(call_from_inside_mpi);
}

static void what_mpi_calls_is_not_recorded(void **state)
{
	struct recording r;

	(void)state;
	record(scenario_of_callbacks, &r);
	assert_int_equal(count_calls(&r, "plain"), 1);
	assert_int_equal(field(nth_call(&r, "plain", 0), FIELD_VALUE), 1);
	recording_release(&r);
}

static char *page_of_letters;

/* Letters up to the end of readable memory, followed by an unreadable page. */
static void texts_that_are_none(void)
{
	enum { PAGE = 1 << 16 };
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char longer[1000];

	assert(pages != MAP_FAILED && mprotect(pages + PAGE, PAGE, PROT_NONE) == 0);
	memset(pages, 'x', PAGE);
	page_of_letters = pages + PAGE - 10;
	memset(longer, 'y', sizeof longer);
	longer[sizeof longer - 1] = 0;
	work(0, 0, NULL, NULL);
	work(1, 0, (const char *)1, NULL);
	work(2, 0, pages + PAGE, NULL);
	work(3, 0, page_of_letters, NULL);
	work(4, 0, longer, NULL);
}

static void scenario_of_texts(void)
{
	run(texts_that_are_none);
}

static void texts_are_followed_with_care(void **state)
{
	struct recording r;

	(void)state;
	record(scenario_of_texts, &r);
	for (size_t i = 0; i < 3; i++)
		assert_false(has_field(nth_call(&r, "work", i), FIELD_TEXT));
	assert_string_equal(text_of_field(nth_call(&r, "work", 3), FIELD_TEXT, 0), "xxxxxxxxxx");
	assert_int_equal(strlen(text_of_field(nth_call(&r, "work", 4), FIELD_TEXT, 0)), 256);
	recording_release(&r);
}

static void fork_inside(void)
{
	pid_t child = fork();

	if (!child) {
		plain(1);
		_exit(meeting.begin != NULL);
	}
	int status;
	assert(waitpid(child, &status, 0) == child && status == 0);
}

static void scenario_of_forks(void)
{
	run(fork_inside);
}

static void a_child_is_not_recorded(void **state)
{
	struct recording r;

	(void)state;
	record(scenario_of_forks, &r);
	assert_int_equal(count_calls(&r, "plain"), 0);
	recording_release(&r);
}

static void *call_often(void *stop)
{
	for (int64_t i = 0; !__atomic_load_n((int *)stop, __ATOMIC_RELAXED); i++)
		plain(i & 3);
	return NULL;
}

static pthread_t others[2];
static int stop_others;

static void start_others(void)
{
	for (int i = 0; i < 2; i++)
		assert(pthread_create(&others[i], NULL, call_often, &stop_others) == 0);
	while (!__atomic_load_n(&probes[1].is_seen, __ATOMIC_RELAXED))
		usleep(100);
}

static void scenario_of_threads(void)
{
	run(start_others);
	__atomic_store_n(&stop_others, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		pthread_join(others[i], NULL);
}

/* They continue while MPI_Finalize closes the trace. */
static void threads_may_call_until_the_end(void **state)
{
	struct recording r;

	(void)state;
	record(scenario_of_threads, &r);
	assert_true(r.process->stream_count >= 2);
	assert_int_equal(r.reader->damage_count, 0);
	recording_release(&r);
}

static void scenario_of_another_version(void)
{
	table.version = PROBE_VERSION + 1;
	run(some_calls);
	assert(!meeting.begin);
}

static void wrappers_of_another_version_are_left_alone(void **state)
{
	struct recording r;

	(void)state;
	record(scenario_of_another_version, &r);
	assert_int_equal(r.count, 2);
	recording_release(&r);
}

static void calls_for_a_list(void)
{
	some_calls();
	exchange();
}

static void scenario_of_lists(void)
{
	run(calls_for_a_list);
}

static void lists_of_functions_do_not_leave_them_out(void **state)
{
	struct recording r;

	(void)state;
	setenv(SETTING_ONLY, "MPI_Barrier", 1);
	setenv(SETTING_FROM, "MPI_Init", 1);
	record(scenario_of_lists, &r);
	unsetenv(SETTING_ONLY);
	unsetenv(SETTING_FROM);
	assert_int_equal(count_calls(&r, "work"), 3);
	assert_int_equal(count_calls(&r, "plain"), 4);
	assert_int_equal(count_calls(&r, "MPI_Send"), 0);
	recording_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_have_their_names),
		cmocka_unit_test(what_a_function_calls_is_recorded),
		cmocka_unit_test(what_mpi_calls_is_not_recorded),
		cmocka_unit_test(texts_are_followed_with_care),
		cmocka_unit_test(a_child_is_not_recorded),
		cmocka_unit_test(threads_may_call_until_the_end),
		cmocka_unit_test(wrappers_of_another_version_are_left_alone),
		cmocka_unit_test(lists_of_functions_do_not_leave_them_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
