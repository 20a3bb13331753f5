#include "calls/select.h"

#include "calls/calls.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TWIN "_c"

enum { WORD_MAX = 256 };

const char select_marks[] = "marks";

const struct call_group call_groups[CALL_GROUPS] = {
	/* Non-blocking messages wait in the call that completes their requests. */
	{"p2p", {CLASS_POINT_TO_POINT, CLASS_PERSISTENT, CLASS_PARTITIONED, CLASS_PROBE, CLASS_REQUEST}, 5},
	{"rma", {CLASS_ONE_SIDED, CLASS_EPOCH, CLASS_WINDOW}, 3},
	{"io", {CLASS_FILE_DATA, CLASS_FILE}, 2},
	{"upc",
         {CLASS_UPC_COLLECTIVE, CLASS_UPC_SYNC, CLASS_UPC_LOCK, CLASS_UPC_ACCESS, CLASS_UPC_ATOMIC,
          CLASS_UPC_MEMORY, CLASS_UPC_OTHER},
         7},
	{"shmem",
         {CLASS_SHMEM_COLLECTIVE, CLASS_SHMEM_SYNC, CLASS_SHMEM_WAIT, CLASS_SHMEM_LOCK, CLASS_SHMEM_ACCESS,
          CLASS_SHMEM_ATOMIC, CLASS_SHMEM_MEMORY, CLASS_SHMEM_OTHER},
         8},
};

static bool matches(const char *pattern, const char *name)
{
	return fnmatch(pattern, name, FNM_CASEFOLD) == 0;
}

static bool select_class(enum call_class class, bool *chosen)
{
	for (size_t i = 0; i < ALL_CALLS; i++)
		chosen[i] |= all_calls[i].class == class;
	return true;
}

/* MPI_Send includes MPI_Send_c. */
static bool is_twin_of(const struct call_info *call, const char *pattern)
{
	char name[WORD_MAX];

	if (!call->large)
		return false;
	snprintf(name, sizeof name, "%s", call->name);
	name[strlen(name) - strlen(TWIN)] = '\0';
	return matches(pattern, name);
}

static bool select_functions(const char *pattern, bool *chosen)
{
	bool found = false;

	for (size_t i = 0; i < RECORDABLE_CALLS; i++)
		if (matches(pattern, all_calls[i].name) || is_twin_of(&all_calls[i], pattern))
			found = chosen[i] = true;
	if (matches(pattern, select_marks))
		found = chosen[SELECT_MARKS] = true;
	return found;
}

static bool select_groups(const char *pattern, bool *chosen)
{
	bool found = false;

	for (size_t i = 0; i < RECORDABLE_CLASSES; i++)
		if (matches(pattern, call_class_names[i]))
			found = select_class((enum call_class)i, chosen);
	for (size_t i = 0; i < CALL_GROUPS; i++)
		for (int j = 0; j < call_groups[i].count; j++)
			if (matches(pattern, call_groups[i].name))
				found = select_class(call_groups[i].classes[j], chosen);
	return found;
}

static bool select_word(const char *word, bool *chosen)
{
	bool functions = select_functions(word, chosen);

	return select_groups(word, chosen) || functions;
}

const char *select_calls(const char *list, bool chosen[SELECTABLE])
{
	bool any = false;

	while (*list) {
		size_t length = strcspn(list, ",");
		char word[WORD_MAX];

		snprintf(word, sizeof word, "%.*s", (int)length, list);
		if (length && (length >= sizeof word || !select_word(word, chosen)))
			return list;
		any |= length > 0;
		list += length + (list[length] == ',');
	}
	return any ? NULL : list;
}

void select_apply(const char *option, bool recorded[SELECTABLE])
{
	static const char first[] = "--only ", second[] = "--not ";
	bool named[SELECTABLE] = {false}, only = strncmp(option, first, sizeof first - 1) == 0;

	if (!only && strncmp(option, second, sizeof second - 1) != 0)
		return;
	(void)select_calls(strchr(option, ' ') + 1, named);
	named[SELECT_MARKS] |= only;
	for (size_t i = 0; i < SELECTABLE; i++)
		recorded[i] &= named[i] == only;
}

const char moment_no_function[] = "is not an MPI function";

static const char *find_function(struct moment *moment)
{
	const struct call_info *call = call_find(moment->name);

	if (!call || call_is_openmp(call))
		return moment_no_function;
	moment->call = (uint32_t)(call - all_calls);
	return NULL;
}

/* After the last colon, if a number follows: names may contain colons. */
static const char *take_nth(struct moment *moment)
{
	char *colon = strrchr(moment->name, ':');

	if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
		return NULL;
	moment->nth = strtoull(colon + 1, NULL, 10);
	*colon = '\0';
	return moment->nth ? NULL : "must count from 1";
}

static const char *take_level(struct moment *moment)
{
	static const char prefix[] = "MPI_Pcontrol=";
	char *level = moment->name + sizeof prefix - 1, *end;

	if (strncmp(moment->name, prefix, sizeof prefix - 1) != 0)
		return NULL;
	moment->has_level = true;
	moment->level = strtoll(level, &end, 10);
	if (end == level || *end)
		return "has a level that is not a whole number";
	level[-1] = '\0';
	return NULL;
}

const char *moment_parse(const char *text, struct moment *moment)
{
	struct moment found = {.call = ALL_CALLS};
	const char *problem;

	if (strlen(text) >= sizeof found.name)
		return "is too long";
	snprintf(found.name, sizeof found.name, "%s", text);
	problem = take_nth(&found);
	if (!problem)
		problem = take_level(&found);
	if (!problem && !*found.name)
		problem = "names no region, phase, mark or function";
	if (!problem && (strncmp(found.name, "MPI_", 4) == 0 || call_find(found.name)))
		problem = find_function(&found);
	if (!problem)
		*moment = found;
	return problem;
}
