/* OpenMP between calls of MPI: regions before MPI_Init and after MPI_Finalize, with all schedules, reductions, nested regions, sections,
 * critical sections, locks, all kinds of tasks, a threadprivate variable, cancellation, teams of changing size, and regions by two threads of the program
 * at once. Rank 0 prints a checksum and exits with 7. openmp.py compares it with a run that is not recorded. */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum { COUNT = 500 };

static long checksum;
static int own;
#pragma omp threadprivate(own)

static void add(long value)
{
#pragma omp atomic
	checksum += value;
}

static void loops(void)
{
	long sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < COUNT; i++)
		sum += i;
#pragma omp parallel for schedule(dynamic, 7) reduction(+ : sum)
	for (int i = 0; i < COUNT; i++)
		sum += 2L * i;
#pragma omp parallel for schedule(guided) reduction(+ : sum)
	for (int i = 0; i < COUNT; i++)
		sum += 3L * i;
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
	for (int i = 0; i < COUNT; i++)
		sum += 4L * i;
#pragma omp parallel for schedule(static, 3) ordered reduction(+ : sum)
	for (int i = 0; i < COUNT; i++) {
#pragma omp ordered
		sum += 5L * i;
	}
	add(sum);
}

/* Each begins and ends by another function of the runtime. */
static void loops_in_region(void)
{
	static long rows[COUNT];
	long sum = 0;

#pragma omp parallel num_threads(3)
	{
#pragma omp for schedule(guided) nowait
		for (unsigned long long i = 1ULL << 63; i < (1ULL << 63) + COUNT; i++)
			add((long)(i & 63));
#pragma omp for schedule(dynamic, 4) nowait
		for (int i = 0; i < COUNT; i++)
			add(i);
#pragma omp for schedule(monotonic : dynamic, 4)
		for (unsigned long i = COUNT; i > 0; i--)
			add((long)i);
#pragma omp for schedule(monotonic : guided) reduction(+ : sum)
		for (int i = 0; i < COUNT; i++)
			sum += i;
#pragma omp for schedule(nonmonotonic : runtime) reduction(+ : sum)
		for (int i = 0; i < COUNT; i++)
			sum += i;
#pragma omp for schedule(dynamic) reduction(task, + : sum)
		for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : sum)
			sum += i;
		}
#pragma omp for schedule(dynamic, 3) ordered
		for (int i = 0; i < 30; i++) {
#pragma omp ordered
			sum += i;
		}
#pragma omp for schedule(static, 1) ordered(1)
		for (int i = 1; i < 30; i++) {
#pragma omp ordered depend(sink : i - 1)
			rows[i] = rows[i - 1] + 1;
#pragma omp ordered depend(source)
		}
#pragma omp for schedule(dynamic)
		for (int i = 0; i < COUNT; i++) {
#pragma omp cancellation point for
			add(1);
		}
	}
	add(sum + rows[29]);
}

static void constructs(void)
{
	static omp_lock_t lock;
	static omp_nest_lock_t nest;
	long value = 0, nested_value = 0; /* each has its own lock */

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(3)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 20; i++)
			add(i);
#pragma omp sections
		{
#pragma omp section
			add(100);
#pragma omp section
			add(200);
		}
#pragma omp single copyprivate(own)
		own = 5;
		add(own);
#pragma omp critical
		value += own;
#pragma omp critical(named)
		value += 0;
#pragma omp barrier
		omp_set_lock(&lock);
		value++;
		omp_unset_lock(&lock);
		omp_set_nest_lock(&nest);
		omp_set_nest_lock(&nest);
		nested_value++;
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
		while (!omp_test_lock(&lock))
			;
		omp_unset_lock(&lock);
#pragma omp master
		add(1);
	}
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nest);
	add(value + nested_value);
}

static long tree(int depth)
{
	long left = 0, right = 0;

	if (!depth)
		return 1;
#pragma omp task shared(left) firstprivate(depth)
	left = tree(depth - 1);
#pragma omp task shared(right) firstprivate(depth)
	right = tree(depth - 1);
#pragma omp taskwait
	return left + right;
}

/* Copied with the alignment that it needs. */
struct aligned {
	_Alignas(128) long values[40];
};

