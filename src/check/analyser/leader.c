#include "check/analyser/server.h"

#include "base/files.h"
#include "base/settings.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The first analyser: it executes the calls of all processes, and knows when all of them have ended. */

struct led_process {
	uint64_t world;
	uint32_t rank;
	const struct peer *analyser; /* that of its node; NULL: this one */
	uint32_t links;              /* connections to that one */
	bool is_stuck, was_outside, was_in_finalize, has_ended;
	bool is_deadlocked; /* it waits for ever */
	bool is_lost;       /* its analyser vanished, so its end is unknown */
	enum process_end end;
};

struct led_world {
	uint64_t world;
	uint32_t size, came;
	bool has_explanation; /* a process called MPI_Abort or exit: the others were killed because of it */
	bool has_failed; /* a finalized process did not end with exit code 0, so launchers kill the others */
	bool has_vanished;
	uint32_t first_vanished; /* rank */
	bool first_was_outside;  /* of any call */
	uint64_t vanished_ms;
};

struct analyser_leader {
	uint64_t empty_since_ms;
	ARRAY(struct led_process) processes;
	ARRAY(struct led_world) worlds;
	struct map numbers; /* world and rank to processes */
	uint32_t living;
	bool was_heard; /* somebody came, perhaps without a rank */
};

struct analyser_leader *leader_new(void)
{
	return memory_new(1, sizeof(struct analyser_leader));
}

/* Processes */

static struct led_world *world_get(struct analyser_leader *leader, uint64_t world, uint32_t size)
{
	for (size_t i = 0; i < leader->worlds.count; i++)
		if (leader->worlds.items[i].world == world)
			return &leader->worlds.items[i];
	array_add(&leader->worlds, (struct led_world){.world = world, .size = size});
	return &leader->worlds.items[leader->worlds.count - 1];
}

/* NULL: its rank is unknown, or it never connected. */
static struct led_process *find_process(const struct analyser_leader *leader,
                                        const struct check_member *member)
{
	const uint32_t *number = map_find(&leader->numbers, map_key(member->world, member->rank));

	return member->size && number ? &leader->processes.items[*number] : NULL;
}

static void process_came(struct analyser_leader *leader, const struct peer *analyser,
                         const struct check_member *member)
{
	struct led_process *process = find_process(leader, member);

	leader->was_heard = true;
	/* The process is already known: this is another connection of it. */
	if (process && !process->has_ended) {
		process->links++;
		return;
	}
	leader->living++;
	if (!member->size)
		return;
	*map_put(&leader->numbers, map_key(member->world, member->rank)) = (uint32_t)leader->processes.count;
	array_add(&leader->processes,
	          (struct led_process){
			  .world = member->world, .rank = member->rank, .analyser = analyser, .links = 1});
	world_get(leader, member->world, member->size)->came++;
	parts_process_came(analyser, member->world, member->rank);
}

/* If a process vanishes, the launcher kills the others, so only the first one is of interest. A process that
 * waited for ever was killed because of that. A process that called MPI_Abort or exit explains why others
 * vanished, even if the launcher killed them at the same moment. */
static void explain(struct led_world *world, const struct led_process *process)
{
	const bool has_vanished = process->end == END_VANISHED || process->end == END_IN_FINALIZE;
	const uint64_t since_ms = now_ms() - world->vanished_ms;

	/* Launchers kill processes that wait in calls, so a process outside of calls is more likely the
	 * cause. The first process to end is not always reported first. */
	if (has_vanished && (!world->has_vanished ||
	                     (process->was_outside && !world->first_was_outside && since_ms < TOGETHER_MS))) {
		if (!world->has_vanished)
			world->vanished_ms = now_ms();
		world->has_vanished = true;
		world->first_vanished = process->rank;
		world->first_was_outside = process->was_outside;
	}
	/* The program had closed the connection, and its agent has connected again. */
	if (process->end == END_UNCHECKED && world->first_vanished == process->rank)
		world->has_vanished = false;
	if ((process->end == END_ABORTED || process->end == END_EXITED) &&
	    (!world->has_vanished || since_ms < EXPLANATION_MS))
		world->has_explanation = true;
}

static void process_ended(struct analyser_leader *leader, struct led_process *process, enum process_end end,
                          const struct check_member *member)
{
	if (process->has_ended)
		return;
	process->has_ended = true;
	/* Nothing of the program runs in MPI_Finalize: either MPI crashed, or the launcher killed the process because another one failed. */
	process->end = end != END_VANISHED        ? end
	               : server.is_stopping       ? END_STOPPED
	               : process->was_in_finalize ? END_IN_FINALIZE
	                                          : END_VANISHED;
	process->is_stuck = member && member->is_stuck;
	process->was_outside = member && member->was_outside;
	leader->living--;
	explain(world_get(leader, process->world, 0), process);
}

void leader_process_gone(struct analysed_process *process, enum process_end end)
{
	const uint32_t *number = map_find(&server.leader->numbers, map_key(process->world, process->rank));

	analysis_process_gone(server.analysis, process, end);
	if (number)
		server.leader->processes.items[*number].was_in_finalize = process_is_in_finalize(process);
}

void leader_member(const struct peer *peer, const struct check_member *member)
{
	struct analyser_leader *leader = server.leader;
	struct led_process *process = find_process(leader, member);

	if (member->state == MEMBER_CAME)
		process_came(leader, peer, member);
	else if (!member->size)
		leader->living -= leader->living > 0;
	else if (member->state == MEMBER_ENDED + END_FAILED)
		world_get(leader, member->world, member->size)->has_failed = true;
	else if (process && process->links && !--process->links) {
		process->was_in_finalize |= member->was_in_finalize;
		process_ended(leader, process, member->state - MEMBER_ENDED, member);
	}
}

