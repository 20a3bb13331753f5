#include "job/record/stolen.h"

#include "job/record/timer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	WORTH_US = 100,
	LEAST_NS = 20000,  /* a thread that is woken waits as long on a calm machine */
	HIGH_NUMBER = 512, /* out of the way of the program's files */
	THREADS_MAX = 64,  /* that keep a file open */
};

static uint32_t threads;

uint64_t stolen_worth(void)
{
	return timer.rate / (1000000 / WORTH_US);
}

/* The second number is the one; no other file looks like this. */
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
	int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	int high = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, HIGH_NUMBER);

	if (file >= 0)
		close(file);
	return high;
}

void stolen_begin(struct stolen *stolen, uint64_t *total_us)
{
	const int saved = errno;
	struct stat about;

	stolen->total_us = total_us;
	stolen->file = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED) <= THREADS_MAX ? open_high() : -1;
	stolen->is_known = stolen->file >= 0 && fstat(stolen->file, &about) == 0 &&
	                   read_count(stolen->file, &stolen->told_ns);
	if (stolen->is_known) {
		stolen->device = about.st_dev;
		stolen->number = about.st_ino;
	} else if (stolen->file >= 0) {
		close(stolen->file);
		stolen->file = -1;
	}
	errno = saved;
}

static bool is_ours(const struct stolen *stolen)
{
	struct stat about;

	return stolen->file >= 0 && fstat(stolen->file, &about) == 0 && about.st_dev == stolen->device &&
	       about.st_ino == stolen->number;
}

void stolen_end(struct stolen *stolen)
{
	const int saved = errno;

	if (is_ours(stolen))
		close(stolen->file);
	stolen->file = -1;
	stolen->is_known = false;
	__atomic_sub_fetch(&threads, 1, __ATOMIC_RELAXED);
	errno = saved;
}

uint32_t stolen_since(struct stolen *stolen)
{
	const int saved = errno;
	uint64_t ns, us = 0;

	stolen->is_known = stolen->is_known && read_count(stolen->file, &ns);
	if (stolen->is_known && ns >= stolen->told_ns + LEAST_NS) {
		us = (ns - stolen->told_ns) / 1000;
		stolen->told_ns += us * 1000;
		us = us < UINT32_MAX ? us : UINT32_MAX;
		__atomic_add_fetch(stolen->total_us, us, __ATOMIC_RELAXED);
	}
	errno = saved;
	return (uint32_t)us;
}
