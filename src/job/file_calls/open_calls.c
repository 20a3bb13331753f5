/* Functions that open, close, duplicate or ask about files. */
#include "job/file_calls/file_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define HAS_MODE(flags) ((flags)&O_CREAT || ((flags)&O_TMPFILE) == O_TMPFILE)

/* The function opens a file with these flags, and returns its number. */
#define COUNTED_OPEN(call, flags) \
	({ \
		const bool is_on = files_are_on(); \
		const uint64_t start = is_on ? file_clock() : 0; \
		const int opened = (call); \
		if (is_on) \
			count_open(opened, (flags)&O_APPEND, start, HERE); \
		opened; \
	})

#define OPEN(name) \
	EXPORT int name(const char *path, int flags, ...) \
	{ \
		va_list more; \
		mode_t mode = 0; \
		va_start(more, flags); \
		if (HAS_MODE(flags)) \
			mode = va_arg(more, mode_t); \
		va_end(more); \
		return COUNTED_OPEN(NEXT(name)(path, flags, mode), flags); \
	}
#define OPENAT(name) \
	EXPORT int name(int folder, const char *path, int flags, ...) \
	{ \
		va_list more; \
		mode_t mode = 0; \
		va_start(more, flags); \
		if (HAS_MODE(flags)) \
			mode = va_arg(more, mode_t); \
		va_end(more); \
		return COUNTED_OPEN(NEXT(name)(folder, path, flags, mode), flags); \
	}
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

#define CREATE(name) \
	EXPORT int name(const char *path, mode_t mode) \
	{ \
		return COUNTED_OPEN(NEXT(name)(path, mode), 0); \
	}
CREATE(creat)
CREATE(creat64)

/* Of programs compiled with _FORTIFY_SOURCE. */
#define OPEN_CHECKED(name) \
	EXPORT int name(const char *path, int flags); \
	EXPORT int name(const char *path, int flags) \
	{ \
		return COUNTED_OPEN(NEXT(name)(path, flags), flags); \
	}
#define OPENAT_CHECKED(name) \
	EXPORT int name(int folder, const char *path, int flags); \
	EXPORT int name(int folder, const char *path, int flags) \
	{ \
		return COUNTED_OPEN(NEXT(name)(folder, path, flags), flags); \
	}
OPEN_CHECKED(__open_2)
OPEN_CHECKED(__open64_2)
OPENAT_CHECKED(__openat_2)
OPENAT_CHECKED(__openat64_2)

#define MAKE_TEMPORARY(name, parameters, ...) \
	EXPORT int name parameters \
	{ \
		return COUNTED_OPEN(NEXT(name)(__VA_ARGS__), 0); \
	}
MAKE_TEMPORARY(mkstemp, (char *pattern), pattern)
MAKE_TEMPORARY(mkstemp64, (char *pattern), pattern)
MAKE_TEMPORARY(mkostemp, (char *pattern, int flags), pattern, flags)
MAKE_TEMPORARY(mkostemp64, (char *pattern, int flags), pattern, flags)
MAKE_TEMPORARY(mkstemps, (char *pattern, int suffix), pattern, suffix)
MAKE_TEMPORARY(mkstemps64, (char *pattern, int suffix), pattern, suffix)

/* Other threads may get the number as soon as it is closed, so it is forgotten before. */
EXPORT int close(int fd)
{
	struct counted_file *file = forget_descriptor(fd);
	uint64_t start;
	int result;

	if (!file)
		return NEXT(close)(fd);
	start = file_clock();
	result = NEXT(close)(fd);
	count_other(file, NULL, start);
	return result;
}

/* Older C libraries do not have these two, but a program that looks for them finds ours. */
enum { ONLY_CLOSE_ON_EXEC = 4, SYSTEM_CALL_CLOSE_RANGE = 436 };
EXPORT int close_numbers(unsigned first, unsigned last, int flags) __asm__("close_range");
EXPORT void close_from(int first) __asm__("closefrom");

