#include "check/analyser/server.h"

#include "base/settings.h"

#include <stdlib.h>

enum {
	OWN_PART = 0,
	QUIET_MS = 5000, /* time without any call after which the leader tests whether the job hangs */
	FULL_MS = 1000,  /* agents wait because many frames are kept: a note reports it */
};

/* Given by launchers: processes on this node, and in total. */
static const char *const size_variables[][2] = {
	{"OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_SIZE"},
	{"MPI_LOCALNRANKS", "PMI_SIZE"},
	{"MV2_COMM_WORLD_LOCAL_SIZE", "MV2_COMM_WORLD_SIZE"},
};

static bool job_has_nodes(void)
{
	const char *nodes = getenv("SLURM_STEP_NUM_NODES");

	for (size_t i = 0; i < sizeof size_variables / sizeof *size_variables; i++) {
		const char *here = getenv(size_variables[i][0]), *all = getenv(size_variables[i][1]);

		if (here && all)
			return strtoul(here, NULL, 10) < strtoul(all, NULL, 10);
	}
	return nodes && strtoul(nodes, NULL, 10) > 1;
}

/* From the part of this node to the leader */

/* The part of this node has stepped aside, or must do so. Unless this analyser is the leader, it then closes
 * its connection. */
static void contradicted(void)
{
	server_note(
		"analysers contradict each other: calls of the processes of a node are not checked any more");
	part_step_aside(server.part);
	if (server.hub)
		hub_lose(server.hub);
}

static void hear_own(const struct message_writer *frames)
{
	struct cursor in = writer_cursor(frames), body;
	enum message_kind kind;

	while (frame_next(&in, FRAME_BYTES_MAX, &kind, &body))
		if (!hub_hear(server.hub, OWN_PART, kind, &body))
			contradicted();
}

static void tell_hub(void *owner, const struct message_writer *frames)
{
	(void)owner;
	if (server.hub)
		hear_own(frames);
	else if (server.leader_link)
		peer_send_frame(server.leader_link, frames);
	if (server.leader_link)
		relay_wait_for_leader();
}

/* Handing over */

/* To the leader, on another node. */
static void put_relayed(void *owner, struct analysed_process *process, enum message_kind kind,
                        const struct message_writer *body)
{
	struct message_writer hello = {0};

	(void)owner;
	if (kind != MESSAGE_HELLO) {
		relay_frame(process->relay, kind, body);
		return;
	}
	/* Until the last round, its agent speaks to the part. */
	if (process->relay) {
		if (process->agent && server.has_handed_over)
			relay_connect(process->relay, process->agent);
		return;
	}
	process->relay = relay_add(server.has_handed_over ? process->agent : NULL);
	hello_put(&hello, &(struct check_hello){.role = HELLO_AGENT,
	                                        .world = process->world,
	                                        .rank = process->rank,
	                                        .size = process->size,
	                                        .host = server.host,
	                                        .address = ""});
	relay_frame(process->relay, MESSAGE_HELLO, &hello);
	writer_release(&hello);
}

/* The process of the leader instead of this one of its part. Until the last round, its agent speaks to the part. */
static struct analysed_process *successor_of(struct analysed_process *process)
{
	struct known *known = &server.analysis->known;
	uint32_t *number = map_put(&server.successors, map_key((uintptr_t)process, 0));
	struct analysed_process *now;

	if (*number == MAP_NONE) {
		*number = (uint32_t)known->processes.count;
		process_new(known, process->world, process->rank, process->size);
	}
	now = known->processes.items[*number];
	now->has_vanished = process->has_vanished;
	now->vanished_outside = process->vanished_outside;
	now->agent = process->agent;
	if (process->agent && server.has_handed_over)
		process->agent->process = now;
	return now;
}

/* Of this node, at the leader. */
static void put_here(void *owner, struct analysed_process *process, enum message_kind kind,
                     const struct message_writer *body)
{
	struct analysed_process *now = successor_of(process);
	struct cursor in = writer_cursor(body);

	(void)owner;
	if (kind == MESSAGE_HELLO)
		return;
	if (kind == MESSAGE_BYE) {
		leader_process_gone(now, (enum process_end)take_varint(&in));
	} else if (!server_process_frame(now, kind, &in)) {
		note_refused(now);
		if (now->agent)
			now->agent->is_closing = true;
	}
}

static void hand_over(uint32_t round)
{
	if (!parts_execute() || server.part->is_aside)
		return;
	server.has_handed_over = round == PART_ROUNDS;
	part_hand_over(server.part, round, server.leader ? put_here : put_relayed, NULL);
}

static void no_part(enum message_kind kind, struct cursor *in)
{
	struct message_writer body = {0};

	put_number(&body, take_varint(in));
	if (kind == MESSAGE_WAITS) { /* nothing happened, and nobody waits */
		put_number(&body, 0);
		put_number(&body, 0);
		put_word(&body, 0);
		put_number(&body, 0);
	}
	if (kind == MESSAGE_WAITS || kind == MESSAGE_GATHER)
		peer_send(server.leader_link, kind, &body);
	writer_release(&body);
}

