#include "cli/traced.h"

#include "analysis/wrappers/cache.h"
#include "analysis/wrappers/needed.h"
#include "base/settings.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/rule_files.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

static void make_library(struct traced_plan *plan, struct arena *arena)
{
	if (plan->wrappers.count && wrappers_build(&plan->wrappers, arena, &plan->library) != OK)
		plan->obstacle = arena_format(
			arena, "the rules' functions are not recorded, only those of MPI: %s", trail_text());
}

enum status traced_plan(const struct traced_choice *choice, struct arena *arena, struct traced_plan *plan)
{
	struct rule_wish wish = {
		.files = choice->rules.at, .without_shipped = choice->no_shipped, .without_tests = true};
	struct traced_plan made = {0};
	struct rulebook *book;
	enum status status;

	*plan = made;
	if (!choice->rules.count && !choice->minimal)
		return OK;
	if (!load_rules(wish, &book))
		return fail("nothing was started, as the rules have errors");
	status = wrappers_write(book, arena, &made.wrappers);
	if (status == OK && choice->minimal)
		made.only = needed_functions(book, arena);
	rulebook_free(book);
	if (status != OK)
		return status;
	make_library(&made, arena);
	*plan = made;
	return OK;
}

static bool is_wrappers(const char *path, size_t length)
{
	const char *name = path;

	for (size_t i = 0; i < length; i++)
		if (path[i] == '/')
			name = path + i + 1;
	return text_begins(name, WRAPPERS_PREFIX);
}

/* What else was to be preloaded, each with a colon before it. */
static const char *others_in(const char *list, const char *first, struct arena *arena)
{
	const char *kept = "";

	while (list && *list) {
		size_t length = strcspn(list, ": ");
		bool is_first = length == strlen(first) && strncmp(list, first, length) == 0;
		if (length && !is_first && !is_wrappers(list, length))
			kept = arena_format(arena, "%s:%.*s", kept, (int)length, list);
		list += length + (list[length] != 0);
	}
	return kept;
}

const char *traced_preload(const struct traced_plan *plan, const char *first, const char *others,
                           struct arena *arena)
{
	const char *rest = others_in(others, first, arena);

	if (plan->library)
		return arena_format(arena, "%s:%s%s", first, plan->library, rest);
	return arena_format(arena, "%s%s", first, rest);
}

static bool was_left(const char *parts, const char *prefix, const char *function, struct arena *arena)
{
	return access(arena_format(arena, "%s/%s%s", parts, prefix, function), F_OK) == 0;
}

/* Have all processes had the time to say what they saw? */
static bool all_finished(const char *parts)
{
	DIR *listing = opendir(parts);
	size_t finished = 0, others = 0;

	for (struct dirent *entry; listing && (entry = readdir(listing));) {
		finished += text_ends(entry->d_name, DONE_SUFFIX);
		others += text_ends(entry->d_name, PART_SUFFIX) && !text_ends(entry->d_name, DONE_SUFFIX);
	}
	if (listing)
		closedir(listing);
	return finished && !others;
}

void traced_tell_unseen(const struct traced_plan *plan, const char *parts, struct arena *arena)
{
	if (!plan->library || !all_finished(parts))
		return;
	for (size_t i = 0; i < plan->wrappers.count; i++) {
		const struct traced *traced = &plan->wrappers.traced[i];

		if (was_left(parts, PROBE_SEEN_PREFIX, traced->function, arena))
			continue;
		if (was_left(parts, PROBE_FOUND_PREFIX, traced->function, arena))
			say("event '%s' never saw a call of '%s': between MPI_Init and MPI_Finalize the program did "
			    "not call it, or only its own library or MPI did",
			    traced->event, traced->function);
		else
			say("event '%s' never saw a call of '%s': no library of the program has it; if it is linked "
			    "into the program itself (-rdynamic does not help), put it into a shared library, or "
			    "mark it with tarry.h",
			    traced->event, traced->function);
	}
}
