#include "check/analyser/server.h"

#include "base/settings.h"
#include "check/protocol/address.h"

#include <stdlib.h>

enum { CHILDREN_MAX = 16, CONNECT_MS = 5000 };

static uint32_t children_max(void)
{
	const char *wanted = setting_get(SETTING_CHECK_CHILDREN);
	const unsigned long count = wanted ? strtoul(wanted, NULL, 10) : 0;

	return count ? (uint32_t)count : CHILDREN_MAX;
}

/* The parent */

bool tree_join(const char *addresses)
{
	const int fd = address_connect(addresses, CONNECT_MS);
	struct peer *before = server.leader_link, *link = fd < 0 ? NULL : peer_greet(fd, PEER_LEADER);

	if (!link)
		return false;
	link->is_joining = true;
	if (before) {
		link->held = before->held;
		before->held = (struct message_writer){0};
		before->is_closing = true;
	}
	server.leader_link = link;
	return true;
}

bool tree_join_leader(void)
{
	if (server.insists)
		return false;
	server.insists = true;
	return tree_join(server.leader_addresses);
}

bool tree_directed(struct peer *link, struct cursor *in)
{
	char *addresses = take_text(in);
	bool right = addresses && link->is_joining;

	if (right && *addresses)
		right = tree_join(addresses) || tree_join_leader();
	else if (right)
		peer_joined(link);
	free(addresses);
	return right;
}

/* Up and down */

static void send_up(const struct peer *analyser, enum message_kind kind, const struct message_writer *body)
{
	struct message_writer enveloped = {0};

	if (!server.leader_link)
		return;
	envelope_put(&enveloped, analyser->upward, kind, body);
	peer_send(server.leader_link, MESSAGE_VIA, &enveloped);
	writer_release(&enveloped);
	relay_wait_for_leader();
}

void tree_pass_up(const struct peer *analyser, enum message_kind kind, const struct cursor *in)
{
	const struct message_writer body = cursor_rest(in);

	send_up(analyser, kind, &body);
}

void tree_to_children(enum message_kind kind, const struct message_writer *body)
{
	for (size_t i = 0; i < server.peers.count; i++)
		if (server.peers.items[i]->kind == PEER_ANALYSER)
			peer_send(server.peers.items[i], kind, body);
}

/* Analysers that come and go */

static void came(struct peer *analyser, const struct message_writer *hello)
{
	if (server.leader) {
		parts_analyser_came(analyser);
		return;
	}
	array_add(&server.below, analyser);
	analyser->upward = (uint32_t)server.below.count;
	send_up(analyser, MESSAGE_HELLO, hello);
}

static void gone(struct peer *analyser)
{
	if (server.leader) {
		parts_analyser_gone(analyser);
		relay_analyser_gone(analyser);
		leader_analyser_gone(analyser);
	} else {
		server.below.items[analyser->upward - 1] = NULL;
		send_up(analyser, MESSAGE_BYE, NULL);
	}
}

/* An analyser that is not connected to this one. */
static void forget(struct peer *analyser)
{
	analyser->via->below.items[analyser->place - 1] = NULL;
	gone(analyser);
	free(analyser);
}

void tree_child_gone(struct peer *child)
{
	for (size_t i = 0; i < child->below.count; i++)
		if (child->below.items[i])
			forget(child->below.items[i]);
	array_release(&child->below);
	gone(child);
	free(child->address);
	server.child_count--;
}

static struct peer *least_directed(void)
{
	struct peer *least = NULL;

	for (size_t i = 0; i < server.peers.count; i++) {
		struct peer *child = server.peers.items[i];

		if (child->kind == PEER_ANALYSER && !child->is_closing &&
		    (!least || child->directed < least->directed))
			least = child;
	}
	return least;
}

bool tree_hello(struct peer *peer, const struct check_hello *hello)
{
	const bool has_room = hello->size || server.child_count < children_max();
	struct peer *other = has_room ? NULL : least_directed();
	struct message_writer body = {0};

	if (!server.leader && !server.leader_link)
		return false;
	put_text(&body, other ? other->address : "");
	peer_send(peer, MESSAGE_PARENT, &body);
	body.size = 0;
	if (other) { /* this analyser disconnects; a stranger that does not disconnect is closed */
		other->directed++;
	} else {
		peer->address = memory_copy_text(hello->address);
		server.child_count++;
		peer_becomes(peer, PEER_ANALYSER);
		hello_put(&body, hello);
		came(peer, &body);
	}
	writer_release(&body);
	return true;
}

/* Analysers further away */

static void add(struct peer *child, const struct cursor *hello)
{
	const struct message_writer body = cursor_rest(hello);
	struct peer *analyser = memory_new(1, sizeof *analyser);

	array_add(&child->below, analyser);
	*analyser = (struct peer){.fd = -1,
	                          .unsent = -1,
	                          .kind = PEER_ANALYSER,
	                          .is_proven = true,
	                          .via = child,
	                          .place = (uint32_t)child->below.count};
	came(analyser, &body);
}

bool tree_from_below(struct peer *child, struct cursor *in)
{
	const uint64_t number = take_varint(in), kind = take_varint(in);
	struct peer *analyser;

	if (in->bad || child->via || !number || number > child->below.count + 1)
		return false;
	if (number > child->below.count && kind != MESSAGE_HELLO)
		return false;
	if (number > child->below.count) {
		add(child, in);
		return true;
	}
	analyser = child->below.items[number - 1];
	if (!analyser) /* it was refused, and more was on its way */
		return true;
	if (kind == MESSAGE_BYE) {
		forget(analyser);
	} else if (!server_frame(analyser, (enum message_kind)kind, in)) {
		peer_send(analyser, MESSAGE_BYE, NULL);
		forget(analyser);
	}
	return true;
}

bool tree_from_above(struct cursor *in)
{
	const uint64_t number = take_varint(in), kind = take_varint(in);
	const struct message_writer body = cursor_rest(in);
	struct peer *analyser;

	if (in->bad || !number || number > server.below.count)
		return false;
	analyser = server.below.items[number - 1];
	if (!analyser)
		return true;
	if (kind != MESSAGE_BYE || analyser->via)
		peer_send(analyser, (enum message_kind)kind, &body);
	else
		analyser->is_closing = true;
	if (kind == MESSAGE_BYE && analyser->via)
		forget(analyser);
	return true;
}
