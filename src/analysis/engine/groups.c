/* A record for each key: its states and, for runs, the last tuple of the open run. Records are released only
 * all at once, so that their numbers are in the order of the first occurrence. */
#include "analysis/engine/key_table.h"
#include "analysis/engine/operator.h"

enum { STATE_WORDS = sizeof(struct aggregate_state) / sizeof(int64_t) };

struct groups {
	struct groups_plan plan;
	struct accumulators accumulators;
	struct key_table table;
	int64_t *result;
	int64_t together; /* of the last tuples: the key word by which they arrive together */
	struct operator_counts counts;
};

struct groups *groups_new(const struct groups_plan *plan)
{
	struct groups *groups = memory_new(1, sizeof *groups);
	uint32_t payload = plan->aggregate_count * STATE_WORDS + (plan->continues ? 1 + plan->width : 0);

	groups->plan = *plan;
	groups->plan.aggregates = NULL;
	if (!groups->plan.words_in_all)
		groups->plan.words_in_all = WORDS_IN_ALL;
	accumulators_init(&groups->accumulators, plan->aggregates, plan->aggregate_count,
	                  groups->plan.words_in_all);
	key_table_init(&groups->table, plan->keys, payload, NULL, NULL);
	groups->result = memory_new(plan->keys + plan->aggregate_count + 1, sizeof *groups->result);
	return groups;
}

static struct aggregate_state *states_of(const struct groups *groups, uint32_t record)
{
	return (struct aggregate_state *)key_payload(&groups->table, record);
}

void groups_free(struct groups *groups)
{
	if (!groups)
		return;
	for (uint32_t i = 0; i < groups->table.records.used; i++)
		accumulators_finish(&groups->accumulators, states_of(groups, i), NULL);
	accumulators_release(&groups->accumulators);
	key_table_release(&groups->table);
	free(groups->result);
	free(groups);
}

struct operator_counts groups_counts(const struct groups *groups)
{
	struct operator_counts counts = groups->counts;

	counts.dropped += groups->accumulators.dropped;
	return counts;
}

static void close_group(struct groups *groups, uint32_t record)
{
	uint32_t keys = groups->plan.keys;

	memcpy(groups->result, record_at(&groups->table.records, record), keys * sizeof *groups->result);
	accumulators_finish(&groups->accumulators, states_of(groups, record), groups->result + keys);
	groups->counts.results++;
	groups->counts.waiting--;
	groups->plan.put(groups->plan.context, groups->result);
}

static void open_group(struct groups *groups, uint32_t record)
{
	accumulators_start(&groups->accumulators, states_of(groups, record));
	groups->counts.waiting++;
}

/* NO_RECORD: there is no room for it. */
static uint32_t find_or_open(struct groups *groups, const int64_t *key, uint32_t hash)
{
	const struct groups_plan *plan = &groups->plan;
	uint32_t record = key_table_find(&groups->table, key, hash);

	if (record != NO_RECORD)
		return record;
	if ((groups->table.count + (size_t)1) * groups->table.records.stride > plan->words_in_all) {
		groups->counts.dropped++;
		return NO_RECORD;
	}
	record = key_table_add(&groups->table, key, hash);
	open_group(groups, record);
	return record;
}

void groups_pack(struct groups *groups, struct text *out)
{
	const struct record_pool *records = &groups->table.records;

	text_add_bytes(out, (const char *)records->words,
	               (size_t)records->used * records->stride * sizeof *records->words);
	groups->counts.waiting -= records->used;
	key_table_clear(&groups->table);
}

void groups_unpack(struct groups *groups, struct cursor *in)
{
	const uint32_t keys = groups->plan.keys, stride = groups->table.records.stride;
	int64_t *words = memory_new(stride, sizeof *words);

	while (unpack_bytes(in, words, stride * sizeof *words)) {
		uint32_t record = find_or_open(groups, words, key_hash(words, keys));
		if (record != NO_RECORD)
			accumulators_append(&groups->accumulators, states_of(groups, record),
			                    (const struct aggregate_state *)(words + keys));
	}
	free(words);
}

void groups_add(struct groups *groups, const int64_t *rows, size_t count)
{
	const struct groups_plan *plan = &groups->plan;

	for (size_t i = 0; i < count; i++, rows += plan->width) {
		uint32_t hash = key_hash(rows, plan->keys), record;

		if (plan->together) {
			if (rows[plan->together - 1] != groups->together)
				groups_finish(groups);
			groups->together = rows[plan->together - 1];
		}
		record = find_or_open(groups, rows, hash);
		if (record == NO_RECORD)
			continue;
		if (plan->continues) {
			int64_t *run = key_payload(&groups->table, record) +
			               plan->aggregate_count * STATE_WORDS;

			if (run[0] && !plan->continues(plan->context, run + 1, rows)) {
				close_group(groups, record);
				open_group(groups, record);
			}
			run[0] = 1;
			memcpy(run + 1, rows, plan->width * sizeof *rows);
		}
		accumulators_add(&groups->accumulators, states_of(groups, record), rows);
	}
}

void groups_finish(struct groups *groups)
{
	for (uint32_t i = 0; i < groups->table.records.used; i++)
		close_group(groups, i);
	key_table_clear(&groups->table);
}
