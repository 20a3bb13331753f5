#include "analysis/causes/computing.h"

#include "analysis/model/spans.h"

static uint64_t hash_of(uint32_t key, uint32_t process)
{
	return hash_word(hash_word(0, key), process);
}

static uint32_t find(const struct computing_sums *sums, uint64_t hash, uint32_t key, uint32_t process)
{
	return map_index_find(&sums->index, hash, i,
	                      sums->all.items[i].key == key && sums->all.items[i].process == process);
}

uint32_t computing_number(struct computing_sums *sums, uint32_t key, uint32_t process)
{
	uint64_t hash = hash_of(key, process);
	uint32_t number = find(sums, hash, key, process);

	if (number != MAP_NONE)
		return number;
	number = (uint32_t)sums->all.count;
	map_index_add(&sums->index, hash, number);
	array_add(&sums->all, (struct own_computing){.key = key, .process = process});
	return number;
}

/* Room for 16 MiB of sums, at most 512 KiB for a place. */
enum { INSTANCES_MAX = 1 << 16, ALL_INSTANCES_MAX = 1 << 21 };

void computing_add(struct computing_sums *sums, uint32_t number, int64_t ns, int64_t blocked_ns)
{
	struct own_computing *own = &sums->all.items[number];
	struct instance_sums *instances;

	own->ns = saturating_add(own->ns, ns);
	own->blocked_ns = saturating_add(own->blocked_ns, min_ns(blocked_ns, ns));
	array_extend(&sums->instances, own->key + 1u);
	instances = &sums->instances.items[own->key];
	if (own->count == instances->ns.count && !instances->is_too_long) {
		instances->is_too_long = own->count == INSTANCES_MAX ||
		                         sums->instance_count == ALL_INSTANCES_MAX;
		if (!instances->is_too_long) {
			array_add(&instances->ns, 0);
			sums->instance_count++;
		}
	}
	if (own->count < instances->ns.count)
		instances->ns.items[own->count] = saturating_add(instances->ns.items[own->count], ns);
	own->count++;
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
	for (size_t i = 0; i < sums->by_key.count && i < sums->instances.count; i++) {
		const struct instance_sums *found = &sums->instances.items[i];
		struct all_computing *all = &sums->by_key.items[i];
		if (!found->is_too_long)
			all->instances = (struct work_instances){found->ns.items, found->ns.count,
			                                         all->processes};
	}
	for (size_t i = 0; i < sums->all.count; i++) {
		struct work_instances *instances = &sums->by_key.items[sums->all.items[i].key].instances;
		if (sums->all.items[i].count != instances->count)
			instances->sums_ns = NULL;
	}
}

bool computing_of(struct computing_sums *sums, uint32_t key, uint32_t process, struct computing_times *times)
{
	uint32_t number = find(sums, hash_of(key, process), key, process);
	const struct own_computing *own;

	if (number == MAP_NONE)
		return false;
	if (!sums->by_key.count)
		add_up(sums);
	own = &sums->all.items[number];
	*times = (struct computing_times){.own_ns = own->ns,
	                                  .blocked_ns = own->blocked_ns,
	                                  .mean_ns = sums->by_key.items[key].ns /
	                                             sums->by_key.items[key].processes,
	                                  .processes = sums->by_key.items[key].processes};
	return true;
}

const struct work_instances *computing_instances(struct computing_sums *sums, uint32_t key)
{
	const struct work_instances *instances;

	if (!sums->by_key.count)
		add_up(sums);
	instances = key < sums->by_key.count ? &sums->by_key.items[key].instances : NULL;
	return instances && instances->sums_ns && instances->processes > 1 ? instances : NULL;
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
	for (size_t i = 0; i < sums->instances.count; i++)
		array_release(&sums->instances.items[i].ns);
	array_release(&sums->instances);
	array_release(&sums->by_key);
}
