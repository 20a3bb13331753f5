/* Requests, from the call that begins each to the call that completes it, and consecutive unsuccessful tests.
 *
 * A persistent request has a lifetime for each MPI_Start. MPI_Request_free of a pending request also ends its
 * lifetime: no later call refers to it. Requests that never end are only counted. Polls are unsuccessful
 * tests of any requests, during its lifetime, by the thread that began this one. */
#include "analysis/model/follower.h"

#include "analysis/model/moved_requests.h"
#include "analysis/model/relations.h"
#include "analysis/model/spans.h"
#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Numbers are the lowest free ones, so none is far above the count; a few creations may be lost. */
enum { LOST_REQUESTS = 1024 };

struct life {
	struct occurrence start;
	uint64_t polls; /* of its thread, before it began */
	bool is_under_way;
	bool is_persistent;
};

struct poller {
	uint32_t thread;
	uint64_t polls;
};

struct request_owner {
	struct life *lives; /* by the request's number */
	uint64_t room, made;
	struct moved_requests moved; /* of struct life */
	struct poller *pollers;
	uint32_t poller_count;
	bool is_lost;
};

struct request_lives {
	struct row_writer *rows;
	struct request_owner *owners; /* by process */
	size_t owner_count;
	struct replay_counts *counts;
};

static void *request_lives_new(const struct replay_input *input)
{
	struct request_lives *lives;

	if (!wants_rows(input->rows, RELATION_REQUEST_LIFE))
		return NULL;
	lives = memory_new(1, sizeof *lives);
	lives->rows = input->rows;
	lives->counts = input->counts;
	lives->owners = memory_new(input->reader->process_count + 1, sizeof *lives->owners);
	lives->owner_count = input->reader->process_count;
	return lives;
}

/* Few threads of a process test. */
static uint64_t *polls_of(struct request_owner *owner, uint32_t thread)
{
	for (uint32_t i = 0; i < owner->poller_count; i++)
		if (owner->pollers[i].thread == thread)
			return &owner->pollers[i].polls;
	owner->pollers = memory_grow(owner->pollers, owner->poller_count + 1, sizeof *owner->pollers);
	owner->pollers[owner->poller_count] = (struct poller){.thread = thread};
	return &owner->pollers[owner->poller_count++].polls;
}

/* The request that this call refers to. */
static struct life *find_life(struct request_owner *owner, const struct occurrence *call, int64_t number)
{
	struct life *life, *moved;

	if (number < 0 || (uint64_t)number >= owner->room)
		return NULL;
	life = &owner->lives[number];
	moved = owner->moved.count && !(life->is_under_way && life->start.thread == call->thread)
	                ? moved_requests_find(&owner->moved, number, call->thread, call->start)
	                : NULL;
	return moved ? moved : life;
}

static struct life *make_room(struct request_owner *owner, int64_t number)
{
	owner->made++;
	if (number < 0 || (uint64_t)number > owner->made + LOST_REQUESTS)
		return NULL;
	array_fit_zeroed(owner->lives, owner->room, (uint64_t)number + 1);
	return &owner->lives[number];
}

static void begin(struct request_owner *owner, struct life *life, const struct occurrence *call)
{
	life->start = *call;
	life->polls = *polls_of(owner, call->thread);
	life->is_under_way = true;
}

static void start(struct request_lives *lives, struct request_owner *owner, const struct occurrence *call)
{
	const struct call *made = call->semantics->call;

	for (uint32_t i = 0; i < field_count(made); i++) {
		struct life *life = field_key_at(made, i) == FIELD_REQUEST
		                            ? find_life(owner, call, field_value_at(made, i))
		                            : NULL;
		if (!life || !life->is_persistent)
			continue;
		lives->counts->open_requests += life->is_under_way;
		begin(owner, life, call);
	}
}

static void end(struct request_lives *lives, struct request_owner *owner, struct life *life,
                const struct occurrence *call, bool is_cancelled)
{
	struct request_life row = {.start = life->start,
	                           .wait = *call,
	                           .polls = *polls_of(owner, life->start.thread) - life->polls,
	                           .is_cancelled = is_cancelled,
	                           .is_persistent = life->is_persistent};

	life->is_under_way = false;
	write_row(lives->rows, RELATION_REQUEST_LIFE, &row);
}

