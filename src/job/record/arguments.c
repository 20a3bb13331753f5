#include "job/record/arguments.h"

#include "base/settings.h"
#include "calls/calls.h"
#include "job/record/process.h"
#include "job/record/stream_define.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_ARGUMENTS = UINT32_MAX, KEY_ROOM = 512 };

static struct wanted_argument *wanted; /* by call, then in the order of the list */
static uint32_t wanted_count;
static uint32_t firsts[MPI_CALLS + 1];

static int by_call(const void *left, const void *right)
{
	const struct wanted_argument *a = left, *b = right;

	return a->what.call != b->what.call ? (a->what.call < b->what.call ? -1 : 1)
	                                    : strcmp(a->name, b->name);
}

static void read_setting(void)
{
	const char *list = setting_get(SETTING_ARGUMENTS);

	if (!list || !*list || !(wanted = calloc(WANTED_ARGUMENTS_MAX, sizeof *wanted)))
		return;
	/* Stops at the first error, because another version of Tarry may have written the list. */
	char name[ARGUMENT_TEXT_MAX];
	while (list && *list && wanted_count < WANTED_ARGUMENTS_MAX) {
		struct wanted_argument *argument = &wanted[wanted_count];
		if (!argument_list_next(&list, &argument->what))
			continue;
		argument->name = strdup(argument_write(&argument->what, name));
		wanted_count += argument->name != NULL;
	}
	qsort(wanted, wanted_count, sizeof *wanted, by_call);
	for (uint32_t i = 0; i < wanted_count; i++)
		firsts[wanted[i].what.call + 1]++;
	for (uint32_t i = 0; i < MPI_CALLS; i++)
		firsts[i + 1] += firsts[i];
}

void arguments_read(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_setting);
}

const struct wanted_argument *arguments_wanted(uint32_t call, uint32_t *first, uint32_t *count)
{
	const uint32_t all = firsts[call + 1] - firsts[call];

	*first = firsts[call];
	*count = all < ARGUMENTS_OF_A_CALL ? all : ARGUMENTS_OF_A_CALL;
	return wanted + firsts[call];
}

const char *argument_name(uint32_t number)
{
	return wanted[number].name;
}

bool argument_has_text(uint32_t number)
{
	return argument_is_text(&wanted[number].what);
}

struct noted_arguments *arguments_of(struct recording_stream *s)
{
	if (!s->arguments && (s->arguments = process_claim(sizeof *s->arguments)))
		s->arguments->call = NO_ARGUMENTS;
	return s->arguments;
}

void arguments_free(struct recording_stream *s)
{
	if (!s->arguments)
		return;
	if (s->arguments->key)
		process_give_back(s->arguments->key, s->arguments->key_bytes);
	process_give_back(s->arguments, sizeof *s->arguments);
}

void arguments_forget_names(struct recording_stream *s)
{
	if (s->arguments)
		memset(s->arguments->names, 0, sizeof s->arguments->names);
}

/* NULL: out of memory. */
static int64_t *key_room(struct noted_arguments *noted, size_t words)
{
	if (noted->key_bytes >= words * sizeof *noted->key)
		return noted->key;
	if (noted->key)
		process_give_back(noted->key, noted->key_bytes);
	noted->key_bytes = (words + KEY_ROOM) * sizeof *noted->key;
	noted->key = process_claim(noted->key_bytes);
	if (!noted->key)
		noted->key_bytes = 0;
	return noted->key;
}

/* The index of the first varying field, after which the key has only such fields. */
static uint32_t values_end(uint32_t call, uint32_t words)
{
	uint32_t end = KEY_VALUES;

	for (const uint8_t *field = shape_of(call)->fields; *field && end < words; field++)
		end++;
	return end;
}

const int64_t *arguments_append(struct recording_stream *s, const int64_t *key, uint32_t *words)
{
	struct noted_arguments *noted = s->arguments;
	const uint32_t call = (uint32_t)key[KEY_WHAT];
	uint32_t first, count, end, at;
	int64_t *longer;

	if (!noted || noted->call != call)
		return key;
	arguments_wanted(call, &first, &count);
	longer = key_room(noted, *words + 2 * (size_t)count);
	if (!longer)
		return key;
	at = end = values_end(call, *words);
	memcpy(longer, key, end * sizeof *key);
	for (uint32_t i = 0; i < count; i++) {
		if (noted->values[i] == ABSENT)
			continue;
		longer[at++] = KEY_ARGUMENT(first + i);
		longer[at++] = noted->values[i];
	}
	memcpy(longer + at, key + end, (*words - end) * sizeof *key);
	*words += at - end;
	return longer;
}

void arguments_describe(void)
{
	for (uint32_t i = 0; i < wanted_count; i++) {
		char text[2 * ARGUMENT_TEXT_MAX];
		if (i - firsts[wanted[i].what.call] >= ARGUMENTS_OF_A_CALL)
			continue;
		snprintf(text, sizeof text, "%s:%s", all_calls[wanted[i].what.call].name, wanted[i].name);
		process_property("argument", text);
	}
}
