#include "analysis/causes/dependences.h"

#include "analysis/causes/call_log.h"
#include "analysis/model/spans.h"
#include "base/memory.h"
#include "calls/calls.h"

#include <stdlib.h>

/* How late a call began because somebody had no processor. */
static int64_t delay_of(const struct dependence_reading *reading, const struct occurrence *call, int64_t ns)
{
	return reading->wish->delays ? propagated_delay_at(reading->wish->delays, call->semantics->process,
	                                                   call->thread, ns + *reading->origin)
	                             : 0;
}

/* `wait` waited from `since` on for `partner`, which came at `moment`; `fault` is its wait without delays. `last` may be another one, which
 * came later because of delays. */
static void add(const struct dependence_reading *reading, const struct occurrence *wait, int64_t since,
                const struct occurrence *partner, int64_t moment, int64_t fault, uint64_t instance,
                const struct occurrence *last)
{
	struct dependence dependence = {.wait = wait->semantics,
	                                .partner = partner->semantics,
	                                .thread = wait->thread,
	                                .partner_thread = partner->thread,
	                                .start = wait->start,
	                                .since = since,
	                                .moment = least(moment, wait->end),
	                                .instance = instance};

	if (fault >= reading->wish->eps_ns && dependence.moment > since &&
	    wait->semantics->process != partner->semantics->process)
		dependence.ns = fault;
	if (last != partner && last->semantics->process != wait->semantics->process) {
		dependence.last = last->semantics;
		dependence.last_thread = last->thread;
		dependence.last_moment = least(last->start, wait->end);
	}
	if (dependence.ns || instance)
		reading->add(reading->context, &dependence);
}

/* A call waits for another one, which comes at `moment`. */
static void add_wait(const struct dependence_reading *reading, const struct occurrence *wait, int64_t since,
                     const struct occurrence *partner, int64_t moment)
{
	int64_t late;

	if (!has_time(wait) || !has_time(partner))
		return;
	late = least(moment, wait->end) - since;
	if (late < reading->wish->eps_ns)
		return;
	add(reading, wait, since, partner, moment,
	    least(late,
	          late + delay_of(reading, wait, wait->start) - delay_of(reading, partner, partner->start)),
	    0, partner);
}

/* If it came while that call lasted. */
static void add_inside(const struct dependence_reading *reading, const struct occurrence *wait,
                       const struct occurrence *partner, int64_t moment)
{
	if (moment > wait->start && moment <= wait->end)
		add_wait(reading, wait, wait->start, partner, moment);
}

/* Messages */

enum send_mode { MODE_STANDARD, MODE_BUFFERED, MODE_SYNCHRONOUS, MODE_READY };

static enum send_mode mode_of(const struct call_semantics *semantics)
{
	const struct call_info *info = semantics->kind->info;

	switch (info ? info - all_calls : ALL_CALLS) {
	case CALL_Bsend:
	case CALL_Bsend_c:
	case CALL_Ibsend:
	case CALL_Ibsend_c:
	case CALL_Bsend_init:
	case CALL_Bsend_init_c:
		return MODE_BUFFERED;
	case CALL_Ssend:
	case CALL_Ssend_c:
	case CALL_Issend:
	case CALL_Issend_c:
	case CALL_Ssend_init:
	case CALL_Ssend_init_c:
		return MODE_SYNCHRONOUS;
	case CALL_Rsend:
	case CALL_Rsend_c:
	case CALL_Irsend:
	case CALL_Irsend_c:
	case CALL_Rsend_init:
	case CALL_Rsend_init_c:
		return MODE_READY;
	default:
		return MODE_STANDARD;
	}
}

static bool is_buffered(const struct dependence_reading *reading, const struct transfer *message)
{
	const struct call_semantics *send = message->send.semantics;
	int64_t bytes;

	return call_field(send->call, FIELD_SENT, &bytes) &&
	       bytes <= eager_between(reading->nodes, send->process, message->post.semantics->process);
}

/* Whether the receiver has anything to do with the end of the send. */
static bool waits_for_receiver(const struct dependence_reading *reading, const struct transfer *message,
                               const struct occurrence *wait)
{
	if (wait->end <= message->post.start || message->post.start <= wait->start)
		return false;
	switch (mode_of(message->send.semantics)) {
	case MODE_BUFFERED:
		return false;
	case MODE_SYNCHRONOUS:
		return true;
	case MODE_READY:
	case MODE_STANDARD:
		break;
	}
	return !is_buffered(reading, message);
}

/* When it could move: of what was sent without its receiver, when it was sent. */
static int64_t could_move(const struct dependence_reading *reading, const struct transfer *message,
                          const struct occurrence *wait)
{
	if (message->is_send && !waits_for_receiver(reading, message, wait))
		return message->send.start;
	return most(message->send.start, message->post.start);
}