EXPORT int close_numbers(unsigned first, unsigned last, int flags)
{
	__typeof__(&close_numbers) next = NEXT_NAMED(close_numbers, "close_range");

	if (!(flags & ONLY_CLOSE_ON_EXEC))
		forget_descriptors(first, last);
	return next ? next(first, last, flags) : (int)syscall(SYSTEM_CALL_CLOSE_RANGE, first, last, flags);
}

EXPORT void close_from(int first)
{
	__typeof__(&close_from) next = NEXT_NAMED(close_from, "closefrom");

	first = first < 0 ? 0 : first;
	forget_descriptors((unsigned)first, DESCRIPTORS - 1);
	if (next)
		next(first);
	else if (syscall(SYSTEM_CALL_CLOSE_RANGE, first, UINT_MAX, 0) != 0)
		for (long fd = first, end = sysconf(_SC_OPEN_MAX); fd < end; fd++)
			NEXT(close)((int)fd);
}

EXPORT int dup(int fd)
{
	const int copy = NEXT(dup)(fd);

	copy_descriptor(fd, copy);
	return copy;
}

EXPORT int dup2(int fd, int copy)
{
	const int result = NEXT(dup2)(fd, copy);

	copy_descriptor(fd, result);
	return result;
}

EXPORT int dup3(int fd, int copy, int flags)
{
	const int result = NEXT(dup3)(fd, copy, flags);

	copy_descriptor(fd, result);
	return result;
}

/* The third argument, if there is one, is an int or a pointer: the C library reads it in the same way. */
#define CONTROL(name) \
	EXPORT int name(int fd, int command, ...) \
	{ \
		va_list more; \
		void *argument; \
		int result; \
		va_start(more, command); \
		argument = va_arg(more, void *); \
		va_end(more); \
		result = NEXT(name)(fd, command, argument); \
		if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) \
			copy_descriptor(fd, result); \
		return result; \
	}
CONTROL(fcntl)
CONTROL(fcntl64)

/* Streams */

#define COUNTED_STREAM(call, appends) \
	({ \
		const bool is_on = files_are_on(); \
		const uint64_t start = is_on ? file_clock() : 0; \
		FILE *const stream = (call); \
		if (is_on && stream) \
			count_open(fileno(stream), appends, start, HERE); \
		stream; \
	})
#define OPEN_STREAM(name) \
	EXPORT FILE *name(const char *path, const char *mode) \
	{ \
		return COUNTED_STREAM(NEXT(name)(path, mode), *mode == 'a'); \
	}
OPEN_STREAM(fopen)
OPEN_STREAM(fopen64)

#define REOPEN_STREAM(name) \
	EXPORT FILE *name(const char *path, const char *mode, FILE *old) \
	{ \
		struct descriptor *d = file_of_stream(old); \
		if (d) \
			forget_descriptor((int)(d - descriptors)); \
		return COUNTED_STREAM(NEXT(name)(path, mode, old), *mode == 'a'); \
	}
REOPEN_STREAM(freopen)
REOPEN_STREAM(freopen64)

#define TEMPORARY_STREAM(name) \
	EXPORT FILE *name(void) \
	{ \
		return COUNTED_STREAM(NEXT(name)(), false); \
	}
TEMPORARY_STREAM(tmpfile)
TEMPORARY_STREAM(tmpfile64)

EXPORT int fclose(FILE *stream)
{
	struct descriptor *d = file_of_stream(stream);
	struct counted_file *file = d ? forget_descriptor((int)(d - descriptors)) : NULL;
	uint64_t start;
	int result;

	if (!file)
		return NEXT(fclose)(stream);
	start = file_clock();
	result = NEXT(fclose)(stream);
	count_other(file, NULL, start);
	return result;
}

/* Questions. Programs compiled with a C library before 2.33 call those with two underscores. */

#define COUNTED_QUESTION(call, folder, path, found) \
	({ \
		const bool is_on = files_are_on(); \
		const uint64_t start = is_on ? file_clock() : 0; \
		const int result = (call); \
		if (is_on) \
			count_stat(folder, path, result, (const struct stat *)(found), start, HERE); \
		result; \
	})
