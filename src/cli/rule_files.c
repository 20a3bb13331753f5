#include "cli/rule_files.h"

#include "analysis/rules/diagnostics.h"
#include "cli/colour.h"
#include "cli/command.h"
#include "cli/installation.h"

#include <stdio.h>

static void show(const struct diagnostic *diagnostic)
{
	enum colour colour = diagnostic->severity == SEVERITY_ERROR ? COLOUR_BAD : COLOUR_FAINT;
	struct text place = {0}, source = {0};

	diagnostic_describe_place(diagnostic, &place);
	diagnostic_describe_source(diagnostic, &source);
	fprintf(stderr, "%s%s%s%s\n%s", colour_code(colour, stderr), text_get(&place),
	        colour_code(COLOUR_NONE, stderr), diagnostic->sentence, text_get(&source));
	text_release(&place);
	text_release(&source);
}

bool load_rules(struct rule_wish wish, struct rulebook **book)
{
	struct diagnostics told = {0};
	struct arena arena = {0};
	enum status status = installation_rules(&arena, &wish.shipped);

	if (status == OK)
		status = rulebook_check(&wish, &told, book);
	else
		report_failure();
	for (size_t i = 0; i < told.count; i++)
		show(&told.list[i]);
	diagnostics_release(&told);
	arena_release(&arena);
	return status == OK;
}
