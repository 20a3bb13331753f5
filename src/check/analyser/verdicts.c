#include "check/analyser/server.h"

#include "base/files.h"
#include "base/settings.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* What the first analyser does for deadlocks.h: it asks agents, and ends the run. */

static void ask_agent(void *owner, struct analysed_process *process, uint64_t question, bool wants_stacks)
{
	struct message_writer body = {0};

	(void)owner;
	put_number(&body, question);
	put_number(&body, wants_stacks);
	if (process->agent)
		peer_send(process->agent, MESSAGE_ASK, &body);
	writer_release(&body);
}

static void stop_run(void *owner, struct analysed_process *const *stuck, uint32_t count)
{
	struct message_writer body = {0};
	struct cursor in;
	int file = private_file_create(server.folder, CHECK_STOPPED_FILE, 0600);

	(void)owner;
	if (file >= 0)
		close(file);
	put_number(&body, count);
	for (uint32_t i = 0; i < count; i++) {
		put_word(&body, stuck[i]->world);
		put_number(&body, stuck[i]->rank);
	}
	in = (struct cursor){.at = body.bytes, .end = body.bytes + body.size};
	if (server.leader)
		leader_stop(&in);
	else if (server.leader_link)
		peer_send(server.leader_link, MESSAGE_STOP, &body);
	writer_release(&body);
}

void verdicts_begin(void)
{
	struct deadlock_ways ways = {.ask = ask_agent, .stop = stop_run};
	const char *timeout = setting_get(SETTING_HANG_TIMEOUT);

	if (server.deadlocks || !server.analysis->course)
		return;
	server.deadlocks = deadlocks_new(server.analysis->course, server.analysis->ordering, server.log,
	                                 &ways);
	deadlocks_set_hang_timeout(server.deadlocks, timeout && *timeout
	                                                     ? (uint32_t)strtoul(timeout, NULL, 10)
	                                                     : HANG_TIMEOUT_DEFAULT);
}

int verdicts_tick(uint64_t now)
{
	if (!server.deadlocks || server.is_ending)
		return TICK_MS;
	deadlocks_tick(server.deadlocks, now, server.analysis->event_count);
	return deadlocks_looks_again(server.deadlocks) ? LOOK_MS : TICK_MS;
}

bool verdicts_frame(const struct peer *peer, enum message_kind kind, struct cursor *in)
{
	struct check_answer answer;

	if (!peer->process || !server.deadlocks)
		return false;
	if (kind == MESSAGE_STACK)
		return deadlocks_stacks(server.deadlocks, peer->process, in);
	if (!answer_take(in, &answer))
		return false;
	deadlocks_answer(server.deadlocks, peer->process, &answer);
	answer_release(&answer);
	return true;
}

void server_stop(void)
{
	server.is_stopping = true;
	for (size_t i = 0; i < server.peers.count; i++)
		if (server.peers.items[i]->kind == PEER_AGENT && server.peers.items[i]->is_home)
			peer_send(server.peers.items[i], MESSAGE_STOP, NULL);
}
