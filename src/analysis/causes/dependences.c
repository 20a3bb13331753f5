#include "analysis/causes/dependences.h"

#include "analysis/model/spans.h"

/* How late a call was at this time because somebody had no processor. */
static int64_t delay_of(const struct dependence_reading *reading, const struct occurrence *call, int64_t ns)
{
	return reading->wish->delays ? propagated_delay_at(reading->wish->delays, call->semantics->process,
	                                                   call->thread, ns + *reading->origin)
	                             : 0;
}

/* What it waited of that, and findings took off. */
static int64_t waited_delay_of(const struct dependence_reading *reading, const struct occurrence *call)
{
	return reading->wish->delays
	               ? propagated_waited_delay_at(reading->wish->delays, call->semantics->process,
	                                            call->thread, call->start + *reading->origin)
	               : 0;
}

/* The last to come: really, and without delays. */
struct latest_call {
	const struct needed_call *last, *ideal;
	int64_t ideal_moment;
};

static void note_latest(const struct dependence_reading *reading, struct latest_call *latest,
                        const struct needed_call *needed)
{
	int64_t ideal = needed->moment - delay_of(reading, needed->call, needed->moment);

	if (!latest->last || needed->moment > latest->last->moment)
		latest->last = needed;
	if (!latest->ideal || ideal > latest->ideal_moment) {
		latest->ideal_moment = ideal;
		latest->ideal = needed;
	}
}

/* Who came last with delays counts where who would have without them was there before. */
static void add(const struct dependence_reading *reading, const struct call_need *need,
                const struct waiting_call *wait, const struct latest_call *latest)
{
	const struct occurrence *call = wait->call, *last = latest->last->call;
	bool is_collective = need->kind == NEED_COLLECTIVE;
	const struct needed_call *partner = latest->ideal;
	int64_t since = partner->is_receiver ? wait->met : wait->since, late, fault;
	struct dependence dependence = {.wait = call->semantics,
	                                .thread = call->thread,
	                                .start = call->start,
	                                .since = since,
	                                .instance = need->instance};

	if (is_collective && partner->moment <= since)
		partner = latest->last;
	late = least(is_collective ? latest->last->moment : partner->moment, call->end) - since;
	fault = least(late + waited_delay_of(reading, call),
	              latest->ideal_moment - since + delay_of(reading, call, call->start));
	dependence.partner = partner->call->semantics;
	dependence.partner_thread = partner->call->thread;
	dependence.moment = least(partner->moment, call->end);
	if (late >= reading->wish->eps_ns && fault >= reading->wish->eps_ns && dependence.moment > since &&
	    call->semantics->process != partner->call->semantics->process)
		dependence.ns = fault;
	if (is_collective && last != partner->call && last->semantics->process != call->semantics->process) {
		dependence.last = last->semantics;
		dependence.last_thread = last->thread;
		dependence.last_moment = least(latest->last->moment, call->end);
	}
	if (dependence.ns || dependence.instance)
		reading->add(reading->context, &dependence);
}

static void add_need(void *context, const struct call_need *need)
{
	const struct dependence_reading *reading = context;
	struct latest_call latest = {0};
	uint32_t noted = 0;

	/* Findings charge neither to the calls of which these are known. */
	if (need->kind == NEED_LEFT_EARLY || need->kind == NEED_PARTITIONS)
		return;
	for (uint32_t i = 0; i < need->wait_count; i++) {
		const struct waiting_call *wait = &need->waits[i];
		if (!need->instance && wait->call->end - wait->call->start < reading->wish->eps_ns)
			continue;
		for (; noted < wait->needed; noted++)
			note_latest(reading, &latest, &need->needed[noted]);
		if (latest.last)
			add(reading, need, wait, &latest);
	}
}

void dependences_want(struct row_sink *sink)
{
	needs_want(sink);
}

void dependences_read(struct dependence_reading *reading, const struct row_block *block)
{
	reading->needs.nodes = reading->nodes;
	reading->needs.context = reading;
	reading->needs.add = add_need;
	needs_read(&reading->needs, block);
}

void dependences_release(struct dependence_reading *reading)
{
	needs_release(&reading->needs);
}
