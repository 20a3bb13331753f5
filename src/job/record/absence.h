/* The time in which a thread was not on a processor, before and inside its calls.
 *
 *	absence_before(s, last_end, now);                          a call begins long after the last one: adds to s->delay_before, s->blocked_before
 *	uint32_t us = absence_inside(s, start, end);               ready without a processor, in a call */
#ifndef TARRY_JOB_RECORD_ABSENCE_H
#define TARRY_JOB_RECORD_ABSENCE_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

struct recording_stream;

void absence_before(struct recording_stream *s, uint64_t last_end, uint64_t now);
uint32_t absence_inside(struct recording_stream *s, uint64_t start, uint64_t end);

#pragma GCC visibility pop

#endif
