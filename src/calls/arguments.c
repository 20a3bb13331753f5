#include "calls/arguments.h"

#include "calls/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const argument_part_names[ARGUMENT_PARTS] = {
	[ARGUMENT_WHOLE] = "",      [ARGUMENT_SUM] = "sum",         [ARGUMENT_MIN] = "min",
	[ARGUMENT_MAX] = "max",     [ARGUMENT_LENGTH] = "length",   [ARGUMENT_SOURCE] = "MPI_SOURCE",
	[ARGUMENT_TAG] = "MPI_TAG", [ARGUMENT_ERROR] = "MPI_ERROR", [ARGUMENT_BYTES] = "bytes",
};

int argument_find(enum call_id call, const char *name, size_t length)
{
	const uint8_t *kinds = call_parameter_kinds(call);

	for (int i = 0; kinds[i] != KIND_END; i++) {
		const char *known = call_parameter_name(call, (uint32_t)i);
		if (strlen(known) == length && memcmp(known, name, length) == 0)
			return i;
	}
	return -1;
}

static bool is_part_of_array(enum argument_part part)
{
	return part >= ARGUMENT_SUM && part <= ARGUMENT_LENGTH;
}

const char *argument_refusal(const struct call_argument *argument)
{
	const struct argument_form *form = argument_form(argument);
	const enum argument_part part = (enum argument_part)argument->part;
	const bool is_array = form->shape == ARGUMENT_ARRAY, is_status = form->base == ARGUMENT_STATUS;

	if (argument->element >= 0 && !is_array)
		return "is not an array";
	if (is_part_of_array(part))
		return !is_array || argument->element >= 0                      ? "is not an array"
		       : part != ARGUMENT_LENGTH && form->base > ARGUMENT_TRUTH ? "is not an array of numbers"
		                                                                : NULL;
	if (is_array && argument->element < 0)
		return is_status
		               ? "is an array of statuses: name a part of an element, such as [0].MPI_TAG"
		               : "is an array: name an element, such as [0], or .sum, .min, .max or .length";
	if (is_status && part == ARGUMENT_WHOLE)
		return "is a status: name a part of it, .MPI_SOURCE, .MPI_TAG, .MPI_ERROR or .bytes";
	return !is_status && part != ARGUMENT_WHOLE ? "is not a status" : NULL;
}

static bool parse_part(const char *text, size_t length, uint8_t *part)
{
	for (int i = ARGUMENT_SUM; i < ARGUMENT_PARTS; i++)
		if (strlen(argument_part_names[i]) == length &&
		    memcmp(argument_part_names[i], text, length) == 0) {
			*part = (uint8_t)i;
			return true;
		}
	return false;
}

/* "[12]": its length in bytes; 0: not an index. */
static size_t parse_element(const char *text, const char *end, int32_t *element)
{
	char *after;
	unsigned long number;

	if (end - text < 3 || text[0] != '[' || text[1] < '0' || text[1] > '9')
		return 0;
	number = strtoul(text + 1, &after, 10);
	if (number > ARGUMENT_ELEMENTS_MAX || after >= end || *after != ']')
		return 0;
	*element = (int32_t)number;
	return (size_t)(after + 1 - text);
}

bool argument_parse(enum call_id call, const char *text, size_t length, struct call_argument *argument)
{
	const char *end = text + length, *at = text;
	int parameter;

	*argument = (struct call_argument){.call = (uint16_t)call, .element = -1};
	while (at < end && *at != '[' && *at != '.')
		at++;
	parameter = argument_find(call, text, (size_t)(at - text));
	if (parameter < 0)
		return false;
	argument->parameter = (uint8_t)parameter;
	at += parse_element(at, end, &argument->element);
	if (at < end && (*at != '.' || !parse_part(at + 1, (size_t)(end - at - 1), &argument->part)))
		return false;
	return !argument_refusal(argument);
}

const char *argument_write(const struct call_argument *argument, char *text)
{
	const char *name = call_parameter_name((enum call_id)argument->call, argument->parameter);
	char element[16] = "";

	if (argument->element >= 0)
		snprintf(element, sizeof element, "[%d]", argument->element);
	snprintf(text, ARGUMENT_TEXT_MAX, "%s%s%s%s", name, element, argument->part ? "." : "",
	         argument_part_names[argument->part]);
	return text;
}

bool argument_list_next(const char **list, struct call_argument *argument)
{
	const size_t length = strcspn(*list, "/"), name_length = strcspn(*list, ":");
	const char *text = *list;
	char name[64];
	const struct call_info *call;

	*list = text[length] ? text + length + 1 : NULL;
	if (name_length >= length || name_length >= sizeof name)
		return false;
	memcpy(name, text, name_length);
	name[name_length] = 0;
	call = call_find(name);
	return call && call - all_calls < MPI_CALLS &&
	       argument_parse((enum call_id)(call - all_calls), text + name_length + 1,
	                      length - name_length - 1, argument);
}
