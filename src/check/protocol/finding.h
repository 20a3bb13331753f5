/* A self-contained finding of the checker: the check, the calls involved, and values for its texts. Agents
 * report errors visible in one process, analysers errors that involve several. Both have the same format on
 * the way to the analyser that writes the log, from which `tarry check` reads them.
 *
 *	struct message_writer out = {0};
 *	finding_put(&out, &finding);
 *	...
 *	struct check_finding *finding = finding_take(&cursor);     NULL: it is damaged
 *	finding_free(finding);
 *
 * This is used in the user's job, so it never ends the process when memory is exhausted: a writer that could
 * not grow stays `failed`. */
#ifndef TARRY_CHECK_PROTOCOL_FINDING_H
#define TARRY_CHECK_PROTOCOL_FINDING_H

#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	FINDING_CALLS_MAX = 256,
	FINDING_WAITS_MAX = 1024,
	FINDING_STACK_MAX = 64,
	FINDING_VALUES_MAX = 32,
	FINDING_TEXT_MAX = 4096
};

/* The place of a call: an offset in a loaded file, or a known source line (Python). */
struct check_place {
	const char *module;   /* path of the file; for a known line, the source file */
	const char *build_id; /* hexadecimal; "": none */
	uint64_t offset;      /* of the return address in the file */
	uint32_t line;        /* 0: found by module and offset */
};

/* A call of the program, as shown in a finding. */
struct check_call {
	uint64_t world;
	uint32_t rank;         /* in its MPI_COMM_WORLD; UINT32_MAX: before MPI_Init */
	uint32_t function;     /* enum call_id */
	const char *note;      /* its role in the finding, one of NOTE_…; never NULL */
	const char *arguments; /* "count = 10, datatype = MPI_INT, dest = 1"; never NULL */
	uint32_t stack_count;
	struct check_place *stack; /* innermost first: the place of the call itself */
};

struct check_value {
	const char *name, *text;
};

/* In a deadlock: the process of call `from` waits for that of call `to`; both are positions in `calls`. */
struct check_wait {
	uint32_t from, to;
	bool is_one_of;  /* any one of the waits of `from` is enough; otherwise all are needed */
	const char *why; /* one of WAIT_… */
};

struct check_finding {
	uint32_t check; /* enum check */
	uint64_t times; /* how often it was found */
	uint32_t call_count, value_count, wait_count;
	struct check_call *calls;
	struct check_value *values;
	struct check_wait *waits;
};

/* The role of a call in the finding. */
#define NOTE_HERE ""           /* the wrong call */
#define NOTE_CREATED "created" /* created the object */
#define NOTE_FREED "freed"     /* freed the object */
#define NOTE_SENT "sent"
#define NOTE_RECEIVED "received"
#define NOTE_OTHER "other"     /* call of another process */
#define NOTE_EARLIER "earlier" /* an earlier conflicting call of the same process */
#define NOTE_WAITS "waits"     /* it does not return: a process of a deadlock */
#define NOTE_BEHIND "behind"   /* it does not return because it waits for one of those */
#define NOTE_ENDED "ended"     /* the process has finalized, or is in MPI_Finalize: another waits for it */
#define NOTE_LATE "late"       /* in a hang: awaited by others */
#define NOTE_RUNS \
	"runs" /* in a hang: outside MPI, or in a call that does not wait; `stack` is its position */
#define NOTE_BEGAN "began" /* of a wait: the call that began the awaited operation */
/* Not a call, but where the program used memory that was not its own at that time:
 * `function` has no meaning. */
#define NOTE_READ "read"
#define NOTE_WRITTEN "written"
/* The same, where it freed memory. */
#define NOTE_RELEASED "released"
/* The same, where it started a thread. */
#define NOTE_STARTED "started"
/* The same, where a signal ended the process. */
#define NOTE_CRASHED "crashed"

/* The value `cause` of end.crash, if a user or a batch system ended the process; a word of mpi.checks. */
#define CAUSE_FROM_OUTSIDE "a signal from outside ended it"

/* The event that a process waits for. */
#define WAIT_MESSAGE "message"       /* sent by the other process */
#define WAIT_RECEIVE "receive"       /* by the other process */
#define WAIT_COLLECTIVE "collective" /* the same function in the other process */
#define WAIT_MATCH "match"           /* a matching call of the other process */
#define WAIT_EXPOSURE "exposure"     /* MPI_Win_post of the other process */
#define WAIT_ACCESS "access"         /* MPI_Win_complete of the other process */
#define WAIT_LOCK "lock"             /* unlock by the other process */

