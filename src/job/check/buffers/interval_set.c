#include "job/check/buffers/interval_set.h"

void interval_add(struct interval_set *set, struct interval *interval)
{
	if (set->few_count < FEW_INTERVALS) {
		interval->place = (uint8_t)set->few_count;
		set->few[set->few_count++] = (struct interval_span){interval->first, interval->end, interval};
		return;
	}
	interval->place = NOT_AMONG_FEW;
	interval_tree_add(&set->others, interval);
}

void interval_remove(struct interval_set *set, struct interval *interval)
{
	if (interval->place == NOT_AMONG_FEW) {
		interval_tree_remove(&set->others, interval);
		return;
	}
	set->few[interval->place] = set->few[--set->few_count];
	set->few[interval->place].interval->place = interval->place;
}

void interval_each(const struct interval_set *set, int64_t first, int64_t end, interval_visit *visit,
                   void *context)
{
	for (uint32_t i = 0; i < set->few_count; i++)
		if (__builtin_expect(set->few[i].first < end && set->few[i].end > first, 0) &&
		    !visit(set->few[i].interval, context))
			return;
	interval_tree_visit(&set->others, first, end, visit, context);
}

static bool stop_at_first(struct interval *interval, void *found)
{
	(void)interval;
	*(bool *)found = true;
	return false;
}

bool interval_set_has(const struct interval_set *set, int64_t first, int64_t end)
{
	bool found = false;

	interval_each(set, first, end, stop_at_first, &found);
	return found;
}
