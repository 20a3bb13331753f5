#include "analysis/wrappers/wrappers.h"

#include "analysis/rules/functions.h"
#include "calls/calls.h"

#include <string.h>

enum { NAMES_OF_A_CLASS = 16 }; /* beyond these its own name is the shorter list */

/* Functions that belong together: who needs one of the first classes needs all. */
static const struct class_group {
	enum call_class classes[8];
	int askers, count;
} class_groups[] = {
	{{CLASS_POINT_TO_POINT, CLASS_PERSISTENT, CLASS_PARTITIONED, CLASS_PROBE, CLASS_REQUEST,
          CLASS_BUFFER},
         4,
         6},
	{{CLASS_ONE_SIDED, CLASS_EPOCH, CLASS_WINDOW}, 2, 3},
};

static void add_class(bool *needed, enum call_class class)
{
	for (size_t i = 0; i < ALL_CALLS; i++)
		needed[i] |= all_calls[i].class == class;
}

static bool has_any(const bool *needed, const struct class_group *group)
{
	for (size_t i = 0; i < ALL_CALLS; i++)
		for (int j = 0; j < group->askers; j++)
			if (needed[i] && all_calls[i].class == group->classes[j])
				return true;
	return false;
}

/* A call that begins a request needs those that complete it. */
static bool begins_request(const bool *needed)
{
	for (size_t i = 0; i < ALL_CALLS; i++)
		if (needed[i] && (call_has(&all_calls[i], KIND_newrequest) || all_calls[i].starts))
			return true;
	return false;
}

static void close_set(bool *needed)
{
	if (begins_request(needed))
		add_class(needed, CLASS_REQUEST);
	for (size_t i = 0; i < sizeof class_groups / sizeof *class_groups; i++) {
		if (!has_any(needed, &class_groups[i]))
			continue;
		for (int j = 0; j < class_groups[i].count; j++)
			add_class(needed, class_groups[i].classes[j]);
	}
}

/* Of a class: all of it, none of it, or how many. */
static size_t count_class(const bool *needed, enum call_class class, size_t *all)
{
	size_t count = 0;

	*all = 0;
	for (size_t i = 0; i < ALL_CALLS; i++) {
		if (all_calls[i].class != class)
			continue;
		++*all;
		count += needed[i];
	}
	return count;
}

static const char *add_word(const char *list, const char *word, struct arena *arena)
{
	return arena_format(arena, "%s%s%s", list, *list ? "," : "", word);
}

static const char *list_names(const bool *needed, struct arena *arena)
{
	const char *list = "";

	for (size_t class = 0; class < CALL_CLASSES; class ++) {
		size_t all, count = count_class(needed, (enum call_class) class, &all);

		if (count && (count == all || count > NAMES_OF_A_CLASS)) {
			list = add_word(list, call_class_names[class], arena);
			continue;
		}
		for (size_t i = 0; i < ALL_CALLS && count; i++)
			if (all_calls[i].class == class && needed[i])
				list = add_word(list, all_calls[i].name, arena);
	}
	return list;
}

const char *needed_functions(const struct rulebook *book, struct arena *arena)
{
	bool needed[SELECTABLE] = {false};
	const char *list;

	rulebook_functions(book, needed);
	close_set(needed);
	list = list_names(needed, arena);
	/* An empty list would be none; these are recorded in any case. */
	return *list ? list : "MPI_Init,MPI_Finalize";
}
