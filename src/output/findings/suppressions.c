#include "output/findings/suppressions.h"

#include "base/paths.h"
#include "base/user_files.h"
#include "check/checks/checks.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool names_any_check(const char *pattern)
{
	for (uint32_t check = CHECK_NONE + 1; check < CHECKS_END; check++)
		if (fnmatch(pattern, check_table[check].id, 0) == 0)
			return true;
	return false;
}

static enum status unknown_check(const char *path, unsigned number, const char *word)
{
	struct nearest nearest = {.word = word};

	for (uint32_t check = CHECK_NONE + 1; check < CHECKS_END; check++)
		nearest_offer(&nearest, check_table[check].id);
	if (nearest_found(&nearest))
		return fail("%s:%u: unknown check '%s', did you mean '%s'?", path, number, word,
		            nearest_found(&nearest));
	return fail("%s:%u: unknown check '%s'; docs/checks.md lists all", path, number, word);
}

static enum status read_line(struct suppressions *list, const char *path, unsigned number, char *line)
{
	static const char blanks[] = " \t\r\n";
	char *rest, *check, *place, *more;

	line[strcspn(line, "#")] = 0;
	check = strtok_r(line, blanks, &rest);
	if (!check)
		return OK;
	place = strtok_r(NULL, blanks, &rest);
	more = place ? strtok_r(NULL, blanks, &rest) : NULL;
	if (more)
		return fail("%s:%u: unexpected '%s': a line is a check and one place", path, number, more);
	if (!names_any_check(check))
		return unknown_check(path, number, check);
	array_add_in(&list->arena, &list->list,
	             (struct suppression){.file = arena_text(&list->arena, path),
	                                  .line = number,
	                                  .check = arena_text(&list->arena, check),
	                                  .place = place ? arena_text(&list->arena, place) : NULL});
	return OK;
}

enum status suppressions_read(struct suppressions *list, const char *path)
{
	FILE *file = open_user_stream(path, "r");
	enum status status = OK;
	char *line = NULL;
	size_t room = 0;

	if (!file)
		return fail("cannot open '%s': %s", path, file_error());
	for (unsigned number = 1; status == OK && getline(&line, &room, file) >= 0; number++)
		status = read_line(list, path, number, line);
	if (status == OK && ferror(file))
		status = fail("cannot read '%s': %s", path, strerror(errno));
	free(line);
	fclose(file);
	return status;
}

void suppressions_release(struct suppressions *list)
{
	arena_release(&list->arena);
	*list = (struct suppressions){0};
}

static bool is_file(const char *pattern, const char *file)
{
	return fnmatch(pattern, strchr(pattern, '/') ? file : path_name(file), 0) == 0;
}

static bool names_frame(const char *place, const struct stack_frame *frame)
{
	const char *colon = strrchr(place, ':');
	char pattern[1024];

	if (frame->function && fnmatch(place, frame->function, 0) == 0)
		return true;
	if (!frame->file)
		return false;
	if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
		return is_file(place, frame->file);
	snprintf(pattern, sizeof pattern, "%.*s", (int)(colon - place), place);
	return strtol(colon + 1, NULL, 10) == frame->line && is_file(pattern, frame->file);
}

bool suppression_names(const struct suppression *line, const char *check, const struct stack_frames *stacks,
                       size_t count)
{
	if (fnmatch(line->check, check, 0) != 0)
		return false;
	for (size_t i = 0; i < count && line->place; i++)
		for (size_t j = 0; j < stacks[i].count; j++)
			if (names_frame(line->place, &stacks[i].items[j]))
				return true;
	return !line->place;
}
