/* Events that a process has not sent yet, kept where its end cannot destroy them: a mapped file without a name (memfd) that the agent makes
 * and hands to the analyser of its node (SCM_RIGHTS with HELLO, over the Unix socket). As long as the process lives, the analyser does not look at
 * it. When the process vanishes, the analyser takes out what was not sent, and tells the analysers concerned on its behalf.
 *
 * The calling threads write definitions (frames COMM, TYPE and CALL, with numbers that are the same for all analysers) and then words that
 * name them; the service thread sends both and moves `tail` when the sockets have taken all up to there. All that stands before
 * `head` and `frame_bytes` is complete: both are stored with release, last. Before numbers start again (FORGET) the ring is sent to its end.
 *
 * The analyser trusts nothing in it: positions are bounded by the sizes here, frames are read like those of a connection. */
#ifndef TARRY_CHECK_PROTOCOL_KEPT_EVENTS_H
#define TARRY_CHECK_PROTOCOL_KEPT_EVENTS_H

#include <stdint.h>

enum {
	KEPT_WORDS = 1 << 16,       /* of the ring; a power of two */
	KEPT_FRAME_BYTES = 8 << 20, /* of definitions; pages that nobody touches take no memory */
};

#define KEPT_MAGIC UINT64_C(0x31746e7672726174)

/* In the lowest bits of a word; the others are a number, mostly that of a call. Each is an event: enum event_change. */
enum kept_kind {
	KEPT_EVENT = 0,
	KEPT_EVENT_WITH = 1, /* KEPT_EVENT of a send with CHECK_CALL_CONTENT; a word follows: hash */
	KEPT_RECEIVES = 2,   /* a word follows: distance */
	KEPT_REJECTED = 3,
	KEPT_TAKES = 4, /* of a distance; a word follows: rank << 32 | tag */
	KEPT_WAITS =
		5, /* a word follows: how many; then distances, two in a word, the first in the lower half */
	KEPT_COMPLETES = 6, /* of how many; then distances, two in a word */
	KEPT_DROPS = 7,     /* of distance << 1 | 1 if it never happened */
	KEPT_THREAD = 8,    /* of a thread */
	KEPT_WINDOW = 9,    /* a word follows: the first byte */
	KEPT_COMM = 10,     /* of a place in `frames`: a communicator came into being */
	KEPT_ENDS =
		11, /* of nothing; a word follows: identity of the communicator, window or file that it has freed */
	KEPT_CONTENT = 12, /* three words follow: distance or number, bytes, hash */
	KEPT_KIND_BITS = 4,
};

struct kept_events {
	uint64_t magic;
	uint64_t frame_bytes; /* of definitions that are there */
	uint64_t
		current_call; /* number of the distinct call that the process made last << 1 | 1 if it is in it; 0: none */
	uint64_t head __attribute__((aligned(64))); /* positions count on for ever */
	uint64_t tail __attribute__((aligned(64)));
	uint64_t words[KEPT_WORDS] __attribute__((aligned(64)));
	uint8_t frames[KEPT_FRAME_BYTES];
};

#endif
