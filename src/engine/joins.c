#include "engine/list.h"
#include "engine/operator.h"
#include "engine/stateful.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Which members an expression is about, a bit for each */
static uint64_t members_of(const struct expr *expr)
{
	uint64_t members = 0;

	if (!expr)
		return 0;
	if (expr->kind == EXPR_MEMBER)
		members |= UINT64_C(1) << expr->member;
	for (uint32_t i = 0; i < expr->arg_count; i++)
		members |= members_of(expr->args[i]);
	return members;
}

/* While a chain is made. */
struct chain {
	struct stateful *stateful;
	const struct event_type *type;
	uint32_t *port_of;            /* by member */
	const struct view **sources;  /* by member: as its table has it */
	const struct view **in_pairs; /* by member: as pairs have it */
	struct scope source_scope, pair_scope, given_scope;
};

static enum status add_port(struct chain *chain, uint32_t number)
{
	const struct member *member = &chain->type->members[number];
	struct stateful *stateful = chain->stateful;
	struct table *source;
	struct port *port;

	TRY(table_get(stateful->share, member->type, &source));
	port = port_add(stateful, source, member);
	chain->port_of[number] = port->number;
	chain->sources[number] = source->self;
	chain->in_pairs[number] = port_view(port, stateful->pair, source->self, 0);
	stateful->table->members[number] = (struct view *)(uintptr_t)port_view(port, stateful->table->space,
	                                                                       source->self, 0);
	TRY(compile_conditions(member->where, &chain->source_scope, &port->conditions));
	return OK;
}

static bool is_ready(const struct chain *chain, uint32_t number, uint64_t placed)
{
	const struct member *member = &chain->type->members[number];

	return !(placed >> number & 1) && (member->order == MEMBER_ANY || placed >> member->other & 1);
}

/* Who is last before or first after another comes behind that. */
static enum status add_ports(struct chain *chain)
{
	uint64_t placed = 0;

	for (uint32_t i = 0; i < chain->type->member_count; i++) {
		uint32_t next = 0;
		while (next < chain->type->member_count && !is_ready(chain, next, placed))
			next++;
		if (next == chain->type->member_count)
			return fail(
				"%s:%u: the members of '%s' are before and after each other in a circle; name one without",
				chain->type->origin.file, chain->type->origin.line, chain->type->name);
		TRY(add_port(chain, next));
		placed |= UINT64_C(1) << next;
	}
	return OK;
}

/* Conditions */

static bool is_one(uint64_t members)
{
	return members && !(members & (members - 1));
}

static struct port *port_of_member(const struct chain *chain, uint64_t members)
{
	return chain->stateful->ports[chain->port_of[__builtin_ctzll(members)]];
}

static enum status add_key(struct chain *chain, const struct expr *left, const struct expr *right)
{
	struct port *a = port_of_member(chain, members_of(left)),
		    *b = port_of_member(chain, members_of(right));
	struct graph *graph = chain->stateful->share->graph;
	struct node *a_key = compile(left, &chain->source_scope),
		    *b_key = compile(right, &chain->source_scope);
	struct port *later = a->number > b->number ? a : b;
	struct joint *step = &chain->stateful->steps[later->number];
	uint32_t count = later->key_count, lane;

	if (!a_key || !b_key)
		return FAILED;
	if (a_key->is_real || b_key->is_real) {
		a_key = node_as(graph, a_key, true);
		b_key = node_as(graph, b_key, true);
	}
	lane = later == a ? port_lane(b, b_key) : port_lane(a, a_key);
	LIST_ADD(chain->stateful->share->arena, step->left_keys, count, lane);
	port_key(later, later == a ? a_key : b_key);
	return OK;
}

static uint32_t last_port(const struct chain *chain, uint64_t members)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < chain->type->member_count; i++)
		if (members >> i & 1 && chain->port_of[i] > last)
			last = chain->port_of[i];
	return last;
}

static enum status add_condition(struct chain *chain, const struct expr *expr)
{
	uint64_t members = members_of(expr);
	struct joint *step;

	if (expr->kind == EXPR_BINARY && expr->op == OP_AND) {
		TRY(add_condition(chain, expr->args[0]));
		return add_condition(chain, expr->args[1]);
	}
	if (is_one(members) && !expr_has(expr, EXPR_SELF))
		return compile_conditions(expr, &chain->source_scope,
		                          &port_of_member(chain, members)->conditions);
	if (expr->kind == EXPR_BINARY && expr->op == OP_EQUAL && is_one(members_of(expr->args[0])) &&
	    is_one(members_of(expr->args[1])) && !expr_has(expr, EXPR_SELF))
		return add_key(chain, expr->args[0], expr->args[1]);
	step = &chain->stateful->steps[last_port(chain, members)];
	if (!step->is_asof && step->number && !expr_has(expr, EXPR_SELF))
		return compile_conditions(expr, &chain->pair_scope, &step->accepted);
	return compile_conditions(expr, &chain->given_scope, &chain->stateful->table->conditions);
}

