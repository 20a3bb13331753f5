/* Writes the page of invented results: bench-page CASE. */
#include "bench/results/differences.h"
#include "bench/results/memory_use.h"
#include "bench/results/output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 40 };

static const char HOSTILE[] =
	"</script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>\"'&\x01\xff<b>";

/* Between 0 and 1, the same each time. */
static double chance(void)
{
	static uint64_t state = 88172645463325252U;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)(state >> 11) / 0x1p53;
}

static double noise(void)
{
	double value = 1 + 0.04 * (chance() + chance() + chance() - 1.5);

	return chance() < 0.04 ? value * (1.5 + 4 * chance()) : value;
}

struct wanted {
	const char *operation, *variant;
	uint64_t bytes;
	int ranks;
	double latency, bandwidth; /* seconds; bytes in a second */
};

static void make_processes(struct process_time *processes, int ranks, double time)
{
	for (int rank = 0; rank < ranks; rank++) {
		double mean = time * (0.45 + 0.5 * (rank + 1) / ranks);

		processes[rank] = (struct process_time){.mean = mean, .min = mean * 0.9, .max = mean * 1.2};
	}
}

/* Without noise the mean is latency * log2(ranks) + bytes / bandwidth. */
static struct result_point make_point(const struct wanted *wanted, bool is_noisy, double *times,
                                      struct process_time *processes)
{
	double time = wanted->latency * log2(wanted->ranks) + (double)wanted->bytes / wanted->bandwidth;
	struct result_point point = {.operation = wanted->operation,
	                             .variant = wanted->variant,
	                             .bytes = wanted->bytes,
	                             .ranks = wanted->ranks,
	                             .datatype = "byte",
	                             .reduction = "",
	                             .communicator = "world",
	                             .cache = "cold",
	                             .runs = RUNS + 3,
	                             .stages = 5,
	                             .window = time * 1.1,
	                             .times = times,
	                             .processes = processes,
	                             .clock_error = 4e-8,
	                             .overlap = NAN,
	                             .computing = NAN,
	                             .total = NAN,
	                             .rate = NAN};

	for (int i = 0; i < RUNS; i++)
		times[i] = is_noisy ? time * noise() : time;
	make_processes(processes, wanted->ranks, time);
	point.summary = summarize_values(times, RUNS, 0.25, 0.95);
	return point;
}

static void add(struct results *results, const struct wanted *wanted, bool is_noisy)
{
	struct process_time *processes = calloc((size_t)wanted->ranks, sizeof(*processes));
	double times[RUNS];
	struct result_point point = make_point(wanted, is_noisy, times, processes);

	if (wanted->bytes == 1)
		point.marks = MARK_CLOCK;
	if (strncmp(wanted->operation, "MPI_I", 5) == 0)
		point.overlap = fmin(0.97, 0.2 + 0.08 * log2((double)wanted->bytes + 1));
	if (strcmp(wanted->operation, "bandwidth") == 0)
		point.rate = (double)wanted->bytes / point.summary.mean;
	results_add(results, &point);
	free(processes);
}

static void sweep(struct results *results, const char *operation, const char *variant, double latency)
{
	for (int ranks = 2; ranks <= 32; ranks *= 2) {
		for (uint64_t bytes = 1; bytes <= 1 << 20; bytes *= 4)
			/* One point violates a performance guideline: 16 KiB take less. */
			add(results,
			    &(struct wanted){operation, variant, bytes, ranks,
			                     bytes == 4096 && ranks == 32 ? 3 * latency : latency, 3e9},
			    true);
	}
}

static void add_facts(struct results *results)
{
	results_fact(results, "mpi", "library", "Open MPI 4.1.4");
	results_fact(results, "machine", "hosts", "node[01-04], 8 ranks each");
	results_fact(results, "machine", "processor", "an invented one");
	results_fact(results, "parameters", "confidence", "%g", 0.95);
	results_fact(results, "self-tests", "WaitPatternNull", "0.03 µs (right: 0)");
	results_fact(results, "self-tests", "WaitPatternUp", "32.1 µs (right: 32 µs)");
}

