#include "analysis/model/lookahead.h"

#include "analysis/model/gaps.h"
#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16, REQUESTS_MAX = 1 << 20 };

/* The state of a request after the events read so far, and outcomes that the replay has not reached. */
struct request_ahead {
	bool is_open;
	bool is_prepared;     /* an open receive that can be started */
	uint32_t first, last; /* number of an outcome + 1; 0: none */
};

struct known_outcome {
	struct outcome outcome;
	uint32_t next; /* number + 1 */
};

static struct request_ahead *find_request(const struct lookahead *lookahead, int64_t request)
{
	bool exists = request >= 0 && (uint64_t)request < lookahead->request_count;

	return exists ? &lookahead->requests[request] : NULL;
}

static struct request_ahead *make_request(struct lookahead *lookahead, int64_t request)
{
	uint64_t room = lookahead->request_count ? lookahead->request_count : FIRST_ROOM;

	if (request < 0 || request >= REQUESTS_MAX)
		return NULL;
	if ((uint64_t)request >= lookahead->request_count) {
		while (room <= (uint64_t)request)
			room *= 2;
		lookahead->requests = memory_grow(lookahead->requests, room, sizeof *lookahead->requests);
		memset(lookahead->requests + lookahead->request_count, 0,
		       (room - lookahead->request_count) * sizeof *lookahead->requests);
		lookahead->request_count = room;
	}
	return &lookahead->requests[request];
}

static void open_request(struct lookahead *lookahead, struct request_ahead *ahead, bool is_open)
{
	lookahead->open += is_open;
	lookahead->open -= ahead->is_open;
	ahead->is_open = is_open;
}

static void start_requests(struct lookahead *lookahead, const struct call *call)
{
	for (uint32_t i = 0; i < field_count(call); i++) {
		struct request_ahead *ahead = field_key_at(call, i) == FIELD_REQUEST
		                                      ? find_request(lookahead, field_value_at(call, i))
		                                      : NULL;
		if (ahead && ahead->is_prepared)
			open_request(lookahead, ahead, true);
	}
}

static void keep_outcome(struct lookahead *lookahead, struct request_ahead *ahead,
                         const struct outcome *outcome)
{
	uint32_t number = lookahead->free;

	if (number) {
		lookahead->free = lookahead->outcomes[number - 1].next;
	} else {
		if (lookahead->outcome_count == lookahead->outcome_room) {
			lookahead->outcome_room = lookahead->outcome_room ? lookahead->outcome_room * 2
			                                                  : FIRST_ROOM;
			lookahead->outcomes = memory_grow(lookahead->outcomes, lookahead->outcome_room,
			                                  sizeof *lookahead->outcomes);
		}
		number = ++lookahead->outcome_count;
	}
	lookahead->outcomes[number - 1] = (struct known_outcome){.outcome = *outcome};
	if (ahead->first)
		lookahead->outcomes[ahead->last - 1].next = number;
	else
		ahead->first = number;
	ahead->last = number;
}

static bool take_outcome(struct lookahead *lookahead, struct request_ahead *ahead, struct outcome *outcome)
{
	uint32_t number = ahead->first;

	if (!number)
		return false;
	*outcome = lookahead->outcomes[number - 1].outcome;
	ahead->first = lookahead->outcomes[number - 1].next;
	lookahead->outcomes[number - 1].next = lookahead->free;
	lookahead->free = number;
	return true;
}

/* Notes the effects of an event on requests, when it is read. */
static void note(struct lookahead *lookahead, const struct call_semantics *semantics)
{
	if (semantics->does & CALL_HAS_REQUEST) {
		struct request_ahead *ahead = is_open(semantics)
		                                      ? make_request(lookahead, semantics->request)
		                                      : find_request(lookahead, semantics->request);
		if (ahead) {
			ahead->is_prepared = is_open(semantics) && semantics->does & CALL_PREPARES;
			open_request(lookahead, ahead, is_open(semantics) && !ahead->is_prepared);
		}
	}
	if (semantics->does & CALL_STARTS)
		start_requests(lookahead, semantics->call);
	if (semantics->does & CALL_COMPLETES && lookahead->open) {
		struct outcome outcome;
		uint32_t at = 0;
		while (next_outcome(semantics->call, &at, &outcome)) {
			struct request_ahead *ahead = find_request(lookahead, outcome.request);
			if (!ahead || !ahead->is_open)
				continue;
			open_request(lookahead, ahead, false);
			keep_outcome(lookahead, ahead, &outcome);
		}
	}
}

