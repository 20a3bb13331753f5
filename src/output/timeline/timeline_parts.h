/* Shared by collecting and writing a timeline. */
#ifndef TARRY_OUTPUT_TIMELINE_TIMELINE_PARTS_H
#define TARRY_OUTPUT_TIMELINE_TIMELINE_PARTS_H

#include "analysis/model/comms.h"
#include "analysis/model/processes.h"
#include "base/array.h"
#include "base/json.h"
#include "base/map.h"
#include "output/timeline/timeline.h"

/* The run in bins by function and communicator, so that filters also work on a summary: the share of a bin's
 * time that a row spent in such calls, and waited in them.
 *
 *	classes_init(&classes, rows, bins);
 *	class = class_number(&classes, &(struct timeline_class){name, kind, comm, process});     0: too many
 *	classes_add(&classes, class, row, CLASS_INSIDE, (struct class_stretch){from, to, 1});    from 0 to the number of bins
 *	classes_release(&classes);
 *
 * Memory and output are bounded: with many rows and classes, bins become wider. */

/* They fit into the bits of a kept call; 0 is the class of all others. */
enum { CLASS_BITS = 5, CLASSES_MAX = 1 << CLASS_BITS };

enum class_time { CLASS_INSIDE, CLASS_WAIT, CLASS_TIMES };

struct timeline_class {
	const char *name; /* of the function; NULL: others */
	uint32_t kind;    /* enum bin_kind */
	uint64_t comm;    /* identity; 0: none */
	uint32_t process; /* that knows the communicator */
};

struct timeline_classes {
	struct timeline_class all[CLASSES_MAX];
	uint32_t count;
	struct map numbers; /* by name and communicator */
	size_t rows;
	uint32_t bins;
	float **sums; /* by row and class: of each bin, its time inside and its wait; NULL: none */
};

void classes_init(struct timeline_classes *classes, size_t rows, uint32_t bins_most);
void classes_release(struct timeline_classes *classes);
uint32_t class_number(struct timeline_classes *classes, const struct timeline_class *wanted);
/* An interval in units of bins, and a factor: -1 removes it again. */
struct class_stretch {
	double from, to, times;
};

void classes_add(struct timeline_classes *classes, uint32_t class, size_t row, enum class_time time,
                 struct class_stretch stretch);

/* The activity in a bin. The rest is computation. A thread is blocked in the kernel, or in a call that never returned. */
enum bin_kind {
	BIN_P2P,
	BIN_COLLECTIVE,
	BIN_RMA,
	BIN_IO,
	BIN_OTHER,
	BIN_WAIT,
	BIN_NO_CPU,
	BIN_BLOCKED,
	BIN_UNRECORDED,
	BIN_KINDS
};

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

/* Time without a CPU around a call, in microseconds. Most calls have none. */
struct kept_delay {
	uint32_t call;    /* its place among the calls of the row */
	uint32_t before;  /* since the previous call ended */
	uint32_t inside;  /* of this thread */
	uint32_t other;   /* part of the wait: for a thread that had no CPU */
	uint32_t blocked; /* in the kernel, before the call */
};

/* An interval of a thread in which it made no recorded calls. */
struct kept_state {
	int64_t from, to;
	enum bin_kind kind; /* BIN_BLOCKED, BIN_UNRECORDED */
};

/* A region or phase of the user. */
struct kept_region {
	int64_t from, to;
	uint32_t name;  /* number in timeline->regions.names */
	uint32_t depth; /* of the regions around it */
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
	int64_t waited_until; /* of its current call */
	uint64_t comm;        /* of the message that it received; 0: none */
	uint32_t group;
	int64_t cause_delay;           /* of the thread that it waited for: delay without a CPU */
	int64_t first, ended;          /* start of the first event, and end of the last one; -1: none yet */
	int64_t call_ended;            /* of the last call that communicates; -1: none yet */
	uint64_t without_cpu, blocked; /* microseconds since then */
	bool is_past_gap;              /* of missing calls */
	ARRAY(struct kept_call) calls;
	ARRAY(struct kept_delay) delays; /* in the order of calls */
	ARRAY(struct kept_state) states;
	ARRAY(struct kept_region) regions; /* by end, until they are sorted by start */
	ARRAY(struct kept_region) open;    /* the innermost last */
	uint64_t iterations;               /* calls that begin one, so far */
	int64_t *
		group_starts; /* by group of iterations; after the last group, its end; NULL: none has begun */
	float *bins;          /* ns by bin and kind */
};