static uint64_t fruitless(const struct call_semantics *semantics, uint64_t polls)
{
	if (semantics->kind->info->class != CLASS_REQUEST)
		return 0;
	return polls ? polls : !!(semantics->does & CALL_FINDS_NOTHING);
}

static bool wants_request(void *self, const struct call_semantics *semantics)
{
	(void)self;
	return semantics->kind->info && (semantics->kind->info->class == CLASS_REQUEST ||
	                                 semantics->does & (CALL_HAS_REQUEST | CALL_COMPLETES));
}

static void follow_request(void *self, const struct occurrence *call, const struct event *event)
{
	struct request_lives *lives = self;
	const struct call_semantics *semantics = call->semantics;
	struct request_owner *owner = &lives->owners[semantics->process];
	uint64_t tests = fruitless(semantics, event->polls);

	if (owner->is_lost)
		return;
	if (tests)
		*polls_of(owner, call->thread) += tests;
	if (semantics->does & CALL_COMPLETES) {
		for (uint32_t i = 0; i < call->semantics->kind->completed_count; i++) {
			const struct completed *completed = &call->semantics->kind->completed[i];
			struct life *life = find_life(owner, call, completed->request);
			if (life && life->is_under_way)
				end(lives, owner, life, call, completed->cancelled);
		}
	}
	if (semantics->does & CALL_HAS_REQUEST) {
		struct life *life = make_room(owner, call->semantics->request);
		if (life) {
			int64_t number = call->semantics->request;
			struct life *own = moved_requests_own(&owner->moved, number, call->thread);
			/* Another thread may still be in the call that completes the previous
			 * request with this number. */
			if (own)
				own->is_under_way = false;
			lives->counts->open_requests += own != NULL;
			if (life->is_under_way &&
			    (life->start.thread == call->thread ||
			     !MOVED_REQUESTS_ADD(&owner->moved, life, number, life->start.thread, call->end)))
				lives->counts->open_requests++;
			*life = (struct life){.is_persistent = call->semantics->does & CALL_PREPARES};
			if (!life->is_persistent)
				begin(owner, life, call);
		}
	}
	if (semantics->does & CALL_STARTS)
		start(lives, owner, call);
	if (semantics->kind->info == &all_calls[CALL_Request_free]) {
		struct life *life = find_life(owner, call, call->semantics->request);
		if (!life)
			return;
		if (life->is_under_way)
			end(lives, owner, life, call, false);
		*life = (struct life){0};
	}
}

/* Pending requests may have ended, and their numbers may be reused. */
static void forget_requests(void *self, uint32_t process)
{
	struct request_lives *lives = self;
	struct request_owner *owner = &lives->owners[process];

	free(owner->lives);
	owner->lives = NULL;
	owner->room = 0;
	moved_requests_release(&owner->moved);
}

static void lose_requests(void *self, uint32_t process)
{
	struct request_lives *lives = self;

	forget_requests(self, process);
	lives->owners[process].is_lost = true;
}

static void request_lives_finish(void *self)
{
	struct request_lives *lives = self;

	for (size_t i = 0; i < lives->owner_count; i++) {
		const struct request_owner *owner = &lives->owners[i];
		uint64_t count = 0;
		for (uint64_t j = 0; j < owner->room; j++)
			count += owner->lives[j].is_under_way;
		for (size_t j = 0; j < owner->moved.count; j++)
			count += *owner->moved.items[j].is_under_way;
		lives->counts->open_requests += count;
		free(lives->owners[i].lives);
		moved_requests_release(&lives->owners[i].moved);
		free(lives->owners[i].pollers);
	}
	free(lives->owners);
	free(lives);
}

const struct follower request_follower = {.new = request_lives_new,
                                          .wants = wants_request,
                                          .call = follow_request,
                                          .paused = forget_requests,
                                          .lost = lose_requests,
                                          .finish = request_lives_finish};

/* Polling. A program that tests several requests in turn has an event for each test: consecutive ones of
 * one thread are one row. */

struct poll_row {
	struct polling values; /* no polls: none is in progress */
	uint64_t last;         /* position of the last of them */
};

