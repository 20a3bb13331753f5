#include "analysis/causes/late_threads.h"

#include "analysis/model/call_semantics.h"
#include "analysis/model/spans.h"
#include "analysis/relations/rows.h"
#include "base/memory.h"

#include <stdlib.h>

/* Sums */

static struct late_sum *find_sum(struct late_threads *late, uint32_t number, uint32_t place)
{
	uint32_t *at = map_put(&late->index, map_key(number, place));

	if (*at == MAP_NONE) {
		uint32_t *first = &array_extend(&late->first, number + 1u)->items[number];
		*at = (uint32_t)late->all.count;
		array_add(&late->all, (struct late_sum){.number = number, .place = place, .next = *first});
		*first = (uint32_t)late->all.count;
	}
	return &late->all.items[*at];
}

static void add_lateness(struct late_threads *late, uint32_t number, const struct open_lateness *open)
{
	struct late_sum *sum = find_sum(late, number, open->place);

	sum->ns = saturating_add(sum->ns, open->ns);
	for (int i = 0; i < LATE_THREADS_KEPT; i++)
		if (!sum->threads[i].ns || sum->threads[i].thread == open->thread) {
			sum->threads[i].thread = open->thread;
			sum->threads[i].ns = saturating_add(sum->threads[i].ns, open->ns);
			return;
		}
}

/* Computations with barriers */

static struct team_gaps *gaps_of(struct late_threads *late, const struct call_logs *logs,
                                 const struct call_log *log)
{
	const uint32_t number = (uint32_t)(log - logs->logs);

	if (!late->gaps) {
		late->log_count = logs->first[logs->reader->process_count];
		late->gaps = memory_new(late->log_count + 1u, sizeof(struct team_gaps *));
	}
	if (!late->gaps[number])
		late->gaps[number] = memory_new(1, sizeof *late->gaps[number]);
	return late->gaps[number];
}

/* At an MPI call: the computing before it is now known. */
static void close_gap(struct late_threads *late, struct call_logs *logs, struct team_gaps *gaps,
                      const struct call_log *log, const struct occurrence *call)
{
	const struct logged_call *last = call_log_last(logs, log);
	const uint32_t number = computing_number(&logs->computing, last->computing, log->process);

	gaps->gaps[gaps->gap_count++ % GAPS_KEPT] = (struct team_gap){gaps->since, call->start, number};
	for (size_t i = 0; i < gaps->open.count; i++)
		add_lateness(late, number, &gaps->open.items[i]);
	gaps->open.count = 0;
	gaps->has_barrier = false;
}

void late_threads_call(struct late_threads *late, struct call_logs *logs, const struct occurrence *call)
{
	const struct call_info *info = call->semantics->kind->info;
	const bool is_barrier = info == &all_calls[CALL_omp_barrier];
	struct call_log *log;
	struct team_gaps *gaps;

	log = call_logs_find(logs, call->semantics->process, call->thread);
	if (!log)
		return;
	gaps = gaps_of(late, logs, log);
	if (is_barrier) {
		gaps->has_barrier = true;
	} else {
		if (gaps->has_barrier && log->count > 1)
			close_gap(late, logs, gaps, log, call);
		gaps->since = call->end;
	}
}

/* Left out if the computing around it is no longer known. */
static void add_barrier(struct late_threads *late, struct team_gaps *gaps, int64_t moment,
                        const struct open_lateness *open)
{
	if (moment >= gaps->since) {
		array_add(&gaps->open, *open);
		return;
	}
	for (uint32_t i = 0; i < gaps->gap_count && i < GAPS_KEPT; i++) {
		const struct team_gap *gap = &gaps->gaps[(gaps->gap_count - 1 - i) % GAPS_KEPT];
		if (moment >= gap->since && moment <= gap->until) {
			add_lateness(late, gap->number, open);
			return;
		}
	}
}

