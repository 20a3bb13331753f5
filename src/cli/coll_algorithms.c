#include "cli/coll_algorithms.h"

#include "coll/choice/catalogue.h"

#include <string.h>

enum { NAMES_COLUMN = 24, SUMMARY_COLUMN = 21, WIDTH = 80 };

static bool begins_operation(int row)
{
	return row == 0 || strcmp(coll_catalogue[row].operation, coll_catalogue[row - 1].operation) != 0;
}

/* "ring, leaders": from this row to the end of its operation. */
static void add_names(int row, struct text *names)
{
	const char *operation = coll_catalogue[row].operation;

	for (int i = row; i < coll_catalogue_count && strcmp(coll_catalogue[i].operation, operation) == 0;
	     i++)
		text_add(names, "%s%s", i > row ? ", " : "", coll_catalogue[i].name);
}

void coll_algorithms_help(struct text *out)
{
	struct text names = {0};

	text_add(out, "\nALGORITHMS ('tarry coll show --algorithms' explains them)\n");
	for (int i = 0; i < coll_catalogue_count; i++) {
		if (!begins_operation(i))
			continue;
		text_clear(&names);
		add_names(i, &names);
		text_add(out, "  %-*s", NAMES_COLUMN - 2, coll_catalogue[i].operation);
		text_add_wrapped(out, text_get(&names), NAMES_COLUMN, WIDTH);
	}
	text_release(&names);
}

void coll_algorithms_list(struct text *out)
{
	for (int i = 0; i < coll_catalogue_count; i++) {
		if (begins_operation(i))
			text_add(out, "%s%s\n", i ? "\n" : "", coll_catalogue[i].operation);
		text_add(out, "  %-*s", SUMMARY_COLUMN - 2, coll_catalogue[i].name);
		text_add_wrapped(out, coll_catalogue[i].summary, SUMMARY_COLUMN, WIDTH);
	}
}

static enum status refuse_algorithm(const struct coll_override *override)
{
	struct text names = {0};
	enum status status;

	for (int i = 0; i < coll_catalogue_count; i++)
		if (begins_operation(i) && strcmp(coll_catalogue[i].operation, override->operation) == 0)
			add_names(i, &names);
	status = fail("option '--algorithm': %s has no algorithm '%s'; choose %s or " OVERRIDE_MPI,
	              override->operation, override->algorithm, text_get(&names));
	text_release(&names);
	return status;
}

enum status coll_algorithms_check(const char *list)
{
	struct coll_override override;

	while (list && coll_override_next(&list, &override))
		switch (coll_catalogue_check(&override)) {
		case OVERRIDE_OPERATION:
			return fail(
				"option '--algorithm': there is no operation '%s'; see 'tarry coll show --algorithms'",
				override.operation);
		case OVERRIDE_ALGORITHM:
			return refuse_algorithm(&override);
		case OVERRIDE_VALID:
			break;
		}
	return OK;
}
