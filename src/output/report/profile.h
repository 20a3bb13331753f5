/* Where the time of a run went, and what was sent: by function, by the way to the call, by size of messages, between which
 * processes; and the efficiency figures of the POP project:
 *
 *	load balance              = mean of computing times / longest computing time
 *	communication efficiency  = longest computing time / length of the run
 *	parallel efficiency       = load balance * communication efficiency
 *
 * Computing is what a process does outside of MPI and UPC; of one with several threads that call MPI, the mean over them. */
#ifndef TARRY_OUTPUT_REPORT_PROFILE_H
#define TARRY_OUTPUT_REPORT_PROFILE_H

#include "output/report/report.h"

/* Calls of one function, or of one function at one place. */
struct profile_row {
	const char *call;
	struct call_place at; /* of a place, as what follows */
	struct action sample; /* one of its calls, without times */
	const char *path;     /* the way to it, outermost first; "": not recorded */
	const char *identity; /* for the order of rows that cost the same */
	uint64_t calls;
	int64_t inside_ns;
	uint64_t bytes; /* sent; by accesses of UPC, also read */
	/* of the process that spent most in it */
	uint32_t top_process;
	int64_t top_ns;
	/* while it is added up */
	uint32_t process;
	int64_t process_ns;
};

struct profile_table {
	struct profile_row *rows; /* by time, the longest first */
	size_t count;
};

/* Bin 0: empty messages; bin i: from 2^(i-1) to below 2^i bytes. */
enum { SIZE_BINS = 65 };

struct size_bin {
	uint64_t messages, bytes;
};

/* What one process sent to another, point to point, or accesses of UPC moved from one to the other. */
struct rank_traffic {
	uint32_t from, to; /* by index in the reader */
	uint64_t messages, bytes;
};

struct profile {
	bool has_figures; /* otherwise there is no efficiency */
	double parallel_efficiency, load_balance, communication_efficiency;
	int64_t computing_ns; /* of all processes */
	struct profile_table functions, places;
	struct size_bin sizes[SIZE_BINS];
	struct rank_traffic *traffic; /* by sender, then by receiver */
	size_t traffic_count;
};

/* Lives as long as the report. */
const struct profile *profile_new(struct report *report);

/* Messages of this bin have from this many bytes on; the next one's is where it ends. */
static inline uint64_t size_bin_start(size_t bin)
{
	return bin ? (uint64_t)1 << (bin - 1) : 0;
}

#endif
