/* For a program whose end depends on where the others are: each thread says that it has passed a place, and
 * one waits until another has, and sleeps in its next wait. By files, of which a tool knows nothing.
 *
 *     say_here(MYTHREAD);
 *     if (MYTHREAD == 1)
 *         wait_until_asleep(0); */
#ifndef ASLEEP_H
#define ASLEEP_H

#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline void say_here(int thread)
{
	char name[32], made[32];
	FILE *file;

	snprintf(name, sizeof name, "here-%d", thread);
	snprintf(made, sizeof made, "making-%d", thread);
	file = fopen(made, "w");
	if (file) {
		fprintf(file, "/proc/%ld/stat", syscall(SYS_gettid));
		fclose(file);
		rename(made, name);
	}
}

/* Whether a file can be read, and what it has. */
static inline int read_text(const char *path, const char *format, char *text)
{
	FILE *file = fopen(path, "r");
	int found = file && fscanf(file, format, text) == 1;

	if (file)
		fclose(file);
	return found;
}

static inline void wait_until_asleep(int thread)
{
	char name[32], path[64], state[2] = "";

	snprintf(name, sizeof name, "here-%d", thread);
	while (!read_text(name, "%63s", path) || !read_text(path, "%*[^)]) %1s", state) || state[0] != 'S')
		usleep(1000);
}

#endif