/* The thread that calls MPI is the first of its team. */
static const struct call_log *first_log(const struct call_logs *logs, const struct team_call *rows,
                                        uint32_t count)
{
	const struct team_call *first = rows;

	for (uint32_t i = 1; i < count; i++)
		first = rows[i].thread < first->thread ? &rows[i] : first;
	return call_logs_find(logs, first->call.semantics->process, first->thread);
}

static void read_barrier(struct late_threads *late, struct call_logs *logs, const struct team_call *rows,
                         uint32_t count)
{
	const struct call_log *log = first_log(logs, rows, count);
	const struct team_call *last = rows;
	int64_t earlier = 0;

	if (!log || count < 2)
		return;
	for (uint32_t i = 1; i < count; i++)
		last = rows[i].call.start > last->call.start ? &rows[i] : last;
	for (uint32_t i = 0; i < count; i++)
		earlier = saturating_add(earlier, interval_ns(rows[i].call.start, last->call.start));
	add_barrier(late, gaps_of(late, logs, log), last->call.start,
	            &(struct open_lateness){.thread = last->thread,
	                                    .place = call_place(logs, last->call.semantics),
	                                    .ns = earlier / (count - 1)});
}

void late_threads_read(struct late_threads *late, struct call_logs *logs, const struct row_block *block)
{
	const struct team_call *rows = block_rows(block);

	for (uint32_t i = 0, end; i < block->rows; i = end) {
		end = block_group_end(block, i);
		read_barrier(late, logs, &rows[i], end - i);
	}
}

/* Queries */

static int64_t *everyone_at(struct late_threads *late, uint32_t key, uint32_t place)
{
	uint32_t *at = map_put(&late->everyone, map_key(key, place));

	if (*at == MAP_NONE) {
		*at = (uint32_t)late->everyone_ns.count;
		array_add(&late->everyone_ns, 0);
	}
	return &late->everyone_ns.items[*at];
}

static void add_up(struct late_threads *late, const struct computing_sums *computing)
{
	for (size_t i = 0; i < late->all.count; i++) {
		const struct late_sum *sum = &late->all.items[i];
		int64_t *ns = everyone_at(late, computing->all.items[sum->number].key, sum->place);
		*ns = saturating_add(*ns, sum->ns);
	}
}

static uint32_t main_thread(const struct late_sum *sum)
{
	int most = 0;

	for (int i = 1; i < LATE_THREADS_KEPT; i++)
		most = sum->threads[i].ns > sum->threads[most].ns ? i : most;
	return sum->threads[most].ns >= sum->ns - sum->threads[most].ns ? sum->threads[most].thread
	                                                                : SEVERAL_THREADS;
}

bool late_threads_of(struct late_threads *late, const struct computing_sums *computing,
                     const struct late_query *query, struct late_thread *found)
{
	/* The part of the time that the process computes longer than others. */
	const int64_t longer = query->ranks > 1 ? query->own_ns - query->mean_ns : query->own_ns;
	const struct late_sum *largest = NULL;
	int64_t most = 0;

	if (late->all.count && !late->everyone_ns.count)
		add_up(late, computing);
	for (uint32_t i = query->number < late->first.count ? late->first.items[query->number] : 0; i;
	     i = late->all.items[i - 1].next) {
		const struct late_sum *sum = &late->all.items[i - 1];
		const int64_t all_ns = *everyone_at(late, computing->all.items[sum->number].key, sum->place);
		const int64_t more = query->ranks > 1 ? sum->ns - all_ns / query->ranks : sum->ns;
		if (more <= most)
			continue;
		most = more;
		largest = sum;
	}
	if (!largest || most < longer / 2)
		return false;
	*found = (struct late_thread){main_thread(largest), largest->place, largest->ns};
	return true;
}

void late_threads_release(struct late_threads *late)
{
	for (uint32_t i = 0; i < late->log_count; i++)
		if (late->gaps[i]) {
			array_release(&late->gaps[i]->open);
			free(late->gaps[i]);
		}
	free(late->gaps);
	map_release(&late->index);
	array_release(&late->all);
	array_release(&late->first);
	map_release(&late->everyone);
	array_release(&late->everyone_ns);
}