static void fill_full(struct results *results)
{
	sweep(results, "MPI_Bcast", "", 1e-6);
	sweep(results, "MPI_Iallreduce", "", 2e-6);
	for (uint64_t bytes = 1; bytes <= 1 << 22; bytes *= 2)
		add(results, &(struct wanted){"bandwidth", "", bytes, 2, 6e-7, 9e9}, true);
	for (int ranks = 2; ranks <= 8; ranks++)
		add(results, &(struct wanted){"MPI_Barrier", "", 0, ranks, 1.4e-6, 1e9}, true);
	add_facts(results);
	results_omit(results, "MPI_Ialltoallw", "this MPI library has no MPI_Ialltoallw");
}

/* No noise, so that the numbers are known: 1 and 2 µs, 4 ranks. */
static void fill_exact(struct results *results)
{
	add(results, &(struct wanted){"MPI_Bcast", "", 1024, 4, 2.5e-7, 2.048e9}, false);
	add(results, &(struct wanted){"MPI_Bcast", "", 65536, 4, 2.5e-7, 2.048e9}, false);
	add(results, &(struct wanted){"MPI_Bcast", "", 0, 4, 2.5e-7, 2.048e9}, false);
}

static void fill_one(struct results *results)
{
	add(results, &(struct wanted){"MPI_Barrier", "", 0, 2, 1e-6, 1e9}, true);
}

static void fill_hostile(struct results *results)
{
	for (int i = 0; i < 3; i++)
		add(results, &(struct wanted){HOSTILE, i ? HOSTILE : "", 1024U << i, 2, 1e-6, 1e9}, true);
	add(results, &(struct wanted){HOSTILE, HOSTILE, 64, 2, 1e-6, 1e9}, true);
	results_fact(results, "mpi", "library", "%s", HOSTILE);
	results_fact(results, HOSTILE, HOSTILE, "%s", HOSTILE);
	results_fact(results, "self-tests", HOSTILE, "%s", HOSTILE);
	results_omit(results, HOSTILE, HOSTILE);
	results->is_complete = false;
	results->trouble = HOSTILE;
}

/* Possible contents of a file that no measurement would give. */
static void fill_strange(struct results *results)
{
	static const double VALUES[] = {NAN, INFINITY, -INFINITY, 0, -1, 1e300, 1e-300, 5e-324};
	enum { COUNT = sizeof(VALUES) / sizeof(*VALUES) };
	struct process_time processes[2] = {{NAN, 0, INFINITY, NULL}, {-1, -1e300, 1e300, NULL}};

	for (size_t i = 0; i < COUNT; i++) {
		double value = VALUES[i];
		struct result_point point = {.operation = "strange",
		                             .variant = "",
		                             .bytes = i ? UINT64_MAX >> i : 0,
		                             .ranks = 2,
		                             .root = -7,
		                             .datatype = "",
		                             .reduction = "",
		                             .communicator = "",
		                             .cache = "",
		                             .times = VALUES,
		                             .processes = processes,
		                             .overlap = value,
		                             .rate = value,
		                             .clock_error = value,
		                             .marks = ~0U};

		point.summary = (struct sample_summary){COUNT, COUNT, value, value, value, value, value,
		                                        value, value, value, value, value, value};
		results_add(results, &point);
	}
	add(results, &(struct wanted){"strange", "", 64, 2, 1e-6, 1e9}, true);
	processes[0].mean = 1;
	results_add(results, &(struct result_point){.operation = "bare",
	                                            .variant = "",
	                                            .ranks = 0,
	                                            .datatype = "",
	                                            .reduction = "",
	                                            .communicator = "",
	                                            .cache = "",
	                                            .summary = summarize_values(NULL, 0, 0.25, 0.95)});
}

