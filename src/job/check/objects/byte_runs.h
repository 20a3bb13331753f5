/* Sorted runs of bytes: the bytes of a datatype or a buffer without its gaps. Independent of MPI.
 *
 *	struct byte_runs runs = {0};
 *	byte_runs_add(&runs, 0, 8);
 *	byte_runs_add(&runs, 16, 8);
 *	byte_runs_sort(&runs);                    afterwards they ascend, and do not overlap or touch
 *	byte_runs_release(&runs);
 *
* If a list becomes longer than BYTE_RUNS_MAX, or memory runs out, it is approximate: one run from the first
 * byte to the last. Then nothing may be concluded from the bytes in the middle. */
#ifndef TARRY_JOB_CHECK_OBJECTS_BYTE_RUNS_H
#define TARRY_JOB_CHECK_OBJECTS_BYTE_RUNS_H

#include <stdbool.h>
#include <stdint.h>

enum { BYTE_RUNS_MAX = 1 << 18 };

struct byte_run {
	int64_t offset, length;
};

struct byte_runs {
	struct byte_run *run;
	uint32_t count, capacity;
	bool approximate;
	bool unsorted;
	bool reordered; /* runs were added out of order, or overlapped */
};

/* A repeated list: `times` elements of one type. Elements may interleave. */
struct byte_pattern {
	const struct byte_run *run; /* sorted */
	uint32_t count;
	int64_t start;  /* address of the first element */
	int64_t stride; /* from one element to the next; may be negative */
	int64_t times;
	int64_t spacing; /* byte_runs_spacing() of the list */
};

void byte_runs_add(struct byte_runs *runs, int64_t offset, int64_t length);
void byte_runs_sort(struct byte_runs *runs);
void byte_runs_release(struct byte_runs *runs);
/* The distance between the starts of runs of equal length at equal distances; 0: they differ. */
int64_t byte_runs_spacing(const struct byte_run *run, uint32_t count);
/* Adds all runs of a pattern. */
void byte_runs_add_pattern(struct byte_runs *runs, const struct byte_pattern *pattern);

/* From the first byte to the end; false: no bytes. */
bool byte_pattern_hull(const struct byte_pattern *pattern, int64_t *first, int64_t *end);

/* Total of all runs. */
int64_t byte_pattern_bytes(const struct byte_pattern *pattern);

enum byte_overlap {
	BYTES_APART,
	BYTES_OVERLAP,
	BYTES_UNKNOWN, /* too many runs, or out of memory */
};
/* `at`: the first common byte. */
enum byte_overlap byte_patterns_overlap(const struct byte_pattern *a, const struct byte_pattern *b,
                                        int64_t *at);

#endif
