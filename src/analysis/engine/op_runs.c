/* A record for each key: how many tuples its open run has, the last of them, the figures. Records are never given
 * back, so that their numbers are in the order of being met first. */
#include "analysis/engine/op_figures.h"
#include "analysis/engine/op_keys.h"

struct runs {
	struct runs_plan plan;
	struct figures figures;
	struct key_table table;
	int64_t *result;
	struct operator_counts counts;
};

struct runs *runs_new(const struct runs_plan *plan)
{
	struct runs *runs = memory_new(1, sizeof *runs);

	runs->plan = *plan;
	runs->plan.figures = NULL;
	if (!runs->plan.words_in_all)
		runs->plan.words_in_all = WORDS_IN_ALL;
	figures_init(&runs->figures, plan->figures, plan->figure_count, runs->plan.words_in_all);
	key_table_init(&runs->table, plan->keys, 1 + plan->width + runs->figures.state_words, NULL, NULL);
	runs->result = memory_new(plan->keys + runs->figures.result_words + 1, sizeof *runs->result);
	return runs;
}

static int64_t *figures_of(const struct runs *runs, int64_t *payload)
{
	return payload + 1 + runs->plan.width;
}

void runs_free(struct runs *runs)
{
	if (!runs)
		return;
	for (uint32_t i = 0; i < runs->table.records.used; i++)
		figures_clear(&runs->figures, figures_of(runs, key_payload(&runs->table, i)));
	figures_release(&runs->figures);
	key_table_release(&runs->table);
	free(runs->result);
	free(runs);
}

struct operator_counts runs_counts(const struct runs *runs)
{
	struct operator_counts counts = runs->counts;

	counts.dropped += runs->figures.dropped;
	return counts;
}

static void close_run(struct runs *runs, int64_t *payload)
{
	if (payload[0] >= runs->plan.at_least) {
		memcpy(runs->result, payload - runs->plan.keys, runs->plan.keys * sizeof *runs->result);
		figures_give(&runs->figures, figures_of(runs, payload), runs->result + runs->plan.keys);
		runs->counts.results++;
		runs->plan.put(runs->plan.context, runs->result);
	}
	figures_clear(&runs->figures, figures_of(runs, payload));
	payload[0] = 0;
	runs->counts.waiting--;
}

static bool breaks(const struct runs *runs, const int64_t *payload, const int64_t *row)
{
	return payload[0] && runs->plan.continues &&
	       !runs->plan.continues(runs->plan.context, payload + 1, row);
}

static void add_to_run(struct runs *runs, int64_t *payload, const int64_t *row)
{
	if (breaks(runs, payload, row))
		close_run(runs, payload);
	runs->counts.waiting += !payload[0];
	payload[0]++;
	memcpy(payload + 1, row, runs->plan.width * sizeof *row);
	figures_add(&runs->figures, figures_of(runs, payload), row);
}

/* NO_RECORD if there is no room for another key. */
static uint32_t record_of(struct runs *runs, const int64_t *row)
{
	uint32_t hash = key_hash(row, runs->plan.keys);
	uint32_t number = key_table_find(&runs->table, row, hash);

	if (number != NO_RECORD ||
	    (size_t)(runs->table.count + 1) * runs->table.records.stride > runs->plan.words_in_all)
		return number;
	return key_table_add(&runs->table, row, hash);
}

void runs_add(struct runs *runs, const int64_t *rows, size_t count)
{
	for (size_t i = 0; i < count; i++, rows += runs->plan.width) {
		uint32_t number = record_of(runs, rows);

		if (number == NO_RECORD)
			runs->counts.dropped++;
		else
			add_to_run(runs, key_payload(&runs->table, number), rows);
	}
}

void runs_finish(struct runs *runs)
{
	for (uint32_t i = 0; i < runs->table.records.used; i++)
		if (key_payload(&runs->table, i)[0])
			close_run(runs, key_payload(&runs->table, i));
}
