#include "output/exchange/otf2_exporter.h"

#include "base/memory.h"
#include "calls/calls.h"
#include "trace/text.h"

#include <stdlib.h>
#include <string.h>

/* Nesting */

/* A record that is not an event has the time of the last event's end, unless it has its own time. */
static void add_line(struct nested_calls *nodes, const struct stream *stream, const struct item *item,
                     struct thread_info *thread, struct arena *arena)
{
	uint64_t tick = nodes->count ? nodes->items[nodes->count - 1].event.end : 0;
	scoped_text line = {0};
	struct nested_call *node;

	text_add_item(&line, stream, item, thread);
	if (!line.length)
		return;
	node = array_new_item(nodes);
	node->kind = item->kind;
	node->line = arena_bytes_as_text(arena, line.bytes, line.length - 1);
	node->event.start = node->event.end = item->kind == RECORD_LOSS       ? item->record.loss.tick
	                                      : item->kind == RECORD_PAUSE    ? item->record.pause.tick
	                                      : item->kind == RECORD_OVERHEAD ? item->record.overhead.tick
	                                                                      : tick;
}

/* True if this call was made during the one that ends later. */
static bool is_inside(const struct event *inner, const struct event *outer)
{
	return inner->start >= outer->start && inner->end <= outer->end && inner->end > outer->start;
}

/* `roots` are calls outside all others so far, each with the index of its first nested call. */
static void nest(struct nested_calls *nodes)
{
	struct {
		size_t node, begin;
	} *roots = memory_new(nodes->count + 1, sizeof *roots);
	size_t depth = 0;

	nodes->entered = memory_new(nodes->count + 1, sizeof *nodes->entered);
	for (size_t i = 0; i < nodes->count; i++)
		nodes->entered[i] = NO_NODE;
	for (size_t i = 0; i < nodes->count; i++) {
		size_t begin = i;
		while (depth && is_inside(&nodes->items[roots[depth - 1].node].event, &nodes->items[i].event))
			begin = roots[--depth].begin;
		roots[depth].node = i;
		roots[depth++].begin = begin;
		nodes->items[i].next_entered = nodes->entered[begin];
		nodes->entered[begin] = i;
	}
	free(roots);
}

void nested_calls_load(struct nested_calls *nodes, struct reader *reader, struct stream *stream,
                       struct arena *arena)
{
	struct thread_info thread = stream->thread;
	struct event_iter iter;
	struct item item;

	*nodes = (struct nested_calls){0};
	reader_events(reader, stream, &iter);
	while (reader_next_item(&iter, &item)) {
		if (item.kind == ITEM_EVENT)
			array_new_item(nodes)->event = item.event;
		else
			add_line(nodes, stream, &item, &thread, arena);
	}
	nest(nodes);
}

void nested_calls_release(struct nested_calls *nodes)
{
	free(nodes->items);
	free(nodes->entered);
	*nodes = (struct nested_calls){0};
}

/* Requests */

/* The last request with a number that a thread created. */
struct request_state {
	size_t stream;              /* of that thread */
	const struct call *made_by; /* NULL: ended */
	const struct call_info *info;
	struct request_operation *active;
	struct request_state *older; /* of another thread, with the same number */
};

struct resolver {
	struct arena *arena;
	size_t stream;           /* of the current event */
	struct interner numbers; /* of requests */
	ARRAY(struct request_state *) requests;
	struct interner messages; /* numbers of matched ones */
	ARRAY(const struct call *) found_by;
	ARRAY(struct rma_access) accesses; /* begun, but not ended */
	uint64_t next_id;
	ARRAY(struct otf2_call_facts) facts; /* by the call's id */
};

/* Of a distinct call. */
struct otf2_call_facts {
	bool known;
	const struct call_info *info;
	size_t requests;
	bool has_message;
	bool begins_operations;
	bool begins_access, ends_accesses;
};

bool begins_operations(const struct call_info *info)
{
	return call_has(info, KIND_newrequest) || info->starts;
}

/* The newest first. */
static struct request_state **requests_of(struct resolver *resolver, int64_t number)
{
	uint32_t place = intern(&resolver->numbers, &number, sizeof number)->number;

	return &array_extend(&resolver->requests, (size_t)place + 1)->items[place];
}

static struct request_state *make_request(struct resolver *resolver, int64_t number,
                                          struct request_state made)
{
	struct request_state **requests = requests_of(resolver, number), **place = requests, *request;

