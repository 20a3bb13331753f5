#include "analysis/causes/computing.h"

#include "analysis/model/spans.h"

static uint32_t find(const struct computing_sums *sums, uint64_t hash, uint32_t key, uint32_t process)
{
	return map_index_find(&sums->index, hash, i,
	                      sums->all.items[i].key == key && sums->all.items[i].process == process);
}

uint32_t computing_number(struct computing_sums *sums, uint32_t key, uint32_t process)
{
	uint64_t hash = hash_word(key, process);
	uint32_t number = find(sums, hash, key, process);

	if (number != MAP_NONE)
		return number;
	number = (uint32_t)sums->all.count;
	map_index_add(&sums->index, hash, number);
	array_add(&sums->all, (struct own_computing){key, process, 0});
	return number;
}

static void add_up(struct computing_sums *sums)
{
	for (size_t i = 0; i < sums->all.count; i++) {
		const struct own_computing *own = &sums->all.items[i];
		struct all_computing *all;
		array_extend(&sums->by_key, own->key + 1u);
		all = &sums->by_key.items[own->key];
		all->ns = saturating_add(all->ns, own->ns);
		all->processes++;
	}
}

bool computing_of(struct computing_sums *sums, uint32_t key, uint32_t process, int64_t *own_ns,
                  int64_t *mean_ns, uint32_t *processes)
{
	uint32_t number = find(sums, hash_word(key, process), key, process);

	if (number == MAP_NONE)
		return false;
	if (!sums->by_key.count)
		add_up(sums);
	*own_ns = sums->all.items[number].ns;
	*processes = sums->by_key.items[key].processes;
	*mean_ns = sums->by_key.items[key].ns / *processes;
	return true;
}

int64_t computing_mean(struct computing_sums *sums, uint32_t key, uint32_t processes)
{
	if (!sums->by_key.count)
		add_up(sums);
	return key < sums->by_key.count && processes ? sums->by_key.items[key].ns / processes : 0;
}

void computing_release(struct computing_sums *sums)
{
	map_index_release(&sums->index);
	array_release(&sums->all);
	array_release(&sums->by_key);
}
