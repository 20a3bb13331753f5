#include "analysis/causes/dependences.h"

#include "analysis/model/spans.h"
#include "base/hash.h"
#include "base/memory.h"
#include "calls/calls.h"

#include <stdlib.h>

/* The delay of a call at this time because of missing CPU time. */
static int64_t delay_of(const struct dependence_reading *reading, const struct occurrence *call, int64_t ns)
{
	return reading->session->delays
	               ? propagated_delay_at(reading->session->delays, call->semantics->process, call->thread,
	                                     ns + *reading->origin)
	               : 0;
}

/* The part of that delay during which it waited, and which findings subtract. */
static int64_t waited_delay_of(const struct dependence_reading *reading, const struct occurrence *call)
{
	return reading->session->delays
	               ? propagated_waited_delay_at(reading->session->delays, call->semantics->process,
	                                            call->thread, call->start + *reading->origin)
	               : 0;
}

/* The last arrival: the real one, and the one without delays. */
struct latest_call {
	const struct needed_call *last, *ideal;
	int64_t ideal_moment;
};

/* The critical path includes noise. False: it does not move. */
static bool moves_path(const struct dependence_reading *reading, const struct waiting_call *wait,
                       const struct needed_call *last)
{
	int64_t since = last->is_receiver ? wait->met : wait->since;

	return min_ns(last->moment, wait->call->end) - since >= reading->session->parameters.eps_ns &&
	       (last->call->semantics->process != wait->call->semantics->process ||
	        last->call->thread != wait->call->thread);
}

/* Notes the process that really arrived last, including noise. */
static void note_path(struct dependence *dependence, const struct occurrence *call,
                      const struct needed_call *last)
{
	dependence->path_process = last->call->semantics->process;
	dependence->path_thread = last->call->thread;
	dependence->settled = min_ns(last->moment, call->end);
}

/* If the process that would have been last without delays was already there, the last
 * arrival with delays counts. */
static void add(const struct dependence_reading *reading, const struct call_need *need,
                const struct waiting_call *wait, const struct latest_call *latest)
{
	const struct occurrence *call = wait->call, *last = latest->last->call;
	bool is_collective = need->kind == NEED_COLLECTIVE, on_path;
	const struct needed_call *partner = latest->ideal;
	int64_t since = partner->is_receiver ? wait->met : wait->since, late, fault;
	struct dependence dependence;

	if (is_collective && partner->moment <= since)
		partner = latest->last;
	late = min_ns(is_collective ? latest->last->moment : partner->moment, call->end) - since;
	on_path = moves_path(reading, wait, latest->last);
	if (late < reading->session->parameters.eps_ns && !need->instance && !on_path)
		return;
	fault = min_ns(late + waited_delay_of(reading, call),
	               latest->ideal_moment - since + delay_of(reading, call, call->start));
	dependence = (struct dependence){.wait = call->semantics,
	                                 .partner = partner->call->semantics,
	                                 .thread = call->thread,
	                                 .partner_thread = partner->call->thread,
	                                 .start = call->start,
	                                 .since = since,
	                                 .moment = min_ns(partner->moment, call->end),
	                                 .settled = min_ns(partner->moment, call->end),
	                                 .path_process = NO_PROCESS,
	                                 .phase = call->phase,
	                                 .instance = need->instance};
	if (late >= reading->session->parameters.eps_ns && fault >= reading->session->parameters.eps_ns &&
	    dependence.moment > since && call->semantics->process != partner->call->semantics->process)
		dependence.ns = fault;
	if (is_collective && last != partner->call && last->semantics->process != call->semantics->process) {
		dependence.last = last->semantics;
		dependence.last_thread = last->thread;
		dependence.last_moment = min_ns(latest->last->moment, call->end);
	}
	if (on_path)
		note_path(&dependence, call, latest->last);
	if (dependence.ns || dependence.instance || on_path)
		reading->add(reading->context, &dependence);
}

