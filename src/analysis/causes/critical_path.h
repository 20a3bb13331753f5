/* The critical path: the work that determined the length of the run. It ends with the last process, goes
 * back on that process to its last wait for another one, and continues on that other process at the
 * moment of its arrival.
 *
 *	const struct critical_path *path = causes_path(causes);
 *	for (size_t i = 0; path && i < path->segment_count; i++)
 *		show(&path->segments[i]);
 *	critical_path_free(causes_take_path(causes));
 *
 * So it contains no wait for another process above the threshold of the causes, and shortening anything else
 * does not shorten the run. The run is that of model/run_spans.h. Times are ns since the start of the run, as
 * in rows. Valid as long as the reader. */
#ifndef TARRY_ANALYSIS_CAUSES_CRITICAL_PATH_H
#define TARRY_ANALYSIS_CAUSES_CRITICAL_PATH_H

#include "trace/reader.h"

/* The activity of a process while others waited for it. */
enum cause_kind {
	CAUSE_COMPUTING, /* outside MPI and UPC, between two calls */
	CAUSE_CALL,      /* in a call, without waiting for another process */
	CAUSE_NOISE,     /* without a CPU, or in the recorder */
	CAUSE_TRANSFER,  /* no process was late: the transfer, or the library */
	CAUSE_OTHER,     /* the sum of smaller causes */
	CAUSE_UNKNOWN,   /* not recorded */
	CAUSE_KINDS
};

/* A call of one process, to look up its source line. */
struct caller {
	uint32_t process;
	const struct call *call; /* NULL: none */
};

/* Lasts until the next segment; the last one until the end of the path. */
struct path_segment {
	int64_t from;
	uint32_t process, stream; /* index in the process */
};

/* One computation or one call; `ns` of its time are on the path. */
struct path_visit {
	int64_t from, to, ns;
};

/* The activity of one process on the path at one place. */
struct path_part {
	enum cause_kind kind;   /* computation, call, noise, unknown; other: parts beyond the limit */
	uint32_t process;       /* NO_PROCESS: of others */
	struct caller from, to; /* computation: the calls before and after it; in a call: `to` */
	int64_t ns;
	struct path_visit longest;
	int64_t mean_ns; /* computation: mean time of all processes there, in the whole run */
};

struct critical_path {
	int64_t from, to;
	bool is_cut;                   /* an earlier part was too long to be kept */
	uint64_t missed;               /* waits seen too late to be used */
	struct path_segment *segments; /* in time order */
	size_t segment_count;
	struct path_part *parts; /* the largest first */
	size_t part_count;
	int64_t kinds_ns[CAUSE_KINDS];
	int64_t *of_process; /* ns, by process */
};

void critical_path_free(struct critical_path *path);

#endif
