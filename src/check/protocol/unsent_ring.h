/* Events that a process has not sent yet, in memory that outlives it: a mapped file without a name (memfd)
 * that the agent creates and passes to the analyser of its node (SCM_RIGHTS with HELLO, over the Unix
 * socket). While the process lives, the analyser does not read it. When the process vanishes, the analyser
 * reads the unsent events and handles them as if they had been sent.
 *
 * The calling threads write definitions (frames COMM, TYPE and CALL) and then words that refer to them; the
 * service thread sends both and moves `tail` when the sockets have accepted everything up to there.
 * Everything before `head` and `frame_bytes` is complete: both are stored last, with release. Before numbers
 * start again (FORGET) the ring is sent to its end.
 *
 * The analyser trusts nothing in it: positions are bounded by the sizes here, frames are read like
 * those of a connection. */
#ifndef TARRY_CHECK_PROTOCOL_UNSENT_RING_H
#define TARRY_CHECK_PROTOCOL_UNSENT_RING_H

#include <stdint.h>

enum {
	UNSENT_WORDS = 1 << 16,       /* of the ring; a power of two */
	UNSENT_FRAME_BYTES = 8 << 20, /* of definitions; untouched pages take no memory */
	CRASH_BYTES = 1 << 16,
};

#define UNSENT_MAGIC UINT64_C(0x31746e7672726174)

/* In the lowest bits of a word; the others are a number, usually that of a call. Each is an
 * event: enum event_change. */
enum unsent_kind {
	UNSENT_EVENT = 0,
	UNSENT_EVENT_WITH = 1, /* UNSENT_EVENT of a send with CHECK_CALL_CONTENT; a word follows: hash */
	UNSENT_RECEIVES = 2,   /* a word follows: distance */
	UNSENT_REJECTED = 3,
	UNSENT_TAKES = 4,     /* of a distance; a word follows: rank << 32 | tag */
	UNSENT_WAITS = 5,     /* a word follows: count; then distances, two in a word, the lower half first */
	UNSENT_COMPLETES = 6, /* of a count; then distances, two in a word */
	UNSENT_DROPS = 7,     /* of distance << 1 | 1 if it never happened */
	UNSENT_THREAD = 8,    /* of a thread */
	UNSENT_WINDOW = 9,    /* a word follows: the first byte */
	UNSENT_COMM = 10,     /* of a position in `frames`: a communicator was created */
	UNSENT_ENDS = 11,    /* a word follows: identity of the communicator, window or file that was freed */
	UNSENT_CONTENT = 12, /* three words follow: distance or number, bytes, hash */
	UNSENT_LEFT = 13,    /* of a thread */
	UNSENT_KIND_BITS = 4,
};

/* The last signal that may have ended the process. It did, if no event followed it. */
struct unsent_crash {
	uint64_t bytes;               /* of `content`; 0: none. Stored last */
	uint64_t head;                /* of the ring, at the signal */
	uint8_t content[CRASH_BYTES]; /* its name as text; a call with NOTE_CRASHED */
};

struct unsent_ring {
	uint64_t magic;
	uint64_t frame_bytes;  /* bytes of complete definitions */
	uint64_t current_call; /* number of the last call << 1 | 1 if the process is in it; 0: none */
	uint64_t head __attribute__((aligned(64))); /* positions never wrap */
	uint64_t tail __attribute__((aligned(64)));
	uint64_t words[UNSENT_WORDS] __attribute__((aligned(64)));
	uint8_t frames[UNSENT_FRAME_BYTES];
	struct unsent_crash crash;
};

#endif
