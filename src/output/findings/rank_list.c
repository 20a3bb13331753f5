#include "output/findings/rank_list.h"

#include "language/language.h"

#include <inttypes.h>
#include <stdlib.h>

static void add_run(const struct findings *findings, const struct world_rank *from,
                    const struct world_rank *to, struct text *out)
{
	if (from->rank == UINT32_MAX)
		text_add(out, "%s", translate(findings->lang, "before MPI_Init"));
	else if (from->rank == to->rank)
		text_add(out, "%" PRIu32, from->rank);
	else
		text_add(out, from->rank + 1 == to->rank ? "%" PRIu32 ", %" PRIu32 : "%" PRIu32 "-%" PRIu32,
		         from->rank, to->rank);
	if (findings->world_count > 1 && from->rank != UINT32_MAX)
		text_add(out, "%s%" PRIu32, translate(findings->lang, " of world "), from->world + 1);
}

void rank_list_numbers(const struct findings *findings, const struct finding_ranks *list, size_t most,
                       struct text *out)
{
	size_t runs = 0, i = 0;

	for (; i < list->count && runs < most; runs++) {
		size_t end = i + 1;
		while (end < list->count && list->items[end].world == list->items[i].world &&
		       list->items[end].rank == list->items[end - 1].rank + 1)
			end++;
		text_add(out, "%s", runs ? ", " : "");
		add_run(findings, &list->items[i], &list->items[end - 1], out);
		i = end;
	}
	if (i < list->count)
		text_add(out, ", %zu%s", list->count - i, translate(findings->lang, "rank| more"));
}

void rank_list_describe(const struct findings *findings, const struct finding_ranks *list, struct text *out)
{
	const char *noun = list->count == 1 ? "rank " : "ranks ";

	if (list->count && list->items[0].rank != UINT32_MAX)
		text_add(out, "%s", translate(findings->lang, noun));
	rank_list_numbers(findings, list, RANK_RUNS_SHOWN, out);
}

static int by_rank(const void *left, const void *right)
{
	const struct world_rank *a = left, *b = right;

	if (a->world != b->world)
		return a->world < b->world ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

void rank_list_sort(struct finding_ranks *list)
{
	size_t kept = 0;

	if (list->count)
		qsort(list->items, list->count, sizeof *list->items, by_rank);
	for (size_t i = 0; i < list->count; i++)
		if (!kept || by_rank(&list->items[kept - 1], &list->items[i]) != 0)
			list->items[kept++] = list->items[i];
	list->count = kept;
}

bool rank_list_contains(const struct finding_ranks *list, const struct finding_ranks *part)
{
	for (size_t i = 0; i < part->count; i++)
		if (!bsearch(&part->items[i], list->items, list->count, sizeof *list->items, by_rank))
			return false;
	return true;
}

bool rank_list_equal(const struct finding_ranks *a, const struct finding_ranks *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; same && i < a->count; i++)
		same = by_rank(&a->items[i], &b->items[i]) == 0;
	return same;
}

static uint32_t number_world(struct findings *findings, uint64_t world)
{
	uint32_t number = findings_world(findings, world);

	if (number == findings->world_count)
		arena_add(&findings->arena, findings->worlds, findings->world_count, world);
	return number;
}

void rank_list_add(struct findings *findings, struct finding_ranks *list, const struct check_call *call)
{
	struct world_rank rank = {number_world(findings, call->world), call->rank};

	arena_add(&findings->arena, list->items, list->count, rank);
}
