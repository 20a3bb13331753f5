#include "job/record/scheduling_delay.h"

#include "base/files.h"
#include "job/record/poll_sleep.h"
#include "job/record/timer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	THRESHOLD_US = 100,
	DELAY_NS_MIN = 20000, /* a woken thread waits this long even on an idle machine */
	HIGH_NUMBER = 512,    /* above the descriptors of the program's files */
	THREADS_MAX = 64,     /* that keep the file open */
};

static uint32_t threads;

uint64_t scheduling_delay_threshold(void)
{
	return timer.rate / (1000000 / THRESHOLD_US);
}

/* The delay is the second number in the file. The format is checked, because the program may have replaced the file. */
static bool read_count(int file, uint64_t *ns)
{
	char line[80];
	ssize_t size = pread(file, line, sizeof line - 1, 0);
	unsigned long long ran, waited, times;
	char end;

	if (size <= 0)
		return false;
	line[size] = '\0';
	if (sscanf(line, "%llu %llu %llu%c", &ran, &waited, &times, &end) != 4 || end != '\n')
		return false;
	*ns = waited;
	return true;
}

static int open_high(void)
{
	int file = open_uncounted(AT_FDCWD, "/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC, 0);
	int high = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, HIGH_NUMBER);

	if (file >= 0)
		close(file);
	return high;
}

void scheduling_delay_begin(struct scheduling_delay *delay, uint64_t *total_us)
{
	const int saved = errno;
	struct stat about;

	delay->total_us = total_us;
	delay->looked_tick = 0;
	delay->file = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED) <= THREADS_MAX ? open_high() : -1;
	delay->is_known = delay->file >= 0 && fstat(delay->file, &about) == 0 &&
	                  read_count(delay->file, &delay->recorded_ns);
	if (delay->is_known) {
		delay->device = about.st_dev;
		delay->number = about.st_ino;
	} else if (delay->file >= 0) {
		close(delay->file);
		delay->file = -1;
	}
	errno = saved;
}

void scheduling_delay_end(struct scheduling_delay *delay)
{
	const int saved = errno;
	struct stat about;

	if (delay->file >= 0 && fstat(delay->file, &about) == 0 && about.st_dev == delay->device &&
	    about.st_ino == delay->number)
		close(delay->file);
	delay->file = -1;
	delay->is_known = false;
	__atomic_sub_fetch(&threads, 1, __ATOMIC_RELAXED);
	errno = saved;
}

bool scheduling_delay_count(struct scheduling_delay *delay, uint64_t *ns)
{
	const int saved = errno;

	delay->is_known = delay->is_known && read_count(delay->file, ns);
	errno = saved;
	return delay->is_known;
}

/* The kernel's file would give the running time only up to its last tick. */
bool thread_ran(uint64_t *ns)
{
	const int saved = errno;
	struct timespec time;
	bool is_known = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0;

	errno = saved;
	if (is_known)
		*ns = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
	return is_known;
}

/* The time without a processor since the last look. False: not known. */
static bool look(struct scheduling_delay *delay, uint64_t now, int64_t *absent_ns)
{
	const uint64_t looked = delay->looked_tick, ran_before = delay->ran_ns;

	delay->looked_tick = thread_ran(&delay->ran_ns) ? now : 0;
	if (!looked || !delay->looked_tick || now < looked)
		return false;
	*absent_ns = (int64_t)((double)(now - looked) * (1e9 / (double)timer.rate)) -
	             (int64_t)(delay->ran_ns - ran_before);
	return true;
}

void scheduling_delay_restart(struct scheduling_delay *delay, uint64_t now)
{
	int64_t absent_ns;

	(void)look(delay, now, &absent_ns);
}

uint32_t scheduling_delay_since(struct scheduling_delay *delay, uint64_t now, uint64_t *blocked_ns)
{
	uint64_t ns, us;
	int64_t absent_ns = 0;
	const bool is_known = look(delay, now, &absent_ns);

	*blocked_ns = 0;
	if ((is_known && absent_ns < DELAY_NS_MIN) || !scheduling_delay_count(delay, &ns))
		return 0;
	if (is_known && absent_ns > (int64_t)(ns - delay->recorded_ns))
		*blocked_ns = (uint64_t)absent_ns - (ns - delay->recorded_ns);
	if (ns < delay->recorded_ns + DELAY_NS_MIN)
		return 0;
	us = (ns - delay->recorded_ns) / 1000;
	delay->recorded_ns += us * 1000;
	us = us < UINT32_MAX ? us : UINT32_MAX;
	__atomic_add_fetch(delay->total_us, us, __ATOMIC_RELAXED);
	return (uint32_t)us;
}