	while (*place && (*place)->stream != resolver->stream)
		place = &(*place)->older;
	request = *place ? *place : arena_new(resolver->arena, struct request_state);
	if (*place)
		*place = request->older;
	*request = made;
	request->stream = resolver->stream;
	request->older = *requests;
	*requests = request;
	return request;
}

/* Of the requests with this number, the one of the current thread, otherwise the newest: a thread may take a
 * number that was just released, and have read the clock for the end of its call before. NULL: none. */
static struct request_state *find_request(struct resolver *resolver, int64_t number, bool is_active)
{
	struct request_state *found = NULL;

	for (struct request_state *request = *requests_of(resolver, number); request;
	     request = request->older) {
		bool is_own = request->stream == resolver->stream;
		if (request->made_by && (request->active || !is_active) && (is_own || !found))
			found = request;
	}
	return found;
}

/* MPI_Mprobe and MPI_Improbe have the communicator of the message, MPI_Mrecv and
 * MPI_Imrecv only its number. */
static const struct call *matched_message(struct resolver *resolver, const struct call *call)
{
	int64_t number, comm;
	uint64_t place;
	const struct call **found_by;

	if (!call_field(call, FIELD_MESSAGE, &number))
		return NULL;
	place = intern(&resolver->messages, &number, sizeof number)->number;
	found_by = &array_extend(&resolver->found_by, (size_t)place + 1)->items[place];
	if (!call_field(call, FIELD_COMM, &comm))
		return *found_by;
	*found_by = call;
	return NULL;
}

static struct request_operation *begin(struct resolver *resolver, struct request_state *request)
{
	request->active = arena_new(resolver->arena, struct request_operation);
	*request->active = (struct request_operation){
		.id = ++resolver->next_id, .call = request->made_by, .info = request->info};
	request->active->receive_id = request->active->id;
	if (request->info->moves == MOVES_SENDRECV || request->info->moves == MOVES_REPLACE)
		request->active->receive_id = ++resolver->next_id;
	return request->active;
}

static struct request_operation *made_request(struct resolver *resolver, const struct call *call,
                                              const struct call_info *info, int64_t number)
{
	const struct call *matched = matched_message(resolver, call);
	struct request_state *request = make_request(
		resolver, number, (struct request_state){.made_by = matched ? matched : call, .info = info});

	return info->persistent ? NULL : begin(resolver, request);
}

/* The operation of a field `request` of this call. */
static struct request_operation *named_request(struct resolver *resolver, const struct call *call,
                                               const struct call_info *info, int64_t number)
{
	struct request_state *request;
	struct request_operation *active;

	if (info && call_has(info, KIND_newrequest))
		return made_request(resolver, call, info, number);
	request = find_request(resolver, number, false);
	if (!request)
		return NULL;
	if (info && info->starts)
		return begin(resolver, request);
	active = request->active;
	if (info == &all_calls[CALL_Request_free])
		request->made_by = NULL;
	return active;
}

static struct request_operation *ended_request(struct resolver *resolver, int64_t number)
{
	struct request_state *request = find_request(resolver, number, true);
	struct request_operation *ended = request ? request->active : NULL;

	if (!request)
		return NULL;
	request->active = NULL;
	if (!request->info->persistent)
		request->made_by = NULL;
	return ended;
}

static bool is_about_request(struct field field)
{
	return field.key == FIELD_REQUEST || field.key == FIELD_DONE;
}

static size_t count_requests(const struct call *call)
{
	size_t count = 0;

	for (uint32_t i = 0; i < field_count(call); i++)
		count += is_about_request(field_at(call, i));
	return count;
}

/* After such a call accesses are complete at the target: all of a window, or those to one target. */
static bool ends_accesses(const struct call_info *info)
{
	return info && info->accesses == ACCESSES_COMPLETE;
}

static void end_accesses(struct resolver *resolver, const struct call *call,
                         struct event_operations *operations)
{
	int64_t win = 0, target = 0;
	bool to_one = call_field(call, FIELD_TARGET, &target);
	size_t kept = 0;

