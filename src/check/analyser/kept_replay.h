/* The events that a process did not send before it vanished: taken out of the memory that it shared with the analyser of its node
 * (kept_events.h), as the frames that it would have sent. Definitions that it had sent are among them once more.
 *
 *	struct kept_content content;
 *	if (kept_read(file, &content) && kept_frames(&content, &frames))
 *		… COMM, TYPE, CALL, EVENTS …
 *	kept_release(&content); */
#ifndef TARRY_CHECK_ANALYSER_KEPT_REPLAY_H
#define TARRY_CHECK_ANALYSER_KEPT_REPLAY_H

#include "check/protocol/messages.h"

struct kept_content {
	uint8_t *definitions; /* frames */
	uint64_t definition_bytes;
	uint64_t *words;            /* of the ring, from the oldest; there is one more, which means nothing */
	uint64_t word_count, first; /* position of the oldest */
	uint64_t current_call;      /* as in struct kept_events */
};

/* False: the memory makes no sense; there is nothing to release. */
bool kept_read(int file, struct kept_content *content);
void kept_release(struct kept_content *content);
/* Events up to the first one that makes no sense. False: the definitions make none. */
bool kept_frames(const struct kept_content *content, struct message_writer *frames);

#endif
