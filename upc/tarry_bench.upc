/* Measures operations of a UPC runtime with the method of `tarry bench`: runs start at given moments of a common clock, wrong runs are
 * discarded, and the time of a run is that of the slowest thread. `tarry bench --upc` compiles and starts this program:
 *
 *     tarry_bench FILE SIZES OPERATIONS SECONDS      tarry_bench out.txt 8,1024 barrier,memput,upc_all_gather 10
 *
 * A point ends after SECONDS at the latest.
 *
 * Names may lack upc_ or upc_all_; "all" means every operation. The self-tests are always measured.
 *
 * Thread 0 writes FILE, a line for each fact; `tarry` makes statistics of it:
 *
 *     threads 4
 *     clock-error-ns 120
 *     point upc_memput 8 40 5 2300           operation, bytes, runs, stages, last window in ns
 *     times-ns 812 790 801                   of its valid runs
 *     omitted upc_all_gather 8388608         larger than a block
 *     unknown NAME                           the only line then, but for `known` with all names
 *     end */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <upc_collective.h>
#include <upc_relaxed.h>

enum {
	BLOCK = 1 << 22, /* of a thread in each buffer: UPC requires a constant */
	PATIENCE = 100,  /* d: consecutive round trips that were not shorter */
	TRIPS_MAX = 10000,
	WARM_UP = 4,     /* k' */
	STAGE = 8,       /* k */
	RUNS_MAX = 100,
	VALID_MAX = 30,
	VALID_MIN = 10,
	TRIES_MAX = 10 * RUNS_MAX, /* while fewer than VALID_MIN are valid */
	WINDOW_MIN_NS = 1000,
	WINDOW_FACTOR = 8, /* maximum of a window, as a multiple of most runs */
	LEAD_NS = 200 * 1000, /* from an order to the first start; doubled if a thread is late */
	LEAD_MAX_NS = 100 * LEAD_NS,
	SPIN_NS = 1000 * 1000,
	LATE_NS = 200, /* tolerance: clock readings, and leaving the polling loop */
	SECOND_NS = 1000 * 1000 * 1000,
	ALL = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC
};

#define WIDENING 1.1
#define WRONG_SHARE 0.25
#define RELATIVE_ERROR 0.05

#ifdef __UPC__
#define ON_THREAD(object, thread) \
	((shared void *)((shared[BLOCK] char *)(object) + (size_t)BLOCK * (size_t)(thread)))
#else
#define ON_THREAD(object, thread) ((void *)((char *)(object) + (size_t)BLOCK * (size_t)(thread)))
#endif

/* A block of each thread. `mail` is for clocks, orders and times; the others are buffers of operations. */
static shared void *mail, *source, *target;
static char *own;        /* private memory for upc_memput and upc_memget */
static int64_t offset_ns; /* clock of thread 0 minus this thread's */
static int64_t error_ns;  /* half of the shortest round trip */
static int64_t lead_ns = LEAD_NS;
static int64_t time_limit_ns; /* of a point */

struct letter {
	int64_t number; /* 0: none yet */
	int64_t value;
};

/* Orders of thread 0 before a stage, and reports of each thread after it. */
struct stage_order {
	int64_t start, window, runs;
};

struct stage_report {
	int64_t is_late, times[STAGE], wrong[STAGE];
};

static int64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * SECOND_NS + now.tv_nsec;
}

static int64_t global_ns(void)
{
	return clock_ns() + offset_ns;
}

static void wait_until(int64_t global)
{
	int64_t left = global - SPIN_NS - global_ns();
	struct timespec pause;

	if (left > 0) {
		pause.tv_sec = left / SECOND_NS;
		pause.tv_nsec = left % SECOND_NS;
		nanosleep(&pause, NULL);
	}
	while (global_ns() < global)
		;
}

/* The value first: a thread that sees the number can read the value. */
static void send(int thread, int64_t number, int64_t value)
{
	upc_memput((shared void *)((shared[] char *)ON_THREAD(mail, thread) + sizeof number), &value, sizeof value);
	upc_fence;
	upc_memput(ON_THREAD(mail, thread), &number, sizeof number);
	upc_fence;
}

static int64_t receive(int64_t number)
{
	struct letter letter;

	for (;;) {
		upc_memget(&letter, ON_THREAD(mail, MYTHREAD), sizeof letter);
		if (letter.number == number)
			break;
		sched_yield();
	}
	upc_memget(&letter, ON_THREAD(mail, MYTHREAD), sizeof letter);
	return letter.value;
}