	if (!call_field(call, FIELD_WIN, &win) || !resolver->accesses.count)
		return;
	operations->ended = arena_array(resolver->arena, uint64_t, resolver->accesses.count);
	for (size_t i = 0; i < resolver->accesses.count; i++) {
		struct rma_access access = resolver->accesses.items[i];
		if (access.win == (uint64_t)win && (!to_one || access.target == target))
			operations->ended[operations->ended_count++] = access.id;
		else
			resolver->accesses.items[kept++] = access;
	}
	resolver->accesses.count = kept;
}

static struct otf2_call_facts *facts_of(struct resolver *resolver, const struct call *call)
{
	struct otf2_call_facts *facts =
		&array_extend(&resolver->facts, (size_t)call->id + 1)->items[call->id];
	int64_t message;

	if (!facts->known) {
		facts->known = true;
		facts->info = call_find(call->outline->name);
		facts->requests = count_requests(call);
		facts->begins_operations = facts->info && begins_operations(facts->info);
		facts->has_message = call_field(call, FIELD_MESSAGE, &message);
		facts->begins_access = facts->info && facts->info->class == CLASS_ONE_SIDED;
		facts->ends_accesses = ends_accesses(facts->info);
	}
	return facts;
}

static void resolve(struct resolver *resolver, struct nested_call *node)
{
	const struct call *call = node->event.call;
	const struct otf2_call_facts *facts = call ? facts_of(resolver, call) : NULL;

	if (!call ||
	    (!facts->requests && !facts->has_message && !facts->begins_access && !facts->ends_accesses))
		return;
	node->operations = arena_new(resolver->arena, struct event_operations);
	if (facts->has_message)
		node->operations->matched = matched_message(resolver, call);
	node->operations->at = arena_array(resolver->arena, struct request_operation *, count_requests(call));
	for (uint32_t i = 0; i < field_count(call); i++) {
		struct field field = field_at(call, i);
		if (is_about_request(field))
			node->operations->at[node->operations->count++] =
				field.key == FIELD_DONE
					? ended_request(resolver, field.value)
					: named_request(resolver, call, facts->info, field.value);
	}
	if (facts->begins_access) {
		struct request_operation *operation = node->operations->count ? node->operations->at[0]
		                                                              : NULL;
		struct rma_access access = {.id = operation ? operation->id : ++resolver->next_id};
		int64_t win = 0;

		if (call_field(call, FIELD_WIN, &win) && call_field(call, FIELD_TARGET, &access.target)) {
			access.win = (uint64_t)win;
			array_add(&resolver->accesses, access);
			node->operations->access_id = access.id;
		}
	}
	if (facts->ends_accesses)
		end_accesses(resolver, call, node->operations);
}

struct event_order {
	uint64_t tick;
	bool is_start;
};

/* A request exists when its call has ended, before another call tests or completes it. Its number is free
 * before the completing call has ended: another thread may have begun a new request with it by then. */
static struct event_order order_of(struct resolver *resolver, const struct event *event)
{
	const struct otf2_call_facts *facts = event->call ? facts_of(resolver, event->call) : NULL;
	bool is_start = facts && facts->requests && !facts->begins_operations;

	return (struct event_order){is_start ? event->start : event->end, is_start};
}

static bool is_earlier(struct event_order a, struct event_order b)
{
	return a.tick != b.tick ? a.tick < b.tick : a.is_start < b.is_start;
}

/* The stream with the earliest next event; `count`: none has one. */
static size_t earliest(struct resolver *resolver, const struct nested_calls *streams, const size_t *next,
                       size_t count)
{
	struct event_order first = {0};
	size_t found = count;

	for (size_t i = 0; i < count; i++) {
		struct event_order order;
		if (next[i] == streams[i].count)
			continue;
		order = order_of(resolver, &streams[i].items[next[i]].event);
		if (found == count || is_earlier(order, first)) {
			found = i;
			first = order;
		}
	}
	return found;
}

void resolve_requests(struct nested_calls *streams, size_t count, struct arena *arena)
{
	struct resolver resolver = {
		.arena = arena, .numbers = {.arena = arena}, .messages = {.arena = arena}};
	size_t *next = memory_new(count + 1, sizeof *next);
	size_t stream;

	while ((stream = earliest(&resolver, streams, next, count)) < count) {
		resolver.stream = stream;
		resolve(&resolver, &streams[stream].items[next[stream]++]);
	}
	array_release(&resolver.requests);
	array_release(&resolver.found_by);
	array_release(&resolver.accesses);
	array_release(&resolver.facts);
	free(next);
}
