/* A scenario is a function that calls MPI. It runs in its own process with a new recorder. The test then reads the trace. A failed
 * assertion (<assert.h>) of the scenario also fails the test.
 *
 *	struct recording r;
 *	record(scenario, &r);
 *	assert_string_equal(r.events[0].call->outline->name, "MPI_Init");
 *	recording_release(&r); */
#ifndef TESTS_UNIT_FAKE_SCENARIO_H
#define TESTS_UNIT_FAKE_SCENARIO_H

#include "fake_control.h"
#include "trace/reader.h"

#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct recording {
	struct reader *reader;
	const struct process *process;
	struct event *events; /* of the first thread */
	size_t count;
};

/* Clears the planted data first, so plant inside the scenario. */
void record(void (*scenario)(void), struct recording *r);
void recording_release(struct recording *r);

/* All events of a thread, for the caller to free. */
struct event *events_of(struct reader *reader, struct stream *stream, size_t *count);

/* The nth event of this function, from 0; fails without one. */
const struct call *nth_call(const struct recording *r, const char *name, size_t n);
size_t count_calls(const struct recording *r, const char *name);

/* The value of a field; fails if the call has none. */
int64_t field(const struct call *call, enum field_key key);
bool has_field(const struct call *call, enum field_key key);
/* The nth field with this key; ABSENT_FIELD: there are fewer. */
#define ABSENT_FIELD INT64_MIN
int64_t nth_field(const struct call *call, enum field_key key, size_t n);

#endif
