/* Reads a trace: its processes, and the events of each thread in order.
 *
 *	struct reader *reader;
 *	TRY(reader_open("run.tarry", &reader));
 *	for (size_t i = 0; i < reader->process_count; i++) {
 *		struct event_iter iter;
 *		struct event event;
 *		reader_events(reader, &reader->processes[i].streams[0], &iter);
 *		while (reader_next(&iter, &event))
 *			use(event.call, event.start, event.end);
 *	}
 *	reader_close(reader);
 *
 * Nothing in a file is trusted. The reader skips damaged places and notes them in `damage`. It finds a damaged payload only when it reads
 * the events, so look at `damage` after that too.
 *
 * All returned objects live until reader_close(). Each distinct call of a process exists once: compare pointers, or keep results in an
 * array by `id`. Iterators of different processes may run in different threads. After reader_read_through() those of one process may too. */
#ifndef TARRY_TRACE_READER_H
#define TARRY_TRACE_READER_H

#include "base/array.h"
#include "base/map.h"
#include "base/status.h"
#include "trace/encode.h"
#include "trace/format.h"
#include "trace/intern.h"
#include "trace/node_part.h"
#include "trace/records.h"

#include <pthread.h>
#include <stdbool.h>

/* A file that holds chunks: the trace, or a node's part of it. */
struct part {
	const char *path;
	const uint8_t *bytes;
	size_t size;
	bool is_part; /* false for a whole trace */
	const struct part_header
		*header;     /* of a part; NULL: it begins with a chunk, so all chunks are of one process */
	size_t touched;      /* bytes that may be in memory since the last release */
	size_t last_touched; /* one above the number of the block that was read last */
	int file;            /* for short reads without the pages around them; -1: not kept open */
};

/* The common part of the chunks of a group. */
struct chunk_shape {
	const uint8_t *table; /* records that precede those of the chunk */
	uint32_t table_length;
	uint32_t order_count;
	/* The calls of events that no earlier event predicts. */
	const struct ordered_call {
		uint32_t event; /* its number in the chunk */
		uint32_t call;
	} * order;
};

struct chunk {
	struct part *part;
	uint64_t offset; /* of its header in the part, or of its group's */
	struct chunk_identity identity;
	uint64_t base_tick;
	const uint8_t *payload;
	uint32_t length; /* bytes that can be read */
	uint32_t events; /* of a sealed chunk */
	bool sealed;     /* with a valid checksum */
	uint8_t version;
	/* Damage and LOSS records in these payload bytes are noted already. In a process's own chunk: bytes that were read. */
	uint32_t noted;
	/* Of an open chunk: 1 + the number of the call that the thread was in, or enum open_call_code. */
	uint32_t open_call;
	uint32_t after_payload; /* bytes that may describe that call */
	uint64_t open_start;
	uint64_t file_order;             /* among all chunks */
	const struct chunk_shape *shape; /* NULL: it has all its records itself */
	/* Ids of the calls that it defines, in their order: found by the first reading, for the others. */
	const uint32_t *call_ids;
	uint32_t call_id_count;
	struct decoded_chunk *decoded; /* decoded.h; NULL: not kept */
};

/* Something that could not be read, and how many bytes were skipped. */
struct damage {
	const char *path;
	uint64_t offset;
	uint64_t bytes;
	const char *text; /* a sentence with the place in it */
};

/* The common part of distinct calls in processes of the same program: everything except partners and sizes. Each outline exists once in
 * a trace. */
struct outline {
	uint32_t number;  /* from 0 within the trace */
	uint32_t size;    /* of the rest in bytes */
	const char *name; /* interned */
	uint64_t offset;
	uint32_t module; /* of the return address; see find_module() */
	uint32_t has_site : 1;
	uint32_t field_count : 31;
	struct outline_field {
		uint32_t key;
		uint32_t is_own; /* `value` is an index in call.own */
		int64_t value;
	} fields[];
};

/* A distinct call of a process. A trace of many processes has millions of them. */
struct call {
	uint32_t id;   /* from 0 within the process */
	uint32_t size; /* of the rest in bytes */
	const struct outline *outline;
	int32_t own[];
};

/* The distinct calls of a process, by their ids. */
struct call_table {
	const struct call **items; /* followed by one hash byte for each */
	uint32_t first_id;
	uint32_t count, room;
	uint32_t *slots; /* 1 + id, or 0; NULL if there are few calls */
	uint32_t slot_count;
};

struct site {
	uint64_t offset;
	uint32_t module;
};

