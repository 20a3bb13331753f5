/* Counters of the processor, with a kernel whose counts the scenario sets, and with the real one. */
#define _GNU_SOURCE
#include "base/settings.h"
#include "scenario.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

enum { HIGH_NUMBER = 512, ROUNDS = 5, CYCLES = 3000, INSTRUCTIONS = 6000, MANY = 1000000, PAUSE_US = 1000 };

/* The planted kernel. Its files are all the same one. */
static struct {
	int error;   /* of each counter; 0: none */
	int members; /* open counters */
	dev_t device;
	ino_t number;
	uint64_t enabled, running, counts[2];
} kernel;
static bool is_planted;

static bool is_planted_file(int file)
{
	struct stat about;

	return is_planted && kernel.number && fstat(file, &about) == 0 && about.st_dev == kernel.device &&
	       about.st_ino == kernel.number;
}

static long open_planted(void)
{
	struct stat about;
	int file;

	if (kernel.error) {
		errno = kernel.error;
		return -1;
	}
	file = open("/dev/zero", O_RDONLY);
	assert(file >= 0 && fstat(file, &about) == 0);
	kernel.device = about.st_dev;
	kernel.number = about.st_ino;
	kernel.members++;
	return file;
}

/* These replace functions of the C library for the recorder. */
#pragma GCC visibility push(default)