void leader_analyser_gone(const struct peer *peer)
{
	struct analyser_leader *leader = server.leader;
	bool any = false;

	for (size_t i = 0; i < leader->processes.count; i++) {
		struct led_process *process = &leader->processes.items[i];

		if (process->analyser != peer || process->has_ended)
			continue;
		any = process->is_lost = true;
		process_ended(leader, process, END_VANISHED, NULL);
	}
	if (any && !server.is_ending)
		server_note("an analyser vanished: its processes are not checked any more");
}

/* The end */

/* These processes wait for ever. */
static void stop_run(void *owner, struct analysed_process *const *stuck, uint32_t count)
{
	int file = private_file_create(server.folder, CHECK_STOPPED_FILE, 0600);

	(void)owner;
	if (file >= 0)
		close(file);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t *number = map_find(&server.leader->numbers,
		                                  map_key(stuck[i]->world, stuck[i]->rank));
		if (number)
			server.leader->processes.items[*number].is_deadlocked = true;
	}
	tree_to_children(MESSAGE_STOP, NULL);
	server_stop();
}

static void add_end(const struct led_world *world, const struct led_process *process,
                    struct process_ends *ends)
{
	const bool was_killed_late = process->end == END_IN_FINALIZE && world->has_failed;
	const bool has_vanished = process->end == END_VANISHED || process->end == END_IN_FINALIZE;
	const bool is_first = has_vanished && world->has_vanished && !world->has_explanation &&
	                      !process->is_stuck && !process->is_lost &&
	                      world->first_vanished == process->rank;

	if (process->end == END_FINALIZED || was_killed_late)
		return;
	ends_add_exception(
		ends, process->world, process->rank,
		(uint32_t)(has_vanished ? END_VANISHED : process->end) | (process->is_stuck ? END_STUCK : 0) |
			(process->is_deadlocked ? END_DEADLOCKED : 0) | (is_first ? END_FIRST : 0));
}

static void collect_ends(const struct analyser_leader *leader, struct process_ends *ends)
{
	*ends = (struct process_ends){.is_known = true, .all_finalized = true, .nobody_moves = true};
	for (size_t i = 0; i < leader->worlds.count; i++) {
		const struct led_world *world = &leader->worlds.items[i];
		ends_add_world(ends, world->world, world->size);
		for (uint32_t rank = 0; rank < world->size; rank++) {
			const uint32_t *number = map_find(&leader->numbers, map_key(world->world, rank));
			if (number)
				add_end(world, &leader->processes.items[*number], ends);
			else
				ends_add_exception(ends, world->world, rank, END_VANISHED);
		}
	}
}

static void end_all(const struct analyser_leader *leader)
{
	struct message_writer body = {0};
	struct process_ends ends;
	int file = -1;

	/* `tarry check` ends a launcher that hangs after a crash. */
	for (size_t i = 0; i < leader->worlds.count && file < 0; i++)
		if (leader->worlds.items[i].has_vanished || leader->worlds.items[i].has_explanation)
			file = private_file_create(server.folder, CHECK_CRASHED_FILE, 0600);
	if (file >= 0)
		close(file);
	collect_ends(leader, &ends);
	/* Partners of unmatched calls may be processes that were not handed over. */
	ends.is_known &= !parts_are_lost();
	ends_put(&body, &ends);
	tree_to_children(MESSAGE_END, &body);
	writer_release(&body);
	server_end(&ends);
}

/* Independent of all counts: a living process is connected to this analyser, or to another connected
 * analyser. */
static bool nobody_is_there(void)
{
	for (size_t i = 0; i < server.peers.count; i++)
		if ((server.peers.items[i]->kind == PEER_AGENT && !server.peers.items[i]->has_ended) ||
		    server.peers.items[i]->kind == PEER_ANALYSER)
			return false;
	return true;
}

/* No process of the job is left, here or at another analyser, and no other job follows. */
static bool job_is_over(void)
{
	for (size_t i = 0; i < server.peers.count; i++)
		if (server.peers.items[i]->kind == PEER_AGENT || server.peers.items[i]->kind == PEER_ANALYSER)
			return false;
	return faccessat(server.folder, CHECK_ENDED_FILE, F_OK, 0) == 0;
}

int leader_tick(uint64_t now)
{
	struct analyser_leader *leader = server.leader;

	if ((leader->living && !nobody_is_there()) || server.is_ending) {
		leader->empty_since_ms = 0;
		return TICK_MS;
	}
	if (!leader->empty_since_ms)
		leader->empty_since_ms = now;
	if (!leader->was_heard && now - leader->empty_since_ms <= LONELY_MS)
		return TICK_MS;
	if ((now - leader->empty_since_ms > GRACE_MS || job_is_over()) && parts_gather())
		end_all(leader);
	return ENDED_LOOK_MS;
}

/* Deadlocks: the leader asks agents, and ends the run */

static void ask_agent(void *owner, struct analysed_process *process, uint64_t question, bool wants_stacks)
{
	struct message_writer body = {0};

	(void)owner;
	put_number(&body, question);
	put_number(&body, wants_stacks);
	send_to_process(process, MESSAGE_ASK, &body);
	writer_release(&body);
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
	/* Without the processes of this node, processes that wait for them would seem to wait for nothing. */
	if (!server.deadlocks || server.is_ending || parts_are_aside())
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