/* Large messages became slower, small ones faster, some points are new. */
static void compare(struct text *page)
{
	struct results first, second;
	struct differences differences;
	struct comparing how = {.confidence = 0.95, .threshold = 0.05};

	results_init(&first);
	results_init(&second);
	first.is_complete = second.is_complete = true;
	for (int ranks = 2; ranks <= 8; ranks *= 2) {
		for (uint64_t bytes = 1; bytes <= 1 << 20; bytes *= 16) {
			add(&first, &(struct wanted){"MPI_Bcast", "", bytes, ranks, 1e-6, 3e9}, true);
			add(&second, &(struct wanted){"MPI_Bcast", "", bytes, ranks, 9e-7, 2.5e9}, true);
			add(&second, &(struct wanted){HOSTILE, HOSTILE, bytes, ranks, 1e-6, 3e9}, true);
		}
	}
	add(&first, &(struct wanted){HOSTILE, HOSTILE, 1, 2, 1e-6, 3e9}, true);
	add(&first, &(struct wanted){"MPI_Scan", "", 1, 2, 1e-6, 3e9}, true);
	results_fact(&first, "mpi", "library", "%s", "Open MPI 4.1.4");
	results_fact(&second, "mpi", "library", "%s", HOSTILE);
	differences_find(&first, &second, &how, &differences);
	differences_page(&differences, &first, &second, &(struct compared_names){"before.json", HOSTILE},
	                 page);
	differences_release(&differences);
	results_release(&first);
	results_release(&second);
}

/* As far apart as numbers can be, all of them above 0. */
static void fill_extreme(struct results *results)
{
	static const double VALUES[] = {5e-324, 1e-300, 1, 1e300, 1.7e308};

	for (size_t i = 0; i < sizeof(VALUES) / sizeof(*VALUES); i++) {
		double value = VALUES[i];
		struct process_time processes[2] = {{value, 5e-324, 1.7e308, NULL}, {1, 5e-324, value, NULL}};
		struct result_point point = {.operation = "extreme",
		                             .variant = "",
		                             .bytes = 1U << i,
		                             .ranks = 2,
		                             .datatype = "",
		                             .reduction = "",
		                             .communicator = "",
		                             .cache = "",
		                             .times = VALUES,
		                             .processes = processes,
		                             .rate = value,
		                             .overlap = value};

		point.summary = (struct sample_summary){5,     5,     value, value, value, 5e-324, 1.7e308,
		                                        value, value, value, value, value, value};
		results_add(results, &point);
	}
	results_add_memory(results, &(struct memory_use){"MPI_Init", 1, 5e-324, 1e-300, 1, 1, 1});
	results_add_memory(results, &(struct memory_use){"MPI_Init", INT32_MAX, 1.7e308, 1e300, 1, 1, 1});
}

/* 100000 bytes, and 1000 for each process; of the second step nothing. */
static void fill_memory(struct results *results)
{
	for (int ranks = 8; ranks; ranks /= 2) {
		results_add_memory(results, &(struct memory_use){"MPI_Init", ranks, 90000,
		                                                 10000 + 1000 * ranks, NAN, 1, 1e6});
		results_add_memory(results, &(struct memory_use){HOSTILE, ranks, 0, 0, 0, 0, 0});
	}
}

static void fill_empty(struct results *results)
{
	(void)results;
}

static void show(const struct text *text)
{
	fputs(text_get(text), stdout);
}

static const struct {
	const char *name;
	void (*fill)(struct results *results);
} CASES[] = {{"full", fill_full},       {"exact", fill_exact},     {"one", fill_one},
             {"hostile", fill_hostile}, {"strange", fill_strange}, {"empty", fill_empty},
             {"memory", fill_memory},   {"extreme", fill_extreme}, {NULL, NULL}};

int main(int argc, char **argv)
{
	struct results results;
	struct text page = {0};

	results_init(&results);
	results.is_complete = true;
	for (size_t i = 0; argc == 2 && CASES[i].name; i++) {
		if (strcmp(CASES[i].name, argv[1]) == 0) {
			CASES[i].fill(&results);
			results_page(&results, &page);
		}
	}
	if (argc == 2 && strcmp(argv[1], "compared") == 0)
		compare(&page);
	show(&page);
	results_release(&results);
	if (!page.length)
		fprintf(stderr, "usage: bench-page CASE\n");
	text_release(&page);
	return argc == 2 ? 0 : 2;
}
