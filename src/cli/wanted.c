#include "cli/wanted.h"

#include "base/settings.h"
#include "base/text.h"
#include "calls/calls.h"
#include "calls/select.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void offer_functions(struct nearest *nearest)
{
	for (size_t i = 0; i < ALL_CALLS; i++)
		nearest_offer(nearest, all_calls[i].name);
}

static void offer_classes(struct nearest *nearest)
{
	nearest_offer(nearest, select_marks);
	for (size_t i = 0; i < CALL_GROUPS; i++)
		nearest_offer(nearest, call_groups[i].name);
	for (size_t i = 0; i < CALL_CLASSES; i++)
		nearest_offer(nearest, call_class_names[i]);
}

static void list_classes(struct text *list)
{
	text_add(list, "%s", select_marks);
	for (size_t i = 0; i < CALL_GROUPS; i++)
		text_add(list, ", %s", call_groups[i].name);
	for (size_t i = 0; i < CALL_CLASSES; i++)
		text_add(list, ", %s", call_class_names[i]);
}

static enum status unknown_word(const char *option, const char *word)
{
	struct nearest nearest = {.word = word};
	struct text classes = {0};
	enum status status;

	offer_classes(&nearest);
	offer_functions(&nearest);
	list_classes(&classes);
	if (nearest_found(&nearest))
		status = fail(
			"option '--%s': '%s' is no function of MPI or UPC, did you mean '%s'? Classes of functions are %s",
			option, word, nearest_found(&nearest), text_get(&classes));
	else
		status = fail("option '--%s': '%s' is no function of MPI or UPC; classes of functions are %s",
		              option, word, text_get(&classes));
	text_release(&classes);
	return status;
}

static enum status check_list(const char *option, const char *list)
{
	bool chosen[SELECTABLE] = {false};
	const char *unknown = list ? select_calls(list, chosen) : NULL;
	struct text word = {0};
	enum status status;

	if (!unknown)
		return OK;
	if (!*unknown)
		return fail("option '--%s': '%s' names no function", option, list);
	text_add(&word, "%.*s", (int)strcspn(unknown, ","), unknown);
	status = unknown_word(option, text_get(&word));
	text_release(&word);
	return status;
}

static enum status unknown_function(const char *option, const char *text)
{
	struct nearest nearest = {.word = NULL};
	struct text name = {0};
	enum status status;

	text_add(&name, "%.*s", (int)strcspn(text, ":="), text);
	nearest.word = text_get(&name);
	offer_functions(&nearest);
	if (nearest_found(&nearest))
		status = fail("option '--%s': '%s' is no function of MPI, did you mean '%s'?", option,
		              nearest.word, nearest_found(&nearest));
	else
		status = fail("option '--%s': '%s' is no function of MPI", option, nearest.word);
	text_release(&name);
	return status;
}

static enum status check_moment(const char *option, const char *text, struct moment *moment)
{
	const char *problem = text ? moment_parse(text, moment) : NULL;

	if (!problem)
		return OK;
	if (problem == moment_no_function)
		return unknown_function(option, text);
	return fail("option '--%s': '%s' %s", option, text, problem);
}

static bool same_thing(const struct moment *a, const struct moment *b)
{
	return a->call == b->call && strcmp(a->name, b->name) == 0 && a->has_level == b->has_level &&
	       a->level == b->level;
}

enum status wanted_check(const struct wanted *wanted)
{
	struct moment from = {0}, to = {0};

	TRY(check_list("only", wanted->only));
	TRY(check_list("not", wanted->except));
	TRY(check_moment("from", wanted->from, &from));
	TRY(check_moment("to", wanted->to, &to));
	if (wanted->from && wanted->to && same_thing(&from, &to) && to.nth && to.nth < from.nth)
		return fail("nothing would be recorded: '--to %s' comes before '--from %s'", wanted->to,
		            wanted->from);
	return OK;
}

enum status wanted_enter(const struct wanted *wanted, bool keep)
{
	const struct {
		const char *variable, *value;
	} rules[] = {
		{SETTING_ONLY, wanted->only},
		{SETTING_NOT, wanted->except},
		{SETTING_FROM, wanted->from},
		{SETTING_TO, wanted->to},
	};

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		if (!rules[i].value && !keep)
			unsetenv(rules[i].variable);
		else if (rules[i].value && setenv(rules[i].variable, rules[i].value, 1) != 0)
			return fail("cannot set the variable '%s': %s", rules[i].variable, strerror(errno));
	}
	return OK;
}