/* Asks thread 0 for its time until PATIENCE consecutive round trips were not shorter. */
static void ask_for_time(void)
{
	int64_t shortest = INT64_MAX, number;
	int since = 0;

	for (number = 1; number < TRIPS_MAX && since < PATIENCE; number++, since++) {
		int64_t asked = clock_ns(), answer, trip;

		send(0, number, 1);
		answer = receive(number);
		trip = clock_ns() - asked;
		if (trip < shortest) {
			shortest = trip;
			offset_ns = answer - trip / 2 - asked;
			since = 0;
		}
	}
	error_ns = shortest / 2;
	send(0, number, 0);
}

static void tell_time(int thread)
{
	int64_t number;

	for (number = 1; receive(number); number++)
		send(thread, number, clock_ns());
}

static void clear_mail(void)
{
	upc_memset(ON_THREAD(mail, MYTHREAD), 0, sizeof(struct letter));
	upc_barrier;
}

/* One thread after another. The largest error counts. */
static void compare_clocks(void)
{
	int thread;

	for (thread = 1; thread < THREADS; thread++) {
		clear_mail();
		if (MYTHREAD == 0)
			tell_time(thread);
		else if (MYTHREAD == thread)
			ask_for_time();
		upc_barrier;
	}
	upc_memput(ON_THREAD(mail, MYTHREAD), &error_ns, sizeof error_ns);
	upc_barrier;
	for (thread = 0; thread < THREADS; thread++) {
		int64_t other;

		upc_memget(&other, ON_THREAD(mail, thread), sizeof other);
		if (other > error_ns)
			error_ns = other;
	}
	upc_barrier;
}

/* Operations. */

static int next_thread(void)
{
	return (MYTHREAD + 1) % THREADS;
}

static void wait_ns(int64_t ns)
{
	int64_t end = clock_ns() + ns;

	while (clock_ns() < end)
		;
}

static void run_null(size_t bytes)
{
	(void)bytes;
}

static void run_up(size_t bytes)
{
	(void)bytes;
	wait_ns((MYTHREAD + 1) * 1000);
}

static void run_barrier(size_t bytes)
{
	(void)bytes;
	upc_barrier;
}

static void run_memput(size_t bytes)
{
	upc_memput(ON_THREAD(target, next_thread()), own, bytes);
	upc_fence;
}

static void run_memget(size_t bytes)
{
	upc_memget(own, ON_THREAD(source, next_thread()), bytes);
}

static void run_memcpy(size_t bytes)
{
	upc_memcpy(ON_THREAD(target, next_thread()), ON_THREAD(source, MYTHREAD), bytes);
	upc_fence;
}

static void run_broadcast(size_t bytes)
{
	upc_all_broadcast(target, source, bytes, ALL);
}

static void run_scatter(size_t bytes)
{
	upc_all_scatter(target, source, bytes, ALL);
}

static void run_gather(size_t bytes)
{
	upc_all_gather(target, source, bytes, ALL);
}

static void run_gather_all(size_t bytes)
{
	upc_all_gather_all(target, source, bytes, ALL);
}

static void run_exchange(size_t bytes)
{
	upc_all_exchange(target, source, bytes, ALL);
}

/* `bytes` of each thread: blocks of as many elements. */
static void run_reduce(size_t bytes)
{
	upc_all_reduceI(target, source, UPC_ADD, bytes / sizeof(int) * THREADS, bytes / sizeof(int), NULL, ALL);
}

enum size_rule { NO_SIZE, ONE_BLOCK, BLOCK_PER_THREAD, WHOLE_INTS };

static const struct operation {
	const char *name;
	enum size_rule size;
	void (*run)(size_t bytes);
} operations[] = {
	{"WaitPatternNull", NO_SIZE, run_null},
	{"WaitPatternUp", NO_SIZE, run_up},
	{"upc_barrier", NO_SIZE, run_barrier},
	{"upc_memput", ONE_BLOCK, run_memput},
	{"upc_memget", ONE_BLOCK, run_memget},
	{"upc_memcpy", ONE_BLOCK, run_memcpy},
	{"upc_all_broadcast", ONE_BLOCK, run_broadcast},
	{"upc_all_scatter", BLOCK_PER_THREAD, run_scatter},
	{"upc_all_gather", BLOCK_PER_THREAD, run_gather},
	{"upc_all_gather_all", BLOCK_PER_THREAD, run_gather_all},
	{"upc_all_exchange", BLOCK_PER_THREAD, run_exchange},
	{"upc_all_reduceI", WHOLE_INTS, run_reduce},
};

enum { OPERATIONS = sizeof operations / sizeof *operations };

/* Stages. Only thread 0 keeps account and decides. */

