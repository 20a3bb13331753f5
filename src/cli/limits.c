#include "cli/limits.h"

#include "base/arena.h"
#include "cli/command.h"
#include "output/report/gate.h"

#include <string.h>

struct visit {
	const struct rulebook *book;
	const struct report *report;
	bool is_crossed;
};

static void compare(const struct gate *gate, struct visit *visit)
{
	struct text sentences = {0};

	if (gate_is_crossed(gate, visit->report, &sentences)) {
		say_lines(text_get(&sentences));
		visit->is_crossed = true;
	}
	text_release(&sentences);
}

static enum status visit_one(const char *limit, struct visit *visit)
{
	struct gate gate;
	enum status status;

	TRY_BECAUSE(gate_parse(limit, &gate), "option '--fail-on'");
	status = visit->book ? gate_check(&gate, visit->book) : OK;
	if (status == OK && visit->report)
		compare(&gate, visit);
	gate_release(&gate);
	return status == OK ? OK : because("option '--fail-on'");
}

static enum status visit_parts(const char *limits, struct visit *visit, struct arena *arena)
{
	while (*limits) {
		size_t length = strcspn(limits, ",");
		TRY(visit_one(arena_bytes_as_text(arena, limits, length), visit));
		limits += length + (limits[length] == ',');
		limits += strspn(limits, " ");
	}
	return OK;
}

static enum status visit_all(const struct words *limits, struct visit *visit)
{
	struct arena arena = {0};
	enum status status = OK;

	for (size_t i = 0; i < limits->count && status == OK; i++)
		status = *limits->at[i] ? visit_parts(limits->at[i], visit, &arena) : visit_one("", visit);
	arena_release(&arena);
	return status;
}

enum status limits_parse(const struct words *limits)
{
	return visit_all(limits, &(struct visit){0});
}

bool limits_are_known(const struct words *limits, const struct rulebook *book)
{
	if (visit_all(limits, &(struct visit){.book = book}) == OK)
		return true;
	report_failure();
	return false;
}

/* They were checked: nothing can be wrong with them any more. */
bool limits_are_crossed(const struct words *limits, const struct report *report)
{
	struct visit visit = {.report = report};

	return visit_all(limits, &visit) == OK && visit.is_crossed;
}