/* The call stack of a call: the call site of the calling function, then of its caller, and so on. The paths of a process are a tree;
 * equal paths have the same pointer. */
struct path {
	uint64_t id;               /* from 0 within the process */
	const struct path *caller; /* NULL: the outermost known one */
	uint64_t module;
	uint64_t offset;
	uint64_t depth; /* number of sites from here outwards */
};

struct event {
	uint64_t start; /* ticks of the process's clock */
	uint64_t end;
	const struct call *call;
	uint64_t polls; /* number of calls without a completion in this event; 0: not a series */
	uint64_t busy;  /* ticks of these calls inside MPI */
	uint32_t id;    /* of the call: saves an access to the call */
	/* Known scheduling delay in microseconds: the thread was ready to run but had no processor. */
	uint32_t delay_before; /* since the previous event */
	uint32_t delay_inside;
	uint32_t
		blocked_before; /* microseconds since the previous event in which it was known to be blocked in the kernel */
	uint32_t tool_before; /* microseconds that the recorder itself used since the previous event */
};

/* Calls that were not recorded. */
struct skipped_calls {
	uint64_t tick; /* they began between the previous event and this time */
	uint64_t count;
	const struct call *call;
};

/* Calls without events: the trace has only their sums. */
struct summed_calls {
	const struct call *call; /* of its sizes, the trace has the next lower power of two */
	struct call_sums sums;
};

/* The call that a thread was in at the end of the trace: the process was killed, or hangs. Results of the call, such as the received
 * bytes, are missing or those of the previous such call: see open_call_knows(). */
struct open_call {
	const struct call *call; /* NULL: none */
	uint64_t start;          /* ticks of the process's clock */
};

/* One record of a process: the `index`th of its kind, or its bytes. */
struct process_record {
	const uint8_t *body;
	uint32_t size;
	uint32_t index;
	uint8_t kind;
	bool understood;
};

struct record_iter {
	size_t chunk;
	uint32_t place, table_place; /* in its payload, and in the table that it shares */
	uint32_t counts[KIND_MASK + 1];
};

struct stream {
	struct process *process;
	uint32_t number;
	struct thread_info thread; /* of its first chunk */
	struct chunk *chunks;
	size_t chunk_count;
	struct event_loss *losses; /* of the events read so far */
	size_t loss_count;
	struct pause *pauses; /* likewise, in their order */
	size_t pause_count;
	struct summed_calls *summed; /* likewise */
	size_t summed_count;
	bool has_overhead;     /* likewise: it has OVERHEAD records */
	bool has_delays;       /* likewise: one of them has a scheduling delay */
	struct open_call open; /* valid after all events were read */
	/* Definitions of the last chunk that was read. Other chunks have about as many. */
	uint32_t call_count, name_count, site_count;
};

struct process {
	struct reader *reader;
	uint64_t world;
	uint32_t rank; /* PROCESS_UNKNOWN */
	bool has_size;
	uint64_t size; /* of the world */
	uint64_t run;

	struct stream *streams; /* by number */
	size_t stream_count;
	struct chunk *chunks; /* without a stream */
	size_t chunk_count;

	struct property *properties;
	size_t property_count;
	struct clock *clocks;
	size_t clock_count;
	struct module *modules;
	size_t module_count;
	struct comm *comms;
	size_t comm_count;
	struct map comm_numbers; /* by identity: the first one, after the first few of all */
	struct object *objects;
	size_t object_count;
	struct eager *eagers;
	size_t eager_count;
	struct file_record *files; /* used by the process, with --io */
	size_t file_count;
	struct access_record *accesses;
	size_t access_count;
	struct clock_comparison *comparisons;
	size_t comparison_count;
	struct stamp *stamps;
	size_t stamp_count;
	struct event_loss *losses; /* of the whole process */
	size_t loss_count;

	struct arena arena;
	struct call_table calls;
	uint64_t
		*call_counts; /* calls of each id, polls one by one; NULL: its events were not read through */
	struct call_table started; /* see call_started() */
	struct interner path_ids;
	const struct path **paths; /* by id */
};

/* One of `count` equal parts of the bytes of a trace; a count of 0: all of them. */
struct byte_share {
	uint32_t own, count;
};

