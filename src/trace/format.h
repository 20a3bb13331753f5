/* The trace format in C. docs/trace-format.md is normative; this header only gives its numbers names.
 *
 * A trace is a sequence of chunks, each of one process and mostly of one thread, each readable without
 * the others. A chunk is a header and a payload of records: events of one to a few bytes, and long
 * records, which carry their length so that a reader can skip those it does not know. */
#ifndef TARRY_TRACE_FORMAT_H
#define TARRY_TRACE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define CHUNK_MAGIC "TARRY\x1a"

enum {
	CHUNK_MAGIC_SIZE = 6,
	TRACE_VERSION = 3, /* of tables and groups */
	CHUNK_VERSION = 2, /* of all other chunks; 1 can be read: its predicted events have other heads */
	TRACE_TEXT_VERSION = 1,
	CHUNK_ALIGNMENT = 8,
};

/* The stream of chunks that describe the process. */
#define STREAM_PROCESS UINT32_MAX
/* A table of definitions or records that chunks of several processes share, and a group of such chunks. */
#define STREAM_TABLE (UINT32_MAX - 1)
#define STREAM_GROUP (UINT32_MAX - 2)
/* The rank of a process that ended before MPI_Init. */
#define PROCESS_UNKNOWN UINT32_MAX

/* Chunks begin at multiples of CHUNK_ALIGNMENT. */
static inline uint64_t chunk_align(uint64_t bytes)
{
	return (bytes + CHUNK_ALIGNMENT - 1) & ~(uint64_t)(CHUNK_ALIGNMENT - 1);
}

struct chunk_header {
	uint8_t magic[CHUNK_MAGIC_SIZE];
	uint8_t version;
	uint8_t reserved;
	uint64_t world;        /* which MPI_COMM_WORLD, a random number */
	uint32_t process;      /* rank in that world */
	uint32_t stream;       /* thread, numbered in order of first call; or STREAM_PROCESS */
	uint32_t sequence;     /* of chunks within the process */
	uint32_t capacity;     /* bytes from the payload's start to the next header */
	uint64_t base_tick;    /* the end of the last event of the previous chunk */
	uint32_t identity_crc; /* of everything above */

	/* The rest of the header changes while the chunk is open. Each record updates `length`, so that a killed process
	 * leaves a payload that ends with a whole record. Until the chunk is sealed, `events` and `open_start` describe the
	 * call that the thread is in. The store that adds a record also ends that call. */
	uint32_t sealed;
	union {
		struct {
			uint32_t length;
			uint32_t events; /* while open: enum open_call_code */
		};
		uint64_t progress; /* both */
	};
	union {
		struct {
			uint32_t payload_crc;
			uint32_t seal_crc; /* of the previous four words */
		};
		uint64_t open_start; /* while open: start of that call */
	};
};

/* The value of `events` in an open chunk: 1 + the number of the call that the thread is in; or one of these. */
enum open_call_code {
	OPEN_CALL_NONE = 0,
	OPEN_CALL_UNDEFINED = -1, /* the CALL or LIKE record of the call follows the payload */
};

_Static_assert(sizeof(struct chunk_header) == 64, "the header is one cache line");

/* The first byte of a record.
 *	000ggddd  a predicted event: its call also followed the previous call the last time
 *	20 to 6f  (hexadecimal) a predicted event: head - 0x20 is the upper bits of the duration and four bits of the gap, the next
 *	          byte is three bits of the gap and five bits of the duration
 *	70 to 7f  a predicted event: the lowest four bits and the next two bytes are 9 bits of gap and 11 bits of duration
 *	10ggdddd  an event; its call's number follows as a varint
 *	11kkkkkk  a long record of kind k; varint length, then as many bytes
 * g is the gap since the previous event's end, d is the duration, both in ticks. If a code is all ones, the rest follows as a
 * varint: first the gap's, then the duration's. Version 1 has 0gggdddd for all predicted events. */
enum {
	HEAD_SHORT = 0x20,
	HEAD_PACKED = 0x70,
	HEAD_EXPLICIT = 0x80,
	HEAD_LONG = 0xc0,
	KIND_MASK = 0x3f,
	GAP_REST = 3,
	GAP_SHIFT = 3,     /* of a predicted event */
	DURATION_REST = 7, /* and its duration */
	GAP_SHIFT_EXPLICIT = 4,
	DURATION_REST_EXPLICIT = 15,
	GAP_REST_1 = 7, /* of a predicted event in version 1; its duration is coded as in an explicit event */
	/* The smallest values that do not fit into two bytes, and into three. */
	SHORT_GAP = 128,
	SHORT_DURATION = 160,
	PACKED_GAP = 512,
	PACKED_BITS = 11,
	PACKED_DURATION = 1 << PACKED_BITS,
	/* The longest event: head, call, gap, duration. */
	EVENT_MAX = 1 + 3 * 10,
	/* The longest head and length of a long record. */
	LONG_HEAD_MAX = 1 + 10,
};