/* Single calls are kept here, as long as there are not too many. */
struct kept_span {
	struct time_span time;
	size_t wanted; /* priority: lower is higher */
	size_t calls;
	bool is_given_up;
};

/* Kinds of calls, by id: kind + 1; 0: not asked yet. Those from BIN_KINDS on: a wait for other OpenMP threads, then computation, marks of
 * the user, and the begin and end of an OpenMP region. */
enum { KIND_TEAM_WAIT = BIN_KINDS, KIND_COMPUTING, KIND_MARK, KIND_FORK, KIND_JOIN };

struct kinds_by_call {
	uint8_t *items;
	size_t count, room;
};

/* The calls of a function from one place. */
struct iterated_place {
	const struct call *call; /* one of them … */
	uint32_t process;        /* … of this process */
	int64_t waits[ITERATION_GROUPS];
};

struct timeline {
	struct timeline_options options;
	struct timeline_row *rows;
	size_t row_count;
	uint32_t *first_row; /* by process */
	uint64_t *lost;      /* by process: the tick from which on calls are missing */
	struct team_times {
		/* Start and end of the last OpenMP region, and the start of the one before it; 0: none. */
		int64_t forked, joined, forked_before;
	} * teams; /* by process */
	uint32_t bin_count;
	float *bins; /* of all rows */
	bool keeps_all;
	struct timeline_classes classes;
	struct time_span shown;  /* the time range of bins */
	struct kept_span *spans; /* in time order, disjoint */
	size_t span_count;
	ARRAY(struct kept_message) messages;
	struct map groups; /* from order and sequence of a kept collective operation to its number */
	struct kinds_by_call *kinds; /* by process */
	struct clock_piece *pieces;  /* by process */
	struct clock_piece *begun;   /* the same for the thread of the replay */
	struct region_names {
		struct text_map numbers;
		size_t kept;
		int64_t least; /* shorter regions were dropped, because there are too many */
	} regions;
	struct timeline_iterations {
		const struct iteration *about;             /* NULL: none */
		struct time_span groups[ITERATION_GROUPS]; /* from the first rank to the last */
		size_t rows_passed;                        /* rows with all of them */
		ARRAY(struct iterated_place) places;
		ARRAY(uint16_t) of_outlines; /* number of the place + 1; 0: not asked yet */
	} iterations;
	const struct nodes *nodes;
	const struct comm_table *comms; /* NULL: too many rows for single calls */
};

/* Rows: if there are too many, neighbours are merged, without single calls. */
size_t rows_in_one(const struct timeline *timeline);
/* Adds to the bins, and to those of the call's class. `delay` may be NULL. */
void add_call_to_bins(struct timeline *timeline, const struct timeline_row *row, enum bin_kind kind,
                      const struct kept_call *call, const struct kept_delay *delay);
/* Adds the time, multiplied by `times`, to the bins. */
void count_in_bins(const struct timeline *timeline, const struct timeline_row *row, enum bin_kind kind,
                   struct time_span time, double times);

static const double ns_per_us = 1e3;

static inline enum bin_kind bin_of_kind(unsigned kind)
{
	return kind == KIND_TEAM_WAIT ? BIN_OTHER : (enum bin_kind)kind;
}

/* The kind of a kept call is known. */
static inline enum bin_kind kept_kind(const struct timeline *timeline, const struct timeline_row *row,
                                      size_t call)
{
	return bin_of_kind(timeline->kinds[row->process].items[row->calls.items[call].call] - 1u);
}

/* timeline_states.c: states of a thread between its calls */

/* The time without a CPU between two calls. */
void add_gap_to_bins(const struct timeline *timeline, const struct timeline_row *row, int64_t from,
                     int64_t to, const struct kept_delay *delay);
/* The delays of a kept call; NULL: none. */
struct kept_delay *find_delay(const struct timeline_row *row, size_t call);
/* After all events: pauses of recording, the time before the first and after the last event, and calls that never returned. */
void find_states(struct timeline *timeline);
void add_states_to_bins(const struct timeline *timeline);
/* Corrected time since the start of the run, clamped to the run. */
int64_t time_at(const struct timeline *timeline, uint32_t process, uint64_t tick);

