/* What a trace holds, in numbers: the page that `tarry info` prints. One pass over all events, in which whatever
 * depends on the distinct call alone is worked out once for it.
 *
 *	struct summary *summary = summarize(reader, clocks, source, NULL);
 *	for (size_t i = 0; i < summary->function_count; i++) …
 *	summary_free(summary); */
#ifndef TARRY_ANALYSIS_MODEL_SUMMARY_H
#define TARRY_ANALYSIS_MODEL_SUMMARY_H

#include "analysis/model/clocks.h"
#include "analysis/model/processes.h"
#include "analysis/symbols/symbols.h"
#include "trace/reader.h"

/* Calls of one function, or of one function from one place. */
struct tally {
	const char *name; /* the function, or the place */
	uint64_t calls;   /* fruitless polls counted one by one */
	double seconds;   /* inside them, summed over threads */
	uint64_t bytes;   /* sent, or received where nothing is sent */
	size_t function;  /* of a place: whose it is */
};

/* A text and the ranks of a world that share it: hosts, programs. */
struct sharing {
	const char *text;
	uint64_t world;
	const char *ranks; /* "0-3,7"; "?" for an unknown one */
	size_t count;
};

struct comm_summary {
	uint64_t identity;
	uint64_t kind;
	uint64_t size;
	uint64_t remote_size;
	const char *name;
};

struct blind_summary {
	const struct process *process;
	const struct stream *stream; /* NULL: the whole process */
	int64_t ns;                  /* since 1970, as clocks_ns() has it */
	double seconds;              /* since the start of the run */
	const char *reason;
};

struct summary {
	struct arena arena;
	size_t worlds;
	size_t threads;
	uint64_t events;
	uint64_t calls;
	uint64_t marks; /* regions, phases and marks of the user's own code */
	uint64_t messages;
	uint64_t message_bytes;
	uint64_t accesses; /* of threads of UPC to the memory of others */
	uint64_t access_bytes;
	enum paradigm paradigm;
	double seconds;        /* from the first start to the last end */
	double thread_seconds; /* of all threads, each from its first to its last event */
	double tool_seconds;   /* that the recorder was at work in them, between their calls */
	double stolen_seconds; /* that threads wanted a processor and had none */
	struct crowding crowding;
	uint64_t start_ns;       /* since 1970; 0: not known */
	double *uncertainty_ns;  /* by line of the clocks: the largest of the run; negative: not known */
	struct tally *functions; /* by time */
	size_t function_count;
	struct tally *places; /* by time */
	size_t place_count;
	struct sharing *hosts;
	size_t host_count;
	struct sharing *programs; /* command lines */
	size_t program_count;
	struct comm_summary *comms; /* as they appear */
	size_t comm_count;
	struct blind_summary *blinds;
	size_t blind_count;
};

/* `progress` is called with a part from 0 to 1, and may be NULL. */
struct summary *summarize(struct reader *reader, const struct clocks *clocks, struct symbols *source,
                          void (*progress)(double part));
void summary_free(struct summary *summary);

#endif
