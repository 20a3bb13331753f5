/* Events that a process has not sent yet, in memory that outlives it: a mapped file without a name (memfd) that the agent makes
 * and gives to the analyser of its node (SCM_RIGHTS with HELLO, over the Unix socket). As long as the process lives, the analyser does not look at
 * it. When the process vanishes, the analyser reads the unsent events and handles them as if they had been sent.
 *
 * The calling threads write definitions (frames COMM, TYPE and CALL) and then words that
 * name them; the service thread sends both and moves `tail` when the sockets have taken all up to there. All that stands before
 * `head` and `frame_bytes` is complete: both are stored with release, last. Before numbers start again (FORGET) the ring is sent to its end.
 *
 * The analyser trusts nothing in it: positions are bounded by the sizes here, frames are read like those of a connection. */
#ifndef TARRY_CHECK_PROTOCOL_UNSENT_RING_H
#define TARRY_CHECK_PROTOCOL_UNSENT_RING_H

#include <stdint.h>

enum {
	UNSENT_WORDS = 1 << 16,       /* of the ring; a power of two */
	UNSENT_FRAME_BYTES = 8 << 20, /* of definitions; pages that nobody touches take no memory */
	CRASH_BYTES = 1 << 16,
};

#define UNSENT_MAGIC UINT64_C(0x31746e7672726174)

/* In the lowest bits of a word; the others are a number, mostly that of a call. Each is an event: enum event_change. */
enum unsent_kind {
	UNSENT_EVENT = 0,
	UNSENT_EVENT_WITH = 1, /* UNSENT_EVENT of a send with CHECK_CALL_CONTENT; a word follows: hash */
	UNSENT_RECEIVES = 2,   /* a word follows: distance */
	UNSENT_REJECTED = 3,
	UNSENT_TAKES = 4, /* of a distance; a word follows: rank << 32 | tag */
	UNSENT_WAITS = 5, /* a word follows: how many; then distances, two in a word, the lower half first */
	UNSENT_COMPLETES = 6, /* of how many; then distances, two in a word */
	UNSENT_DROPS = 7,     /* of distance << 1 | 1 if it never happened */
	UNSENT_THREAD = 8,    /* of a thread */
	UNSENT_WINDOW = 9,    /* a word follows: the first byte */
	UNSENT_COMM = 10,     /* of a place in `frames`: a communicator came into being */
	UNSENT_ENDS = 11,    /* a word follows: identity of the communicator, window or file that was freed */
	UNSENT_CONTENT = 12, /* three words follow: distance or number, bytes, hash */
	UNSENT_LEFT = 13,    /* of a thread */
	UNSENT_KIND_BITS = 4,
};

/* The last signal that may have ended the process. It did, if no event came after it. */
struct unsent_crash {
	uint64_t bytes;               /* of `content`; 0: none. Stored last */
	uint64_t head;                /* of the ring, when it came */
	uint8_t content[CRASH_BYTES]; /* its name as text; a call with NOTE_CRASHED */
};

struct unsent_ring {
	uint64_t magic;
	uint64_t frame_bytes;  /* of definitions that are there */
	uint64_t current_call; /* number of the last call << 1 | 1 if the process is in it; 0: none */
	uint64_t head __attribute__((aligned(64))); /* positions count on for ever */
	uint64_t tail __attribute__((aligned(64)));
	uint64_t words[UNSENT_WORDS] __attribute__((aligned(64)));
	uint8_t frames[UNSENT_FRAME_BYTES];
	struct unsent_crash crash;
};

#endif
