/* Arguments of MPI's functions that the user's rules ask for besides what every trace has: SETTING_ARGUMENTS lists them.
 *
 * Functions that are made from the table of calls (src/calls/generator/arguments.py) stand between a wrapper and MPI, for the functions in the
 * list alone: others cost nothing more. They note the arguments of the call in the thread's stream, and whatever records the call puts them
 * into its key, after the values, each as a word that begins with FIELD_PARAM and its value. Such calls have no raw keys. */
#ifndef TARRY_JOB_RECORD_ARGUMENTS_H
#define TARRY_JOB_RECORD_ARGUMENTS_H

#include "calls/arguments.h"
#include "job/record/stream.h"

#pragma GCC visibility push(hidden)

enum {
	WANTED_ARGUMENTS_MAX = 4096,
	ARGUMENTS_OF_A_CALL = 48, /* that are noted at the most: more words would not be a key any more */
};

/* What a call was given, by the order of the list. */
struct noted_arguments {
	uint32_t call; /* whose they are */
	int64_t values[ARGUMENTS_OF_A_CALL];
	/* The call that is being noted: whatever is deeper in the stack and belongs to the same outermost call is a part of it. */
	uintptr_t frame, limit;
	int64_t *key; /* room for a key with them */
	size_t key_bytes;
	uint32_t names[WANTED_ARGUMENTS_MAX]; /* NAME records of this chunk: 0, or number + 1 */
};

struct wanted_argument {
	struct call_argument what;
	const char *name; /* as rules write it */
};

/* Reads the list once. */
void arguments_read(void);
/* Those of a function; `first` is the number of the first of them. */
const struct wanted_argument *arguments_wanted(uint32_t call, uint32_t *first, uint32_t *count);

const char *argument_name(uint32_t number);
bool argument_has_text(uint32_t number);

/* The stream's own; NULL: there is no memory. */
struct noted_arguments *arguments_of(struct recording_stream *s);
void arguments_free(struct recording_stream *s);
/* Its chunk is a new one. */
void arguments_forget_names(struct recording_stream *s);

/* The key with the arguments of this call after its values, if there are any. */
const int64_t *arguments_append(struct recording_stream *s, const int64_t *key, uint32_t *words);
/* Was the call that was recorded last one with arguments? */
static inline bool arguments_are_of(const struct recording_stream *s, uint32_t call)
{
	return s->arguments && s->arguments->call == call;
}

#define KEY_ARGUMENT(number) ((int64_t)FIELD_PARAM | (int64_t)(number) << 8)

/* A property for each, so that readers know what was asked for. */
void arguments_describe(void);

#pragma GCC visibility pop

#endif
