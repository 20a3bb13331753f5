/* A record for each key; records are given back all at once only, so that their numbers are in the order of being met
 * first. */
#include "analysis/engine/op_figures.h"
#include "analysis/engine/op_keys.h"

struct groups {
	struct groups_plan plan;
	struct figures figures;
	struct key_table table;
	int64_t *result;
	int64_t together; /* of the tuples that came last: the key that brings them together */
	struct operator_counts counts;
};

struct groups *groups_new(const struct groups_plan *plan)
{
	struct groups *groups = memory_new(1, sizeof *groups);

	groups->plan = *plan;
	groups->plan.figures = NULL;
	if (!groups->plan.words_in_all)
		groups->plan.words_in_all = WORDS_IN_ALL;
	figures_init(&groups->figures, plan->figures, plan->figure_count, groups->plan.words_in_all);
	key_table_init(&groups->table, plan->keys, groups->figures.state_words, NULL, NULL);
	groups->result = memory_new(plan->keys + groups->figures.result_words + 1, sizeof *groups->result);
	return groups;
}

void groups_free(struct groups *groups)
{
	if (!groups)
		return;
	for (uint32_t i = 0; i < groups->table.records.used; i++)
		figures_clear(&groups->figures, key_payload(&groups->table, i));
	figures_release(&groups->figures);
	key_table_release(&groups->table);
	free(groups->result);
	free(groups);
}

struct operator_counts groups_counts(const struct groups *groups)
{
	struct operator_counts counts = groups->counts;

	counts.dropped += groups->figures.dropped;
	return counts;
}

/* NO_RECORD if there is no room for another group. */
static uint32_t group_of(struct groups *groups, const int64_t *row)
{
	uint32_t hash = key_hash(row, groups->plan.keys);
	uint32_t number = key_table_find(&groups->table, row, hash);

	if (number != NO_RECORD ||
	    (size_t)(groups->table.count + 1) * groups->table.records.stride > groups->plan.words_in_all)
		return number;
	groups->counts.waiting++;
	return key_table_add(&groups->table, row, hash);
}

static void close_before(struct groups *groups, const int64_t *row)
{
	int64_t together = row[groups->plan.together - 1];

	if (together != groups->together)
		groups_finish(groups);
	groups->together = together;
}

void groups_add(struct groups *groups, const int64_t *rows, size_t count)
{
	for (size_t i = 0; i < count; i++, rows += groups->plan.width) {
		uint32_t number;

		if (groups->plan.together)
			close_before(groups, rows);
		number = group_of(groups, rows);
		if (number == NO_RECORD)
			groups->counts.dropped++;
		else
			figures_add(&groups->figures, key_payload(&groups->table, number), rows);
	}
}

void groups_finish(struct groups *groups)
{
	for (uint32_t i = 0; i < groups->table.records.used; i++) {
		memcpy(groups->result, record_at(&groups->table.records, i),
		       groups->plan.keys * sizeof *groups->result);
		figures_give(&groups->figures, key_payload(&groups->table, i),
		             groups->result + groups->plan.keys);
		figures_clear(&groups->figures, key_payload(&groups->table, i));
		groups->counts.results++;
		groups->plan.put(groups->plan.context, groups->result);
	}
	key_table_clear(&groups->table);
	groups->counts.waiting = 0;
}