struct pollings {
	const struct analysis_session *session;
	struct row_writer *rows;
	struct poll_rows {
		struct poll_row *items; /* of polling threads */
		uint32_t count;
	} * processes;
	size_t process_count;
};

static void *polling_new(const struct replay_input *input)
{
	struct pollings *pollings;

	if (!wants_rows(input->rows, RELATION_POLLING))
		return NULL;
	pollings = memory_new(1, sizeof *pollings);
	pollings->session = input->session;
	pollings->rows = input->rows;
	pollings->processes = memory_new(input->reader->process_count + 1, sizeof *pollings->processes);
	pollings->process_count = input->reader->process_count;
	return pollings;
}

static bool wants_test(void *self, const struct call_semantics *semantics)
{
	(void)self;
	return semantics->does & CALL_TESTS;
}

static struct poll_row *find_poll_row(const struct poll_rows *rows, uint32_t thread)
{
	for (uint32_t i = 0; i < rows->count; i++)
		if (rows->items[i].values.call.thread == thread)
			return &rows->items[i];
	return NULL;
}

static struct poll_row *poll_row_of(struct poll_rows *rows, uint32_t thread)
{
	struct poll_row *row = find_poll_row(rows, thread);

	if (row)
		return row;
	rows->items = memory_grow(rows->items, rows->count + 1, sizeof *rows->items);
	rows->items[rows->count] = (struct poll_row){.values.call.thread = thread};
	return &rows->items[rows->count++];
}

/* The loop lasts until the test that ends it: a process without a CPU in between still polls. */
static void end_polling(struct poll_row *row, const struct occurrence *call, const struct event *event)
{
	if (row && row->values.polls && call->position == row->last + 1 &&
	    call->semantics->kind->info == row->values.call.semantics->kind->info) {
		row->values.call.end = max_ns(row->values.call.end, call->start);
		row->values.ending = delay_inside_ns(call, event);
	}
}

static void write_polling(const struct pollings *pollings, struct poll_row *row)
{
	struct polling *values = &row->values;
	int64_t between = values->call.end - values->call.start - values->busy - values->delayed;

	values->is_idle = poll_is_idle(pollings->session, between, values->busy, values->polls);
	write_row(pollings->rows, RELATION_POLLING, values);
	values->polls = 0;
}

static void follow_test(void *self, const struct occurrence *call, const struct event *event)
{
	struct pollings *pollings = self;
	struct poll_rows *rows = &pollings->processes[call->semantics->process];
	struct poll_row *row;

	if (!(call->semantics->does & CALL_FINDS_NOTHING)) {
		end_polling(find_poll_row(rows, call->thread), call, event);
		return;
	}
	row = poll_row_of(rows, call->thread);
	if (row->values.polls && call->position != row->last + 1)
		write_polling(pollings, row);
	if (!row->values.polls)
		row->values = (struct polling){.call = *call};
	else
		row->values.delayed += (int64_t)event->delay_before * NS_PER_US;
	row->values.call.end = call->end;
	row->values.delayed += (int64_t)event->delay_inside * NS_PER_US;
	row->values.polls += event->polls ? event->polls : 1;
	row->values.busy += busy_ns(call, event);
	row->last = call->position;
}

static void finish_polling(void *self)
{
	struct pollings *pollings = self;

	for (size_t i = 0; i < pollings->process_count; i++) {
		struct poll_rows *rows = &pollings->processes[i];
		for (uint32_t j = 0; j < rows->count; j++)
			if (rows->items[j].values.polls)
				write_polling(pollings, &rows->items[j]);
		free(rows->items);
	}
	free(pollings->processes);
	free(pollings);
}

const struct follower polling_follower = {
	.new = polling_new, .wants = wants_test, .call = follow_test, .finish = finish_polling};

/* Partitioned sends: from the start of the request to the calls that made its partitions ready. Complete when
 * the request is started again or freed, or at the end. No cost in processes without such requests. */

/* One request for a partitioned send. */
struct prepared {
	int64_t request;
	const struct call_semantics *semantics; /* of the call that prepared it; NULL: freed */
	struct partitioned_send row;
	bool is_started;
};

struct sender {
	struct prepared *items; /* few */
	uint32_t count;
	bool has_any, is_lost;
};

