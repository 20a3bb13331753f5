/* What a process that vanished had not sent: taken out of the memory that it shared with the analyser of its node (kept_events.h), as if it
 * had come over the connection. Events that other analysers are responsible for are handed on to them.
 *
 *	struct kept_content content;
 *	if (kept_read(file, &content)) {
 *		kept_replay(run, process, &content, own, count);
 *		for each other analyser:
 *			if (kept_forward(process, &content, other, count, &frames))
 *				… send the frames, as HELLO_HEIR of the process …
 *		kept_release(&content);
 *	} */
#ifndef TARRY_CHECK_ANALYSER_KEPT_REPLAY_H
#define TARRY_CHECK_ANALYSER_KEPT_REPLAY_H

#include "check/matching/analysis.h"

struct kept_content {
	uint8_t *definitions; /* frames */
	uint64_t definition_bytes;
	uint64_t *words;            /* of the ring, from the oldest; there is one more, which means nothing */
	uint64_t word_count, first; /* position of the oldest */
	uint64_t current_call;
};

/* False: the memory makes no sense. */
bool kept_read(int file, struct kept_content *content);
void kept_release(struct kept_content *content);
/* Of the events that this analyser, number `own` of `count`, is responsible for. False: they make no sense; what is right in front of that
 * was taken. */
bool kept_replay(struct checked_run *run, struct analysed_process *process,
                 const struct kept_content *content, uint32_t own, uint32_t count);
/* Frames for another analyser. False: there are no events for it. */
bool kept_forward(const struct analysed_process *process, const struct kept_content *content,
                  uint32_t analyser, uint32_t count, struct message_writer *frames);

#endif
