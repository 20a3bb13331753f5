/* Records of a process, and marks between the events of a thread. Each is a C struct. `record_layouts` lists its members for the bytes
 * of a trace, for its text, and for the recorder.
 *
 *	encode_record(&encoder, RECORD_EAGER, &(struct eager){.bytes = 4096, .distance = "node"}); */
#ifndef TARRY_TRACE_RECORDS_H
#define TARRY_TRACE_RECORDS_H

#include "trace/format.h"

#include <stdbool.h>
#include <string.h>

struct world_record {
	uint64_t world;
	uint64_t rank;
	uint64_t size;
	uint64_t run;
};

struct property {
	const char *key;
	const char *value;
};

struct clock_point {
	uint64_t tick;
	uint64_t ns; /* since 1970 */
};

struct clock {
	const char *name;
	uint64_t ticks_per_second;
	struct clock_point *points;
	size_t point_count;
};

/* Size and time of a file during the recording. */
struct stamp {
	uint64_t module;
	uint64_t bytes;
	uint64_t changed_ns; /* since 1970 */
};

/* A loaded file, or a function of a source file. The offsets of a function's sites are lines. */
struct module {
	uint64_t number;
	uint64_t base;
	uint64_t size;
	const uint8_t *build_id;
	size_t build_id_size;
	const char *path;
	const char *function; /* NULL: a loaded file; "": unknown */
	bool has_stamp;
	struct stamp stamp;
};

/* Ranks first, first + stride, … of a world; 0 <= each < 2^31. World 0: unknown processes. */
struct rank_run {
	uint64_t world;
	uint32_t first;
	int64_t stride;
	uint32_t count;
};

bool run_is_possible(uint64_t first, int64_t stride, uint64_t count);

struct group {
	struct rank_run *runs; /* of all members; or none, if another process has them */
	size_t run_count;
};

uint64_t group_members(const struct group *group);

struct comm {
	uint64_t identity;
	uint64_t parent;
	uint64_t kind;
	uint64_t rank;
	uint64_t size;
	uint64_t remote_size;
	struct group local;
	struct group remote;
	const char *name;
};

struct object {
	uint64_t kind;
	uint64_t identity;
	uint64_t comm;
	uint64_t size;
	uint64_t unit;
	const char *name;
};

struct eager {
	uint64_t bytes;
	const char *distance;
};

/* The process's own clock showed `tick` when another clock showed `other`. */
struct clock_comparison {
	const char *clock; /* the other clock: the property `clock` of its processes */
	uint64_t tick;
	uint64_t other;
	uint64_t other_rate; /* ticks of the other clock in a second */
	uint64_t uncertainty_ns;
};

struct event_loss {
	uint64_t tick;
	const char *reason;
};

/* The user stopped recording here, or resumed it. */
struct pause {
	uint64_t tick;
	bool resumes;
	bool is_counted; /* SKIPPED records count the calls that matching needs */
};

/* The recorder itself used this time of the thread. */
struct overhead {
	uint64_t tick;
	uint64_t ns;
	const char *cause;
};

/* A file that the process used. Number 0: the sum of all files that have no record. Times are ticks. */
struct file_record {
	uint64_t number;
	uint64_t opens, seeks, stats, syncs, maps;
	uint64_t mapped_bytes;
	uint64_t inside;      /* in these calls, and in those that close or flush */
	uint64_t first, last; /* of all calls; both 0: none */
	uint64_t begin, end;  /* the part of the file that was read or written; both 0: none */
	uint64_t module,
		offset; /* the return address of the call that first opened it, as a site; module 0: unknown */
	const char *path;
};

/* Reads or writes of such a file of similar sizes, through one interface. */
struct access_record {
	uint64_t file;
	uint64_t direction, interface; /* base/file_hooks.h */
	uint64_t size_class;
	uint64_t calls, bytes, inside;
	uint64_t consecutive, strided;
};

/* Calls of one kind without events. */
struct call_sums {
	uint64_t count;
	uint64_t inside; /* ticks, of all together */
	uint64_t shortest, longest;
	uint64_t sent, received; /* bytes */
};

struct thread_info {
	bool known;
	uint64_t id;
	bool main;
	const char *name;
};

/* The encoding of a member. The type in the struct is uint64_t unless stated. */
enum member_form {
	MEMBER_END,
	MEMBER_NUMBER, /* a varint */
	MEMBER_FIXED,  /* eight bytes */
	MEMBER_FLAG,   /* bool */
	MEMBER_MARK,   /* bool; no bytes if false */
	MEMBER_STRING, /* const char *; with its length */
	MEMBER_REST,   /* const char *; up to the end of the record. Always encoded last */
	/* Lists: a pointer with a size_t after it. */
	MEMBER_BYTES,
	MEMBER_POINTS, /* of clocks */
	MEMBER_GROUP,
	MEMBER_OTHERS, /* a group, only of intercommunicators */
};

/* Members are listed in the order of a line of text. Members without a key are first. */
struct record_member {
	enum member_form form;
	size_t offset;            /* in the struct */
	const char *key;          /* in text; NULL: recognised by its position */
	const char *const *names; /* in text, of the numbers 0, 1, …; ends with NULL */
	bool is_hex, is_word;     /* in text: hexadecimal; without quotes if possible */
};

struct record_layout {
	const char *word; /* the first of a line of text; NULL: other code makes the line */
	const struct record_member *members;
	size_t size; /* of the struct */
};

/* By kind. Other records have no members here. */
extern const struct record_layout record_layouts[KIND_MASK + 1];

/* Of communicators, by their kind. */
extern const char *const comm_kind_names[];
/* "read", "write"; "system", "stream", "mpi": of accesses to files. */
extern const char *const access_directions[], *const access_interfaces[];

union any_record {
	struct world_record world;
	struct property property;
	struct clock clock;
	struct stamp stamp;
	struct module module;
	struct comm comm;
	struct object object;
	struct eager eager;
	struct clock_comparison comparison;
	struct event_loss loss;
	struct pause pause;
	struct overhead overhead;
	struct thread_info thread;
	struct file_record file;
	struct access_record access;
};

/* The largest room that record_put() needs. */
size_t record_room(enum record_kind kind, const void *record);
/* Writes the body of a long record; returns its end. */
uint8_t *record_put(uint8_t *at, enum record_kind kind, const void *record);

static inline const void *record_member_at(const void *record, const struct record_member *member)
{
	return (const char *)record + member->offset;
}

/* A member that is a list. */
struct record_list {
	const void *items;
	size_t count;
};

static inline struct record_list record_list(const void *member)
{
	struct record_list list;

	memcpy(&list, member, sizeof list);
	return list;
}

#endif