/* A growing byte buffer. */
struct message_writer {
	uint8_t *bytes;
	size_t size, room;
	bool failed;
};

void writer_release(struct message_writer *out);
void put_number(struct message_writer *out, uint64_t value);
void put_integer(struct message_writer *out, int64_t value); /* zigzag */
void put_word(struct message_writer *out, uint64_t value);   /* 8 bytes */
void put_text(struct message_writer *out, const char *text); /* length, bytes; cut at FINDING_TEXT_MAX */
void put_raw(struct message_writer *out, const void *bytes, size_t size);

/* Reads a written finding. NULL: none. */
static inline struct cursor writer_cursor(const struct message_writer *out)
{
	return out ? (struct cursor){.at = out->bytes, .end = out->bytes + out->size} : (struct cursor){0};
}

/* The unread bytes of a cursor, to be written again. They belong to the cursor. */
static inline struct message_writer cursor_rest(const struct cursor *in)
{
	return (struct message_writer){.bytes = (uint8_t *)in->at, .size = cursor_left(in)};
}

/* In addition to those of base/bytes.h. Lack of memory makes a cursor bad, like damage. */
char *take_text(struct cursor *in); /* a copy on the heap; NULL: bad */
uint32_t take_u32(struct cursor *in);
int32_t take_i32(struct cursor *in);
/* A number of following items: bad if there are more than `most`, or more than the rest can contain. */
uint32_t take_count(struct cursor *in, uint64_t most);
void *take_memory(struct cursor *in, size_t count, size_t size); /* zeroed; NULL: bad */

/* The fields of a struct in the order in which they are put and taken. */
enum wire_kind {
	WIRE_END,
	WIRE_U32,
	WIRE_I32,     /* zigzag */
	WIRE_NUMBER,  /* uint64_t as a varint */
	WIRE_INTEGER, /* int64_t, zigzag */
	WIRE_WORD,    /* uint64_t in 8 bytes */
	WIRE_TEXT,
	WIRE_FLAGS, /* `most` consecutive members of type bool: bits of a number */
	WIRE_STRUCT,
	WIRE_LIST, /* a count and that many structs */
};

struct wire_field {
	enum wire_kind kind;
	uint16_t at, count_at; /* offsets of the field, and of the count of a list */
	uint32_t most, size;   /* maximum number of items, and the size of one */
	const struct wire_field *items;
};

#define FIELD(kind, type, name) \
	{ \
		WIRE_##kind, offsetof(struct type, name), 0, 1, 0, NULL \
	}
#define FIELD_FLAGS(type, name, count) \
	{ \
		WIRE_FLAGS, offsetof(struct type, name), 0, count, 0, NULL \
	}
#define FIELD_STRUCT(type, name, fields) \
	{ \
		WIRE_STRUCT, offsetof(struct type, name), 0, 1, 0, fields \
	}
#define FIELD_LIST(type, name, count, most, fields) \
	{ \
		WIRE_LIST, offsetof(struct type, name), offsetof(struct type, count), most, \
			sizeof *((struct type *)0)->name, fields \
	}
#define FIELDS_END \
	{ \
		WIRE_END, 0, 0, 0, 0, NULL \
	}

void fields_put(struct message_writer *out, const struct wire_field *fields, const void *object);
/* Into a zeroed object, which must be released even if something is bad (false). */
bool fields_take(struct cursor *in, const struct wire_field *fields, void *object);
/* Frees texts and lists. */
void fields_release(const struct wire_field *fields, void *object);

extern const struct wire_field call_fields[];
void call_put(struct message_writer *out, const struct check_call *call);
bool call_take(struct cursor *in, struct check_call *call);
void call_release(struct check_call *call);
bool call_copy(struct check_call *to, const struct check_call *from);

void finding_put(struct message_writer *out, const struct check_finding *finding);
struct check_finding *finding_take(struct cursor *in);
void finding_free(struct check_finding *finding);

/* Equal except for `times`, ranks, worlds and values: the same error, to be merged. */
uint64_t finding_identity(const struct check_finding *finding);

#endif
