/* Selects the recorded calls: functions (--only, --not) and a part of the run (--from, --to; without these, MPI_Pcontrol(0) pauses and any
 * other level resumes). It also excludes calls of UPC runtimes. Excluded calls are still tracked, so that requests, communicators and windows
 * have the right numbers; only their events are not written. Each thread records the begin and end of a pause in its stream. Excluded calls
 * that affect the order of recorded ones are counted (skipped.h).
 *
* Without rules, `active` is false. Predicted calls (stream.h) are not checked against the rules: excluded calls are not remembered, and when
 * recording pauses or resumes, all threads forget their predicted calls. */
#ifndef TARRY_JOB_RECORD_SELECTION_H
#define TARRY_JOB_RECORD_SELECTION_H

#include "calls/select.h"

#include <stdbool.h>
#include <stdint.h>

struct recording_stream;

struct selection {
	bool active;
	bool paused;            /* outside the selected part of the run */
	uint64_t switched_tick; /* time of the last change */
	uint8_t rules[SELECTABLE];
	/* enum skipped_kind: the effect of excluded calls on the order of recorded ones. */
	uint8_t kinds[ALL_CALLS];
	bool counts; /* excluded calls are also counted outside pauses */
	bool sums;   /* only sums of the selected calls are recorded (summary.h) */
};

extern struct selection selection __attribute__((visibility("hidden")));

/* Reads the settings once. */
void selection_read(void);

/* Whether this call is recorded. Must be called once for each call, before it is written, because it counts excluded calls. */
bool selection_wants(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start,
                     uint64_t end);

/* Whether a call of this function that begins now will probably be recorded. */
bool selection_lets_open(const struct recording_stream *s, uint32_t id, int64_t site);

/* A call of MPI_Pcontrol while no rules are active. The first pause makes them active. */
void selection_control(const int64_t *key, uint64_t end);

/* Whether calls of this function may be predicted, and then not be checked against the rules. */
bool selection_lets_expect(const struct recording_stream *s, uint32_t id, int64_t site);

/* Writes the rules as properties of the process, and at its end whether their moments occurred. */
void selection_describe(void);
void selection_conclude(void);

/* For the preloaded library: whether the recorder does not need the calls of this entry point at all. */
int tarry_lets_through(const char *symbol);

#endif