struct reader {
	const char *path;
	struct byte_share share; /* whose checksums are compared */
	bool is_parts;           /* the job still runs, or was killed */
	uint64_t world;          /* that is read; 0: all */
	int64_t seen_ns; /* its processes were alive at this time since 1970; 0: unknown, or they had ended */
	struct part *parts;
	size_t part_count;
	uint64_t bytes;       /* of the files */
	uint64_t used_bytes;  /* of the chunks, without unused room */
	struct chunk *chunks; /* ordered by world, process, stream (STREAM_PROCESS first), sequence */
	size_t chunk_count, chunk_room;
	struct process *processes; /* worlds in file order, then by rank */
	size_t process_count;
	struct damage *damage;
	size_t damage_count;
	bool is_read_through; /* iterators change nothing any more */
	bool keeps_decoded; /* for callers that read events several times: reader_read_through() and reader_read_part() keep decoded chunks */
	int64_t decoded_room; /* bytes for them; 0: none are kept now */
	size_t window;        /* bytes of a stream that are copied at a time; 0: read from the mapping */
	const char *notes;    /* of the recorder, in a parts folder: one sentence per line; or NULL */

	pthread_mutex_t lock; /* of damage and of the following fields */
	struct arena arena;
	struct interner texts; /* names of calls and other texts, mostly the same in all processes */
	struct interner outlines, started_outlines;
	struct map_index site_index;
	ARRAY(struct site) sites;
};

/* `path` is NAME.tarry or the folder NAME.tarry.parts. Without NAME.tarry, its folder is read. */
enum status reader_open(const char *path, struct reader **reader) MUST_CHECK;
/* The same for one of several processes that open a trace together: each compares only the checksums of its share. A trace is undamaged
 * if all of them open it without damage. Otherwise reader_open() describes the damage. */
enum status reader_open_share(const char *path, struct byte_share share, struct reader **reader) MUST_CHECK;
/* Opens the parts in a folder together with a trace of other parts of the same job, which may be NULL. */
enum status reader_open_parts(const char *folder, const char *trace, struct reader **reader) MUST_CHECK;
/* Opens the chunks of one world in a folder of parts. */
enum status reader_open_world(const char *folder, uint64_t world, struct reader **reader) MUST_CHECK;
void reader_close(struct reader *reader);
/* Reads all events once, in up to `jobs` threads: all distinct calls, how often each was made, losses and damage are known then. Does nothing the second time. */
void reader_read_through(struct reader *reader, unsigned jobs);
/* The same for the processes from `first` to before `end`: of the others nothing more is known. */
void reader_read_part(struct reader *reader, size_t first, size_t end);

struct event_iter {
	struct reader *reader;
	struct stream *stream;
	struct chunk *chunk; /* being read */
	size_t next_chunk;
	/* position */
	const uint8_t *at;
	const uint8_t *end;
	const uint8_t *rest; /* of the chunk, after `end` */
	uint8_t *window;
	uint32_t last;
	uint64_t last_end;
	uint64_t polls;
	uint64_t busy;
	uint32_t delay_before, delay_inside, blocked_before;
	uint64_t tool_ns;      /* since the last event, also across chunks */
	uint32_t events;       /* in this chunk */
	uint32_t damaged;      /* bytes at the end of this chunk that were skipped */
	uint32_t order_at;     /* in the chunk's shape */
	uint32_t next_ordered; /* the event that it is for; UINT32_MAX: none */
	bool looked_for_open;  /* the open call of this chunk was read */
	struct open_call open;
	bool follows; /* the chunk may grow: reading stops at its end, and continues when its `length` has grown (follow.h) */
	bool is_interrupted; /* the part of the stream that was read has losses, pauses or skipped calls */
	/* The skipped calls before the last events. The caller sets `keeps_skipped`, and resets the count when it has taken them. */
	bool keeps_skipped;
	uint32_t skipped_count, skipped_room;
	struct skipped_calls *skipped;
	struct decoded_chunk *recorded; /* of this chunk, by the first reading; NULL: nothing is kept */
	/* This chunk, if it was kept, and the next event and stop of it. NULL: its payload is decoded. */
	const struct decoded_chunk *decoded;
	uint32_t decoded_at, stop_at;
	/* definitions of this chunk */
	struct defined {
		uint32_t id;        /* of the call */
		uint32_t successor; /* the call that followed it the last time */
	} * calls;
	const char **names;
	uint32_t *sites; /* numbers in the reader */
	const struct path **paths;
	uint32_t call_count, name_count, site_count, path_count;
	uint32_t call_room, name_room, site_room, path_room;
};

