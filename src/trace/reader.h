/* Reading a trace: what ran, and the events of each thread in order.
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
 * Nothing in a file is trusted. What cannot be understood is skipped and noted in `damage`; what comes before and
 * after it is read. A damaged payload is found when its events are read, so look at `damage` after that too.
 *
 * Everything that a reader hands out lives until reader_close(). A process's distinct calls exist once:
 * compare pointers, or keep answers in an array by `id`. Iterators of different processes may run in
 * different threads, apart from damage, which takes a lock. */
#ifndef TARRY_TRACE_READER_H
#define TARRY_TRACE_READER_H

#include "base/array.h"
#include "base/map.h"
#include "base/status.h"
#include "trace/encode.h"
#include "trace/format.h"
#include "trace/intern.h"
#include "trace/records.h"

#include <pthread.h>
#include <stdbool.h>

/* A file that holds chunks: the trace, or a process's part of it. */
struct part {
	const char *path;
	const uint8_t *bytes;
	size_t size;
	bool of_one_process; /* as all are but a whole trace */
	size_t touched;      /* bytes that may be in memory since the last release */
	int file;            /* to read a little of it without mapping what is around; -1: not kept open */
};

struct chunk {
	struct part *part;
	uint64_t offset; /* of its header in the part */
	struct chunk_identity identity;
	uint64_t base_tick;
	const uint8_t *payload;
	uint32_t length; /* bytes that can be read */
	uint32_t events; /* of a sealed chunk */
	bool sealed;     /* and the checksum is right */
	uint8_t version;
	/* Payload bytes whose damage and LOSS records are noted already; of no stream: bytes that are understood. */
	uint32_t noted;
	/* Of a chunk that was still open: the call that the thread was in, one above its number (enum open_call_code). */
	uint32_t open_call;
	uint32_t behind; /* bytes that follow the payload and may describe it */
	uint64_t open_start;
	uint64_t file_order; /* among all chunks */
};

/* Something that could not be read, and how many bytes were skipped. */
struct damage {
	const char *path;
	uint64_t offset;
	uint64_t bytes;
	const char *text; /* a sentence with the place in it */
};

/* What distinct calls of processes that run the same program have in common: all but whom they have to do with, and how
 * much is moved. Each exists once in a trace. */
struct outline {
	uint32_t number;  /* from 0 within the trace */
	uint32_t size;    /* of what follows */
	const char *name; /* the same for the same name */
	uint64_t offset;
	uint32_t module; /* of the return address; see find_module() */
	uint32_t has_site : 1;
	uint32_t field_count : 31;
	struct outline_field {
		uint32_t key;
		uint32_t is_own; /* `value` is a place in the call's own values */
		int64_t value;
	} fields[];
};

/* A distinct call of a process. A trace of many processes has millions of them: nothing in it may be wasted. */
struct call {
	uint32_t id;   /* from 0 within the process */
	uint32_t size; /* of what follows */
	const struct outline *outline;
	int32_t own[];
};

/* The distinct calls of a process, by their ids. */
struct call_table {
	const struct call **items; /* followed by a byte of the hash of each */
	uint32_t count, room;
	uint32_t *slots; /* one above the id, 0: none; NULL as long as the calls are few */
	uint32_t slot_count;
};

struct site {
	uint64_t offset;
	uint32_t module;
};

/* The way to a call: where the function was called that made it, then where that one was. Paths of a process that
 * begin in the same way share that part: they are a tree, and equal ones are the same. */
struct path {
	uint64_t id;               /* from 0 within the process */
	const struct path *caller; /* NULL: the outermost that is known */
	uint64_t module;
	uint64_t offset;
	uint64_t depth; /* of the sites from here outwards */
};

struct event {
	uint64_t start; /* ticks of the process's clock */
	uint64_t end;
	const struct call *call;
	uint64_t polls; /* 0, or the number of consecutive calls without a completion that are this event */
	uint64_t busy;  /* ticks of them inside MPI */
	uint32_t id;    /* of the call: who keeps answers by it need not look at the call */
	/* Scheduling delay in microseconds, as far as it is known: the thread was ready to run and had no processor. */
	uint32_t delay_before; /* since the event before */
	uint32_t delay_inside;
	uint32_t
		tool_before; /* microseconds since the event before in which the recorder itself was at work */
};

