/* What the user wants recorded: which functions (--only, --not) and which part of the run (--from, --to; without these, MPI_Pcontrol(0) pauses and any other level
 * goes on); and what is a UPC runtime's own (runtime_calls.h). What is not wanted is
 * followed all the same, so that requests, communicators and windows have the right numbers in the calls that are;
 * only its events are not written. Where the part of the run begins and ends, each thread says so in its stream, and what was not written and matters for
 * the order of the rest is counted (skipped.h).
 *
 * Without any of it nothing is asked: `active` is false. Calls that are expected (stream.h) are never asked about: those that a rule is
 * about are not remembered, and a switch makes all threads forget what they expect. */
#ifndef TARRY_JOB_RECORD_SELECTION_H
#define TARRY_JOB_RECORD_SELECTION_H

#include "calls/select.h"

#include <stdbool.h>
#include <stdint.h>

struct recording_stream;

struct selection {
	bool active;
	bool paused;            /* outside the part of the run that is wanted */
	uint64_t switched_tick; /* when that changed last */
	uint8_t rules[SELECTABLE];
	/* What calls of a function do to the order of those that are recorded: enum skipped_kind. */
	uint8_t kinds[ALL_CALLS];
	bool counts; /* of functions, not only in pauses */
};

extern struct selection selection __attribute__((visibility("hidden")));

/* Reads the settings; once. */
void selection_read(void);

/* Is this call to be written? To be asked once for each, before it is: some are counted. */
bool selection_wants(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start,
                     uint64_t end);

/* Will a call of this function be written that begins now, as far as is known? */
bool selection_lets_open(const struct recording_stream *s, uint32_t id, int64_t site);

/* A call of MPI_Pcontrol while there are no rules: the first that pauses is the first rule. */
void selection_control(const int64_t *key, uint64_t end);

/* May calls of this function be expected, and so not be asked about? */
bool selection_lets_expect(const struct recording_stream *s, uint32_t id, int64_t site);

/* The rules as properties of the process; and at its end, whether the moment came that they name. */
void selection_describe(void);
void selection_conclude(void);

/* For the preloaded library: are calls of this entry point of no interest at all? Then they need not come here. */
int tarry_lets_through(const char *symbol);

#endif
