#include "analysis/model/neighbour_table.h"

#include "calls/calls.h"

static void add_list(struct neighbour_table *lists, const struct site_total *site, uint64_t made)
{
	*map_put(&lists->by_member, map_key(site->process, made)) = (uint32_t)lists->firsts.count;
	array_add(&lists->firsts, lists->ranks.count);
	for (uint32_t i = 0; i < field_count(site->call); i++)
		if (field_key_at(site->call, i) == FIELD_MEMBER)
			array_add(&lists->ranks, field_value_at(site->call, i));
}

void neighbour_table_make(struct neighbour_table *lists, const struct figures *figures)
{
	*lists = (struct neighbour_table){0};
	for (size_t i = 0; i < figures->site_count; i++) {
		const struct site_total *site = &figures->sites[i];
		int64_t made, member;

		if (call_field(site->call, FIELD_NEWCOMM, &made) && made &&
		    call_field(site->call, FIELD_MEMBER, &member))
			add_list(lists, site, (uint64_t)made);
	}
	array_add(&lists->firsts, lists->ranks.count);
}

struct neighbour_list neighbour_table_find(const struct neighbour_table *lists, uint32_t process,
                                           uint64_t communicator)
{
	const uint32_t *list = map_find(&lists->by_member, map_key(process, communicator));

	if (!list)
		return (struct neighbour_list){0};
	return (struct neighbour_list){
		lists->ranks.items + lists->firsts.items[*list],
		(uint32_t)(lists->firsts.items[*list + 1] - lists->firsts.items[*list])};
}

void neighbour_table_release(struct neighbour_table *lists)
{
	map_release(&lists->by_member);
	array_release(&lists->firsts);
	array_release(&lists->ranks);
}