/* A record of a thread that `tarry dump` prints. */
struct item {
	uint8_t kind; /* ITEM_EVENT; RECORD_LOSS, PAUSE, OVERHEAD, SKIPPED, SUMMED, OPEN or THREAD; or an unknown kind */
	struct event event;
	union any_record record; /* LOSS, PAUSE, OVERHEAD, THREAD */
	struct open_call open;
	struct skipped_calls skipped;
	struct summed_calls summed;
	const uint8_t *body; /* until the next item */
	size_t size;
};

/* Not a kind of a long record. */
enum { ITEM_EVENT = KIND_MASK + 1 };

void reader_events(struct reader *reader, struct stream *stream, struct event_iter *iter);
/* At the end releases the iterator and returns false. */
bool reader_next(struct event_iter *iter, struct event *event);
/* The next events up to another record, at least one and at most `most`. At the end releases the iterator and returns 0. */
uint32_t reader_next_many(struct event_iter *iter, struct event *events, uint32_t most);
/* The same for all records that `tarry dump` prints. */
bool reader_next_item(struct event_iter *iter, struct item *item);
/* Bytes of the chunk's payload that were read. */
static inline uint32_t event_iter_place(const struct event_iter *iter)
{
	return (uint32_t)(iter->rest - iter->chunk->payload - (iter->end - iter->at));
}

/* The call of this CALL or LIKE record, without defining it. NULL: the record is damaged. Only for an iterator that `follows`. */
const struct call *reader_describe_call(struct event_iter *iter, const uint8_t *record, size_t size);

/* Only for a loop that ends early. */
void event_iter_release(struct event_iter *iter);

static inline uint32_t field_count(const struct call *call)
{
	return call->outline->field_count;
}

static inline uint32_t field_key_at(const struct call *call, uint32_t at)
{
	return call->outline->fields[at].key;
}

static inline int64_t field_value_at(const struct call *call, uint32_t at)
{
	const struct outline_field *field = &call->outline->fields[at];

	return field->is_own ? call->own[field->value] : field->value;
}

/* Values of the form `name`: see field_text(); `path`: see call_path(). */
static inline struct field field_at(const struct call *call, uint32_t at)
{
	return (struct field){field_key_at(call, at), field_value_at(call, at)};
}

/* The first field with this key; false: none. */
static inline bool call_field(const struct call *call, enum field_key key, int64_t *value)
{
	for (uint32_t i = 0; i < field_count(call); i++) {
		if (field_key_at(call, i) == key) {
			*value = field_value_at(call, i);
			return true;
		}
	}
	return false;
}

static inline int64_t field_or(const struct call *call, enum field_key key, int64_t otherwise)
{
	int64_t value;

	return call_field(call, key, &value) ? value : otherwise;
}

/* Of a field of the form `name`: its value is the address of the text. */
static inline const char *field_text(struct field field)
{
	return (const char *)(uintptr_t)field.value;
}

/* The text of a field of the form `name`; NULL if the call has none. */
const char *call_text(const struct call *call, enum field_key key);

/* Whether the field was known when the call began. Other fields of an open call are not valid. */
bool open_call_knows(uint32_t key);

/* Whether a call of this function was read so far. */
bool process_calls(const struct process *process, const char *name);

/* `prepared` made a persistent request and `start` begins it. Returns the same call each time: it has the function and place of `start`
 * and all other fields of `prepared`. No event has it, and its `id` is greater than those of all events. */
const struct call *call_started(struct process *process, const struct call *prepared,
                                const struct call *start);
/* The call that first opened a file: no event in the trace refers to it. */
const struct call *call_that_opened(struct process *process, const struct file_record *file);
/* The `prepared` of a call from call_started(); NULL for all other calls. */
const struct call *call_prepared(const struct process *process, const struct call *call);

/* The call stack of a call. NULL: not recorded, or the calling function has no caller. */
const struct path *call_path(const struct process *process, const struct call *call);

/* The next record in the order of the trace. `iter` is zero at first. */
bool process_next_record(const struct process *process, struct record_iter *iter,
                         struct process_record *record);

/* The record with this index of its kind. MODULE and SOURCE share one numbering. */
const void *process_record_at(const struct process *process, uint8_t kind, size_t index);

/* The first value of a property; NULL: none. */
const char *process_property(const struct process *process, const char *key);
const struct module *find_module(const struct process *process, uint64_t number);
const struct comm *find_comm(const struct process *process, uint64_t identity);
/* NULL: the process does not have this thread. */
struct stream *find_stream(const struct process *process, uint32_t number);
struct process *find_process(const struct reader *reader, uint64_t world, uint32_t rank);

#endif
