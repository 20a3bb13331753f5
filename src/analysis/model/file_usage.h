/* The files that the processes of a run used, each with the sums of all processes (`tarry run --io`).
 *
 *	struct file_usage *usage = file_usage_new(reader, clocks, figures);
 *	for (size_t i = 0; i < usage->file_count; i++)
 *		usage->files[i].path, .sums.moved[FILE_WRITTEN].bytes, .user_count
 *	file_usage_free(usage);
 *
 * Reads and writes of the program are calls of the C library. Those of MPI-IO are the system calls below MPI's functions; the calls
 * of the program's own MPI functions on the same file are in `mpi`. */
#ifndef TARRY_ANALYSIS_MODEL_FILE_USAGE_H
#define TARRY_ANALYSIS_MODEL_FILE_USAGE_H

#include "analysis/model/clocks.h"
#include "analysis/model/figures.h"
#include "base/file_hooks.h"

/* Below this size, the time of a call depends on the call rather than on its bytes. */
enum { SMALL_ACCESS_BYTES = 64 * 1024, SMALL_SIZE_CLASSES = 6 };

/* Reads or writes. */
struct file_transfers {
	uint64_t calls, bytes;
	uint64_t consecutive, strided; /* base/file_hooks.h */
	int64_t ns;
};

struct file_sums {
	struct file_transfers moved[FILE_DIRECTIONS];
	struct file_transfers small
		[FILE_DIRECTIONS]; /* the part of them below SMALL_ACCESS_BYTES, without streams, which have a buffer */
	uint64_t opens, seeks, stats, syncs, maps, mapped_bytes;
	int64_t other_ns;  /* in calls that neither read nor write */
	int64_t inside_ns; /* in all calls */
};

struct file_user {
	uint32_t process;
	struct file_sums sums;
	const struct file_record *record;
};

/* MPI-IO calls on the file. */
struct mpi_file_calls {
	uint64_t calls, bytes;
	int64_t ns; /* inside blocking calls, and in those that begin others */
};

struct used_file {
	const char *path; /* NULL: all files that were not recorded one by one */
	struct file_sums sums;
	struct file_transfers by_interface[FILE_DIRECTIONS][FILE_INTERFACES];
	struct file_transfers by_size[FILE_DIRECTIONS][FILE_SIZE_CLASSES];
	struct mpi_file_calls mpi[FILE_DIRECTIONS];
	struct file_user *users; /* by process */
	size_t user_count;
	size_t movers[FILE_DIRECTIONS]; /* processes that read or wrote */
};

struct file_usage {
	struct arena arena;
	struct used_file *files; /* by time, the longest first */
	size_t file_count;
	size_t unlisted; /* processes that used more files than they recorded one by one */
	int64_t inside_ns;
};

/* NULL: files were not recorded. `figures`: NULL without MPI-IO calls. */
struct file_usage *file_usage_new(const struct reader *reader, const struct clocks *clocks,
                                  const struct figures *figures);
void file_usage_free(struct file_usage *usage);

/* The files of a process, in the order of its records. The caller frees them. */
struct file_user *process_file_users(const struct process *process, uint32_t index, double ns_per_tick);
/* False: only its name is known. */
bool file_is_used(const struct file_user *user);

/* The smallest size of a class; the next one's is its end. */
static inline uint64_t file_size_start(size_t size_class)
{
	return size_class ? (uint64_t)1 << (FILE_SIZE_FIRST_BITS + FILE_SIZE_STEP_BITS * (size_class - 1))
	                  : 0;
}

/* How a file was read or written. */
enum access_pattern { PATTERN_NONE, PATTERN_SEQUENTIAL, PATTERN_STRIDED, PATTERN_RANDOM, ACCESS_PATTERNS };
extern const char *const access_pattern_names[ACCESS_PATTERNS];
/* Of so many processes: the first access of each has no predecessor, and the second no earlier distance. */
enum access_pattern access_pattern_of(const struct file_transfers *transfers, size_t movers);

/* The path as the program sees it: without its current folder. */
const char *file_short_path(const struct process *process, const char *path);

#endif