/* Calls that were made here but not recorded. */
struct skipped_calls {
	uint64_t tick; /* they began before that, and after the event before */
	uint64_t count;
	const struct call *call;
};

/* The call that a thread was in when the trace ends: the process was killed, or hangs. Fields that a call only has when it is
 * over (what was received, which requests are done, ...) are a guess from the last time, or missing: see open_call_knows(). */
struct open_call {
	const struct call *call; /* NULL: it was in none */
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
	uint32_t place; /* in its payload */
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
	bool has_overhead;     /* likewise: there are OVERHEAD records */
	bool has_delays;       /* likewise: one of them has a scheduling delay */
	struct open_call open; /* once all its events were read */
	/* What the chunk that was left last defined: others will hardly define more. */
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
	struct chunk *chunks; /* of no stream */
	size_t chunk_count;

	struct property *properties;
	size_t property_count;
	struct clock *clocks;
	size_t clock_count;
	struct module *modules;
	size_t module_count;
	struct comm *comms;
	size_t comm_count;
	struct map comm_numbers; /* by identity: the first of it */
	struct object *objects;
	size_t object_count;
	struct eager *eagers;
	size_t eager_count;
	struct clock_comparison *comparisons;
	size_t comparison_count;
	struct stamp *stamps;
	size_t stamp_count;
	struct event_loss *losses; /* of the whole process */
	size_t loss_count;

	struct arena arena;
	struct call_table calls;
	struct interner path_ids;
	const struct path **paths; /* by id */
};

struct reader {
	const char *path;
	bool is_parts; /* the job still runs, or was killed */
	int64_t seen_ns; /* when its processes were seen alive, since 1970; 0: nobody looked, or they had ended */
	struct part *parts;
	size_t part_count;
	uint64_t bytes;       /* of the files */
	uint64_t used_bytes;  /* of the chunks, without the room that open ones have left */
	struct chunk *chunks; /* ordered by world, process, stream, sequence; no stream comes first */
	size_t chunk_count, chunk_room;
	struct process *processes; /* worlds as they appear, then by rank */
	size_t process_count;
	struct damage *damage;
	size_t damage_count;
	size_t window; /* bytes of a stream that are copied at a time; 0: they are read where they are mapped */
	const char *notes; /* of a parts folder: what the recorder had to say, a sentence a line; or NULL */

	pthread_mutex_t lock; /* of what follows and of damage */
	struct arena arena;
	struct interner texts; /* names of calls and other texts: mostly all processes have the same */
	struct interner outlines;
	struct map_index site_index;
	ARRAY(struct site) sites;
};

/* `path` is NAME.tarry; when there is none but NAME.tarry.parts, that folder is read, as it is when it is named. */
enum status reader_open(const char *path, struct reader **reader) MUST_CHECK;
/* The parts in a folder together with a trace that was made of others of the same job; NULL: there is none. */
enum status reader_open_parts(const char *folder, const char *trace, struct reader **reader) MUST_CHECK;
void reader_close(struct reader *reader);

struct event_iter {
	struct reader *reader;
	struct stream *stream;
	struct chunk *chunk; /* being read */
	size_t next_chunk;
	/* position */
	const uint8_t *at;
	const uint8_t *end;
	const uint8_t *rest; /* of the chunk: what follows `end` */
	uint8_t *window;
	uint32_t last;
	uint64_t last_end;
	uint64_t polls;
	uint64_t busy;
	uint32_t delay_before, delay_inside;
	uint64_t tool_ns;   /* since the last event, also of a chunk before */
	uint32_t events;    /* in this chunk */
	bool looked_behind; /* for the open call of this chunk */
	struct open_call open;
	bool follows; /* the chunk may grow: at its end reading stops, and goes on when its `length` is more (follow.h) */
	bool is_interrupted; /* its stream has losses, pauses or skipped calls, as far as it was read */
	/* Of skipped calls, those that stand before the events that were read last; for whoever sets `keeps_skipped`, who takes them by
	 * making the count 0. */
	bool keeps_skipped;
	uint32_t skipped_count, skipped_room;
	struct skipped_calls *skipped;
	/* definitions of this chunk */
	struct defined {
		uint32_t id;        /* of the call */
		uint32_t successor; /* that followed it last */
	} * calls;
	const char **names;
	uint32_t *sites; /* numbers in the reader */
	const struct path **paths;
	uint32_t call_count, name_count, site_count, path_count;
	uint32_t call_room, name_room, site_room, path_room;
};