long syscall(long number, ...)
{
	static long (*real)(long number, ...);
	long words[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		words[i] = va_arg(list, long);
	va_end(list);
	if (is_planted && number == SYS_perf_event_open)
		return open_planted();
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	return real(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

int ioctl(int file, unsigned long request, ...)
{
	va_list list;
	void *answer;

	va_start(list, request);
	answer = va_arg(list, void *);
	va_end(list);
	if (!is_planted_file(file))
		return (int)syscall(SYS_ioctl, file, request, answer);
	assert(request == PERF_EVENT_IOC_ID);
	*(uint64_t *)answer = 7;
	return 0;
}

ssize_t read(int file, void *bytes, size_t size)
{
	uint64_t words[] = {(uint64_t)kernel.members, kernel.enabled, kernel.running, kernel.counts[0],
	                    kernel.counts[1]};

	if (!is_planted_file(file))
		return syscall(SYS_read, file, bytes, size);
	assert(size == sizeof words);
	memcpy(bytes, words, sizeof words);
	return (ssize_t)sizeof words;
}

#pragma GCC visibility pop

static void count(uint64_t cycles, uint64_t instructions)
{
	usleep(PAUSE_US);
	kernel.enabled += PAUSE_US * 1000;
	kernel.running += PAUSE_US * 1000;
	kernel.counts[0] += cycles;
	kernel.counts[1] += instructions;
}

/* MPI spins. */
static void inside(enum call_id id)
{
	if (id == CALL_Init || id == CALL_Barrier || id == CALL_Test)
		count(MANY, MANY);
}

static void begin(const char *counters)
{
	setenv(SETTING_COUNTERS, counters, 1);
	is_planted = strcmp(counters, "task-clock") != 0;
	fake->inside = inside;
	fake->rank = 0;
	fake->size = 1;
	MPI_Init(NULL, NULL);
}

static void compute_and_wait(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		count(CYCLES, INSTRUCTIONS);
		MPI_Barrier(MPI_COMM_WORLD);
	}
}

static void plain(void)
{
	begin("cycles,instructions");
	compute_and_wait();
	MPI_Finalize();
}

static const char *counters_of(const struct recording *r)
{
	return process_property(r->process, "counters");
}

static void only_computing_counts(void **state)
{
	unsigned long long us, cycles, instructions;
	struct recording r;

	(void)state;
	record(plain, &r);
	assert_non_null(counters_of(&r));
	assert_int_equal(sscanf(counters_of(&r), "computing=%llu cycles=%llu instructions=%llu", &us, &cycles,
	                        &instructions),
	                 3);
	assert_true(us >= ROUNDS * PAUSE_US);
	assert_int_equal(cycles, ROUNDS * CYCLES);
	assert_int_equal(instructions, ROUNDS * INSTRUCTIONS);
	recording_release(&r);
}

/* The kernel counted only half of the time. */
static void divided(void)
{
	begin("cycles,instructions");
	for (int i = 0; i < ROUNDS; i++) {
		count(CYCLES, INSTRUCTIONS);
		kernel.running -= PAUSE_US * 1000 / 2;
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Finalize();
}

static void divided_counters_are_scaled(void **state)
{
	unsigned long long us, cycles;
	struct recording r;

	(void)state;
	record(divided, &r);
	assert_int_equal(sscanf(counters_of(&r), "computing=%llu cycles=%llu", &us, &cycles), 2);
	assert_int_equal(cycles, 2 * ROUNDS * CYCLES);
	recording_release(&r);
}

/* The program looks for a message again and again. */
static void polling(void)
{
	MPI_Request request;
	int flag;

	begin("cycles,instructions");
	compute_and_wait();
	MPI_Irecv(NULL, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
	for (int i = 0; i < 20; i++) {
		fake->flag = i == 19;
		MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
}

static void tests_in_a_loop_are_no_computing(void **state)
{
	unsigned long long us, cycles;
	struct recording r;

	(void)state;
	record(polling, &r);
	assert_int_equal(sscanf(counters_of(&r), "computing=%llu cycles=%llu", &us, &cycles), 2);
	assert_int_equal(cycles, ROUNDS * CYCLES);
	recording_release(&r);
}

static void with_our_files_taken(void)
{
	int mine;

	begin("cycles,instructions");
	compute_and_wait();
	mine = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	assert(mine >= 0 && write(mine, "mine", 4) == 4);
	for (int i = 0; i < 8; i++)
		assert(dup2(mine, HIGH_NUMBER + i) >= 0);
	compute_and_wait();
	MPI_Finalize();
	for (int i = 0; i < 8; i++)
		assert(lseek(HIGH_NUMBER + i, 0, SEEK_CUR) == 4);
}

static void files_of_the_program_are_left_alone(void **state)
{
	unsigned long long us, cycles;
	struct recording r;

	(void)state;
	record(with_our_files_taken, &r);
	assert_int_equal(sscanf(counters_of(&r), "computing=%llu cycles=%llu", &us, &cycles), 2);
	assert_int_equal(cycles, ROUNDS * CYCLES);
	recording_release(&r);
}

static void paused(void)
{
	begin("cycles,instructions");
	compute_and_wait();
	MPI_Pcontrol(0);
	compute_and_wait();
	MPI_Finalize();
}

static void counting_ends_where_calls_are_not_recorded(void **state)
{
	unsigned long long us, cycles;
	struct recording r;

	(void)state;
	record(paused, &r);
	assert_int_equal(sscanf(counters_of(&r), "computing=%llu cycles=%llu", &us, &cycles), 2);
	assert_int_equal(cycles, ROUNDS * CYCLES);
	recording_release(&r);
}

static void without_counters(void)
{
	kernel.error = ENOENT;
	plain();
}

static void forbidden(void)
{
	kernel.error = ENOSYS;
	plain();
}

static void a_lack_of_counters_is_noted(void **state)
{
	static const struct {
		void (*scenario)(void);
		const char *reason;
	} cases[] = {{without_counters, "virtual machines"}, {forbidden, "perf_event_open"}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct recording r;
		const char *note;

		record(cases[i].scenario, &r);
		assert_null(counters_of(&r));
		note = process_property(r.process, "note");
		assert_non_null(note);
		assert_non_null(strstr(note, "'cycles' is not recorded"));
		assert_non_null(strstr(note, cases[i].reason));
		assert_int_equal(count_calls(&r, "MPI_Barrier"), ROUNDS);
		recording_release(&r);
	}
}

static void not_asked(void)
{
	is_planted = true;
	kernel.error = ENOENT;
	fake->inside = inside;
	fake->rank = 0;
	fake->size = 1;
	MPI_Init(NULL, NULL);
	compute_and_wait();
	MPI_Finalize();
}

static void nothing_is_counted_unless_asked(void **state)
{
	struct recording r;

	(void)state;
	record(not_asked, &r);
	assert_null(counters_of(&r));
	assert_null(process_property(r.process, "note"));
	recording_release(&r);
}

static void of_the_real_kernel(void)
{
	begin("task-clock");
	for (int i = 0; i < ROUNDS; i++) {
		for (volatile int j = 0; j < 5 * MANY; j++)
			;
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Finalize();
}

static void the_kernel_counts_cpu_time(void **state)
{
	struct perf_event_attr about = {.type = PERF_TYPE_SOFTWARE,
	                                .size = sizeof about,
	                                .config = PERF_COUNT_SW_TASK_CLOCK,
	                                .exclude_kernel = 1,
	                                .exclude_hv = 1};
	long file = syscall(SYS_perf_event_open, &about, 0, -1, -1, 0);
	unsigned long long us, clock;
	struct recording r;

	(void)state;
	if (file < 0)
		skip();
	close((int)file);
	record(of_the_real_kernel, &r);
	assert_non_null(counters_of(&r));
	assert_int_equal(sscanf(counters_of(&r), "computing=%llu task-clock=%llu", &us, &clock), 2);
	assert_true(us > 0 && clock > 0);
	recording_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_computing_counts),
		cmocka_unit_test(divided_counters_are_scaled),
		cmocka_unit_test(tests_in_a_loop_are_no_computing),
		cmocka_unit_test(files_of_the_program_are_left_alone),
		cmocka_unit_test(counting_ends_where_calls_are_not_recorded),
		cmocka_unit_test(a_lack_of_counters_is_noted),
		cmocka_unit_test(nothing_is_counted_unless_asked),
		cmocka_unit_test(the_kernel_counts_cpu_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