static void read_completion(const struct dependence_reading *reading, const struct completion *completion,
                            const struct transfer *messages, uint32_t count)
{
	const struct occurrence *wait = &completion->wait;
	const struct transfer *last = NULL;
	int64_t latest = INT64_MIN;

	if (!has_time(wait) || wait->end - wait->start < reading->wish->eps_ns)
		return;
	for (uint32_t i = 0; i < count; i++) {
		int64_t moment = could_move(reading, &messages[i], wait);
		if (moment <= latest)
			continue;
		latest = moment;
		last = &messages[i];
	}
	if (!last)
		return;
	if (!last->is_send)
		add_wait(reading, wait, wait->start, &last->send, last->send.start);
	else if (waits_for_receiver(reading, last, wait))
		add_wait(reading, wait, most(wait->start, completion->met), &last->post, last->post.start);
}

static void read_transfers(const struct dependence_reading *reading, const struct row_block *block)
{
	const struct transfer *rows = block_rows(block);
	const struct completion *groups = block_groups(block);

	for (uint32_t i = 0, end; i < block->rows; i = end) {
		end = block_group_end(block, i);
		read_completion(reading, &groups[block->group_of[i]], &rows[i], end - i);
	}
}

/* Collective operations */

/* The last to come: really, and without delays. */
struct latest_call {
	const struct collective_call *last, *ideal;
	int64_t start, ideal_start;
};

static struct latest_call nobody(void)
{
	return (struct latest_call){.start = INT64_MIN, .ideal_start = INT64_MIN};
}

static void note_latest(const struct dependence_reading *reading, struct latest_call *latest,
                        const struct collective_call *call)
{
	int64_t ideal = call->call.start - delay_of(reading, &call->call, call->call.start);

	if (call->call.start > latest->start) {
		latest->start = call->call.start;
		latest->last = call;
	}
	if (ideal > latest->ideal_start) {
		latest->ideal_start = ideal;
		latest->ideal = call;
	}
}

static bool is_blocking(const struct collective_call *call)
{
	return call->call.start == call->wait.start && call->call.semantics == call->wait.semantics;
}

static void add_collective(const struct dependence_reading *reading, const struct collective_call *call,
                           const struct latest_call *needed, uint64_t instance)
{
	const struct collective_call *partner = needed->ideal;
	int64_t late, fault;

	if (!partner || !needed->last)
		return;
	late = least(needed->start, call->wait.end) - call->since;
	if (partner->call.start <= call->since)
		partner = needed->last;
	fault = least(late,
	              needed->ideal_start - call->since + delay_of(reading, &call->wait, call->wait.start));
	add(reading, &call->wait, call->since, &partner->call, partner->call.start, fault, instance,
	    &needed->last->call);
}

static int by_rank(const void *left, const void *right)
{
	const struct collective_call *a = *(const struct collective_call *const *)left,
				     *b = *(const struct collective_call *const *)right;

	return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Each needs those below it. */
static void read_prefix(const struct dependence_reading *reading, const struct collective_call *calls,
                        uint32_t count)
{
	const struct collective_call **sorted = memory_new(count, sizeof *sorted);
	struct latest_call needed = nobody();

	for (uint32_t i = 0; i < count; i++)
		sorted[i] = &calls[i];
	qsort(sorted, count, sizeof *sorted, by_rank);
	for (uint32_t i = 0; i < count; i++) {
		note_latest(reading, &needed, sorted[i]);
		add_collective(reading, sorted[i], &needed, 0);
	}
	free(sorted);
}

/* Where not all need all, they did if nobody left before the last one came. */
struct met_calls {
	struct latest_call givers, root, others;
	bool all_overlap;
};

static struct met_calls meet_all(const struct dependence_reading *reading,
                                 const struct collective_call *calls, uint32_t count)
{
	struct met_calls met = {nobody(), nobody(), nobody(), true};
	int64_t earliest_end = INT64_MAX;

	for (uint32_t i = 0; i < count; i++) {
		if (!(calls[i].call.semantics->does & CALL_GIVES_NOTHING))
			note_latest(reading, &met.givers, &calls[i]);
		note_latest(reading, calls[i].is_root ? &met.root : &met.others, &calls[i]);
		earliest_end = least(earliest_end, calls[i].wait.end);
	}
	met.all_overlap = earliest_end >= most(met.root.start, met.others.start);
	return met;
}

/* NULL: nobody that is known. */
static const struct latest_call *needed_by(const struct collective_call *call, const struct met_calls *met)
{
	const struct call_semantics *semantics = call->call.semantics;

	if (semantics->does & CALL_NEEDS_NOBODY)
		return NULL;
	switch ((enum meets)semantics->meets) {
	case MEETS_ALL:
		return &met->givers;
	case MEETS_SOME:
		return met->all_overlap && semantics->kind->info->class != CLASS_NEIGHBOURHOOD ? &met->givers
		                                                                               : NULL;
	case MEETS_ROOT_FIRST:
		return call->is_root ? NULL : &met->root;
	case MEETS_ROOT_LAST:
		return call->is_root ? &met->others : NULL;
	case MEETS_LOWER_FIRST:
		break;
	}
	return NULL;
}

static void read_operation(const struct dependence_reading *reading, const struct collective_call *calls,
                           uint32_t count, uint64_t instance)
{
	struct met_calls met = meet_all(reading, calls, count);

	for (uint32_t i = 0; i < count; i++) {
		const struct latest_call *needed = needed_by(&calls[i], &met);
		if (needed)
			add_collective(reading, &calls[i], needed,
			               needed == &met.givers && is_blocking(&calls[i]) ? instance : 0);
	}
}

static bool have_times(const struct collective_call *calls, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!has_time(&calls[i].call) || !has_time(&calls[i].wait))
			return false;
	return true;
}

