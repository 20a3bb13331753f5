#include "check/analyser/server.h"

#include "base/files.h"
#include "base/settings.h"

#include <stdio.h>
#include <unistd.h>

/* The analyser that came first: it decides how many there are, and when all processes are gone. */

struct registered_analyser {
	const struct peer *peer; /* NULL: this one */
	bool is_gone;
	char *addresses;
};

struct led_process {
	uint64_t world;
	uint32_t rank;
	const struct peer *analyser; /* that of its node; NULL: this one */
	uint32_t links;              /* connections to that one */
	bool is_stuck, was_outside, has_ended;
	bool is_deadlocked; /* it waits for ever */
	enum process_end end;
};

struct led_world {
	uint64_t world;
	uint32_t size, came;
	bool has_explanation; /* a process aborted or left: the others were killed because of it */
	bool has_failed; /* one that had finalized did not end with exit code 0: launchers kill the others for that */
	bool has_vanished;
	uint32_t first_vanished; /* rank */
	bool first_was_outside;  /* of any call */
	uint64_t vanished_ms;
};

enum plan_state { PLAN_WAITS, PLAN_STARTS, PLAN_DECIDED };

struct analyser_leader {
	uint32_t wanted; /* 0: one on each node */
	enum plan_state state;
	uint64_t changed_ms, empty_since_ms;
	ARRAY(struct registered_analyser) nodes;
	ARRAY(char *) addresses; /* by number; NULL: not there yet */
	ARRAY(struct led_process) processes;
	ARRAY(struct led_world) worlds;
	struct map numbers; /* world and rank to processes */
	uint32_t living, came;
	bool was_heard; /* somebody came, perhaps without a rank */
};

struct analyser_leader *leader_new(uint32_t wanted)
{
	struct analyser_leader *leader = memory_new(1, sizeof *leader);

	leader->wanted = wanted;
	array_add(&leader->nodes, (struct registered_analyser){.addresses = server.addresses});
	return leader;
}

static void to_analysers(enum message_kind kind, const struct message_writer *body)
{
	for (size_t i = 0; i < server.peers.count; i++)
		if (server.peers.items[i]->kind == PEER_ANALYSER)
			peer_send(server.peers.items[i], kind, body);
}

/* The plan */

static void decide(struct analyser_leader *leader)
{
	struct message_writer body = {0}, frame = {0};
	uint32_t count = 0;

	while (count < leader->addresses.count && leader->addresses.items[count])
		count++;
	if (count < leader->addresses.count)
		server_note("some analysers did not start: there are fewer of them");
	leader->state = PLAN_DECIDED;
	plan_put(&body, (const char *const *)leader->addresses.items, count);
	frame_put(&frame, MESSAGE_PLAN, &body);
	server_plan(&frame);
	to_analysers(MESSAGE_PLAN, &body);
	writer_release(&body);
	writer_release(&frame);
}

static void start_missing(struct analyser_leader *leader, uint32_t nodes)
{
	for (uint32_t node = 0; node < nodes; node++) {
		const struct peer *peer = leader->nodes.items[node].peer;
		struct message_writer body = {0};
		if (nodes + node >= leader->wanted)
			continue;
		put_number(&body, nodes + node);
		put_number(&body, nodes);
		put_number(&body, leader->wanted);
		if (peer)
			peer_send((struct peer *)peer, MESSAGE_START, &body);
		else
			server_start(nodes + node, nodes, leader->wanted);
		writer_release(&body);
	}
}

static void make_plan(struct analyser_leader *leader, uint64_t now)
{
	uint32_t nodes = 0, wanted = leader->wanted;

	for (size_t i = 0; i < leader->nodes.count; i++)
		if (!leader->nodes.items[i].is_gone)
			leader->nodes.items[nodes++] = leader->nodes.items[i];
	leader->nodes.count = nodes;
	wanted = wanted ? wanted : nodes;
	array_extend(&leader->addresses, wanted);
	for (uint32_t i = 0; i < nodes && i < wanted; i++)
		leader->addresses.items[i] = memory_copy_text(leader->nodes.items[i].addresses);
	if (wanted <= nodes) {
		decide(leader);
		return;
	}
	leader->state = PLAN_STARTS;
	leader->changed_ms = now;
	start_missing(leader, nodes);
}

static bool all_started(const struct analyser_leader *leader)
{
	for (size_t i = 0; i < leader->addresses.count; i++)
		if (!leader->addresses.items[i])
			return false;
	return true;
}

void leader_analyser_came(struct peer *peer, const struct check_hello *hello)
{
	struct analyser_leader *leader = server.leader;
	uint32_t number = hello->size - 1;

	if (hello->size) {
		if (number < leader->addresses.count && !leader->addresses.items[number])
			leader->addresses.items[number] = memory_copy_text(hello->address);
		if (leader->state == PLAN_STARTS && all_started(leader))
			decide(leader);
	} else if (leader->state == PLAN_WAITS) {
		array_add(&leader->nodes,
		          (struct registered_analyser){.peer = peer,
		                                       .addresses = memory_copy_text(hello->address)});
		leader->changed_ms = now_ms();
	}
	/* Those that come later serve their agents, and the plan stays as it is. */
	if (leader->state == PLAN_DECIDED)
		peer_send_frame(peer, &server.plan);
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

/* NULL: its rank is not known, or it was never heard of. */
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
	if (member->size)
		leader->came++;
	leader->changed_ms = now_ms();
	/* It is there already: another connection of it. */
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
}