#define QUESTION(name, buffer) \
	EXPORT int name(const char *path, buffer *found) \
	{ \
		return COUNTED_QUESTION(NEXT(name)(path, found), AT_FDCWD, path, found); \
	}
#define OLD_QUESTION(name, buffer) \
	EXPORT int name(int version, const char *path, buffer *found); \
	EXPORT int name(int version, const char *path, buffer *found) \
	{ \
		return COUNTED_QUESTION(NEXT(name)(version, path, found), AT_FDCWD, path, found); \
	}
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "both are the same on 64-bit machines");
QUESTION(stat, struct stat)
QUESTION(stat64, struct stat64)
QUESTION(lstat, struct stat)
QUESTION(lstat64, struct stat64)
OLD_QUESTION(__xstat, struct stat)
OLD_QUESTION(__xstat64, struct stat64)
OLD_QUESTION(__lxstat, struct stat)
OLD_QUESTION(__lxstat64, struct stat64)

#define QUESTION_AT(name, buffer) \
	EXPORT int name(int folder, const char *path, buffer *found, int flags) \
	{ \
		return COUNTED_QUESTION(NEXT(name)(folder, path, found, flags), folder, path, found); \
	}
QUESTION_AT(fstatat, struct stat)
QUESTION_AT(fstatat64, struct stat64)

EXPORT int access(const char *path, int mode)
{
	return COUNTED_QUESTION(NEXT(access)(path, mode), AT_FDCWD, path, NULL);
}

#define QUESTION_OF(name, buffer) \
	EXPORT int name(int fd, buffer *found) \
	{ \
		const uint64_t start = file_of(fd) ? file_clock() : 0; \
		const int result = NEXT(name)(fd, found); \
		if (start) \
			count_stat_of(fd, start); \
		return result; \
	}
#define OLD_QUESTION_OF(name, buffer) \
	EXPORT int name(int version, int fd, buffer *found); \
	EXPORT int name(int version, int fd, buffer *found) \
	{ \
		const uint64_t start = file_of(fd) ? file_clock() : 0; \
		const int result = NEXT(name)(version, fd, found); \
		if (start) \
			count_stat_of(fd, start); \
		return result; \
	}
QUESTION_OF(fstat, struct stat)
QUESTION_OF(fstat64, struct stat64)
OLD_QUESTION_OF(__fxstat, struct stat)
OLD_QUESTION_OF(__fxstat64, struct stat64)

/* Other calls */

#define SYNCHRONIZE(name) \
	EXPORT int name(int fd) \
	{ \
		struct descriptor *d = file_of(fd); \
		const uint64_t start = d ? file_clock() : 0; \
		const int result = NEXT(name)(fd); \
		if (d) \
			count_other(counted_file(d), &counted_file(d)->syncs, start); \
		return result; \
	}
SYNCHRONIZE(fsync)
SYNCHRONIZE(fdatasync)

#define MAP(name, type) \
	EXPORT void *name(void *address, size_t bytes, int protection, int flags, int fd, type offset) \
	{ \
		struct descriptor *d = flags & MAP_ANONYMOUS ? NULL : file_of(fd); \
		const uint64_t start = d ? file_clock() : 0; \
		void *result = NEXT(name)(address, bytes, protection, flags, fd, offset); \
		if (d && result != MAP_FAILED) { \
			ADD(counted_file(d)->mapped_bytes, bytes); \
			count_other(counted_file(d), &counted_file(d)->maps, start); \
		} \
		return result; \
	}
MAP(mmap, off_t)
MAP(mmap64, off64_t)

#define SEEK(name, type) \
	EXPORT type name(int fd, type offset, int whence) \
	{ \
		struct descriptor *d = file_of(fd); \
		const uint64_t start = d ? file_clock() : 0; \
		const type result = NEXT(name)(fd, offset, whence); \
		if (d) { \
			if (result >= 0) \
				SET(d->position, result); \
			count_other(counted_file(d), &counted_file(d)->seeks, start); \
		} \
		return result; \
	}
SEEK(lseek, off_t)
SEEK(lseek64, off64_t)
