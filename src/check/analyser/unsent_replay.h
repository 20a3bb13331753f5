/* The events that a process did not send before it vanished: taken out of the memory that it shared with the analyser of its node
 * (unsent_ring.h), as the frames that it would have sent. Definitions that it had sent are among them once more.
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
	uint64_t *words;            /* of the ring, from the oldest; there is one more, which means nothing */
	uint64_t word_count, first; /* position of the oldest */
	uint64_t current_call;      /* as in struct unsent_ring */
	uint8_t *crash; /* the content of struct unsent_crash; NULL: no signal ended the process */
	size_t crash_bytes;
};

/* False: the memory makes no sense; there is nothing to release. */
bool unsent_read(int file, struct unsent_content *content);
void unsent_release(struct unsent_content *content);
/* Events up to the first one that makes no sense. False: the definitions make none. */
bool unsent_frames(const struct unsent_content *content, struct message_writer *frames);

#endif
