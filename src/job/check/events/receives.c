#include "job/check/events/receives.h"

#include "job/check/wire/process_state.h"
#include "job/check/wire/unsent_events.h"

enum { BLOCKERS_MAX = 64 };

static bool overlaps(const struct pending_receive *a, const struct pending_receive *b)
{
	return (a->source == b->source || a->source == ANY || b->source == ANY) &&
	       (a->tag == b->tag || a->tag == ANY || b->tag == ANY);
}

static void push(const struct pending_receive *receive)
{
	const int32_t peer = comm_peer(receive->comm, receive->source);

	if (receive->is_wildcard)
		push_wildcard(receive->call, receive->source, receive->tag, peer, receive->ticket);
	else
		push_matches_with(receive->call, receive->ticket);
	if (UNLIKELY(receive->has_content))
		push_content(receive->call, receive->ticket, peer, &receive->content);
}

static void remove_receive(struct pending_receive *receive)
{
	struct followed_comm *c = receive->comm;

	if (receive->previous)
		receive->previous->next = receive->next;
	else
		c->first = receive->next;
	if (receive->next)
		receive->next->previous = receive->previous;
	else
		c->last = receive->previous;
	if (receive->owner)
		*receive->owner = NULL;
	receive->call->pins--;
	free(receive);
	comm_drop(c);
}

/* Sends the events of all that nothing before them holds back. Where too many hold others back, those behind them wait longer than they must. */
static void let_go(struct followed_comm *c)
{
	const struct pending_receive *blockers[BLOCKERS_MAX];
	uint32_t count = 0;

	for (struct pending_receive *receive = c->first, *next; receive; receive = next) {
		bool is_blocked = false;

		next = receive->next;
		if (receive->is_open) {
			if (count == BLOCKERS_MAX || (receive->source == ANY && receive->tag == ANY))
				return;
			blockers[count++] = receive;
			continue;
		}
		for (uint32_t i = 0; i < count && !is_blocked; i++)
			is_blocked = overlaps(blockers[i], receive);
		if (is_blocked)
			continue;
		push(receive);
		remove_receive(receive);
	}
}

static struct pending_receive *append(struct followed_comm *c, struct announced_call *call, int32_t source,
                                      int32_t tag)
{
	struct pending_receive *receive = host_table(1, sizeof *receive);

	if (!receive)
		return NULL;
	*receive = (struct pending_receive){
		.comm = c,
		.call = call,
		.source = source,
		.tag = tag,
		.is_wildcard = source == ANY || tag == ANY,
		.previous = c->last,
	};
	comm_keep(c);
	call->pins++;
	*(c->last ? &c->last->next : &c->first) = receive;
	c->last = receive;
	return receive;
}

struct pending_receive *receive_post(struct followed_comm *c, struct announced_call *call, int32_t source,
                                     int32_t tag, uint32_t ticket, uint64_t *operation)
{
	struct pending_receive *receive;

	if (LIKELY(source != ANY && tag != ANY && !c->first)) {
		*operation = push_event_with(call, ticket);
		return NULL;
	}
	*operation = push_begins(call);
	receive = append(c, call, source, tag);
	if (!receive)
		return NULL;
	receive->ticket = ticket;
	receive->is_open = receive->is_wildcard;
	if (receive->is_open)
		return receive;
	let_go(c);
	return c->last == receive ? receive : NULL;
}

struct pending_receive *receive_probed(struct followed_comm *c, struct announced_call *call, int32_t source,
                                       int32_t tag)
{
	struct pending_receive *receive = append(c, call, source, tag);

	if (receive)
		receive->is_open = true;
	return receive;
}

void receive_own(struct pending_receive *receive, struct pending_receive **owner)
{
	if (receive)
		receive->owner = owner;
	*owner = receive;
}

void receive_resolve(struct pending_receive *receive, struct announced_call *call, int32_t source,
                     int32_t tag)
{
	struct followed_comm *c = receive->comm;

	if (call) {
		receive->call->pins--;
		receive->call = call;
		call->pins++;
	}
	receive->source = source;
	receive->tag = tag;
	receive->is_open = false;
	let_go(c);
}

void receive_content(struct pending_receive *receive, struct announced_call *call, uint32_t ticket,
                     const struct message_content *content)
{
	if (LIKELY(!ticket))
		return;
	if (receive) {
		receive->content = *content;
		receive->has_content = true;
	} else if (!(call->call.flags & CHECK_CALL_WILDCARD)) {
		push_content(call, ticket, call->call.peer_in_world, content);
	}
}

void receive_drop(struct pending_receive *receive)
{
	struct followed_comm *c = receive->comm;

	remove_receive(receive);
	let_go(c);
}

void receives_end(struct followed_comm *c)
{
	for (struct pending_receive *receive = c->first, *next; receive; receive = next) {
		next = receive->next;
		if (receive->is_open && receive->is_wildcard)
			receive->source = receive->tag = -1;
		push(receive);
		remove_receive(receive);
	}
}