/* A record of a thread that `tarry dump` shows. */
struct item {
	uint8_t kind; /* ITEM_EVENT, RECORD_LOSS, RECORD_PAUSE, RECORD_OVERHEAD, RECORD_SKIPPED, RECORD_OPEN, RECORD_THREAD; or one that this reader does not know */
	struct event event;
	union any_record record; /* LOSS, PAUSE, OVERHEAD, THREAD */
	struct open_call open;
	struct skipped_calls skipped;
	const uint8_t *body; /* until the next item */
	size_t size;
};

/* No kind of a long record. */
enum { ITEM_EVENT = KIND_MASK + 1 };

void reader_events(struct reader *reader, struct stream *stream, struct event_iter *iter);
/* False at the end, where the iterator is released. */
bool reader_next(struct event_iter *iter, struct event *event);
/* The next ones up to a record that is no event, at least one and at most `most`. 0 at the end, where the iterator is
 * released. */
uint32_t reader_next_many(struct event_iter *iter, struct event *events, uint32_t most);
/* The same, with all other records that `tarry dump` shows. */
bool reader_next_item(struct event_iter *iter, struct item *item);
/* How much of the chunk's payload was read. */
static inline uint32_t event_iter_place(const struct event_iter *iter)
{
	return (uint32_t)(iter->rest - iter->chunk->payload - (iter->end - iter->at));
}

/* Of an iterator that follows: the call that this CALL or LIKE record describes, which is not defined by that. NULL: it cannot be
 * understood. */
const struct call *reader_describe_call(struct event_iter *iter, const uint8_t *record, size_t size);

/* Only for a loop that is left before its end. */
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

/* The first field with this key; false if the call has none. */
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

/* Of a field of the form `name`: its value is where the text is. */
static inline const char *field_text(struct field field)
{
	return (const char *)(uintptr_t)field.value;
}

/* The text of a field of the form `name`; NULL if the call has none. */
const char *call_text(const struct call *call, enum field_key key);

/* Whether the field was known when the call began: of an open call, nothing else is true. */
bool open_call_knows(uint32_t key);

/* Whether a function with this name is among the calls that were read so far. */
bool process_calls(const struct process *process, const char *name);

/* The call `prepared` made a persistent request, `start` begins it: a call with the function and place of `start` and all other fields of `prepared`,
 * the same each time. No event has it. */
const struct call *call_started(struct process *process, const struct call *prepared,
                                const struct call *start);
/* The call that prepared what this one starts, of a call from call_started(); NULL of all others. */
const struct call *call_prepared(const struct process *process, const struct call *call);

/* The way to a call; NULL: not recorded, or the function with its site was called by none. */
const struct path *call_path(const struct process *process, const struct call *call);

/* Goes through the records in the order of the trace; `iter` begins with zeros. */
bool process_next_record(const struct process *process, struct record_iter *iter,
                         struct process_record *record);

/* The `index`th of its kind; MODULE and SOURCE count together. */
const void *process_record_at(const struct process *process, uint8_t kind, size_t index);

/* The first value of a property; NULL if there is none. */
const char *process_property(const struct process *process, const char *key);
const struct module *find_module(const struct process *process, uint64_t number);
const struct comm *find_comm(const struct process *process, uint64_t identity);
/* A thread's. NULL: the process has no such thread. */
struct stream *find_stream(const struct process *process, uint32_t number);
struct process *find_process(const struct reader *reader, uint64_t world, uint32_t rank);

#endif
