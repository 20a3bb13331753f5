#include "output/findings/explained_calls.h"

#include "output/findings/rank_list.h"

#include <string.h>

static bool is_rejection(const struct shown_finding *shown)
{
	return strcmp(shown->info->group, "call") == 0;
}

static bool is_same_place(const struct check_call *a, const struct check_call *b)
{
	if (!a->stack_count || !b->stack_count)
		return a->stack_count == b->stack_count;
	return a->stack[0].offset == b->stack[0].offset && a->stack[0].line == b->stack[0].line &&
	       strcmp(a->stack[0].module, b->stack[0].module) == 0;
}

/* MPI reports a truncated message where the program waits for it, and of several requests only that one of them failed. */
static bool is_truncation(const struct shown_finding *rejection)
{
	const struct check_finding *finding = rejection->instances[0];

	for (uint32_t i = 0; i < finding->value_count; i++)
		if (strcmp(finding->values[i].name, "class") == 0)
			return strcmp(finding->values[i].text, "MPI_ERR_TRUNCATE") == 0 ||
			       strcmp(finding->values[i].text, "MPI_ERR_IN_STATUS") == 0;
	return false;
}

static bool explains(const struct shown_finding *finding, const struct shown_finding *rejection)
{
	const struct shown_call *rejected = &rejection->calls[0];

	if (is_rejection(finding) || finding->info->severity != SEVERITY_ERROR)
		return false;
	if (finding->check == CHECK_MESSAGE_TRUNCATED && is_truncation(rejection) &&
	    rank_list_contains(&finding->ranks, &rejection->ranks))
		return true;
	for (size_t i = 0; i < finding->call_count; i++)
		if (finding->calls[i].first->function == rejected->first->function &&
		    is_same_place(finding->calls[i].first, rejected->first) &&
		    rank_list_contains(&finding->ranks, &rejection->ranks))
			return true;
	return false;
}

static bool is_explained(const struct findings *findings, const struct shown_finding *shown)
{
	if (!is_rejection(shown) || !shown->call_count)
		return false;
	for (size_t i = 0; i < findings->count; i++)
		if (explains(&findings->items[i], shown))
			return true;
	return false;
}

void explained_calls_remove(struct findings *findings)
{
	struct shown_finding *kept = arena_array(&findings->arena, struct shown_finding, findings->count + 1);
	size_t count = 0;

	for (size_t i = 0; i < findings->count; i++)
		if (!is_explained(findings, &findings->items[i]))
			kept[count++] = findings->items[i];
	findings->items = kept;
	findings->count = count;
}
