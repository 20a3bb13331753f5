#include "output/findings/message.h"

#include "calls/calls.h"
#include "language/language.h"

#include <inttypes.h>
#include <string.h>

static bool is_name(const char *name, size_t length, const char *wanted)
{
	return strlen(wanted) == length && strncmp(name, wanted, length) == 0;
}

/* Function and rank of a call. False: it is no such name. */
static bool add_of_call(struct text *out, const char *name, size_t length,
                        const struct check_finding *finding, uint32_t number)
{
	const struct check_call *call = number < finding->call_count ? &finding->calls[number] : NULL;

	if (is_name(name, length, number ? "other" : "function"))
		text_add(out, "%s", call ? all_calls[call->function].name : "?");
	else if (!is_name(name, length, number ? "other_rank" : "rank"))
		return false;
	else if (call && call->rank != UINT32_MAX)
		text_add(out, "%" PRIu32, call->rank);
	else
		text_add(out, "?");
	return true;
}

/* Of what is counted from 0. False: nothing is. */
static bool add_last(struct text *out, const struct check_finding *finding)
{
	for (uint32_t i = 0; i < finding->value_count; i++) {
		const struct check_value *value = &finding->values[i];
		int64_t count;

		if ((strcmp(value->name, "size") != 0 && strcmp(value->name, "partitions") != 0) ||
		    parse_integer(value->text, &count) != OK)
			continue;
		text_add(out, "%" PRId64, count - 1);
		return true;
	}
	return false;
}

static void add_named(struct text *out, const char *name, size_t length, const struct check_finding *finding,
                      const char *lang)
{
	for (uint32_t i = 0; i < finding->value_count; i++)
		if (is_name(name, length, finding->values[i].name)) {
			const struct check_value *value = &finding->values[i];
			const char *function = value->text + strlen(MADE_BY);

			if (!text_begins(value->text, MADE_BY))
				text_add(out, "%s", translate_value(lang, value->text));
			else
				add_filled(out,
				           translate(lang, strstr(value->name, "comm")
				                                   ? "the communicator of $1"
				                                   : "the datatype of $1"),
				           &function);
			return;
		}
	if (!add_of_call(out, name, length, finding, 0) && !add_of_call(out, name, length, finding, 1) &&
	    !(is_name(name, length, "last") && add_last(out, finding)))
		text_add(out, "?");
}

/* "processes:This process/These # processes": the form for one, or the form for another number, with the number in place of '#'. */
static void add_form(struct text *out, const char *form, size_t length, const struct check_finding *finding,
                     const char *lang)
{
	size_t name = strcspn(form, ":"), one = strcspn(form + name + 1, "/");
	const char *words = form + name + 1, *end = form + length;
	struct text number = {0};

	add_named(&number, form, name, finding, lang);
	if (strcmp(text_get(&number), "1") == 0)
		end = words + one;
	else
		words += one + 1;
	for (; words < end; words++)
		if (*words == '#')
			text_add(out, "%s", text_get(&number));
		else
			text_add_bytes(out, words, 1);
	text_release(&number);
}

void message_fill(struct text *out, const char *text, const struct check_finding *finding, const char *lang)
{
	while (*text) {
		size_t plain = strcspn(text, "{"), length;

		text_add_bytes(out, text, plain);
		text += plain;
		if (!*text)
			return;
		length = strcspn(text, "}");
		if (memchr(text, ':', length))
			add_form(out, text + 1, length - 1, finding, lang);
		else
			add_named(out, text + 1, length - 1, finding, lang);
		text += length + (text[length] == '}');
	}
}
