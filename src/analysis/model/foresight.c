#include "analysis/model/foresight.h"

#include "analysis/model/gaps.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16, WATCHES_MAX = 1 << 20 };

/* A request, as the events read so far have left it, and the outcomes that the replay has not come to. */
struct watch {
	bool is_open;
	bool is_prepared;     /* an open receive that can be started */
	uint32_t first, last; /* one above the number of an outcome; 0: none */
};

struct foreseen {
	struct outcome outcome;
	uint32_t next; /* likewise */
};

static struct watch *find_watch(const struct foresight *foresight, int64_t request)
{
	bool exists = request >= 0 && (uint64_t)request < foresight->watch_count;

	return exists ? &foresight->watches[request] : NULL;
}

static struct watch *make_watch(struct foresight *foresight, int64_t request)
{
	uint64_t room = foresight->watch_count ? foresight->watch_count : FIRST_ROOM;

	if (request < 0 || request >= WATCHES_MAX)
		return NULL;
	if ((uint64_t)request >= foresight->watch_count) {
		while (room <= (uint64_t)request)
			room *= 2;
		foresight->watches = memory_grow(foresight->watches, room, sizeof *foresight->watches);
		memset(foresight->watches + foresight->watch_count, 0,
		       (room - foresight->watch_count) * sizeof *foresight->watches);
		foresight->watch_count = room;
	}
	return &foresight->watches[request];
}

static void open_watch(struct foresight *foresight, struct watch *watch, bool is_open)
{
	foresight->open += is_open;
	foresight->open -= watch->is_open;
	watch->is_open = is_open;
}

static void begin_request(struct foresight *foresight, const struct role *role)
{
	struct watch *watch = is_open(role) ? make_watch(foresight, role->request)
	                                    : find_watch(foresight, role->request);

	if (!watch)
		return;
	watch->is_prepared = is_open(role) && role->does & ROLE_PREPARES;
	open_watch(foresight, watch, is_open(role) && !watch->is_prepared);
}

static void start_requests(struct foresight *foresight, const struct call *call)
{
	for (uint32_t i = 0; i < field_count(call); i++) {
		struct watch *watch = field_key_at(call, i) == FIELD_REQUEST
		                              ? find_watch(foresight, field_value_at(call, i))
		                              : NULL;
		if (watch && watch->is_prepared)
			open_watch(foresight, watch, true);
	}
}

static void keep_outcome(struct foresight *foresight, struct watch *watch, const struct outcome *outcome)
{
	uint32_t number = foresight->free;

	if (number) {
		foresight->free = foresight->outcomes[number - 1].next;
	} else {
		if (foresight->outcome_count == foresight->outcome_room) {
			foresight->outcome_room = foresight->outcome_room ? foresight->outcome_room * 2
			                                                  : FIRST_ROOM;
			foresight->outcomes = memory_grow(foresight->outcomes, foresight->outcome_room,
			                                  sizeof *foresight->outcomes);
		}
		number = ++foresight->outcome_count;
	}
	foresight->outcomes[number - 1] = (struct foreseen){.outcome = *outcome};
	if (watch->first)
		foresight->outcomes[watch->last - 1].next = number;
	else
		watch->first = number;
	watch->last = number;
}

static bool take_outcome(struct foresight *foresight, struct watch *watch, struct outcome *outcome)
{
	uint32_t number = watch->first;

	if (!number)
		return false;
	*outcome = foresight->outcomes[number - 1].outcome;
	watch->first = foresight->outcomes[number - 1].next;
	foresight->outcomes[number - 1].next = foresight->free;
	foresight->free = number;
	return true;
}

static void complete_requests(struct foresight *foresight, const struct call *call)
{
	struct outcome outcome;
	uint32_t at = 0;

	while (next_outcome(call, &at, &outcome)) {
		struct watch *watch = find_watch(foresight, outcome.request);
		if (!watch || !watch->is_open)
			continue;
		open_watch(foresight, watch, false);
		keep_outcome(foresight, watch, &outcome);
	}
}

