#include "job/check/wire/tasks.h"

#include "base/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	TASKS_MAX = 1024,
	SYSCALL_BYTES = 256, /* a number and eight words */
	SYSCALL_WORDS = 5,   /* the number and four arguments */
};

/* Threads in the kernel's order, which does not matter. */
struct task_list {
	uint32_t count;
	int32_t items[TASKS_MAX];
	bool is_whole; /* the list is complete */
};

static struct task_list of_program, of_mpi;

static bool contains(const int32_t *items, uint32_t count, int32_t item)
{
	for (uint32_t i = 0; i < count; i++)
		if (items[i] == item)
			return true;
	return false;
}

static void list_tasks(struct task_list *list)
{
	DIR *listing = opendir("/proc/self/task");

	list->count = 0;
	list->is_whole = listing;
	for (struct dirent *entry; listing && (entry = readdir(listing));) {
		const int32_t number = (int32_t)strtol(entry->d_name, NULL, 10);

		if (number <= 0)
			continue;
		if (list->count == TASKS_MAX)
			list->is_whole = false;
		else
			list->items[list->count++] = number;
	}
	if (listing)
		closedir(listing);
}

void tasks_before_mpi(void)
{
	list_tasks(&of_program);
}

void tasks_after_mpi(void)
{
	uint32_t kept = 0;

	list_tasks(&of_mpi);
	for (uint32_t i = 0; of_program.is_whole && i < of_mpi.count; i++)
		if (!contains(of_program.items, of_program.count, of_mpi.items[i]))
			of_mpi.items[kept++] = of_mpi.items[i];
	of_mpi.count = kept;
}

bool task_file_read(int32_t system_id, const char *name, char *text, size_t room)
{
	char path[64];
	ssize_t size;
	int fd;

	snprintf(path, sizeof path, "/proc/self/task/%d/%s", (int)system_id, name);
	fd = open_uncounted(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return false;
	size = read(fd, text, room - 1);
	close(fd);
	text[size > 0 ? size : 0] = '\0';
	return true;
}

/* Reads number and arguments of the system call in which a thread is blocked. */
static bool read_syscall(int32_t system_id, uint64_t words[SYSCALL_WORDS])
{
	char text[SYSCALL_BYTES], *at = text, *end;

	if (!task_file_read(system_id, "syscall", text, sizeof text))
		return false;
	for (int i = 0; i < SYSCALL_WORDS; i++, at = end) {
		words[i] = strtoull(at, &end, 0);
		if (end == at) /* "running" */
			return false;
	}
	return true;
}

static bool is_task(uint64_t number)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/task/%llu", (unsigned long long)number);
	return number && access(path, F_OK) == 0;
}

bool task_is_asleep(int32_t system_id)
{
	uint64_t words[SYSCALL_WORDS];
	uint64_t command;

	if (!read_syscall(system_id, words) || words[0] != SYS_futex || words[4] /* a time limit */)
		return false;
	command = words[2] & FUTEX_CMD_MASK;
	if (command != FUTEX_WAIT && command != FUTEX_WAIT_BITSET)
		return false;
	/* The futex must be private, so that another process cannot wake the thread, or the word must be the number
	 * of a thread: pthread_join() waits until it is cleared. */
	return words[2] & FUTEX_PRIVATE_FLAG || is_task(words[3]);
}

bool tasks_others_sleep(const int32_t *known, uint32_t count)
{
	static struct task_list tasks;
	const int32_t self = (int32_t)syscall(SYS_gettid);

	list_tasks(&tasks);
	if (!tasks.is_whole)
		return false;
	for (uint32_t i = 0; i < tasks.count; i++) {
		const int32_t task = tasks.items[i];

		if (task != self && !contains(known, count, task) &&
		    !contains(of_mpi.items, of_mpi.count, task) && !task_is_asleep(task))
			return false;
	}
	return true;
}