struct point {
	const struct operation *operation;
	size_t bytes;
	int64_t began, window, runs, stages, valid;
	int64_t times[TRIES_MAX + STAGE];
	double sum, squares; /* of the valid times */
};

static void run_stage(const struct point *point, const struct stage_order *order)
{
	struct stage_report report;
	int64_t i;

	memset(&report, 0, sizeof report);
	for (i = 0; i < order->runs; i++) {
		int64_t due = order->start + i * order->window, begin, end;

		if (order->window || !i)
			wait_until(due);
		begin = global_ns();
		point->operation->run(point->bytes);
		end = global_ns();
		report.times[i] = end - begin;
		report.wrong[i] = begin > due + LATE_NS + error_ns || end > due + order->window;
		report.is_late |= !i && begin > due + LATE_NS + error_ns;
	}
	upc_barrier;
	upc_memput(ON_THREAD(mail, MYTHREAD), &report, sizeof report);
	upc_barrier;
}

static void give_order(struct stage_order *order)
{
	upc_barrier;
	if (MYTHREAD == 0) {
		order->start = global_ns() + lead_ns;
		upc_memput(ON_THREAD(mail, 0), order, sizeof *order);
		upc_fence;
	}
	upc_barrier;
	upc_memget(order, ON_THREAD(mail, 0), sizeof *order);
}

/* The slowest thread of each run; a run that is invalid in one thread is invalid. */
static void gather_reports(struct stage_report *all)
{
	struct stage_report other;
	int thread, i;

	memset(all, 0, sizeof *all);
	for (thread = 0; thread < THREADS; thread++) {
		upc_memget(&other, ON_THREAD(mail, thread), sizeof other);
		for (i = 0; i < STAGE; i++) {
			if (other.times[i] > all->times[i])
				all->times[i] = other.times[i];
			all->wrong[i] |= other.wrong[i];
		}
		all->is_late |= other.is_late;
	}
}

/* Only thread 0 decides, because clocks differ slightly. */
static int is_over(const struct point *point)
{
	double count = (double)point->valid, mean, variance;

	if (global_ns() - point->began > time_limit_ns)
		return 1;
	if (point->valid < VALID_MIN)
		return point->runs >= TRIES_MAX;
	mean = point->sum / count;
	variance = (point->squares - point->sum * mean) / (count - 1);
	return point->runs > RUNS_MAX || point->valid > VALID_MAX ||
	       variance <= RELATIVE_ERROR * mean * RELATIVE_ERROR * mean * count;
}

