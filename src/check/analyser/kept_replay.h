/* What a process that vanished had not sent: taken out of the memory that it shared with the analyser of its node (kept_events.h), as if it
 * had come over the connection. */
#ifndef TARRY_CHECK_ANALYSER_KEPT_REPLAY_H
#define TARRY_CHECK_ANALYSER_KEPT_REPLAY_H

#include "check/analyser/analysis.h"

/* Of the events that this analyser, number `own` of `count`, is responsible for. False: the memory makes no sense, and what is right in front
 * of that was taken. Others belong to analysers that are not told of them. */
bool kept_replay(struct checked_run *run, struct analysed_process *process, int file, uint32_t own,
                 uint32_t count);

#endif
