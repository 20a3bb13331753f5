/* What collecting a timeline and writing it share. */
#ifndef TARRY_OUTPUT_TIMELINE_TIMELINE_PARTS_H
#define TARRY_OUTPUT_TIMELINE_TIMELINE_PARTS_H

#include "analysis/model/comms.h"
#include "analysis/model/processes.h"
#include "base/array.h"
#include "base/map.h"
#include "output/timeline/timeline.h"
#include "output/timeline/timeline_classes.h"

/* Of a bin: what the time was spent on. The rest is computing. */
enum bin_kind { BIN_P2P, BIN_COLLECTIVE, BIN_RMA, BIN_IO, BIN_OTHER, BIN_WAIT, BIN_KINDS };

extern const char *const bin_kind_names[BIN_KINDS];

enum bin_kind bin_kind_of(const struct call *call);

/* Times are ns since the start. */
struct kept_call {
	int64_t start, end;
	int64_t wait;
	uint32_t call : 32 - CLASS_BITS; /* id of the distinct call */
	uint32_t class : CLASS_BITS;
	uint32_t group; /* number of the collective operation, from 1; 0: none */
};

struct kept_message {
	uint32_t from, to; /* rows */
	int64_t sent, received;
	uint64_t bytes;
	uint32_t call; /* id of the distinct call that sent it */
};

/* A thread. */
struct timeline_row {
	uint32_t process, thread;
	int64_t waited_until; /* of the call that it is in */
	uint64_t comm;        /* of the message that it received; 0: none */
	uint32_t group;
	ARRAY(struct kept_call) calls;
	float *bins; /* ns by bin and kind */
};

/* Where single calls are kept, as long as they are not too many. */
struct kept_span {
	struct time_span time;
	size_t wanted; /* the lower, the more */
	size_t calls;
	bool is_given_up;
};

/* What calls are, by id: one above the kind; 0: not asked yet; BIN_KINDS + 1: it is computing. */
struct kinds_by_call {
	uint8_t *items;
	size_t count, room;
};

struct timeline {
	struct timeline_options options;
	struct timeline_row *rows;
	size_t row_count;
	uint32_t *first_row; /* by process */
	uint32_t bin_count;
	float *bins; /* of all rows */
	bool keeps_all;
	struct timeline_classes classes;
	struct time_span shown;  /* that bins are of */
	struct kept_span *spans; /* in the order of time, none overlaps another */
	size_t span_count;
	ARRAY(struct kept_message) messages;
	struct map
		groups; /* from order and sequence of a collective operation to its number, of those that are kept */
	struct kinds_by_call *kinds; /* by process */
	struct clock_piece *pieces;  /* by process */
	const struct nodes *nodes;
	const struct comm_table *comms; /* NULL: there are too many rows for single calls */
};

void add_to_bins(const struct timeline *timeline, const struct timeline_row *row, enum bin_kind kind,
                 int64_t from, int64_t to);

/* ,"path":{…}: of the time that is shown; nothing if it is not known. */
void add_path(struct text *out, const struct timeline *timeline, size_t rows_in_one);

/* Rows: of more than there is room for, neighbours are one, without single calls. */
size_t rows_in_one(const struct timeline *timeline);
/* How many are that row of the page. */
size_t rows_in_row(const struct timeline *timeline, size_t row);
/* To the bins, and to those of the call's class. */
void add_call_to_bins(struct timeline *timeline, const struct timeline_row *row, enum bin_kind kind,
                      const struct kept_call *call);

/* As many calls as a page has room for, and rows and numbers of bins. */
enum {
	TIMELINE_CALLS = 80000,
	TIMELINE_ROWS = 2048,
	TIMELINE_BINS = 400000,
	BINS_LEAST = 32,
	BINS_MOST = 1024
};

#endif
