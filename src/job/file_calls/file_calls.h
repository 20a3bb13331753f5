/* Counts the program's accesses to files, for wrappers of functions of the C library:
 *
 *	struct descriptor *d = file_of(fd);
 *	uint64_t start;
 *
 *	if (!d)
 *		return NEXT(read)(fd, bytes, count);
 *	start = file_clock();
 *	done = NEXT(read)(fd, bytes, count);
 *	count_at_pointer(d, FILE_READ, done, start);
 *
 * Only regular files that the program opened while the recorder was on have a descriptor here. All data are changed by single atomic
 * operations: threads, signal handlers and jumps out of them leave at most a wrong pattern. errno stays as the wrapped function has set it. */
#ifndef TARRY_JOB_FILE_CALLS_FILE_CALLS_H
#define TARRY_JOB_FILE_CALLS_FILE_CALLS_H

#include "base/file_hooks.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))
#define NOINLINE __attribute__((noinline))
#define HERE __builtin_return_address(0)
#define ADD(variable, value) __atomic_add_fetch(&(variable), value, __ATOMIC_RELAXED)
#define SET(variable, value) __atomic_store_n(&(variable), value, __ATOMIC_RELAXED)
#define GET(variable) __atomic_load_n(&(variable), __ATOMIC_RELAXED)

/* The next definition of this function. All of them are looked up when the library is loaded, because signal handlers must not do it;
 * constructors of other libraries that run earlier look up their own. */
struct next_function {
	const char *name;
	void *address;
};
#define NEXT(function) NEXT_NAMED(function, #function)
#define NEXT_NAMED(function, symbol) \
	({ \
		static struct next_function entry \
			__attribute__((section("next_functions"))) = {symbol, NULL}; \
		if (__builtin_expect(!entry.address, 0)) \
			entry.address = find_next(symbol); \
		(__typeof__(function) *)entry.address; \
	})
void *find_next(const char *name);

enum { DESCRIPTORS = 65536 };

/* An open file. */
struct descriptor {
	uint32_t file; /* 1 + its number in the table; 0: not counted */
	bool is_mpi;   /* MPI-IO opened it */
	bool appends;
	int64_t position;
};

extern struct file_hooks tarry_file_hooks;
extern struct descriptor *descriptors;

static inline bool files_are_on(void)
{
	return __builtin_expect(__atomic_load_n(&tarry_file_hooks.is_on, __ATOMIC_ACQUIRE), 1);
}

/* NULL: not counted. */
static inline struct descriptor *file_of(int fd)
{
	if (!files_are_on() || (unsigned)fd >= DESCRIPTORS || !GET(descriptors[fd].file))
		return NULL;
	return &descriptors[fd];
}

struct descriptor *file_of_stream(FILE *stream);

static inline uint64_t file_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline struct counted_file *counted_file(const struct descriptor *d)
{
	const uint32_t file = GET(d->file);

	return &tarry_file_hooks.files[file ? file - 1 : FILES_MAX];
}

/* The program opened a file, which returned this number (negative: it failed), by a call of the function that returns to `site`. */
void count_open(int fd, bool appends, uint64_t start, const void *site);
/* The number will be closed. Returns the file, for the time of the call; NULL: not counted. */
struct counted_file *forget_descriptor(int fd);
void forget_descriptors(unsigned first, unsigned last);
/* `copy` is another number of the same open file; negative: the call failed. */
void copy_descriptor(int fd, int copy);

/* A read or write of `done` bytes at this offset; negative: it failed. */
void count_at(struct descriptor *d, enum file_interface interface, enum file_direction direction,
              int64_t offset, ssize_t done, uint64_t start);
/* The same at the pointer of the file, which it moves. */
void count_at_pointer(struct descriptor *d, enum file_direction direction, ssize_t done, uint64_t start);
void count_in_stream(struct descriptor *d, enum file_direction direction, ssize_t done, uint64_t start);
/* A call of another kind, which began at `start`. */
void count_other(struct counted_file *file, uint64_t *calls, uint64_t start);
/* A question about a file by its name. `result`: of the call. */
void count_stat(int folder, const char *path, int result, const struct stat *found, uint64_t start,
                const void *site);
void count_stat_of(int fd, uint64_t start);

#endif
