#include "analysis/causes/pair_waits.h"

#include "analysis/model/spans.h"

/* NULL: there are too many. */
static struct pair_wait *find_pair(struct pair_sums *sums, uint32_t waiting, uint32_t late)
{
	struct map_key key = map_key(waiting, late);
	uint32_t *number = map_find(&sums->numbers, key);

	if (number)
		return &sums->all.items[*number];
	if (sums->all.count >= PAIRS_MOST)
		return NULL;
	*map_put(&sums->numbers, key) = (uint32_t)sums->all.count;
	array_add(&sums->all, ((struct pair_wait){.waiting = waiting, .late = late}));
	return &sums->all.items[sums->all.count - 1];
}

void pair_sums_add(struct pair_sums *sums, uint32_t waiting, uint32_t late, int64_t ns)
{
	struct pair_wait *pair = find_pair(sums, waiting, late);
	int64_t *sum = pair ? &pair->ns : &sums->left_out_ns;

	*sum = saturating_add(*sum, ns);
}

void pair_sums_release(struct pair_sums *sums)
{
	map_release(&sums->numbers);
	array_release(&sums->all);
}