static int by_value(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* The length of most runs: the third quartile. */
static int64_t needed_ns(const struct stage_report *all, int64_t runs)
{
	int64_t sorted[STAGE];

	memcpy(sorted, all->times, sizeof sorted);
	qsort(sorted, (size_t)runs, sizeof *sorted, by_value);
	return sorted[3 * (runs - 1) / 4];
}

static int64_t wider(int64_t window, int64_t needed)
{
	int64_t fitting = (int64_t)(WIDENING * (double)needed), most = WINDOW_FACTOR * needed;

	if (fitting > window)
		return fitting;
	if (most < WINDOW_FACTOR * WINDOW_MIN_NS)
		most = WINDOW_FACTOR * WINDOW_MIN_NS;
	return 2 * window < most ? 2 * window : most;
}

static void take_times(struct point *point, const struct stage_order *order, const struct stage_report *all)
{
	int64_t i, wrong = 0;

	for (i = 0; i < order->runs; i++) {
		wrong += all->wrong[i];
		if (all->wrong[i])
			continue;
		point->times[point->valid++] = all->times[i];
		point->sum += (double)all->times[i];
		point->squares += (double)all->times[i] * (double)all->times[i];
	}
	if (all->is_late && lead_ns < LEAD_MAX_NS)
		lead_ns *= 2;
	point->runs += order->runs;
	point->stages++;
	if ((double)wrong > WRONG_SHARE * (double)order->runs)
		point->window = wider(point->window, needed_ns(all, order->runs));
}

static void do_stage(struct point *point, struct stage_order *order, struct stage_report *all)
{
	give_order(order);
	if (!order->runs)
		return;
	run_stage(point, order);
	if (MYTHREAD == 0)
		gather_reports(all);
	upc_barrier;
}

static void measure(struct point *point)
{
	struct stage_order order = {0, 0, WARM_UP};
	struct stage_report all;

	do_stage(point, &order, &all);
	point->began = global_ns();
	if (MYTHREAD == 0)
		point->window = wider(WINDOW_MIN_NS, needed_ns(&all, WARM_UP));
	while (order.runs) {
		order.runs = is_over(point) ? 0 : STAGE;
		order.window = point->window;
		do_stage(point, &order, &all);
		if (MYTHREAD == 0 && order.runs)
			take_times(point, &order, &all);
	}
}

static void write_point(FILE *file, const struct point *point)
{
	int64_t i;

	fprintf(file, "point %s %zu %lld %lld %lld\ntimes-ns", point->operation->name, point->bytes,
	        (long long)point->runs, (long long)point->stages, (long long)point->window);
	for (i = 0; i < point->valid; i++)
		fprintf(file, " %lld", (long long)point->times[i]);
	fprintf(file, "\n");
	fflush(file);
}

static size_t bytes_needed(const struct operation *operation, size_t bytes)
{
	return operation->size == BLOCK_PER_THREAD ? bytes * (size_t)THREADS : bytes;
}

static void measure_size(FILE *file, const struct operation *operation, size_t bytes)
{
	static struct point point;

	memset(&point, 0, sizeof point);
	point.operation = operation;
	point.bytes = operation->size == WHOLE_INTS ? (bytes + sizeof(int) - 1) / sizeof(int) * sizeof(int) : bytes;
	if (bytes_needed(operation, point.bytes) > BLOCK) {
		if (file)
			fprintf(file, "omitted %s %zu\n", operation->name, bytes);
		return;
	}
	measure(&point);
	if (file)
		write_point(file, &point);
}

static int is_self_test(const struct operation *operation)
{
	return strncmp(operation->name, "Wait", 4) == 0;
}

/* "upc_all_gather", "all_gather" or "gather". */
static int has_name(const struct operation *operation, const char *word, size_t length)
{
	static const char *const prefixes[] = {"", "upc_", "upc_all_"};
	char name[64];
	int i;

	for (i = 0; i < 3; i++) {
		snprintf(name, sizeof name, "%s%.*s", prefixes[i], (int)length, word);
		if (strcmp(name, operation->name) == 0)
			return 1;
	}
	return length == 3 && strncmp(word, "all", length) == 0;
}

/* The number of comma-separated words for this operation or, without one, of unknown words. */
static int count_words(const struct operation *operation, const char *list, FILE *file)
{
	int count = 0, i;

	while (*list) {
		size_t length = strcspn(list, ",");
		int found = 0;

		for (i = 0; i < OPERATIONS; i++)
			found |= (!operation || operation == &operations[i]) && !is_self_test(&operations[i]) &&
			         has_name(&operations[i], list, length);
		count += operation ? found : !found;
		if (!operation && !found && file)
			fprintf(file, "unknown %.*s\n", (int)length, list);
		list += length + (list[length] == ',');
	}
	return count;
}

static void list_operations(FILE *file)
{
	int i;

	fprintf(file, "known");
	for (i = 0; i < OPERATIONS; i++)
		if (!is_self_test(&operations[i]))
			fprintf(file, " %s", operations[i].name);
	fprintf(file, "\n");
}

static void measure_operation(FILE *file, const struct operation *operation, const char *sizes)
{
	char *end;

	if (operation->size == NO_SIZE) {
		measure_size(file, operation, 0);
		return;
	}
	for (; *sizes; sizes = *end ? end + 1 : end)
		measure_size(file, operation, strtoull(sizes, &end, 10));
}

static void measure_all(FILE *file, const char *sizes, const char *wanted)
{
	int i;

	compare_clocks();
	if (file)
		fprintf(file, "threads %d\nclock-error-ns %lld\n", (int)THREADS, (long long)error_ns);
	for (i = 0; i < OPERATIONS; i++)
		if (is_self_test(&operations[i]) || count_words(&operations[i], wanted, NULL))
			measure_operation(file, &operations[i], sizes);
	if (file)
		fprintf(file, "end\n");
}

int main(int argc, char **argv)
{
	FILE *file = NULL;

	if (argc != 5)
		return 2;
	time_limit_ns = atoll(argv[4]) * SECOND_NS;
	mail = upc_all_alloc(THREADS, BLOCK);
	source = upc_all_alloc(THREADS, BLOCK);
	target = upc_all_alloc(THREADS, BLOCK);
	own = calloc(1, BLOCK);
	upc_memset(ON_THREAD(source, MYTHREAD), 1, BLOCK);
	upc_memset(ON_THREAD(target, MYTHREAD), 1, BLOCK);
	if (MYTHREAD == 0)
		file = fopen(argv[1], "w");
	if (!own || (MYTHREAD == 0 && !file))
		upc_global_exit(1);
	upc_barrier;
	if (!count_words(NULL, argv[3], file))
		measure_all(file, argv[2], argv[3]);
	else if (file)
		list_operations(file);
	if (file)
		fclose(file);
	upc_barrier;
	return 0;
}
