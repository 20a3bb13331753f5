#include "check/analyser/server.h"

#include "base/files.h"
#include "base/settings.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* What the leader does for deadlocks.h: it asks agents, and ends the run. */

static void ask_agent(void *owner, struct analysed_process *process, uint64_t question, bool wants_stacks)
{
	struct message_writer body = {0};

	(void)owner;
	put_number(&body, question);
	put_number(&body, wants_stacks);
	send_to_process(process, MESSAGE_ASK, &body);
	writer_release(&body);
}

static void stop_run(void *owner, struct analysed_process *const *stuck, uint32_t count)
{
	int file = private_file_create(server.folder, CHECK_STOPPED_FILE, 0600);

	(void)owner;
	if (file >= 0)
		close(file);
	leader_stop(stuck, count);
}

void verdicts_begin(void)
{
	const struct deadlock_callbacks callbacks = {.ask = ask_agent, .stop = stop_run};
	const char *timeout = setting_get(SETTING_HANG_TIMEOUT);

	server.deadlocks = deadlocks_new(server.analysis->execution, server.analysis->ordering, server.log,
	                                 &callbacks);
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

bool verdicts_frame(struct analysed_process *process, enum message_kind kind, struct cursor *in)
{
	struct check_answer answer;

	if (kind == MESSAGE_STACK)
		return deadlocks_stacks(server.deadlocks, process, in);
	if (!answer_take(in, &answer))
		return false;
	deadlocks_answer(server.deadlocks, process, &answer);
	answer_release(&answer);
	return true;
}

void server_stop(void)
{
	server.is_stopping = true;
	for (size_t i = 0; i < server.peers.count; i++)
		if (server.peers.items[i]->kind == PEER_AGENT)
			peer_send(server.peers.items[i], MESSAGE_STOP, NULL);
}
