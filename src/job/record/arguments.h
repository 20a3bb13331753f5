/* Additional arguments of MPI functions that the user's rules need. SETTING_ARGUMENTS lists them.
 *
* For the listed functions, generated functions (src/calls/generator/arguments.py) run between the wrapper and MPI. They note the arguments of
 * the call in the thread's stream. When the call is recorded, they are appended to its key: for each argument a word that begins with
 * FIELD_PARAM, and its value. Such calls have no raw keys. */
#ifndef TARRY_JOB_RECORD_ARGUMENTS_H
#define TARRY_JOB_RECORD_ARGUMENTS_H

#include "calls/arguments.h"
#include "job/record/stream.h"

#pragma GCC visibility push(hidden)

enum {
	WANTED_ARGUMENTS_MAX = 4096,
	ARGUMENTS_OF_A_CALL = 48, /* the length of a key is limited */
};

/* The arguments of a call, in the order of the list. */
struct noted_arguments {
	uint32_t call;
	int64_t values[ARGUMENTS_OF_A_CALL];
	/* The call whose arguments are being noted. Nested calls in the same outermost call are parts of it. */
	uintptr_t frame, limit;
	int64_t *key; /* room for a key with the arguments */
	size_t key_bytes;
	uint32_t names[WANTED_ARGUMENTS_MAX]; /* NAME records of this chunk: 0, or number + 1 */
};

struct wanted_argument {
	struct call_argument what;
	const char *name; /* in rules */
};

/* Reads the list once. */
void arguments_read(void);
/* The arguments of a function. `first` is the number of the first one. */
const struct wanted_argument *arguments_wanted(uint32_t call, uint32_t *first, uint32_t *count);

const char *argument_name(uint32_t number);
bool argument_has_text(uint32_t number);

/* The arguments of this stream. NULL: out of memory. */
struct noted_arguments *arguments_of(struct recording_stream *s);
void arguments_free(struct recording_stream *s);
/* A new chunk begins: names must be defined again. */
void arguments_forget_names(struct recording_stream *s);

/* Returns the key with the noted arguments after its other values. */
const int64_t *arguments_append(struct recording_stream *s, const int64_t *key, uint32_t *words);
/* Whether the last recorded call has arguments. */
static inline bool arguments_are_of(const struct recording_stream *s, uint32_t call)
{
	return s->arguments && s->arguments->call == call;
}

#define KEY_ARGUMENT(number) ((int64_t)FIELD_PARAM | (int64_t)(number) << 8)

/* Writes a property for each argument. */
void arguments_describe(void);

#pragma GCC visibility pop

#endif