/* What an event means for requests, as soon as it is read. */
static void note(struct foresight *foresight, const struct role *role)
{
	if (role->does & ROLE_HAS_REQUEST)
		begin_request(foresight, role);
	if (role->does & ROLE_STARTS)
		start_requests(foresight, role->call);
	if (role->does & ROLE_COMPLETES && foresight->open)
		complete_requests(foresight, role->call);
}

/* A number that a call behind a pause completes may be that of another request. */
static bool is_paused(const struct event_source *source, const struct event *event)
{
	return unrecorded_since(source->iter->stream) <= event->start;
}

static void make_room(struct foresight *foresight)
{
	if (foresight->count + foresight->batch <= foresight->room)
		return;
	foresight->room = foresight->room * 2 + foresight->batch;
	foresight->events = memory_grow(foresight->events, foresight->room, sizeof *foresight->events);
	foresight->roles = memory_grow(foresight->roles, foresight->room, sizeof *foresight->roles);
}

static void note_all(struct foresight *foresight, const struct event_source *source, uint32_t first)
{
	for (uint32_t i = first; i < foresight->count; i++) {
		if (!is_paused(source, &foresight->events[i]))
			note(foresight, foresight->roles[i]);
	}
}

/* Reads behind what is there. */
static bool read_on(struct foresight *foresight, const struct event_source *source)
{
	uint32_t first = foresight->count;

	make_room(foresight);
	foresight->count += reader_next_many(source->iter, foresight->events + first, foresight->batch);
	for (uint32_t i = first; i < foresight->count; i++) {
		const struct event *event = &foresight->events[i];
		struct role *role = find_role(source->roles, event->id);
		if (!role)
			role = role_of(source->roles, source->comms, source->process,
			               source->iter->stream->process->calls.items[event->id]);
		foresight->roles[i] = role;
	}
	/* There is nothing to note until a receive is open. */
	if (foresight->limit && source->roles->any_open)
		note_all(foresight, source, first);
	return foresight->count > first;
}

static void point_at(struct foresight *foresight, uint32_t at)
{
	foresight->at = at;
	foresight->event = &foresight->events[at];
	foresight->role = foresight->roles[at];
}

bool foresight_read(struct foresight *foresight, struct event_source source)
{
	foresight->count = 0;
	if (!read_on(foresight, &source))
		return false;
	point_at(foresight, 0);
	return true;
}

/* The event at hand stays. */
static bool read_ahead(struct foresight *foresight, struct event_source source)
{
	uint32_t kept = foresight->count - foresight->at;
	bool more;

	if (kept > foresight->limit)
		return false;
	if (foresight->at > kept) {
		memcpy(foresight->events, foresight->events + foresight->at,
		       kept * sizeof *foresight->events);
		memcpy(foresight->roles, foresight->roles + foresight->at, kept * sizeof *foresight->roles);
		foresight->at = 0;
		foresight->count = kept;
	}
	more = read_on(foresight, &source);
	point_at(foresight, foresight->at);
	return more;
}

bool foresee(struct foresight *foresight, struct event_source source, int64_t request,
             struct outcome *outcome)
{
	const struct watch *watch = find_watch(foresight, request);

	/* The outcome of an earlier time may be followed by no other: the watch says whether there is one to come. */
	while (watch && !watch->first && watch->is_open && read_ahead(foresight, source))
		watch = find_watch(foresight, request); /* reading may move it */
	return watch && take_outcome(foresight, find_watch(foresight, request), outcome);
}

void foresight_skip(struct foresight *foresight, int64_t request)
{
	struct watch *watch = find_watch(foresight, request);
	struct outcome outcome;

	if (watch)
		take_outcome(foresight, watch, &outcome);
}

void foresight_release(struct foresight *foresight)
{
	free(foresight->events);
	free(foresight->roles);
	free(foresight->watches);
	free(foresight->outcomes);
	*foresight = (struct foresight){0};
}
