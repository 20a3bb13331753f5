#include "job/record/upc_regions.h"

#include "job/record/shapes.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 256 };

/* The number of a user's event from 0 on. */
static uint32_t index_of(const struct upc_thread *thread, unsigned tag)
{
	return tag - thread->dialect->user_first;
}

/* An event that the program uses without having created it is called by its number. */
static int64_t text_of_event(struct upc_thread *thread, unsigned tag)
{
	int64_t *text = &thread->user_texts[index_of(thread, tag)];
	char name[32];

	if (UNLIKELY(*text == ABSENT)) {
		snprintf(name, sizeof name, "event %u", tag);
		*text = text_number(name);
	}
	return *text;
}

static int64_t text_of_function(struct upc_thread *thread, const char *name)
{
	struct upc_function *known = &thread->functions[(uintptr_t)name >> 3 & (UPC_FUNCTIONS - 1)];

	if (!name)
		return ABSENT;
	if (UNLIKELY(known->name != name || known->text == ABSENT ||
	             strncmp(text_of(known->text), name, NAME_BYTES - 1) != 0)) {
		known->name = name;
		known->text = text_number(name);
	}
	return known->text;
}

static int64_t find_text(struct upc_thread *thread, uint32_t event, unsigned tag, const char *name)
{
	switch (event) {
	case UPC_EVENT_USER:
		return text_of_event(thread, tag);
	case UPC_EVENT_C_FUNC:
		return text_of_function(thread, name);
	default:
		return text_number("upc_forall");
	}
}

/* Counts those that are open. False: there is none that could end. */
static bool is_balanced(struct upc_thread *thread, uint32_t event, unsigned tag, int type)
{
	uint32_t *count = event == UPC_EVENT_C_FUNC ? &thread->open_functions : &thread->open_foralls;

	if (event == UPC_EVENT_USER)
		count = &thread->user_open[index_of(thread, tag)];
	if (type == UPC_START)
		++*count;
	if (type != UPC_END)
		return true;
	if (!*count) {
		thread->unmatched_ends += !thread->was_off;
		return false;
	}
	--*count;
	return true;
}

void upc_record_region(struct upc_thread *thread, struct stream *s, uint32_t event, unsigned tag, int type,
                       int64_t site, const char *name)
{
	static const enum user_event told_as[] = {
		[UPC_START] = USER_REGION_BEGIN, [UPC_END] = USER_REGION_END, [UPC_ATOMIC] = USER_MARK};
	uint64_t now = stream_start(s);

	if (!is_balanced(thread, event, tag, type))
		return;
	const int64_t key[] = {site, KEY_CALL(told_as[type], 0), find_text(thread, event, tag, name)};
	stream_record(s, key, sizeof key / sizeof *key, now, now);
}

/* What it describes are arguments that nobody reads. */
unsigned upc_create_event(void *context, const char *name, const char *description)
{
	struct upc_thread *thread = context;
	const struct upc_dialect *dialect = thread->dialect;
	uint32_t room = dialect->user_last - dialect->user_first + 1, number = 0;
	int64_t text;

	(void)description;
	if (!name)
		return dialect->user_last;
	text = text_number(name);
	if (room > UPC_USER_EVENTS)
		room = UPC_USER_EVENTS;
	while (number < thread->user_events && thread->user_texts[number] != text)
		number++;
	if (number == room) {
		process_note("thread %d creates more than %u events: the rest of them are told as one",
		             thread->me, room);
		return dialect->user_first + room - 1;
	}
	thread->user_texts[number] = text;
	if (number == thread->user_events)
		thread->user_events++;
	return dialect->user_first + number;
}
