#include "job/record/counters.h"

#include "base/files.h"
#include "base/settings.h"
#include "job/record/process.h"
#include "job/record/selection.h"
#include "job/record/timer.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	BETWEEN_US = 100,     /* minimum between readings at the start of calls */
	CALL_US = 50,         /* shorter calls are not followed by a reading */
	CALLS_PART = 8,       /* with more than this part of the time in calls, it is not computing */
	HIGH_NUMBER = 512,    /* above the descriptors of the program's files */
	PARANOIA_ALLOWED = 2, /* the largest value at which users may count their own threads */
	READING_WORDS = 3 + COUNTERS,
};

static const struct {
	uint32_t type;
	uint64_t config;
} kinds[COUNTERS] = {
	[COUNTER_CYCLES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	[COUNTER_INSTRUCTIONS] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	[COUNTER_TASK_CLOCK] = {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
};

/* The kernel may have had a counter for the thread only for a part of the time: counts are scaled up. */
void counted_computing_take(struct counted_computing *computing, const struct counter_reading *reading,
                            uint64_t tick)
{
	const struct counter_reading *base = &computing->base;
	const uint64_t ticks = tick - computing->base_tick, running = reading->running - base->running;
	const bool is_computing = computing->has_base && running && computing->inside <= ticks / CALLS_PART;
	const double scale = running ? (double)(reading->enabled - base->enabled) / (double)running : 0;

	if (is_computing)
		__atomic_add_fetch(&computing->sums->ticks, ticks, __ATOMIC_RELAXED);
	for (int i = 0; i < COUNTERS && is_computing; i++)
		__atomic_add_fetch(&computing->sums->counts[i],
		                   (uint64_t)(scale * (double)(reading->counts[i] - base->counts[i])),
		                   __ATOMIC_RELAXED);
	computing->has_base = true;
	computing->base_tick = tick;
	computing->base = *reading;
	computing->inside = 0;
}

/* Opening */

static int paranoia(void)
{
	char text[16];

	read_small_file(AT_FDCWD, "/proc/sys/kernel/perf_event_paranoid", text, sizeof text);
	return (int)strtol(text, NULL, 10);
}

/* Leaves one note for each counter and reason, however many threads and processes lack it. */
static void note_obstacle(enum counter counter)
{
	const int cause = errno;
	const int level = cause == EACCES || cause == EPERM ? paranoia() : 0;

	if (cause == ENOENT || cause == ENODEV || cause == EOPNOTSUPP)
		process_note(
			"counter '%s' is not recorded: this processor offers none to programs, as in many virtual machines",
			counter_names[counter]);
	else if (level > PARANOIA_ALLOWED)
		process_note(
			"counter '%s' is not recorded: the kernel forbids it, because /proc/sys/kernel/perf_event_paranoid is %d; %d is enough",
			counter_names[counter], level, PARANOIA_ALLOWED);
	else if (cause == EACCES || cause == EPERM || cause == ENOSYS)
		process_note(
			"counter '%s' is not recorded: a filter forbids the system call perf_event_open, as in many containers",
			counter_names[counter]);
	else
		process_note("a thread has no counter '%s': %s", counter_names[counter], strerror(cause));
}

static int open_counter(enum counter counter, int group)
{
	struct perf_event_attr about = {.type = kinds[counter].type,
	                                .size = sizeof about,
	                                .config = kinds[counter].config,
	                                .exclude_kernel = 1,
	                                .exclude_hv = 1,
	                                .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
	                                               PERF_FORMAT_TOTAL_TIME_RUNNING};
	int file = (int)syscall(SYS_perf_event_open, &about, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
	int high = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, HIGH_NUMBER);

	if (file >= 0)
		close(file);
	return high;
}

static bool is_ours(const struct counter_file *file)
{
	uint64_t id;

	return ioctl(file->number, PERF_EVENT_IOC_ID, &id) == 0 && id == file->id;
}

void counters_begin(struct thread_counters *counters, struct counter_sums *sums)
{
	const int saved = errno;
	const char *names = setting_get(SETTING_COUNTERS);
	const uint32_t asked = names ? counters_parse(names) : 0;

	counters->count = 0;
	counters->computing = (struct counted_computing){.sums = sums};
	for (enum counter i = 0; i < COUNTERS; i++) {
		struct counter_file *file = &counters->files[counters->count];

		if (!(asked & 1u << i))
			continue;
		*file = (struct counter_file){
			.counter = i,
			.number = open_counter(i, counters->count ? counters->files[0].number : -1)};
		if (file->number < 0) {
			note_obstacle(i);
		} else if (ioctl(file->number, PERF_EVENT_IOC_ID, &file->id) == 0) {
			counters->count++;
			__atomic_or_fetch(&sums->known, 1u << i, __ATOMIC_RELAXED);
		}
	}
	errno = saved;
}

void counters_end(struct thread_counters *counters)
{
	const int saved = errno;

	for (uint32_t i = counters->count; i-- > 0;)
		if (is_ours(&counters->files[i]))
			close(counters->files[i].number);
	counters->count = 0;
	errno = saved;
}

/* Reading */

/* Checks that the program has not replaced the file by one of its own. */
static bool read_counters(struct thread_counters *counters, struct counter_reading *reading)
{
	const int saved = errno;
	const size_t size = (3 + counters->count) * sizeof(uint64_t);
	uint64_t words[READING_WORDS]; /* the number of counters, two times, and the counts */
	const bool is_read = is_ours(&counters->files[0]) &&
	                     read(counters->files[0].number, words, size) == (ssize_t)size &&
	                     words[0] == counters->count;

	if (is_read)
		*reading = (struct counter_reading){.enabled = words[1], .running = words[2]};
	for (uint32_t i = 0; i < counters->count && is_read; i++)
		reading->counts[counters->files[i].counter] = words[3 + i];
	if (!is_read)
		counters->count = 0;
	errno = saved;
	return is_read;
}

static void look(struct thread_counters *counters, uint64_t tick)
{
	struct counter_reading reading;

	if (read_counters(counters, &reading))
		counted_computing_take(&counters->computing, &reading, tick);
}

static uint64_t ticks_of_us(uint64_t us)
{
	return timer.rate / 1000000 * us;
}

/* Excluded calls must not count as computing. */
void counters_before_call(struct thread_counters *counters, uint64_t start)
{
	struct counted_computing *computing = &counters->computing;

	if (selection.active)
		computing->has_base = false;
	else if (start - computing->base_tick >= ticks_of_us(BETWEEN_US))
		look(counters, start);
}

void counters_after_call(struct thread_counters *counters, uint64_t start, uint64_t end)
{
	counters->computing.inside += end - start;
	if (!selection.active && end - start >= ticks_of_us(CALL_US))
		look(counters, end);
}