static void make_room(struct lookahead *lookahead)
{
	if (lookahead->count + lookahead->batch <= lookahead->room)
		return;
	lookahead->room = lookahead->room * 2 + lookahead->batch;
	lookahead->events = memory_grow(lookahead->events, lookahead->room, sizeof *lookahead->events);
	lookahead->semantics_ahead = memory_grow(lookahead->semantics_ahead, lookahead->room,
	                                         sizeof *lookahead->semantics_ahead);
}

static struct call_semantics *semantics_from(const struct event_source *source, const struct call *call)
{
	return semantics_of(source->semantics_table, source->comms, source->process, call);
}

/* Reads more events. */
static bool read_on(struct lookahead *lookahead, const struct event_source *source)
{
	uint32_t first = lookahead->count;

	make_room(lookahead);
	lookahead->count += reader_next_many(source->iter, lookahead->events + first, lookahead->batch);
	if (source->iter->skipped_count) {
		struct event_iter *iter = source->iter;
		/* Calls skipped before the events just read. */
		if (lookahead->skipped_at == lookahead->skipped_count)
			lookahead->skipped_at = lookahead->skipped_count = 0;
		array_fit(lookahead->skipped, lookahead->skipped_room,
		          lookahead->skipped_count + iter->skipped_count);
		for (uint32_t i = 0; i < iter->skipped_count; i++) {
			struct call_semantics *semantics = semantics_from(source, iter->skipped[i].call);
			lookahead->skipped[lookahead->skipped_count++] = (struct call_skip){
				iter->skipped[i].tick, iter->skipped[i].count, semantics};
			if (lookahead->limit && source->semantics_table->any_open)
				note(lookahead, semantics);
		}
		iter->skipped_count = 0;
	}
	for (uint32_t i = first; i < lookahead->count; i++) {
		const struct event *event = &lookahead->events[i];
		struct call_semantics *semantics = find_semantics(source->semantics_table, event->id);
		if (!semantics)
			semantics = semantics_from(source,
			                           source->iter->stream->process->calls.items[event->id]);
		lookahead->semantics_ahead[i] = semantics;
	}
	/* Nothing needs to be noted until a receive is open. */
	if (lookahead->limit && source->semantics_table->any_open) {
		for (uint32_t i = first; i < lookahead->count; i++) {
			/* After a pause, a request number in a completion may belong to another request. */
			if (!(unrecorded_since(source->iter->stream) <= lookahead->events[i].start))
				note(lookahead, lookahead->semantics_ahead[i]);
		}
	}
	return lookahead->count > first;
}

static void point_at(struct lookahead *lookahead, uint32_t at)
{
	lookahead->at = at;
	lookahead->event = &lookahead->events[at];
	lookahead->semantics = lookahead->semantics_ahead[at];
}

bool lookahead_read(struct lookahead *lookahead, struct event_source source)
{
	lookahead->count = 0;
	if (!read_on(lookahead, &source))
		return false;
	point_at(lookahead, 0);
	return true;
}

/* The current event stays. */
static bool read_ahead(struct lookahead *lookahead, struct event_source source)
{
	uint32_t kept = lookahead->count - lookahead->at;
	bool more;

	if (kept > lookahead->limit)
		return false;
	if (lookahead->at > kept) {
		memcpy(lookahead->events, lookahead->events + lookahead->at,
		       kept * sizeof *lookahead->events);
		memcpy(lookahead->semantics_ahead, lookahead->semantics_ahead + lookahead->at,
		       kept * sizeof *lookahead->semantics_ahead);
		lookahead->at = 0;
		lookahead->count = kept;
	}
	more = read_on(lookahead, &source);
	point_at(lookahead, lookahead->at);
	return more;
}

bool look_ahead(struct lookahead *lookahead, struct event_source source, int64_t request,
                struct outcome *outcome)
{
	const struct request_ahead *ahead = find_request(lookahead, request);

	/* The last outcome may belong to an earlier use of the request: the state says whether
	 * another one follows. */
	while (ahead && !ahead->first && ahead->is_open && read_ahead(lookahead, source))
		ahead = find_request(lookahead, request); /* reading may move it */
	return ahead && take_outcome(lookahead, find_request(lookahead, request), outcome);
}

void lookahead_skip(struct lookahead *lookahead, int64_t request)
{
	struct request_ahead *ahead = find_request(lookahead, request);
	struct outcome outcome;

	if (ahead)
		take_outcome(lookahead, ahead, &outcome);
}

void lookahead_release(struct lookahead *lookahead)
{
	free(lookahead->events);
	free(lookahead->semantics_ahead);
	free(lookahead->requests);
	free(lookahead->outcomes);
	free(lookahead->skipped);
	*lookahead = (struct lookahead){0};
}