/* Steps */

static enum status plan_step(struct chain *chain, uint32_t number)
{
	const struct member *member = &chain->type->members[number];
	struct port *port = chain->stateful->ports[chain->port_of[number]];
	struct joint *step = &chain->stateful->steps[port->number];
	bool is_before = member->order == MEMBER_LAST_BEFORE;
	struct port *other;

	step->stateful = chain->stateful;
	step->number = port->number;
	step->order = member->order;
	step->is_asof = member->order != MEMBER_ANY;
	step->left_identity = step->right_identity = UINT32_MAX;
	if (!step->is_asof)
		return OK;
	other = chain->stateful->ports[chain->port_of[member->other]];
	step->left_time = port_lane(other, view_time(chain->sources[member->other], !is_before));
	step->right_time = port_lane(port, view_time(chain->sources[number], is_before));
	if (other->source->space == port->source->space) {
		step->left_identity = port_lane(other, view_identity(chain->sources[member->other]));
		step->right_identity = port_lane(port, view_identity(chain->sources[number]));
	}
	return OK;
}

enum status joins_make(struct stateful *stateful)
{
	const struct event_type *type = stateful->table->type;
	struct arena *arena = stateful->share->arena;
	struct table *table = stateful->table;
	struct chain chain = {.stateful = stateful, .type = type};

	if (type->member_count > 64)
		return fail("%s:%u: '%s' has more than 64 members", type->origin.file, type->origin.line,
		            type->name);
	stateful->share->engine->is_ordered = true;
	stateful->steps = arena_array(arena, struct joint, type->member_count);
	table->members = arena_array(arena, struct view *, type->member_count);
	chain.port_of = arena_array(arena, uint32_t, type->member_count);
	chain.sources = arena_array(arena, const struct view *, type->member_count);
	chain.in_pairs = arena_array(arena, const struct view *, type->member_count);
	chain.source_scope = (struct scope){.share = stateful->share, .members = chain.sources};
	chain.pair_scope = (struct scope){.share = stateful->share, .members = chain.in_pairs};
	chain.given_scope = (struct scope){.share = stateful->share,
	                                   .table = table,
	                                   .self = table->self,
	                                   .members = (const struct view *const *)table->members};
	TRY(add_ports(&chain));
	for (uint32_t i = 0; i < type->member_count; i++)
		TRY(plan_step(&chain, i));
	if (type->when)
		TRY(add_condition(&chain, type->when));
	for (uint32_t i = 0; i < stateful->port_count; i++)
		conditions_settle(stateful->ports[i]->source, &stateful->ports[i]->conditions, true);
	return OK;
}

/* Running: tuples on the left are the keys of the step, then all that the ports before it brought */

static uint32_t words_before(const struct stateful *stateful, uint32_t port)
{
	uint32_t words = 0;

	for (uint32_t i = 0; i < port; i++)
		words += stateful->ports[i]->brought_count;
	return words;
}

/* Where the value of a lane stands on the left of a step, or on its right. */
static uint32_t left_word(const struct joint *step, uint32_t lane)
{
	const struct lane_origin *origin = &step->stateful->origins[lane];

	return step->stateful->ports[step->number]->key_count + words_before(step->stateful, origin->port) +
	       origin->index;
}

static uint32_t right_word(const struct joint *step, uint32_t lane)
{
	return step->stateful->ports[step->number]->key_count + step->stateful->origins[lane].index;
}

static bool accepts(void *context, const int64_t *left, const int64_t *right)
{
	struct joint *step = context;
	struct space *pair = step->stateful->pair;

	space_begin(pair, 1);
	for (struct node *lane = pair->lanes; lane; lane = lane->next_lane) {
		uint32_t port = step->stateful->origins[lane->number].port;
		if (port < step->number)
			lane->lane = (union word *)(uintptr_t)&left[left_word(step, lane->number)];
		else if (port == step->number)
			lane->lane = (union word *)(uintptr_t)&right[right_word(step, lane->number)];
	}
	for (uint32_t i = 0; i < step->accepted.count; i++)
		if (!node_values(step->accepted.nodes[i], &pair->all)->i)
			return false;
	return true;
}

static void add_left(struct joint *step, const int64_t *tuples, size_t count)
{
	if (step->is_asof)
		asof_add(step->asof, LEFT, tuples, count);
	else
		join_add(step->join, LEFT, tuples, count);
}