struct partitions {
	struct row_writer *rows;
	struct sender *senders; /* by process */
	size_t sender_count;
};

static void *partitions_new(const struct replay_input *input)
{
	struct partitions *partitions;

	if (!wants_rows(input->rows, RELATION_PARTITIONED_SEND))
		return NULL;
	partitions = memory_new(1, sizeof *partitions);
	partitions->rows = input->rows;
	partitions->senders = memory_new(input->reader->process_count + 1, sizeof *partitions->senders);
	partitions->sender_count = input->reader->process_count;
	return partitions;
}

static bool makes_ready(const struct call_info *info)
{
	return info->class == CLASS_PARTITIONED && !info->moves && !info->tests;
}

static bool wants_partitions(void *self, const struct call_semantics *semantics)
{
	struct partitions *partitions = self;
	struct sender *sender = &partitions->senders[semantics->process];

	if (!semantics->kind->info)
		return false;
	sender->has_any |= semantics->kind->info->mode == MODE_PARTITIONED;
	return sender->has_any &&
	       (semantics->kind->info->mode == MODE_PARTITIONED || semantics->does & CALL_STARTS ||
	        makes_ready(semantics->kind->info) || semantics->kind->info == &all_calls[CALL_Request_free]);
}

static struct prepared *find_prepared(struct sender *sender, int64_t request)
{
	for (uint32_t i = 0; i < sender->count; i++)
		if (sender->items[i].request == request)
			return &sender->items[i];
	return NULL;
}

static void end_partitioned(struct partitions *partitions, struct prepared *prepared)
{
	if (prepared->is_started && prepared->row.ready)
		write_row(partitions->rows, RELATION_PARTITIONED_SEND, &prepared->row);
	prepared->is_started = false;
}

static void follow_partitions(void *self, const struct occurrence *call, const struct event *event)
{
	struct partitions *partitions = self;
	const struct call_semantics *semantics = call->semantics;
	struct sender *sender = &partitions->senders[semantics->process];

	(void)event;
	if (sender->is_lost)
		return;
	if (semantics->kind->info->mode == MODE_PARTITIONED) {
		struct prepared *prepared = find_prepared(sender, semantics->request);
		if (!prepared) {
			sender->items = memory_grow(sender->items, sender->count + 1u, sizeof *sender->items);
			prepared = &sender->items[sender->count++];
			*prepared = (struct prepared){.request = semantics->request};
		}
		end_partitioned(partitions, prepared);
		prepared->semantics = semantics;
		return;
	}
	for (uint32_t i = 0; i < field_count(semantics->call); i++) {
		struct field field = field_at(semantics->call, i);
		struct prepared *prepared = field.key == FIELD_REQUEST ? find_prepared(sender, field.value)
		                                                       : NULL;
		if (semantics->does & CALL_STARTS) {
			if (prepared && prepared->semantics) {
				end_partitioned(partitions, prepared);
				prepared->is_started = true;
				prepared->row = (struct partitioned_send){.start = *call};
				prepared->row.start.semantics = prepared->semantics;
			}
		} else if (makes_ready(semantics->kind->info)) {
			if (prepared && prepared->is_started) {
				if (!prepared->row.ready++)
					prepared->row.first = *call;
				prepared->row.last = *call;
			}
		} else {
			if (!prepared)
				continue;
			end_partitioned(partitions, prepared);
			prepared->semantics = NULL;
		}
	}
}

static void lose_partitions(void *self, uint32_t process)
{
	struct partitions *partitions = self;

	partitions->senders[process].is_lost = true;
}

static void finish_partitions(void *self)
{
	struct partitions *partitions = self;

	for (size_t i = 0; i < partitions->sender_count; i++) {
		struct sender *sender = &partitions->senders[i];
		for (uint32_t j = 0; j < sender->count && !sender->is_lost; j++)
			end_partitioned(partitions, &sender->items[j]);
		free(sender->items);
	}
	free(partitions->senders);
	free(partitions);
}

const struct follower partition_follower = {.new = partitions_new,
                                            .wants = wants_partitions,
                                            .call = follow_partitions,
                                            .paused = lose_partitions,
                                            .lost = lose_partitions,
                                            .finish = finish_partitions};
