/* The events that a process had not sent before it vanished. They are read from the memory that it shared
 * with the analyser of its node (unsent_ring.h), as the frames that the process would have sent. Definitions
 * that it had already sent are repeated.
 *
 *	struct unsent_content content;
 *	if (unsent_read(file, &content) && unsent_frames(&content, &frames))
 *		… COMM, TYPE, CALL, EVENTS …
 *	unsent_release(&content); */
#ifndef TARRY_CHECK_ANALYSER_UNSENT_REPLAY_H
#define TARRY_CHECK_ANALYSER_UNSENT_REPLAY_H

#include "check/protocol/messages.h"

struct unsent_content {
	uint8_t *definitions; /* frames */
	uint64_t definition_bytes;
	uint64_t *words;            /* of the ring, from the oldest; one more word follows, with any value */
	uint64_t word_count, first; /* position of the oldest */
	uint64_t current_call;      /* as in struct unsent_ring */
	uint8_t *crash; /* the content of struct unsent_crash; NULL: no signal ended the process */
	size_t crash_bytes;
};

/* False: the content of the memory is invalid, and there is nothing to release. */
bool unsent_read(int file, struct unsent_content *content);
void unsent_release(struct unsent_content *content);
/* The definitions, and all events before the first invalid one. False: the definitions are invalid. */
bool unsent_frames(const struct unsent_content *content, struct message_writer *frames);

#endif