bool parts_from_leader(enum message_kind kind, struct cursor *in)
{
	struct cursor copy = *in;
	const uint64_t round = kind == MESSAGE_GATHER ? take_varint(&copy) : 0;

	if (kind != MESSAGE_FACTS && kind != MESSAGE_REACHED && kind != MESSAGE_GATHER &&
	    kind != MESSAGE_WAITS && kind != MESSAGE_USES)
		return false;
	if (!parts_execute()) {
		if (!server.hub)
			no_part(kind, in);
		return true;
	}
	if (round >= PART_HANDS_OVER && round <= PART_ROUNDS)
		hand_over((uint32_t)round);
	if (part_hear(server.part, kind, in))
		return true;
	contradicted();
	return false;
}

/* The hub */

static void tell_part(void *owner, uint32_t part, enum message_kind kind, const struct message_writer *body)
{
	struct cursor in = writer_cursor(body);

	(void)owner;
	if (part == OWN_PART) {
		parts_from_leader(kind, &in);
		return;
	}
	if (part < server.part_peers.count && server.part_peers.items[part])
		peer_send(server.part_peers.items[part], kind, body);
}

static void all_gathered(void *owner)
{
	(void)owner;
	analysis_gathered(server.analysis);
	if (hub_has_lost(server.hub))
		server_note("an analyser does not answer: calls of its processes are not checked any more");
}

void parts_begin(void)
{
	const struct hub_callbacks callbacks = {.tell = tell_part, .gathered = all_gathered};
	const char *wanted = setting_get(SETTING_CHECK_PARTS);

	if (wanted && *wanted ? strcmp(wanted, "1") != 0 : !job_has_nodes())
		return;
	server.part = part_new(server.log, tell_hub, NULL);
	if (!server.leader)
		return;
	server.hub = hub_new(&callbacks);
	server.analysis->is_gathering = true;
	hub_add_part(server.hub);
}

bool parts_from_analyser(const struct peer *analyser, enum message_kind kind, struct cursor *in)
{
	if (server.hub && !hub_hear(server.hub, analyser->part, kind, in)) {
		server_note("analysers contradict each other: what one of them says is not used any more");
		return false;
	}
	return server.hub || kind == MESSAGE_FACTS || kind == MESSAGE_REACHED || kind == MESSAGE_GATHER ||
	       kind == MESSAGE_WAITS || kind == MESSAGE_USES;
}

void parts_analyser_came(struct peer *analyser)
{
	struct message_writer body = {0};

	if (server.hub) {
		/* So that tell_part() finds it. */
		analyser->part = hub_next_part(server.hub);
		server.analysis->is_gathering = true;
		array_extend(&server.part_peers, analyser->part + 1u)->items[analyser->part] = analyser;
		hub_add_part(server.hub);
		return;
	}
	put_number(&body, PART_ROUNDS);
	peer_send(analyser, MESSAGE_GATHER, &body);
	writer_release(&body);
}

void parts_analyser_gone(const struct peer *analyser)
{
	if (!server.hub)
		return;
	server.part_peers.items[analyser->part] = NULL;
	hub_remove_part(server.hub, analyser->part);
}

void parts_relayed(void)
{
	if (server.hub)
		hub_gather(server.hub);
}

void parts_process_came(const struct peer *analyser, uint64_t world, uint32_t rank)
{
	if (server.hub)
		hub_add_process(server.hub, analyser ? analyser->part : OWN_PART, world, rank);
}

bool parts_gather(void)
{
	if (!server.hub || hub_has_gathered(server.hub))
		return true;
	hub_gather(server.hub);
	return false;
}

bool parts_are_lost(void)
{
	return server.hub && hub_has_lost(server.hub);
}

void parts_leader_gone(void)
{
	if (parts_execute() && (server.part->is_frozen || server.part->has_asked))
		part_step_aside(server.part);
}

/* For a moment this is normal. */
static void note_full(uint64_t now)
{
	if (!parts_are_full() || server.is_full_noted) {
		server.full_since_ms = 0;
	} else if (!server.full_since_ms) {
		server.full_since_ms = now;
	} else if (now - server.full_since_ms > FULL_MS) {
		server.is_full_noted = true;
		server_note(
			"processes wait: an analyser keeps no more of their calls until the first analyser takes over");
	}
}

int parts_tick(uint64_t now)
{
	const char *timeout = setting_get(SETTING_HANG_TIMEOUT);
	const uint64_t timeout_ms = 1000 * (timeout && *timeout ? strtoull(timeout, NULL, 10)
	                                                        : HANG_TIMEOUT_DEFAULT);

	if (!server.part)
		return TICK_MS;
	note_full(now);
	if (parts_execute())
		part_tick(server.part, now);
	while (server.part->frames.size || server.part->facts.size)
		part_flush(server.part);
	if (server.hub) {
		hub_flush(server.hub);
		hub_tick(server.hub, now, timeout_ms < QUIET_MS ? timeout_ms : QUIET_MS);
		while (server.part->frames.size || server.part->facts.size)
			part_flush(server.part);
		hub_flush(server.hub);
	}
	return parts_execute() ? LOOK_MS : TICK_MS;
}