static void read_need(const struct dependence_reading *reading, const struct call_need *need)
{
	struct latest_call latest = {0};
	uint32_t noted = 0;

	for (uint32_t i = 0; i < need->wait_count; i++) {
		struct waiting_call wait = need->waits[i];
		int64_t since = call_logs_waits_since(reading->logs, wait.call);
		if (!need->instance && wait.call->end - since < reading->session->parameters.eps_ns)
			continue;
		if (wait.since == wait.call->start)
			wait.since = since;
		if (wait.met == wait.call->start)
			wait.met = since;
		for (; noted < wait.needed; noted++) {
			const struct needed_call *needed = &need->needed[noted];
			int64_t ideal = needed->moment - delay_of(reading, needed->call, needed->moment);
			if (!latest.last || needed->moment > latest.last->moment)
				latest.last = needed;
			if (!latest.ideal || ideal > latest.ideal_moment) {
				latest.ideal_moment = ideal;
				latest.ideal = needed;
			}
		}
		if (latest.last)
			add(reading, need, &wait, &latest);
	}
}

/* Partitions: the wait for the last of them is combined from a row of messages and one of partitioned sends,
 * in any order. Each slot holds two halves; a later half replaces an earlier one. */
enum { PARTITIONED_SLOTS = 4096 };

struct partitioned_wait {
	struct occurrence send;       /* its start; without semantics: the slot is free */
	struct occurrence wait, last; /* without semantics: not known yet */
};

/* Returns both halves when both are known, valid until the next is added; otherwise NULL. */
static const struct partitioned_wait *put_together(struct partitioned_wait *slots,
                                                   const struct occurrence *send,
                                                   const struct occurrence *wait,
                                                   const struct occurrence *last)
{
	uint64_t hash = hash_word(send->semantics->number, (uint64_t)send->start);
	struct partitioned_wait *slot = &slots[hash_fold(hash) % PARTITIONED_SLOTS];

	if (slot->send.semantics != send->semantics || slot->send.start != send->start)
		*slot = (struct partitioned_wait){.send = *send};
	if (wait)
		slot->wait = *wait;
	if (last)
		slot->last = *last;
	if (!slot->wait.semantics || !slot->last.semantics)
		return NULL;
	slot->send.semantics = NULL;
	return slot;
}

/* Time before the start of the send is not a wait for its partitions. */
static void read_partitions(const struct dependence_reading *reading, const struct partitioned_wait *found)
{
	struct needed_call last;
	struct waiting_call wait;

	if (!found || !has_time(&found->last) || !has_time(&found->wait) || !has_time(&found->send))
		return;
	last = (struct needed_call){.call = &found->last, .moment = found->last.start};
	wait = (struct waiting_call){
		.call = &found->wait, .since = max_ns(found->wait.start, found->send.start), .needed = 1};
	read_need(reading,
	          &(struct call_need){.needed = &last, .needed_count = 1, .waits = &wait, .wait_count = 1});
}

/* Calls that complete several requests may wait for another message. */
static bool completes_one(const struct occurrence *call)
{
	const struct call_info *info = call->semantics->kind->info;

	return info->completes == COMPLETES_ONE && !info->keeps_requests;
}

static void add_need(void *context, const struct call_need *need)
{
	const struct dependence_reading *reading = context;

	/* Findings charge nothing to calls that other members are known to have left early. */
	if (need->kind == NEED_PROGRESS)
		return;
	if (need->kind == NEED_LEFT_EARLY)
		return;
	if (need->kind != NEED_PARTITIONS)
		read_need(reading, need);
	else if (completes_one(need->waits[0].call))
		read_partitions(reading, put_together(reading->partitioned, need->needed[0].call,
		                                      need->waits[0].call, NULL));
}

void dependences_want(struct row_sink *sink)
{
	needs_want(sink);
	sink->wants[RELATION_PARTITIONED_SEND] = true;
}

void dependences_read(struct dependence_reading *reading, const struct row_block *block)
{
	reading->needs.nodes = reading->session->nodes;
	reading->needs.context = reading;
	reading->needs.add = add_need;
	reading->needs.least_ns = reading->session->parameters.eps_ns;
	if (!reading->partitioned)
		reading->partitioned = memory_new(PARTITIONED_SLOTS, sizeof *reading->partitioned);
	needs_read(&reading->needs, block);
	if (block->relation == RELATION_PARTITIONED_SEND) {
		const struct partitioned_send *rows = block_rows(block);
		for (uint32_t i = 0; i < block->rows; i++)
			read_partitions(reading, put_together(reading->partitioned, &rows[i].start, NULL,
			                                      &rows[i].last));
	}
}

void dependences_release(struct dependence_reading *reading)
{
	needs_release(&reading->needs);
	free(reading->partitioned);
}
