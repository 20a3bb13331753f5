#include "analysis/rules/functions.h"
#include "base/memory.h"
#include "calls/calls.h"

#include <stdlib.h>
#include <string.h>

struct need {
	bool *needed;
	bool *is_visited; /* of book->types */
	bool competitors; /* also what findings are compared with */
};

static void need_class(struct need *need, enum call_class class)
{
	for (size_t i = 0; i < ALL_CALLS; i++)
		need->needed[i] |= all_calls[i].class == class;
}

static bool begins_request(const struct call_info *call)
{
	return call_has(call, KIND_newrequest);
}

static bool completes_accesses(const struct call_info *call)
{
	return call_is_upc(call) && call_has(call, KIND_done);
}

static bool meets(const struct call_info *call)
{
	return call->meets != 0;
}

static void need_calls(struct need *need, bool (*is_needed)(const struct call_info *))
{
	for (size_t i = 0; i < ALL_CALLS; i++)
		need->needed[i] |= is_needed(&all_calls[i]);
}

/* Requests of all kinds compete with messages: a call may complete both, and waits for the last. */
static void need_transfers(struct need *need)
{
	if (need->competitors)
		need_calls(need, begins_request);
	need_class(need, CLASS_POINT_TO_POINT);
	need_class(need, CLASS_PERSISTENT);
	need_class(need, CLASS_PARTITIONED);
	need_class(need, CLASS_PROBE);
	need_class(need, CLASS_REQUEST);
}

static void need_requests(struct need *need)
{
	need_calls(need, begins_request);
	need_class(need, CLASS_REQUEST);
	need_calls(need, completes_accesses);
}

static void need_tests(struct need *need)
{
	need_class(need, CLASS_PROBE);
	need_class(need, CLASS_REQUEST);
}

static void need_neighbours(struct need *need)
{
	need_class(need, CLASS_NEIGHBOURHOOD);
	need_class(need, CLASS_TOPOLOGY);
	need_class(need, CLASS_REQUEST);
}

static void need_windows(struct need *need)
{
	need_class(need, CLASS_ONE_SIDED);
	need_class(need, CLASS_EPOCH);
}

static void need_mutexes(struct need *need)
{
	need_class(need, CLASS_UPC_LOCK);
}

static void need_upc_accesses(struct need *need)
{
	need_class(need, CLASS_UPC_ACCESS);
	need_class(need, CLASS_UPC_SYNC);
	need_class(need, CLASS_UPC_COLLECTIVE);
}

/* What threads of OpenMP do is in archives of other tools: it cannot be recorded, nor left out. */
static void need_nothing(struct need *need)
{
	(void)need;
}

static bool has_to_do_with_others(const struct call_info *call)
{
	return !call_is_local(call);
}

static void need_sites(struct need *need)
{
	need_calls(need, has_to_do_with_others);
}

static void need_everything(struct need *need)
{
	memset(need->needed, 1, RECORDABLE_CALLS * sizeof *need->needed);
}

static void need_collectives(struct need *need)
{
	need_calls(need, meets);
	need_class(need, CLASS_REQUEST);
	need_class(need, CLASS_UPC_SYNC);
}

static void need_marks(struct need *need)
{
	need->needed[SELECT_MARKS] = true;
}

static void (*const relation_needs[])(struct need *) = {
	[RELATION_CALL] = need_everything,
	[RELATION_TRANSFER] = need_transfers,
	[RELATION_COLLECTIVE_CALL] = need_collectives,
	[RELATION_REQUEST_LIFE] = need_requests,
	[RELATION_EXPOSURE] = need_windows,
	[RELATION_NEIGHBOUR_CALL] = need_neighbours,
	[RELATION_ACCESS_EPOCH] = need_windows,
	[RELATION_FENCE] = need_windows,
	[RELATION_POLLING] = need_tests,
	[RELATION_PARTITIONED_SEND] = need_transfers,
	[RELATION_LOCK_HOLD] = need_windows,
	[RELATION_PASSIVE_CALL] = need_windows,
	[RELATION_MUTEX_HOLD] = need_mutexes,
	[RELATION_THREAD_FENCE] = need_upc_accesses,
	[RELATION_TEAM_CALL] = need_nothing,
	[RELATION_TEAM_LOCK] = need_nothing,
	[RELATION_SERIAL_PART] = need_nothing,
	[RELATION_ACCESS] = need_windows,
	[RELATION_INVERSION] = need_transfers,
	[RELATION_PHASE_TIME] = need_marks,
	[RELATION_CALL_PAIR] = need_sites,
	[RELATION_SITE] = need_sites,
};

