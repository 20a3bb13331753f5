#include "job/record/argument_hooks.h"

#include "job/record/argument_values.h"
#include "job/record/arguments.h"
#include "job/record/wrap.h"

/* True if the call is part of another noted call that no exception or jump has ended. */
static bool is_part(const struct noted_arguments *noted, const struct recording_stream *s, uintptr_t frame)
{
	return frame < noted->frame && RELAXED_LOAD(s->limit) == noted->limit;
}

/* Arguments that are valid before the call: numbers passed by value, and requests, which the call ends. */
static bool is_known_before(const struct wanted_argument *wanted)
{
	const struct argument_form *form = argument_form(&wanted->what);

	if (form->base == ARGUMENT_REQUEST)
		return !form->is_out;
	return form->shape == ARGUMENT_VALUE && form->base <= ARGUMENT_ADDRESS;
}

static void note_before(const struct noted_call *noted)
{
	struct noted_arguments *arguments = noted->s->arguments;
	uint32_t first, count;
	const struct wanted_argument *wanted = arguments_wanted(noted->call, &first, &count);

	for (uint32_t i = 0; i < count; i++)
		arguments->values[i] = is_known_before(&wanted[i]) ? argument_value(noted, &wanted[i].what)
		                                                   : ABSENT;
}

/* For calls that succeeded, so that their handles are valid. */
static void note_after(const struct noted_call *noted)
{
	struct noted_arguments *arguments = noted->s->arguments;
	const bool failed_before = noted->s->failed;
	uint32_t first, count;
	const struct wanted_argument *wanted = arguments_wanted(noted->call, &first, &count);

	noted->s->failed = false;
	for (uint32_t i = 0; i < count; i++)
		if (!argument_is_significant(noted, &wanted[i].what))
			arguments->values[i] = ABSENT;
		else if (!is_known_before(&wanted[i]))
			arguments->values[i] = argument_value(noted, &wanted[i].what);
	noted->s->failed = failed_before;
}

__attribute__((noinline)) void arguments_before(struct noted_call *noted, uint32_t call,
                                                const int64_t *values, const size_t *lengths, bool is_fortran)
{
	const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
	struct recording_stream *s = stream_self;
	struct noted_arguments *arguments = s && !stream_is_off() ? arguments_of(s) : NULL;

	*noted = (struct noted_call){
		.call = call, .is_fortran = is_fortran, .values = values, .lengths = lengths};
	if (!arguments || is_part(arguments, s, frame))
		return;
	noted->s = s;
	arguments->call = call;
	arguments->frame = frame;
	arguments->limit = RELAXED_LOAD(s->limit);
	/* The call was described before it began, when not all of its arguments were known: that description is dropped. */
	s->opened_slot = NULL;
	s->opened_hash = 0;
	note_before(noted);
}

void arguments_after(struct noted_call *noted, int rc)
{
	if (!noted->s)
		return;
	noted->s->arguments->frame = 0;
	if (rc == MPI_SUCCESS)
		note_after(noted);
}

void arguments_of_abort(struct recording_stream *s, int errorcode)
{
	const int64_t values[] = {0, errorcode};
	struct noted_call noted = {.s = s, .call = CALL_Abort, .values = values};
	struct noted_arguments *arguments;
	uint32_t first, count;

	arguments_wanted(CALL_Abort, &first, &count);
	if (!count || !(arguments = arguments_of(s)))
		return;
	arguments->call = CALL_Abort;
	note_before(&noted);
}

static bool is_wanted(uint32_t call)
{
	uint32_t first, count;

	arguments_wanted(call, &first, &count);
	return count;
}

static void put_in(const struct argument_hook *hook, void *place)
{
	void *next;

	memcpy(&next, place, sizeof next);
	if (!next || next == hook->function)
		return;
	memcpy(hook->rest, &next, sizeof next);
	__atomic_store((void **)place, (void **)&hook->function, __ATOMIC_RELEASE);
}

__attribute__((constructor)) void arguments_hook(void)
{
	arguments_read();
	for (const struct argument_hook *hook = argument_hooks; hook->symbol; hook++) {
		if (!is_wanted(hook->call))
			continue;
		for (const struct record_next *next = record_nexts; next->name; next++)
			if (strcmp(next->name, hook->symbol) == 0)
				put_in(hook, next->place);
	}
}

void *arguments_fortran_next(const char *symbol, void *next)
{
	arguments_read();
	for (const struct argument_hook *hook = argument_fortran_hooks; hook->symbol && next; hook++)
		if (is_wanted(hook->call) && strcmp(hook->symbol, symbol) == 0) {
			memcpy(hook->rest, &next, sizeof next);
			return hook->function;
		}
	return next;
}
