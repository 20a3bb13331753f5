/* The interface between the recorder, which writes summaries of files (src/job/record/file_summaries.h), and libtarry-file-calls.so, a
 * preloaded library that wraps the functions of the C library that open, read and write files (src/job/file_calls). It counts without
 * locks and without allocating memory, so that signal handlers and threads may call these functions at any time. */
#ifndef TARRY_BASE_FILE_HOOKS_H
#define TARRY_BASE_FILE_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#define FILE_HOOKS_LIBRARY "libtarry-file-calls.so"
#define FILE_HOOKS_SYMBOL "tarry_file_hooks"

enum {
	FILES_MAX = 1024, /* of a process; the sums of all others are in one more entry */
	FILE_SIZE_CLASSES =
		13, /* of reads and writes: below 64 bytes, below 256 bytes, …, 256 MiB and more */
	FILE_SIZE_FIRST_BITS = 6,
	FILE_SIZE_STEP_BITS = 2,
};

/* Both as in the records of a trace. A stream is one of stdio. */
enum file_direction { FILE_READ, FILE_WRITTEN, FILE_DIRECTIONS };
enum file_interface { FILE_BY_SYSTEM_CALL, FILE_BY_STREAM, FILE_BY_MPI, FILE_INTERFACES };

/* Reads or writes of similar sizes. */
struct file_sizes {
	uint64_t calls, bytes, ns;
	uint64_t consecutive; /* began where the previous one ended */
	uint64_t strided; /* began as far from the previous one's begin as that one from its predecessor's */
};

/* Reads or writes through one interface. */
struct file_accesses {
	uint64_t count;
	int64_t last_begin, last_end, last_step; /* in bytes from the begin of the file */
	struct file_sizes sizes[FILE_SIZE_CLASSES];
};

struct counted_file {
	uint64_t key;       /* a hash of its path; 0: this entry is free */
	const char *path;   /* absolute; NULL: not set yet */
	const void *opener; /* return address of the call that first opened it */
	uint64_t opens, seeks, stats, syncs, maps;
	uint64_t mapped_bytes;
	uint64_t other_ns;          /* in calls that neither read nor write */
	uint64_t first_ns, last_ns; /* of CLOCK_MONOTONIC; 0: not used */
	uint64_t begin_and_1,
		end; /* the part of the file that was read or written; the first is 1 more, 0: none */
	struct file_accesses accesses[FILE_DIRECTIONS][FILE_INTERFACES];
};

/* Who called a function. */
enum file_caller { FILE_CALLER_OTHER, FILE_CALLER_PROGRAM, FILE_CALLER_MPI };

struct file_hooks {
	bool is_on;
	/* Set by the library: makes the tables. False: no memory. */
	bool (*begin)(void);
	struct counted_file *files; /* FILES_MAX + 1; the last one is the sum of those that have no entry */
	/* Set by the recorder. The function returns to `site`. */
	enum file_caller (*caller)(const void *site);
	const void *(*opener)(const void *site,
	                      enum file_caller by); /* the place in the program that opens a file */
};

#endif