/* Words that all ports up to this one brought, as the left tuple of the next step. */
static void go_on(struct joint *next, const int64_t *words, uint32_t count)
{
	uint32_t keys = next->stateful->ports[next->number]->key_count;

	memcpy(next->scratch + keys, words, count * sizeof *words);
	for (uint32_t i = 0; i < keys; i++)
		next->scratch[i] = next->scratch[left_word(next, next->left_keys[i])];
	add_left(next, next->scratch, 1);
}

static void give(struct stateful *stateful, const int64_t *words)
{
	for (uint32_t lane = 0; lane < stateful->width; lane++) {
		const struct lane_origin *origin = &stateful->origins[lane];
		stateful->lanes[lane][stateful->rows].i =
			words[words_before(stateful, origin->port) + origin->index];
	}
	given_row_done(stateful);
}

static void put(void *context, const int64_t *left, const int64_t *right)
{
	struct joint *step = context;
	struct stateful *stateful = step->stateful;
	const struct port *port = stateful->ports[step->number];
	uint32_t before = words_before(stateful, step->number), count = before + port->brought_count;
	int64_t *words = memory_new(count + 1u, sizeof *words);

	memcpy(words, left + port->key_count, before * sizeof *words);
	memcpy(words + before, right + port->key_count, port->brought_count * sizeof *words);
	if (step->number + 1 < stateful->port_count)
		go_on(&stateful->steps[step->number + 1], words, count);
	else
		give(stateful, words);
	free(words);
}

static void open_step(struct stateful *stateful, struct joint *step, bool left_shared)
{
	const struct port *port = stateful->ports[step->number];
	uint32_t left = port->key_count + words_before(stateful, step->number);
	uint32_t right = port->key_count + port->brought_count;

	step->scratch = memory_new(left + 1u, sizeof *step->scratch);
	if (!step->is_asof) {
		step->join = join_new(&(struct join_plan){.widths = {left, right},
		                                          .keys = port->key_count,
		                                          .is_shared = {left_shared, port->is_shared},
		                                          .context = step,
		                                          .accepts = step->accepted.count ? accepts : NULL,
		                                          .put = put});
		return;
	}
	step->asof = asof_new(&(struct asof_plan){
		.kind = step->order == MEMBER_LAST_BEFORE ? ASOF_LAST_BEFORE : ASOF_FIRST_AFTER,
		.widths = {left, right},
		.keys = port->key_count,
		.times = {left_word(step, step->left_time), right_word(step, step->right_time)},
		.identity = {step->left_identity == UINT32_MAX ? NO_WORD
	                                                       : left_word(step, step->left_identity),
	                     step->right_identity == UINT32_MAX ? NO_WORD
	                                                        : right_word(step, step->right_identity)},
		.is_shared = port->is_shared,
		.context = step,
		.put = put});
}

void joins_open(struct stateful *stateful)
{
	bool left_shared = stateful->ports[0]->is_shared;

	for (uint32_t i = 1; i < stateful->port_count; i++) {
		open_step(stateful, &stateful->steps[i], left_shared);
		left_shared = left_shared && stateful->ports[i]->is_shared;
	}
}

void joins_add(struct port *port, const int64_t *tuples, size_t count)
{
	struct stateful *stateful = port->stateful;
	struct joint *step = &stateful->steps[port->number];

	if (port->number == 0)
		for (size_t i = 0; i < count; i++)
			go_on(&stateful->steps[1], tuples + i * port->brought_count, port->brought_count);
	else if (step->is_asof)
		asof_add(step->asof, RIGHT, tuples, count);
	else
		join_add(step->join, RIGHT, tuples, count);
}

void joins_finish(struct stateful *stateful)
{
	for (uint32_t i = 1; i < stateful->port_count; i++)
		if (stateful->steps[i].asof)
			asof_finish(stateful->steps[i].asof);
}

uint64_t joins_dropped(const struct stateful *stateful)
{
	uint64_t dropped = 0;

	for (uint32_t i = 1; stateful->is_open && i < stateful->port_count; i++) {
		const struct joint *step = &stateful->steps[i];
		struct operator_counts counts = step->asof ? asof_counts(step->asof)
		                                           : join_counts(step->join);
		dropped += counts.dropped + counts.early;
	}
	return dropped;
}

void joins_free(struct stateful *stateful)
{
	for (uint32_t i = 1; i < stateful->port_count; i++) {
		if (stateful->steps[i].join)
			join_free(stateful->steps[i].join);
		if (stateful->steps[i].asof)
			asof_free(stateful->steps[i].asof);
		free(stateful->steps[i].scratch);
	}
}