static void read_collectives(const struct dependence_reading *reading, const struct row_block *block)
{
	const struct collective_call *rows = block_rows(block);

	for (uint32_t i = 0, end; i < block->rows; i = end) {
		end = block_group_end(block, i);
		if (end - i < 2 || !have_times(&rows[i], end - i))
			continue;
		if (rows[i].call.semantics->meets == MEETS_LOWER_FIRST)
			read_prefix(reading, &rows[i], end - i);
		else
			read_operation(reading, &rows[i], end - i, block->serial + block->group_of[i]);
	}
}

static void read_neighbours(const struct dependence_reading *reading, const struct row_block *block)
{
	const struct neighbour_call *rows = block_rows(block);

	for (uint32_t i = 0; i < block->rows; i++)
		add_wait(reading, &rows[i].wait, rows[i].since, &rows[i].last, rows[i].last.start);
}

/* Windows and locks */

static void read_exposures(const struct dependence_reading *reading, const struct row_block *block)
{
	const struct exposure *rows = block_rows(block);
	const struct exposure_epoch *groups = block_groups(block);

	for (uint32_t i = 0, end; i < block->rows; i = end) {
		const struct occurrence *wait = &groups[block->group_of[i]].wait;
		const struct occurrence *last = &rows[i].complete;
		end = block_group_end(block, i);
		for (uint32_t j = i; j < end; j++)
			if (rows[j].complete.start > last->start)
				last = &rows[j].complete;
		add_wait(reading, wait, wait->start, last, last->start);
	}
}

/* Which of its calls wait for the targets is up to the library. */
static void read_accesses(const struct dependence_reading *reading, const struct row_block *block)
{
	const struct access_epoch *rows = block_rows(block);
	const struct origin_epoch *groups = block_groups(block);

	for (uint32_t i = 0, end; i < block->rows; i = end) {
		const struct origin_epoch *epoch = &groups[block->group_of[i]];
		const struct access_epoch *last = &rows[i];
		end = block_group_end(block, i);
		for (uint32_t j = i; j < end; j++)
			if (rows[j].post.start > last->post.start)
				last = &rows[j];
		add_inside(reading, &epoch->start, &last->post, last->post.start);
		if (last->accesses)
			add_inside(reading, &last->first, &last->post, last->post.start);
		add_inside(reading, &epoch->complete, &last->post, last->post.start);
	}
}

static void read_locks(const struct dependence_reading *reading, const struct row_block *block)
{
	const struct lock_hold *rows = block_rows(block);

	for (uint32_t i = 0; i < block->rows; i++) {
		const struct lock_hold *hold = &rows[i];
		add_inside(reading, &hold->take, &hold->before, hold->before.end);
		if (hold->first.start != hold->give.start)
			add_inside(reading, &hold->first, &hold->before, hold->before.end);
		add_inside(reading, &hold->give, &hold->before, hold->before.end);
	}
}

static void read_mutexes(const struct dependence_reading *reading, const struct row_block *block)
{
	const struct mutex_hold *rows = block_rows(block);

	for (uint32_t i = 0; i < block->rows; i++)
		add_inside(reading, &rows[i].take, &rows[i].before, rows[i].before.end);
}

/* A target that is in no call makes no progress. */
static void read_passive_calls(const struct dependence_reading *reading, const struct row_block *block)
{
	const struct passive_call *rows = block_rows(block);

	for (uint32_t i = 0; i < block->rows; i++)
		add_inside(reading, &rows[i].call, &rows[i].next, rows[i].next.start);
}

static void (*const readers[RELATIONS_END])(const struct dependence_reading *reading,
                                            const struct row_block *block) = {
	[RELATION_TRANSFER] = read_transfers,        [RELATION_COLLECTIVE_CALL] = read_collectives,
	[RELATION_NEIGHBOUR_CALL] = read_neighbours, [RELATION_EXPOSURE] = read_exposures,
	[RELATION_ACCESS_EPOCH] = read_accesses,     [RELATION_LOCK_HOLD] = read_locks,
	[RELATION_MUTEX_HOLD] = read_mutexes,        [RELATION_PASSIVE_CALL] = read_passive_calls,
};

void dependences_want(struct row_sink *sink)
{
	for (uint32_t i = 0; i < RELATIONS_END; i++)
		sink->wants[i] |= readers[i] != NULL;
}

void dependences_read(const struct dependence_reading *reading, const struct row_block *block)
{
	if (readers[block->relation])
		readers[block->relation](reading, block);
}