static long sum_of(const struct aligned *one)
{
	long sum = (uintptr_t)one % _Alignof(struct aligned) ? -1 : 0;

	for (int i = 0; sum >= 0 && i < 40; i++)
		sum += one->values[i];
	return sum;
}

static void kinds_of_tasks(void)
{
	struct aligned one;
	long first = 1, second = 0, sum = 0, more = 0;

	for (int i = 0; i < 40; i++)
		one.values[i] = i;
#pragma omp task firstprivate(one)
	add(sum_of(&one));
#pragma omp task if (0) firstprivate(one)
	add(sum_of(&one));
#pragma omp task final(1) untied
	{
#pragma omp task mergeable
		add(2);
		add(3);
	}
#pragma omp task depend(out : first)
	first = 7;
#pragma omp task depend(in : first) depend(out : second) priority(3)
	second = 2 * first;
#pragma omp taskwait
	add(first + second);
#pragma omp taskgroup
	{
#pragma omp task
		{
#pragma omp parallel num_threads(2)
			add(omp_get_thread_num());
#pragma omp taskyield
#pragma omp critical
			second++;
		}
	}
	add(second);
#pragma omp taskloop reduction(+ : sum) num_tasks(5)
	for (int i = 0; i < COUNT; i++)
		sum += i;
#pragma omp taskloop reduction(+ : more) firstprivate(one)
	for (unsigned long long i = 1ULL << 63; i < (1ULL << 63) + 50; i++)
		more += (long)(i & 63) + sum_of(&one);
#pragma omp taskloop nogroup grainsize(3)
	for (long i = 10; i > 0; i--)
		add(i);
#pragma omp taskwait
	add(sum + more);
}

static void detached_task(void)
{
	omp_event_handle_t event = {0};

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task detach(event)
		add(5);
		omp_fulfill_event(event);
#pragma omp taskwait
	}
}

/* Outside of regions one thread executes them at once. */
static void tasks_of_one_thread(void)
{
	long sum = 0;

#pragma omp task shared(sum)
	sum += 3;
#pragma omp taskwait
#pragma omp taskloop
	for (int i = 0; i < COUNT; i++)
		add(i);
	add(sum);
}

static void tasks(void)
{
	tasks_of_one_thread();
	if (omp_get_thread_limit() > 1) /* otherwise LLVM's runtime fails */
		detached_task();
#pragma omp parallel
#pragma omp single
	{
		add(tree(6));
		kinds_of_tasks();
#pragma omp taskloop grainsize(8)
		for (int i = 0; i < 64; i++)
			add(i);
	}
}

static void nested(void)
{
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
	{
		add(omp_get_level() * 10 + omp_get_thread_num());
#pragma omp barrier
	}
}

static void cancelled(void)
{
	long found = -1;

#pragma omp parallel num_threads(2)
	{
#pragma omp for
		for (int i = 0; i < COUNT; i++) {
			if (i == 3) {
#pragma omp atomic write
				found = i;
#pragma omp cancel for
			}
#pragma omp cancellation point for
		}
	}
	add(found);
}

static void work(void)
{
	loops();
	loops_in_region();
	constructs();
	tasks();
	nested();
	cancelled();
	for (int threads = 1; threads <= 4; threads++) {
#pragma omp parallel num_threads(threads)
		add(omp_get_num_threads());
	}
#pragma omp parallel if (0)
	add(omp_get_num_threads());
}

static void *regions_of_a_thread(void *unused)
{
	for (int i = 0; i < 5; i++) {
#pragma omp parallel num_threads(2)
		{
			add(3);
#pragma omp barrier
			add(4);
		}
	}
	return unused;
}

int main(int argc, char **argv)
{
	int provided, rank, flag;
	pthread_t other;
	long total;

	omp_set_max_active_levels(2);
	loops();
	loops_in_region();
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int round = 0; round < 3; round++) {
		work();
		MPI_Allreduce(&checksum, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
		if (provided == MPI_THREAD_MULTIPLE) {
#pragma omp parallel num_threads(2)
			MPI_Initialized(&flag);
		}
	}
	pthread_create(&other, NULL, regions_of_a_thread, NULL);
	regions_of_a_thread(NULL);
	pthread_join(other, NULL);
	MPI_Finalize();
	work();
	if (rank == 0)
		printf("checksum %ld %ld\n", checksum, total);
	return rank == 0 ? 7 : 0; /* the launcher ends the job at the first code */
}
