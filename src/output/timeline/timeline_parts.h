/* What collecting a timeline and writing it share. */
#ifndef TARRY_OUTPUT_TIMELINE_TIMELINE_PARTS_H
#define TARRY_OUTPUT_TIMELINE_TIMELINE_PARTS_H

#include "analysis/model/comms.h"
#include "analysis/model/processes.h"
#include "base/array.h"
#include "base/json.h"
#include "base/map.h"
#include "output/timeline/timeline.h"

/* The run in bins by function and communicator, so that filters act on a summary, too: what part of a bin's time a row was in such calls, and what it
 * waited in them.
 *
 *	classes_init(&classes, rows, bins);
 *	class = class_number(&classes, &(struct timeline_class){name, kind, comm, process});     0: there are too many
 *	classes_add(&classes, class, row, CLASS_INSIDE, (struct class_stretch){from, to, 1});    from 0 to the number of bins
 *	classes_release(&classes);
 *
 * Memory is bounded, and so is what is written: with many rows and classes, bins become wider. */

/* They fit into the bits that a kept call has for them; 0 is that of all others. */
enum { CLASS_BITS = 5, CLASSES_MOST = 1 << CLASS_BITS };

enum class_time { CLASS_INSIDE, CLASS_WAIT, CLASS_TIMES };

struct timeline_class {
	const char *name; /* of the function; NULL: of others */
	uint32_t kind;    /* enum bin_kind */
	uint64_t comm;    /* identity; 0: none */
	uint32_t process; /* that knows it */
};

struct timeline_classes {
	struct timeline_class all[CLASSES_MOST];
	uint32_t count;
	struct map numbers; /* by name and communicator */
	size_t rows;
	uint32_t bins;
	float **sums; /* by row and class: of each bin, its time inside and its wait; NULL: none */
};

void classes_init(struct timeline_classes *classes, size_t rows, uint32_t bins_most);
void classes_release(struct timeline_classes *classes);
uint32_t class_number(struct timeline_classes *classes, const struct timeline_class *wanted);
/* Places among the bins, and how often: -1 removes one again. */
struct class_stretch {
	double from, to, times;
};

void classes_add(struct timeline_classes *classes, uint32_t class, size_t row, enum class_time time,
                 struct class_stretch stretch);

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

/* Rows: of more than there is room for, neighbours are one, without single calls. */
size_t rows_in_one(const struct timeline *timeline);
/* To the bins, and to those of the call's class. */
void add_call_to_bins(struct timeline *timeline, const struct timeline_row *row, enum bin_kind kind,
                      const struct kept_call *call);

/* Of a call that is kept, it is known what it is. */
static inline enum bin_kind kept_kind(const struct timeline *timeline, const struct timeline_row *row,
                                      size_t call)
{
	return timeline->kinds[row->process].items[row->calls.items[call].call] - 1;
}

/* As many calls as a page has room for, and rows and numbers of bins. */
enum {
	TIMELINE_CALLS = 80000,
	TIMELINE_ROWS = 2048,
	TIMELINE_BINS = 400000,
	BINS_LEAST = 32,
	BINS_MOST = 1024
};

/* What hovering over a call shows, and what filters choose by: the calls of a timeline as JSON, each once.
 *
 *	struct site_list sites;
 *	sites_init(&sites, timeline);
 *	number = number_site(&sites, process, call_id);   from 0
 *	add_sites(&json, &sites);                          "comms" and "sites"
 *	sites_release(&sites); */

struct site_list {
	const struct timeline *timeline;
	struct arena arena;
	struct text_map numbers; /* by their JSON: equal ones of different processes are one */
	ARRAY(const char *) items;
	struct site_numbers {
		uint32_t *items; /* one above the number; 0: not yet asked for */
		size_t count, room;
	} * of_calls;            /* by process and call */
	struct map comm_numbers; /* by identity */
	ARRAY(const struct comm *) comms;
};

void sites_init(struct site_list *sites, const struct timeline *timeline);
void sites_release(struct site_list *sites);
/* Of a communicator, in the list of them; the process has to know it. -1: it does not. */
int64_t number_comm(struct site_list *sites, uint32_t process, uint64_t identity);
uint32_t number_site(struct site_list *sites, uint32_t process, uint32_t call);
void add_sites(struct json *json, const struct site_list *sites);

#endif
