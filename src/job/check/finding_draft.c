#include "job/check/agent.h"
#include "job/check/argument_text.h"
#include "job/check/places.h"
#include "job/check/process_state.h"
#include "job/check/service.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more element at the end of an array that finding_free will free. */
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

void finding_draft(struct finding_draft *draft, enum check check, const struct agent_call *call)
{
	*draft = (struct finding_draft){.finding = {.check = check, .times = 1}};
	if (call)
		add_call(draft, call->id, agent_place(call), NOTE_HERE, argument_text(call));
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

static void release(struct check_finding *finding)
{
	for (uint32_t i = 0; i < finding->call_count; i++)
		call_release(&finding->calls[i]);
	for (uint32_t i = 0; i < finding->value_count; i++) {
		free((char *)(uintptr_t)finding->values[i].name);
		free((char *)(uintptr_t)finding->values[i].text);
	}
	free(finding->calls);
	free(finding->values);
}

static void send_finding(const struct check_finding *finding)
{
	struct message_writer body = {0};

	finding_put(&body, finding);
	if (!body.failed)
		service_finding(&body);
	writer_release(&body);
}

/* A mistake in a loop is found again and again: from the second time on it is counted, and reported whenever its number has doubled and at the
 * end. Where there are too many different ones, each is reported each time. */
enum { REPEATED_SLOTS = 256, REPEATED_TRIES = 8 };

static struct repeated_finding {
	uint64_t identity; /* 0: free */
	uint64_t times, unreported;
	struct check_finding finding; /* the last one that was not reported */
} repeated[REPEATED_SLOTS];
static pthread_mutex_t repeated_lock = PTHREAD_MUTEX_INITIALIZER;

static struct repeated_finding *find_repeated(uint64_t identity)
{
	for (uint64_t i = 0; i < REPEATED_TRIES; i++) {
		struct repeated_finding *slot = &repeated[(identity + i) % REPEATED_SLOTS];

		if (!slot->identity)
			slot->identity = identity;
		if (slot->identity == identity)
			return slot;
	}
	return NULL;
}

static void send_repeated(struct repeated_finding *slot)
{
	if (!slot->unreported)
		return;
	slot->finding.times = slot->unreported;
	slot->unreported = 0;
	send_finding(&slot->finding);
}

static void report(struct check_finding *finding)
{
	struct repeated_finding *slot;
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	pthread_mutex_lock(&repeated_lock);
	slot = find_repeated(finding_identity(finding) | 1);
	if (!slot || !slot->times++) {
		send_finding(finding);
		release(finding);
	} else {
		release(&slot->finding);
		slot->finding = *finding;
		slot->unreported++;
		if (!(slot->times & (slot->times - 1)))
			send_repeated(slot);
	}
	pthread_mutex_unlock(&repeated_lock);
	pthread_setcancelstate(before, NULL);
}

void findings_flush(void)
{
	pthread_mutex_lock(&repeated_lock);
	for (size_t i = 0; i < REPEATED_SLOTS; i++)
		send_repeated(&repeated[i]);
	pthread_mutex_unlock(&repeated_lock);
}

void finding_report(struct finding_draft *draft)
{
	if (draft->failed)
		release(&draft->finding);
	else
		report(&draft->finding);
	*draft = (struct finding_draft){0};
}