/* Launchers kill those who wait in calls, so that one who was outside is more likely the cause. Who vanishes first is not always heard of first. */
static bool is_cause(const struct led_world *world, const struct led_process *process)
{
	return !world->has_vanished || (process->was_outside && !world->first_was_outside &&
	                                now_ms() - world->vanished_ms < TOGETHER_MS);
}

/* One that vanishes takes the others with it: the first is the one to look at. One that waited for ever was killed for that; and who
 * aborted or left explains why others vanished, also if the launcher killed them at the same moment. */
static void explain(struct led_world *world, const struct led_process *process)
{
	if ((process->end == END_VANISHED || process->end == END_IN_FINALIZE) && is_cause(world, process)) {
		if (!world->has_vanished)
			world->vanished_ms = now_ms();
		world->has_vanished = true;
		world->first_vanished = process->rank;
		world->first_was_outside = process->was_outside;
	}
	/* The program had closed the connection: its agent came back to say so. */
	if (process->end == END_UNCHECKED && world->first_vanished == process->rank)
		world->has_vanished = false;
	if ((process->end == END_ABORTED || process->end == END_EXITED) &&
	    (!world->has_vanished || now_ms() - world->vanished_ms < EXPLANATION_MS))
		world->has_explanation = true;
}

static void process_ended(struct analyser_leader *leader, struct led_process *process, enum process_end end,
                          const struct check_member *member)
{
	if (process->has_ended)
		return;
	process->has_ended = true;
	process->end = server.is_stopping && (end == END_VANISHED || end == END_IN_FINALIZE) ? END_STOPPED
	                                                                                     : end;
	process->is_stuck = member && member->is_stuck;
	process->was_outside = member && member->was_outside;
	leader->living--;
	explain(world_get(leader, process->world, 0), process);
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
	else if (process && process->links && !--process->links)
		process_ended(leader, process, member->state - MEMBER_ENDED, member);
}

void leader_analyser_gone(const struct peer *peer)
{
	struct analyser_leader *leader = server.leader;

	for (size_t i = 0; i < leader->nodes.count; i++)
		leader->nodes.items[i].is_gone |= leader->nodes.items[i].peer == peer;
	for (size_t i = 0; i < leader->processes.count; i++)
		if (leader->processes.items[i].analyser == peer)
			process_ended(leader, &leader->processes.items[i], END_VANISHED, NULL);
}

/* The end */

bool leader_stop(struct cursor *in)
{
	struct analyser_leader *leader = server.leader;
	uint32_t count = take_count(in, UINT32_MAX);

	for (uint32_t i = 0; i < count && !in->bad; i++) {
		struct check_member member = {.world = take_u64(in), .size = 1};
		struct led_process *process;
		member.rank = take_u32(in);
		process = find_process(leader, &member);
		if (process)
			process->is_deadlocked = true;
	}
	if (in->bad)
		return false;
	to_analysers(MESSAGE_STOP, NULL);
	server_stop();
	return true;
}

static void add_end(const struct led_world *world, const struct led_process *process,
                    struct process_ends *ends)
{
	const bool was_killed_late = process->end == END_IN_FINALIZE && world->has_failed;
	const bool has_vanished = process->end == END_VANISHED || process->end == END_IN_FINALIZE;
	const bool is_first = has_vanished && world->has_vanished && !world->has_explanation &&
	                      !process->is_stuck && world->first_vanished == process->rank;

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

/* Launchers that hang in their own end are ended by whoever started them. */
static void note_crash(const struct analyser_leader *leader)
{
	int file = -1;

	for (size_t i = 0; i < leader->worlds.count && file < 0; i++)
		if (leader->worlds.items[i].has_vanished || leader->worlds.items[i].has_explanation)
			file = private_file_create(server.folder, CHECK_CRASHED_FILE, 0600);
	if (file >= 0)
		close(file);
}

static void end_all(const struct analyser_leader *leader)
{
	struct message_writer body = {0};
	struct process_ends ends;

	note_crash(leader);
	collect_ends(leader, &ends);
	ends_put(&body, &ends);
	to_analysers(MESSAGE_END, &body);
	writer_release(&body);
	server_end(&ends);
}

static bool a_world_is_complete(const struct analyser_leader *leader)
{
	for (size_t i = 0; i < leader->worlds.count; i++)
		if (leader->worlds.items[i].came >= leader->worlds.items[i].size)
			return true;
	return false;
}

/* Whatever was counted: who lives is connected, to this analyser or to another one that is. */
static bool nobody_is_there(void)
{
	for (size_t i = 0; i < server.peers.count; i++)
		if ((server.peers.items[i]->kind == PEER_AGENT && !server.peers.items[i]->has_ended) ||
		    server.peers.items[i]->kind == PEER_ANALYSER)
			return false;
	return true;
}

void leader_tick(uint64_t now)
{
	struct analyser_leader *leader = server.leader;

	if (leader->state == PLAN_WAITS && leader->came &&
	    (a_world_is_complete(leader) || now - leader->changed_ms > PLAN_MS))
		make_plan(leader, now);
	if (leader->state == PLAN_STARTS && now - leader->changed_ms > START_MS)
		decide(leader);
	if ((leader->living && !nobody_is_there()) || server.is_ending) {
		leader->empty_since_ms = 0;
		return;
	}
	if (!leader->empty_since_ms)
		leader->empty_since_ms = now;
	if (now - leader->empty_since_ms > (leader->was_heard ? GRACE_MS : LONELY_MS))
		end_all(leader);
}
