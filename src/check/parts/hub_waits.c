/* Processes that wait for each other, of all parts: nodes are processes that wait or have ended, and collective calls. All others can go on. */
#include "base/hash.h"
#include "check/execution/wait_graph.h"
#include "check/parts/hub.h"

enum { FREE_NODE = 0 };

struct reported_wait {
	uint32_t group; /* of the graph */
	uint64_t world;
	enum part_wait_kind kind;
	uint64_t identity; /* of a communicator */
	uint64_t number;   /* of its collective call; place of its member; of a process its rank */
};

struct reported_member {
	uint64_t world, identity;
	uint32_t rank, place;
	uint64_t next;  /* its next collective call */
	uint32_t other; /* member of the communicator, + 1; 0: none */
};

struct process_in_wait {
	uint32_t node;
	uint64_t hash; /* of its answer */
};

struct wait_answers {
	struct wait_graph graph;
	struct map processes;   /* by world and rank: nodes */
	struct map collectives; /* by identity and number: nodes */
	struct map comms;       /* by identity: the last of its members, + 1 */
	ARRAY(struct reported_wait) waits;
	uint32_t group; /* of the last wait */
	ARRAY(struct reported_member) members;
	ARRAY(struct process_in_wait) waiting;
};

struct wait_answers *wait_answers_new(void)
{
	struct wait_answers *answers = memory_new(1, sizeof *answers);

	wait_graph_node(&answers->graph, true);
	return answers;
}

void wait_answers_free(struct wait_answers *answers)
{
	if (!answers)
		return;
	wait_graph_release(&answers->graph);
	map_release(&answers->processes);
	map_release(&answers->collectives);
	map_release(&answers->comms);
	array_release(&answers->waits);
	array_release(&answers->members);
	array_release(&answers->waiting);
	free(answers);
}

/* Any of its members is enough for PART_WAITS_MEMBERS. `first`: it is the first of its process. */
static bool add_wait(struct wait_answers *answers, uint64_t world, uint32_t node, bool is_any, bool first,
                     struct cursor *in)
{
	struct reported_wait wait = {.world = world, .kind = (enum part_wait_kind)take_varint(in)};

	if (in->bad || wait.kind < PART_WAITS_PROCESS || wait.kind > PART_WAITS_NOT)
		return false;
	if (first || !is_any)
		answers->group = wait_graph_group(&answers->graph, node,
		                                  is_any || wait.kind == PART_WAITS_MEMBERS);
	wait.group = answers->group;
	if (wait.kind != PART_WAITS_PROCESS && wait.kind != PART_WAITS_NOT)
		wait.identity = take_u64(in);
	if (wait.kind != PART_WAITS_MEMBERS && wait.kind != PART_WAITS_NOT)
		wait.number = take_varint(in);
	array_add(&answers->waits, wait);
	return !in->bad;
}

static bool add_process(struct wait_answers *answers, uint64_t world, uint32_t rank, struct cursor *in)
{
	const uint32_t node = wait_graph_node(&answers->graph, false);
	const uint8_t *const began = in->at;
	const uint64_t kind = take_varint(in);
	uint32_t count;
	bool is_any;

	*map_put(&answers->processes, map_key(world, rank)) = node;
	if (kind == PART_ENDED) { /* of nobody, one would be enough */
		wait_graph_group(&answers->graph, node, true);
		return !in->bad;
	}
	take_varint(in);
	is_any = take_varint(in);
	count = take_count(in, UINT32_MAX);
	for (uint32_t i = 0; i < count && !in->bad; i++)
		if (!add_wait(answers, world, node, is_any, !i, in))
			return false;
	array_add(&answers->waiting,
	          (struct process_in_wait){
			  node,
			  hash_word(hash_word(hash_bytes(began, (size_t)(in->at - began)), world), rank)});
	return !in->bad && kind == PART_WAITS;
}

static bool add_membership(struct wait_answers *answers, uint64_t world, struct cursor *in)
{
	const uint64_t identity = take_u64(in);
	uint32_t *last = map_put(&answers->comms, map_key(identity, 0));
	struct reported_member member = {.world = world, .identity = identity};

	member.other = *last == MAP_NONE ? 0 : *last;
	member.rank = take_u32(in);
	member.place = take_u32(in);
	member.next = take_varint(in);
	array_add(&answers->members, member);
	*last = (uint32_t)answers->members.count;
	return !in->bad;
}

bool wait_answers_add(struct wait_answers *answers, struct cursor *in)
{
	const uint64_t world = take_u64(in);
	uint32_t rank;

	while (!in->bad && (rank = take_u32(in)) != 0)
		if (!add_process(answers, world, rank - 1, in))
			return false;
	while (!in->bad && cursor_left(in))
		if (!add_membership(answers, world, in))
			return false;
	return !in->bad;
}

static uint32_t process_node(const struct wait_answers *answers, uint64_t world, uint64_t rank)
{
	const uint32_t *node = map_find(&answers->processes, map_key(world, rank));

	return node ? *node : FREE_NODE;
}

/* It lacks members that have not made so many calls. */
static uint32_t collective_node(struct wait_answers *answers, uint64_t identity, uint64_t number)
{
	const uint32_t *last = map_find(&answers->comms, map_key(identity, 0));
	uint32_t *node = map_put(&answers->collectives, map_key(identity, number)), group, missing = 0, made;

	if (*node != MAP_NONE)
		return *node;
	made = *node = wait_graph_node(&answers->graph, false);
	group = wait_graph_group(&answers->graph, made, false);
	for (uint32_t i = last ? *last : 0; i; i = answers->members.items[i - 1].other) {
		const struct reported_member *member = &answers->members.items[i - 1];

		if (member->next > number)
			continue;
		wait_graph_member(&answers->graph, group, process_node(answers, member->world, member->rank));
		missing++;
	}
	if (!missing)
		wait_graph_member(&answers->graph, group, FREE_NODE);
	return made;
}

/* All members, and with them the process itself, which cannot free it either; or one of them. */
static void add_members(struct wait_answers *answers, const struct reported_wait *wait)
{
	const uint32_t *last = map_find(&answers->comms, map_key(wait->identity, 0));

	for (uint32_t i = last ? *last : 0; i; i = answers->members.items[i - 1].other) {
		const struct reported_member *member = &answers->members.items[i - 1];

		if (wait->kind == PART_WAITS_MEMBERS || member->place == wait->number)
			wait_graph_member(&answers->graph, wait->group,
			                  process_node(answers, member->world, member->rank));
	}
}

static void resolve_wait(struct wait_answers *answers, const struct reported_wait *wait)
{
	switch (wait->kind) {
	case PART_WAITS_MEMBERS:
	case PART_WAITS_MEMBER:
		add_members(answers, wait);
		break;
	case PART_WAITS_COLLECTIVE:
		wait_graph_member(&answers->graph, wait->group,
		                  collective_node(answers, wait->identity, wait->number));
		break;
	case PART_WAITS_PROCESS:
		wait_graph_member(&answers->graph, wait->group,
		                  process_node(answers, wait->world, wait->number));
		break;
	default:
		wait_graph_member(&answers->graph, wait->group, FREE_NODE);
	}
}

uint64_t wait_answers_knot(struct wait_answers *answers)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < answers->waits.count; i++)
		resolve_wait(answers, &answers->waits.items[i]);
	wait_graph_solve(&answers->graph);
	for (size_t i = 0; i < answers->waiting.count; i++)
		if (wait_graph_is_stuck(&answers->graph, answers->waiting.items[i].node))
			hash += answers->waiting.items[i].hash | 1;
	return hash;
}
