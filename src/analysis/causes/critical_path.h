/* The critical path: what determined how long the run took. It ends where the last process comes to its end, goes back on that process
 * until that had waited for another one, and goes on there at the moment when the other one had come.
 *
 *	const struct critical_path *path = causes_path(causes);
 *	for (size_t i = 0; path && i < path->segment_count; i++)
 *		show(&path->segments[i]);
 *	critical_path_free(causes_take_path(causes));
 *
 * So nobody waits on it for another process for longer than the threshold of the causes, and whatever is shortened elsewhere does not shorten the run. It lies in the
 * run as model/run_spans.h defines it. Times are ns since the start of the run, as rows have them. Lives as long as the reader. */
#ifndef TARRY_ANALYSIS_CAUSES_CRITICAL_PATH_H
#define TARRY_ANALYSIS_CAUSES_CRITICAL_PATH_H

#include "trace/reader.h"

/* Where a process was that others waited for. */
enum cause_kind {
	CAUSE_COMPUTING, /* outside of MPI and UPC, between two calls */
	CAUSE_CALL,      /* in a call, without waiting for anybody */
	CAUSE_NOISE,     /* without a processor, or in the recorder */
	CAUSE_TRANSFER,  /* nobody was late: the transfer, or the library */
	CAUSE_OTHER,     /* smaller causes together */
	CAUSE_UNKNOWN,   /* not recorded */
	CAUSE_KINDS
};

/* A call as one process makes it, to look up its source line. */
struct caller {
	uint32_t process;
	const struct call *call; /* NULL: there is none */
};

/* Lasts until the next one, the last one to the end of the path. */
struct path_segment {
	int64_t from;
	uint32_t process, stream; /* index in the process */
};

/* What one process did on the path at one place. */
struct path_part {
	enum cause_kind kind;   /* computing, call, noise, unknown; other: those that there was no room for */
	uint32_t process;       /* NO_PROCESS: of others */
	struct caller from, to; /* computing: the calls before and behind; in a call: `to` */
	int64_t ns;
	int64_t mean_ns; /* computing: how long processes are there in the whole run, on average over all of them */
};

struct critical_path {
	int64_t from, to;
	bool is_cut;                   /* there was more before, but it was too long to be kept */
	uint64_t missed;               /* waits that were known too late to be looked at */
	struct path_segment *segments; /* in the order of time */
	size_t segment_count;
	struct path_part *parts; /* the largest first */
	size_t part_count;
	int64_t kinds_ns[CAUSE_KINDS];
	int64_t *of_process; /* ns, by process */
};

void critical_path_free(struct critical_path *path);

#endif
