/* Loaded between Tarry's library and the C library: calls on files take longer, asleep, and their times are added up. So the cost of a planted problem does not
 * depend on the disk, and is known. At its end a process writes the times to the folder SLOW_FILES: "write 0.31", in seconds. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum kind { READS, WRITES, OTHERS, KINDS };
/* For a read or write by its size, a megabyte takes 10 ms; each call takes this much. */
enum { CALL_US = 100, MEGABYTE_US = 10000 };

static double seconds[KINDS];

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Files of the example: in the current folder. */
static int is_slow_path(const char *path)
{
	return *path != '/';
}

static int is_slow(int fd)
{
	char link[64], path[4096], folder[4096];
	ssize_t length;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof path - 1);
	if (length <= 0 || !getcwd(folder, sizeof folder))
		return 0;
	path[length] = '\0';
	return strncmp(path, folder, strlen(folder)) == 0;
}

#define NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))
#define SLOWLY(kind, condition, megabytes, type, call) \
	({ \
		const double start = now(); \
		const int slow = (condition); \
		if (slow) \
			usleep(CALL_US + (useconds_t)(MEGABYTE_US * (megabytes))); \
		type result = (call); \
		if (slow) \
			seconds[kind] += now() - start; \
		result; \
	})

EXPORT ssize_t write(int fd, const void *bytes, size_t count)
{
	return SLOWLY(WRITES, is_slow(fd), (double)count / (1 << 20), ssize_t, NEXT(write)(fd, bytes, count));
}

EXPORT ssize_t read(int fd, void *bytes, size_t count)
{
	return SLOWLY(READS, is_slow(fd), (double)count / (1 << 20), ssize_t, NEXT(read)(fd, bytes, count));
}

#define OPEN(name) \
	EXPORT int name(const char *path, int flags, ...) \
	{ \
		va_list more; \
		mode_t mode; \
		va_start(more, flags); \
		mode = va_arg(more, mode_t); \
		va_end(more); \
		return SLOWLY(OTHERS, is_slow_path(path), 0, int, NEXT(name)(path, flags, mode)); \
	}
OPEN(open)
OPEN(open64)

#define OPEN_STREAM(name) \
	EXPORT FILE *name(const char *path, const char *mode) \
	{ \
		return SLOWLY(OTHERS, is_slow_path(path), 0, FILE *, NEXT(name)(path, mode)); \
	}
OPEN_STREAM(fopen)
OPEN_STREAM(fopen64)

EXPORT int stat(const char *path, struct stat *found)
{
	return SLOWLY(OTHERS, is_slow_path(path), 0, int, NEXT(stat)(path, found));
}

EXPORT int close(int fd)
{
	return SLOWLY(OTHERS, is_slow(fd), 0, int, NEXT(close)(fd));
}

EXPORT int fclose(FILE *file)
{
	return SLOWLY(OTHERS, is_slow(fileno(file)), 0, int, NEXT(fclose)(file));
}

__attribute__((destructor)) static void end(void)
{
	static const char *const names[KINDS] = {"read", "write", "other"};
	const char *folder = getenv("SLOW_FILES"), *rank = getenv("PMI_RANK");
	char path[4096];
	FILE *file;

	rank = rank ? rank : getenv("OMPI_COMM_WORLD_RANK");
	if (!folder || !rank)
		return;
	snprintf(path, sizeof path, "%s/%s", folder, rank);
	file = NEXT(fopen)(path, "w");
	for (int i = 0; i < KINDS; i++)
		fprintf(file, "%s %.9f\n", names[i], seconds[i]);
	NEXT(fclose)(file);
}
