#include "check/analyser/server.h"

#include <poll.h>

enum { WAITING_BYTES_MAX = 8 << 20, POLL_MS = 1000 };

/* The leader always reads, so this analyser may wait for it, and its agents may wait for this analyser. */
void relay_wait_for_leader(void)
{
	struct peer *link = server.leader_link;
	struct pollfd writable = {link->fd, POLLOUT, 0};

	while (!link->is_deaf && !link->is_closing && link->out.size - link->out_done > WAITING_BYTES_MAX) {
		poll(&writable, 1, POLL_MS);
		peer_writable(link);
	}
}

bool relay_is_full(void)
{
	const struct peer *link = server.leader_link;

	return link && link->is_joining && link->held.size > WAITING_BYTES_MAX;
}

void relay_wait_for_parent(void)
{
	struct pollfd readable = {server.leader_link->fd, POLLIN, 0};

	poll(&readable, 1, TICK_MS);
}

uint32_t relay_add(struct peer *agent)
{
	array_add(&server.relays, NULL);
	if (agent)
		relay_connect((uint32_t)server.relays.count, agent);
	return (uint32_t)server.relays.count;
}

void relay_connect(uint32_t relay, struct peer *agent)
{
	server.relays.items[relay - 1] = agent;
	agent->relay = relay;
}

void relay_frame(uint32_t relay, enum message_kind kind, const struct message_writer *body)
{
	struct message_writer relayed = {0};

	if (!server.leader_link)
		return;
	envelope_put(&relayed, relay, kind, body);
	peer_send(server.leader_link, MESSAGE_RELAY, &relayed);
	writer_release(&relayed);
	relay_wait_for_leader();
}

void relay_to_leader(struct peer *agent, enum message_kind kind, const struct message_writer *body)
{
	if (!server.leader_link)
		return;
	if (kind == MESSAGE_HELLO)
		relay_add(agent);
	relay_frame(agent->relay, kind, body);
	if (kind == MESSAGE_BYE) {
		server.relays.items[agent->relay - 1] = NULL;
		agent->relay = 0;
	}
}

static struct peer *connection_to(struct peer *analyser)
{
	return analyser->via ? analyser->via : analyser;
}

static bool relayed_hello(struct peer *analyser, struct cursor *in)
{
	struct check_hello hello;
	struct analysed_process *process;

	if (!hello_take(in, &hello))
		return false;
	if (!hello.size || hello.rank >= hello.size) {
		hello_release(&hello);
		return false;
	}
	process = process_new(&server.analysis->known, hello.world, hello.rank, hello.size);
	process->agent = analyser;
	array_add(&analyser->relayed, process);
	connection_to(analyser)->relayed_count++;
	server.relayed_count++;
	process->relay = (uint32_t)analyser->relayed.count;
	hello_release(&hello);
	return true;
}

static void process_gone(struct peer *analyser, struct analysed_process *process, enum process_end end)
{
	analyser->relayed.items[process->relay - 1] = NULL;
	connection_to(analyser)->relayed_count--;
	server.relayed_count--;
	process->agent = NULL;
	leader_process_gone(process, end);
}

/* Its agent steps aside when its connection is closed. */
static void refuse(struct peer *analyser, struct analysed_process *process)
{
	note_refused(process);
	send_to_process(process, MESSAGE_BYE, NULL);
	process_gone(analyser, process, END_VANISHED);
}

bool relay_from_analyser(struct peer *analyser, struct cursor *in)
{
	const uint64_t relay = take_varint(in), kind = take_varint(in);
	struct analysed_process *process;
	uint64_t end;

	if (in->bad || !relay || relay > analyser->relayed.count + 1)
		return false;
	if (relay > analyser->relayed.count)
		return kind == MESSAGE_HELLO && relayed_hello(analyser, in);
	process = analyser->relayed.items[relay - 1];
	if (!process) /* it was refused, and more was on its way */
		return true;
	if (kind == MESSAGE_BYE) {
		end = take_varint(in);
		if (in->bad || end > END_STOPPED)
			return false;
		process_gone(analyser, process, (enum process_end)end);
	} else if (!server_process_frame(process, (enum message_kind)kind, in)) {
		refuse(analyser, process);
	}
	return true;
}

void relay_analyser_gone(struct peer *analyser)
{
	for (size_t i = 0; i < analyser->relayed.count; i++)
		if (analyser->relayed.items[i])
			process_gone(analyser, analyser->relayed.items[i], END_VANISHED);
	array_release(&analyser->relayed);
}

bool relay_from_leader(struct cursor *in)
{
	const uint64_t relay = take_varint(in), kind = take_varint(in);
	const struct message_writer body = cursor_rest(in);
	struct peer *agent;

	if (in->bad || !relay || relay > server.relays.count)
		return false;
	agent = server.relays.items[relay - 1];
	if (agent && kind == MESSAGE_ASK)
		peer_send(agent, MESSAGE_ASK, &body);
	else if (agent && kind == MESSAGE_BYE)
		agent->is_closing = true;
	return true;
}

void send_to_process(const struct analysed_process *process, enum message_kind kind,
                     const struct message_writer *body)
{
	struct message_writer relayed = {0};

	if (!process->agent)
		return;
	if (process->agent->kind == PEER_AGENT) {
		peer_send(process->agent, kind, body);
		return;
	}
	envelope_put(&relayed, process->relay, kind, body);
	peer_send(process->agent, MESSAGE_RELAY, &relayed);
	writer_release(&relayed);
}