enum record_kind {
	/* definitions, numbered from 0 in the order of the chunk */
	RECORD_NAME = 1,
	RECORD_SITE = 2,
	RECORD_CALL = 3,
	/* other records between events */
	RECORD_TIME = 4,
	RECORD_POLLS = 5,
	RECORD_LOSS = 6,
	RECORD_THREAD = 7,
	RECORD_PATH = 8, /* a definition too */
	RECORD_PAUSE = 9,
	RECORD_DELAY = 10,
	RECORD_OVERHEAD = 11,
	RECORD_OPEN = 12,
	RECORD_SKIPPED = 13,
	RECORD_LIKE = 14, /* defines a call by its differences to another call */
	RECORD_SUMMED = 15,
	/* of the process */
	RECORD_WORLD = 16,
	RECORD_PROPERTY = 17,
	RECORD_CLOCK = 18,
	RECORD_MODULE = 19,
	RECORD_COMM = 20,
	RECORD_OBJECT = 21,
	RECORD_EAGER = 22,
	RECORD_COMPARE = 23,
	RECORD_SOURCE = 24,
	RECORD_STAMP = 25,
	RECORD_BASE = 26,
	RECORD_OWN = 27, /* in a table: a place of a chunk's own record */
	RECORD_FILE = 28,
	RECORD_ACCESS = 29,
	/* between events, as those from RECORD_TIME on */
	RECORD_BLOCKED = 30,
};

/* The fields of a distinct call: all of its data except times. FIELD(number, NAME, "text", form) with the forms
 *	integer   a number
 *	rank      a rank; RANK_ANY, RANK_NULL and RANK_ROOT are MPI's special ones
 *	identity  of a communicator, window, file or lock of UPC, the same on all processes
 *	name      the number of a NAME record of this chunk
 *	path      the number of a PATH record of this chunk
 *	real      the 64 bits of a double
 *	opens     a number that begins a group: the fields after it, up to the next such field, belong
 *	          to it (one group for each completed request) */
#define TRACE_FIELDS(FIELD) \
	FIELD(1, COMM, "comm", identity) \
	FIELD(2, PEER, "peer", rank) \
	FIELD(3, TAG, "tag", integer) \
	FIELD(4, SENT, "sent", integer) \
	FIELD(5, RECEIVED, "received", integer) \
	FIELD(6, ROOM, "room", integer) \
	FIELD(7, SIZE, "size", integer) \
	FIELD(8, ROOT, "root", rank) \
	FIELD(9, REQUEST, "request", integer) \
	FIELD(10, DONE, "done", opens) \
	FIELD(11, SOURCE, "source", rank) \
	FIELD(12, SOURCE_TAG, "source_tag", integer) \
	FIELD(13, CANCELLED, "cancelled", integer) \
	FIELD(14, WIN, "win", identity) \
	FIELD(15, TARGET, "target", rank) \
	FIELD(16, DISP, "disp", integer) \
	FIELD(17, EPOCH, "epoch", integer) \
	FIELD(18, LOCK, "lock", integer) \
	FIELD(19, ASSERT, "assert", integer) \
	FIELD(20, FILE, "file", identity) \
	FIELD(21, OFFSET, "offset", integer) \
	FIELD(22, RESULT, "result", integer) \
	FIELD(23, COUNT, "count", integer) \
	FIELD(24, FLAG, "flag", integer) \
	FIELD(25, NEWCOMM, "newcomm", identity) \
	FIELD(26, MEMBER, "member", rank) \
	FIELD(27, REGION, "region", name) \
	FIELD(28, PARTITION, "partition", integer) \
	FIELD(29, PARTITIONS, "partitions", integer) \
	FIELD(30, MESSAGE, "message", integer) \
	FIELD(31, LEVEL, "level", integer) \
	FIELD(32, COLOR, "color", integer) \
	FIELD(33, KEY, "key", integer) \
	FIELD(34, PORT, "port", name) \
	FIELD(35, OP, "op", integer) \
	FIELD(36, RECV_PEER, "recv_peer", rank) \
	FIELD(37, RECV_TAG, "recv_tag", integer) \
	FIELD(38, PERSISTENT, "persistent", integer) \
	FIELD(39, IN_PLACE, "in_place", integer) \
	FIELD(40, PROGRAM, "program", name) \
	FIELD(41, LEADER, "leader", rank) \
	FIELD(42, PATH, "path", path) \
	FIELD(43, PARAM, "param", name) \
	FIELD(44, VALUE, "value", integer) \
	FIELD(45, TEXT, "text", name) \
	FIELD(46, REAL, "real", real) \
	FIELD(47, SYNC, "sync", integer) \
	FIELD(48, MUTEX, "mutex", identity) \
	FIELD(49, BLOCK, "block", integer) \
	FIELD(50, THREAD, "thread", integer)

enum field_key {
#define FIELD(number, NAME, text, form) FIELD_##NAME = number,
	TRACE_FIELDS(FIELD)
#undef FIELD
		FIELD_KEYS,
};

/* Added to the key of a rank: the value is relative to the rank of the process. */
enum { FIELD_RELATIVE = 128 };

/* Most sites of a path. */
enum { PATH_DEPTH_MAX = 256 };

/* Special ranks, because MPI libraries number them differently. */
enum { RANK_ANY = -1, RANK_NULL = -2, RANK_ROOT = -3, TAG_ANY = -1 };

/* FIELD_LOCK */
enum { LOCK_SHARED = 1, LOCK_EXCLUSIVE = 2 };

/* FIELD_SYNC: one bit for the entry and one for the exit. */
enum {
	SYNC_IN_ALL = 1,
	SYNC_IN_MY = 2,
	SYNC_IN_NO = 4,
	SYNC_OUT_ALL = 8,
	SYNC_OUT_MY = 16,
	SYNC_OUT_NO = 32,
};

/* RECORD_COMM's kind */
enum {
	COMM_INTRA = 0,
	COMM_INTER = 1,
	COMM_CART = 2,
	COMM_GRAPH = 3,
	COMM_DIST_GRAPH = 4,
	COMM_UPC = 5,
	COMM_SHMEM = 6
};

/* RECORD_OBJECT's kind */
enum { RECORDED_WIN = 1, RECORDED_FILE = 2 };

#endif
