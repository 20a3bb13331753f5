#include "job/check/objects/finding_draft.h"

#include "job/check/objects/argument_text.h"
#include "job/check/wire/findings.h"
#include "job/check/wire/places.h"
#include "job/check/wire/process_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds room for one element to an array that finding_free will free. */
static void *one_more(void *array, uint32_t count, size_t size)
{
	char *grown = realloc(array, (count + 1) * size);

	if (grown)
		memset(grown + count * size, 0, size);
	return grown;
}

static struct check_place *copy_stack(uint32_t place, uint32_t *count)
{
	struct check_place stack[FINDING_STACK_MAX], *copy;

	*count = place_stack(place, stack);
	copy = calloc(*count + 1, sizeof *copy);
	for (uint32_t i = 0; copy && i < *count; i++) {
		copy[i] = stack[i];
		copy[i].module = strdup(stack[i].module);
		copy[i].build_id = strdup(stack[i].build_id);
	}
	return copy;
}

static void add_call(struct finding_draft *draft, enum call_id function, uint32_t place, const char *note,
                     char *arguments)
{
	struct check_finding *finding = &draft->finding;
	struct check_call *calls = NULL, *call;

	if (finding->call_count < FINDING_CALLS_MAX)
		calls = one_more(finding->calls, finding->call_count, sizeof *calls);
	if (!calls) {
		draft->failed |= finding->call_count < FINDING_CALLS_MAX;
		free(arguments);
		return;
	}
	finding->calls = calls;
	call = &calls[finding->call_count++];
	call->world = checked.world;
	call->rank = checked.rank;
	call->function = function;
	call->note = strdup(note);
	call->arguments = arguments;
	call->stack = copy_stack(place, &call->stack_count);
	draft->failed |= !call->note || !call->arguments || !call->stack;
}

struct finding_draft finding_draft(enum check check, const struct agent_call *call)
{
	struct finding_draft draft = {.finding = {.check = check, .times = 1}};

	if (call)
		add_call(&draft, call->id, agent_place(call), NOTE_HERE, argument_text(call, false));
	return draft;
}

struct finding_draft problem_draft(enum check check, struct agent_call *call)
{
	call->problems++;
	return finding_draft(check, call);
}

void finding_draft_value(struct finding_draft *draft, const char *name, const char *format, ...)
{
	struct check_finding *finding = &draft->finding;
	struct check_value *values = NULL;
	char text[FINDING_TEXT_MAX];
	va_list args;

	if (finding->value_count < FINDING_VALUES_MAX)
		values = one_more(finding->values, finding->value_count, sizeof *values);
	if (!values) {
		draft->failed = true;
		return;
	}
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	finding->values = values;
	values[finding->value_count++] = (struct check_value){.name = strdup(name), .text = strdup(text)};
}

void finding_draft_call(struct finding_draft *draft, enum call_id function, uint32_t place, const char *note)
{
	add_call(draft, function, place, note, strdup(""));
}

void finding_report(struct finding_draft *draft)
{
	if (draft->failed)
		finding_release(&draft->finding);
	else
		finding_send(&draft->finding);
	*draft = (struct finding_draft){0};
}
