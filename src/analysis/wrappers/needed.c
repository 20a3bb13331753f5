#include "analysis/wrappers/wrappers.h"

#include "analysis/rules/functions.h"
#include "calls/calls.h"

#include <string.h>

enum { NAMES_OF_A_CLASS = 16 }; /* with more names the class's own name is shorter */

/* Related functions: if one of the first classes is needed, all are. */
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

static bool is_of(const struct call_info *call, const enum call_class *classes, int count)
{
	for (int i = 0; i < count; i++)
		if (call->class == classes[i])
			return true;
	return false;
}

static const char *add_word(const char *list, const char *word, struct arena *arena)
{
	return arena_format(arena, "%s%s%s", list, *list ? "," : "", word);
}

static const char *list_names(const bool *needed, struct arena *arena)
{
	const char *list = "";

	for (size_t class = 0; class < CALL_CLASSES; class ++) {
		size_t all = 0, count = 0;
		for (size_t i = 0; i < ALL_CALLS; i++) {
			all += all_calls[i].class == class;
			count += all_calls[i].class == class && needed[i];
		}
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
	bool begins_request = false;

	rulebook_functions(book, needed);
	/* A call that begins a request needs the calls that complete it. */
	for (size_t i = 0; i < ALL_CALLS; i++)
		begins_request |= needed[i] &&
		                  (call_has(&all_calls[i], KIND_newrequest) || all_calls[i].starts);
	for (size_t i = 0; i < ALL_CALLS; i++)
		needed[i] |= begins_request && all_calls[i].class == CLASS_REQUEST;
	for (size_t g = 0; g < sizeof class_groups / sizeof *class_groups; g++) {
		const struct class_group *group = &class_groups[g];
		bool is_asked = false;
		for (size_t i = 0; i < ALL_CALLS; i++)
			is_asked |= needed[i] && is_of(&all_calls[i], group->classes, group->askers);
		for (size_t i = 0; i < ALL_CALLS; i++)
			needed[i] |= is_asked && is_of(&all_calls[i], group->classes, group->count);
	}
	list = list_names(needed, arena);
	/* An empty list would mean everything; these are recorded in any case. */
	return *list ? list : "MPI_Init,MPI_Finalize";
}
