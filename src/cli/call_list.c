#include "cli/call_list.h"

#include "calls/calls.h"
#include "calls/select.h"

#include <string.h>

void call_list_offer_functions(struct nearest *nearest)
{
	for (size_t i = 0; i < RECORDABLE_CALLS; i++)
		nearest_offer(nearest, all_calls[i].name);
}

enum status call_list_unknown(const char *option, const char *word)
{
	struct nearest nearest = {.word = word};
	struct text classes = {0};
	enum status status;

	nearest_offer(&nearest, select_marks);
	for (size_t i = 0; i < CALL_GROUPS; i++)
		nearest_offer(&nearest, call_groups[i].name);
	for (size_t i = 0; i < RECORDABLE_CLASSES; i++)
		nearest_offer(&nearest, call_class_names[i]);
	call_list_offer_functions(&nearest);
	text_add(&classes, "%s", select_marks);
	for (size_t i = 0; i < CALL_GROUPS; i++)
		text_add(&classes, ", %s", call_groups[i].name);
	for (size_t i = 0; i < RECORDABLE_CLASSES; i++)
		text_add(&classes, ", %s", call_class_names[i]);
	if (nearest_found(&nearest))
		status = fail(
			"option '--%s': '%s' is not an MPI or UPC function, did you mean '%s'? Classes of functions are %s",
			option, word, nearest_found(&nearest), text_get(&classes));
	else
		status = fail(
			"option '--%s': '%s' is not an MPI or UPC function; classes of functions are %s",
			option, word, text_get(&classes));
	text_release(&classes);
	return status;
}

enum status call_list_check(const char *option, const char *list)
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
	status = call_list_unknown(option, text_get(&word));
	text_release(&word);
	return status;
}
