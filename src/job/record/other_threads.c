#include "job/record/other_threads.h"

#include "job/record/process.h"
#include "job/record/timer.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { LISTED = 256 }; /* maximum of the program's threads; further ones count as MPI's */

struct thread_list {
	int count;
	int tids[LISTED];
};

static struct {
	uint64_t others_ns; /* CPU time of other threads before the recording */
	struct thread_list at_start, of_mpi;
	bool has_begun, has_concluded;
} others;

static uint64_t cpu_ns(clockid_t clock)
{
	struct timespec time;

	return clock_gettime(clock, &time) == 0 ? (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec
	                                        : 0;
}

uint64_t thread_cpu_ns(int tid)
{
	/* The kernel's number of the thread's clock (clock_getcpuclockid() works only for processes). */
	const int saved = errno;
	const uint64_t ns = cpu_ns((clockid_t)(~(unsigned)tid << 3 | 6));

	errno = saved;
	return ns;
}

static void list_threads(struct thread_list *list)
{
	DIR *folder = opendir("/proc/self/task");
	const struct dirent *entry;

	list->count = 0;
	while (folder && list->count < LISTED && (entry = readdir(folder)))
		if (*entry->d_name != '.')
			list->tids[list->count++] = (int)strtol(entry->d_name, NULL, 10);
	if (folder)
		closedir(folder);
}

static bool is_listed(const struct thread_list *list, int tid)
{
	for (int i = 0; i < list->count; i++)
		if (list->tids[i] == tid)
			return true;
	return false;
}

void other_threads_begin(void)
{
	const int saved = errno;
	const uint64_t own_ns = cpu_ns(CLOCK_THREAD_CPUTIME_ID), all_ns = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);

	others.others_ns = all_ns > own_ns ? all_ns - own_ns : 0;
	list_threads(&others.at_start);
	others.has_begun = true;
	errno = saved;
}

void other_threads_of_mpi(void)
{
	const int saved = errno;
	struct thread_list now;

	list_threads(&now);
	for (int i = 0; i < now.count; i++)
		if (!is_listed(&others.at_start, now.tids[i]) && others.of_mpi.count < LISTED)
			others.of_mpi.tids[others.of_mpi.count++] = now.tids[i];
	errno = saved;
}

/* The property contains the CPU time of the other threads and that of the recorded ones. */
void other_threads_conclude(void)
{
	uint64_t known_ns, all_ns = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
	double run_us;
	char text[64];

	if (!others.has_begun || others.has_concluded)
		return;
	others.has_concluded = true;
	known_ns = others.others_ns + streams_cpu_ns();
	for (int i = 0; i < others.of_mpi.count; i++)
		known_ns += thread_cpu_ns(others.of_mpi.tids[i]);
	run_us = (double)(timer_now() - process.start_tick) * 1e6 / (double)timer.rate;
	snprintf(text, sizeof text, "%llu/%.0f",
	         (unsigned long long)(all_ns > known_ns ? (all_ns - known_ns) / 1000 : 0), run_us);
	process_property("other_threads", text);
}