/* A completion may be needed of what is not blocking. */
static void need_function(struct need *need, size_t call)
{
	bool is_upc = call_is_upc(&all_calls[call]);

	if (call_is_openmp(&all_calls[call]))
		return;
	need->needed[call] = true;
	if (begins_request(&all_calls[call]) && !is_upc)
		need_class(need, CLASS_REQUEST);
	/* Barriers, whole or split, meet each other. */
	if (all_calls[call].class == CLASS_UPC_SYNC)
		need_class(need, CLASS_UPC_SYNC);
}

static bool is_function_of_member(const struct expr *expr)
{
	return expr->kind == EXPR_COLUMN && expr->type.base == TYPE_FUNCTION;
}

/* Literals from args[1] on. */
static bool are_functions(const struct expr *expr)
{
	for (uint32_t i = 1; i < expr->arg_count; i++)
		if (expr->args[i]->kind != EXPR_LITERAL || expr->args[i]->number < 0)
			return false;
	return true;
}

/* c.function in (…), or c.function = …: the only ones that can pass; NULL if the condition says nothing of the kind. */
static const struct expr *static_choice(const struct expr *condition)
{
	const struct expr *left;

	if (!condition || condition->arg_count < 2)
		return NULL;
	if (condition->kind == EXPR_BINARY && condition->op == OP_AND) {
		left = static_choice(condition->args[0]);
		return left ? left : static_choice(condition->args[1]);
	}
	if (condition->kind != EXPR_AMONG && !(condition->kind == EXPR_BINARY && condition->op == OP_EQUAL))
		return NULL;
	return is_function_of_member(condition->args[0]) && are_functions(condition) ? condition : NULL;
}

static bool is_about_functions(const struct event_type *type)
{
	return type->form == FORM_NATIVE &&
	       (type->relation == RELATION_CALL || type->relation == RELATION_COLLECTIVE_CALL);
}

static void need_choice(struct need *need, const struct expr *choice)
{
	for (uint32_t i = 1; i < choice->arg_count; i++)
		need_function(need, (size_t)choice->args[i]->number);
}

/* Regions and phases are known from marks alone. */
static void need_columns(struct need *need, const struct expr *expr)
{
	if (!expr)
		return;
	if (expr->kind == EXPR_COLUMN && !expr->args[0]->event &&
	    (expr->column == CALL_COLUMN_REGION || expr->column == CALL_COLUMN_PHASE))
		need_marks(need);
	for (uint32_t i = 0; i < expr->arg_count; i++)
		need_columns(need, expr->args[i]);
}

static void need_type(struct need *need, const struct event_type *type);

static void need_member(struct need *need, const struct member *member)
{
	const struct expr *choice = is_about_functions(member->type) ? static_choice(member->where) : NULL;

	need_columns(need, member->where);
	if (choice)
		need_choice(need, choice);
	else
		need_type(need, member->type);
}

static void need_declared(struct need *need, const struct event_type *type)
{
	for (size_t i = 0; type->functions && type->functions[i]; i++) {
		const struct call_info *call = call_find(type->functions[i]);
		if (call)
			need->needed[call - all_calls] = true;
	}
}

static void need_composite(struct need *need, const struct event_type *type)
{
	for (uint32_t i = 0; i < type->member_count; i++)
		need_member(need, &type->members[i]);
	for (uint32_t i = 0; i < type->key_count; i++)
		need_columns(need, type->keys[i]);
	for (uint32_t i = 0; i < type->column_count; i++)
		need_columns(need, type->columns[i].value);
	need_columns(need, type->when);
	need_columns(need, type->while_condition);
}

static void need_type(struct need *need, const struct event_type *type)
{
	if (need->is_visited[type->number])
		return;
	need->is_visited[type->number] = true;
	if (type->form == FORM_NATIVE)
		relation_needs[type->relation](need);
	else if (type->form == FORM_CALL)
		need_declared(need, type);
	else
		need_composite(need, type);
}

static void need_problem(struct need *need, const struct problem *problem)
{
	need_type(need, problem->type);
	need_columns(need, problem->when);
	need_columns(need, problem->duration);
}

void rulebook_functions(const struct rulebook *book, bool needed[SELECTABLE])
{
	struct need need = {needed, memory_new(book->type_count, sizeof(bool)), true};

	for (size_t i = 0; i < book->problem_count; i++)
		need_problem(&need, book->problems[i]);
	free(need.is_visited);
}

void problem_functions(const struct rulebook *book, const struct problem *problem, bool holding[SELECTABLE])
{
	struct need need = {holding, memory_new(book->type_count, sizeof(bool)), false};

	need_problem(&need, problem);
	free(need.is_visited);
}
