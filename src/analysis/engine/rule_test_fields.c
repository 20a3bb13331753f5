#include "analysis/engine/rule_test_run.h"

#include "trace/text.h"

#include <stdlib.h>
#include <string.h>

static uint32_t find_key(const char *name)
{
	uint32_t key = 0;

	while (key < FIELD_KEYS && !(field_name(key) && strcmp(field_name(key), name) == 0))
		key++;
	return key;
}

/* What an event has besides its call's fields. */
static bool is_of_event(const char *name)
{
	static const char *const names[] = {"polls", "busy", "stolen_before", "stolen_inside"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static bool is_special_rank(const char *value)
{
	for (size_t i = 0; special_rank_names[i]; i++)
		if (strcmp(special_rank_names[i], value) == 0)
			return true;
	return false;
}

static bool is_whole(const char *value)
{
	char *end;

	strtoll(value, &end, 10);
	return *value && *value != ' ' && !*end;
}

static bool is_fitting(enum field_form form, const char *value)
{
	switch (form) {
	case FORM_rank:
		return is_whole(value) || is_special_rank(value);
	case FORM_integer:
	case FORM_opens:
		return is_whole(value);
	default:
		return true;
	}
}

/* Of an event that stands for several calls, not of a call: behind all fields. */
static bool is_of_polls(const struct rule_test_field *field)
{
	return (strcmp(field->name, "polls") == 0 || strcmp(field->name, "busy") == 0) &&
	       is_whole(field->value);
}

static enum status fail_unknown(const struct rule_test_event *event, const char *name)
{
	struct nearest nearest = {.word = name};

	for (uint32_t key = 0; key < FIELD_KEYS; key++)
		if (field_name(key))
			nearest_offer(&nearest, field_name(key));
	if (nearest_found(&nearest))
		return fail("%s:%u: unknown field '%s' of '%s': did you mean '%s'?", event->origin.file,
		            event->origin.line, name, event->function, nearest_found(&nearest));
	return fail("%s:%u: unknown field '%s' of '%s': 'tarry dump' shows which there are",
	            event->origin.file, event->origin.line, name, event->function);
}

static enum status check_field(const struct rulebook *book, const struct rule_test_event *event,
                               const struct rule_test_field *field)
{
	uint32_t key = find_key(field->name);
	bool is_own = is_of_event(field->name);

	if (rule_test_column(book, event->function, field->name) || is_of_polls(field))
		return OK;
	if (key == FIELD_KEYS && !is_own)
		return fail_unknown(event, field->name);
	if (!is_fitting(is_own ? FORM_integer : field_form(key), field->value))
		return fail("%s:%u: '%s' cannot be %s=%s: a whole number is needed", event->origin.file,
		            event->origin.line, event->function, field->name, field->value);
	return OK;
}

enum status rule_test_fields(const struct rulebook *book, const struct rule_test *test)
{
	for (uint32_t i = 0; i < test->event_count; i++)
		for (uint32_t j = 0; j < test->events[i].field_count; j++)
			TRY(check_field(book, &test->events[i], &test->events[i].fields[j]));
	return OK;
}