/* timeline_teams.c: OpenMP threads that wait for others of their process */

/* The kind of a call of class CLASS_OPENMP. */
unsigned teams_kind(enum call_id call);
/* A region begins (KIND_FORK) or ends (KIND_JOIN). */
void teams_mark(struct timeline *timeline, const struct timeline_row *row, unsigned kind, int64_t time);
/* Until when the thread waits in a call of kind KIND_TEAM_WAIT: it loses nothing by being without a CPU there, and runtimes yield theirs. A thread that is new has existed since its region began. */
int64_t teams_wait(const struct timeline *timeline, struct timeline_row *row, struct time_span call);

/* timeline_regions.c: the user's regions and phases */

void regions_mark(struct timeline *timeline, struct timeline_row *row, const struct call *call,
                  struct time_span time);
/* After all events: open regions end, and regions are sorted by their starts. */
void regions_end(struct timeline *timeline);
/* Writes "regions": the longest in the shown time, as many as fit into a page. */
void regions_json(struct json *json, const struct timeline *timeline);
void regions_release(struct timeline *timeline);

/* timeline_iterations.c: times of iterations, and waits in them */

void iterations_init(struct timeline *timeline);
void iterations_release(struct timeline *timeline);
/* For each call, in the order of its row: first its wait, then that it ended. A wait that is noticed later counts for the time of the call. */
void iterations_add_wait(struct timeline *timeline, const struct timeline_row *row, const struct call *call,
                         int64_t end, int64_t wait);
void iterations_pass(struct timeline *timeline, struct timeline_row *row, const struct call *call,
                     int64_t end);
/* Writes "iterations", unless they are unknown. */
void iterations_json(struct json *json, const struct timeline *timeline);

/* timeline_spans.c: where single calls are kept */

void spans_init(struct timeline *timeline);
/* True if a call that ends then may be kept. */
bool may_be_kept(const struct timeline *timeline, int64_t end);
bool is_kept(struct timeline *timeline, int64_t start, int64_t end);
/* True if it overlaps a span that is not given up. */
bool is_in_span(const struct timeline *timeline, int64_t start, int64_t end);
/* Chooses spans by priority, the highest first, as long as there is room. */
void choose_spans(struct timeline *timeline);
/* Gives up kept spans, the lowest priority first, at least one, until at most this part of the calls is left; false: there was none. */
bool give_up_spans(const struct timeline *timeline, double part);

/* Limits of a page for calls, rows and bins. */
enum {
	TIMELINE_CALLS = 80000,
	TIMELINE_SPAN_CALLS = 120000, /* in spans, if not all calls fit */
	TIMELINE_BYTES = 4 << 20,
	TIMELINE_ROWS = 2048,
	TIMELINE_BINS = 600000,
	BINS_MIN = 32,
	BINS_MAX = 1024
};

/* The distinct calls of a timeline as JSON, for tooltips and filters.
 *
 *	struct site_list sites;
 *	sites_init(&sites, timeline);
 *	number = number_site(&sites, process, call_id);   from 0
 *	add_sites(&json, &sites);                          "comms" and "sites"
 *	sites_release(&sites); */

struct site_list {
	const struct timeline *timeline;
	struct arena arena;
	struct text_map numbers; /* by their JSON: equal ones of different processes are merged */
	ARRAY(const char *) items;
	struct site_numbers {
		uint32_t *items; /* number + 1; 0: not asked yet */
		size_t count, room;
	} * of_calls;            /* by process and call */
	struct map comm_numbers; /* by identity */
	ARRAY(const struct comm *) comms;
	struct text_map frames; /* of call paths */
};

void sites_init(struct site_list *sites, const struct timeline *timeline);
void sites_release(struct site_list *sites);
/* The number of a communicator in the list of them; the process must know it. -1: it does not. */
int64_t number_comm(struct site_list *sites, uint32_t process, uint64_t identity);
uint32_t number_site(struct site_list *sites, uint32_t process, uint32_t call);
void add_sites(struct json *json, const struct site_list *sites);

#endif
