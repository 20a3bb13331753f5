#include "analysis/rules/functions.h"
#include "base/memory.h"
#include "calls/calls.h"

#include <stdlib.h>
#include <string.h>

struct need {
	bool *needed;
	bool *is_visited; /* of book->types */
	bool competitors; /* also events that findings are compared with */
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

static bool has_lifetime(const struct call_info *call)
{
	return begins_request(call) || (call_is_pgas(call) && call_has(call, KIND_done));
}

static bool is_collective(const struct call_info *call)
{
	return call->collective != 0;
}

static bool concerns_others(const struct call_info *call)
{
	return !call_is_local(call);
}

static bool is_recordable(const struct call_info *call)
{
	return call - all_calls < RECORDABLE_CALLS;
}

static void need_calls(struct need *need, bool (*is_needed)(const struct call_info *))
{
	for (size_t i = 0; i < ALL_CALLS; i++)
		need->needed[i] |= is_needed(&all_calls[i]);
}

static void need_role(struct need *need, enum pgas_role role)
{
	for (size_t i = 0; i < ALL_CALLS; i++)
		need->needed[i] |= all_calls[i].pgas == role;
}

/* The calls that contribute to the rows of a relation. */
struct relation_need {
	enum call_class classes[6]; /* CLASS_ENVIRONMENT, which no relation needs, ends the list */
	enum pgas_role roles[4];    /* PGAS_NONE ends the list */
	bool (*is_needed)(const struct call_info *);
	bool requests_compete; /* with messages: a call may complete both, and waits for the last */
	bool marks;
};

#define TRANSFERS CLASS_POINT_TO_POINT, CLASS_PERSISTENT, CLASS_PARTITIONED, CLASS_PROBE, CLASS_REQUEST
#define WINDOWS CLASS_ONE_SIDED, CLASS_EPOCH

/* Events of OpenMP threads cannot be selected: nothing of MPI has to be recorded for them. */
static const struct relation_need relation_needs[RELATIONS_END] = {
	[RELATION_CALL] = {.is_needed = is_recordable},
	[RELATION_TRANSFER] = {.classes = {TRANSFERS}, .requests_compete = true},
	[RELATION_COLLECTIVE_CALL] = {.classes = {CLASS_REQUEST},
                                      .roles = {PGAS_SYNC},
                                      .is_needed = is_collective},
	[RELATION_REQUEST_LIFE] = {.classes = {CLASS_REQUEST}, .is_needed = has_lifetime},
	[RELATION_EXPOSURE] = {.classes = {WINDOWS}},
	[RELATION_NEIGHBOUR_CALL] = {.classes = {CLASS_NEIGHBOURHOOD, CLASS_TOPOLOGY, CLASS_REQUEST}},
	[RELATION_ACCESS_EPOCH] = {.classes = {WINDOWS}},
	[RELATION_FENCE] = {.classes = {WINDOWS}},
	[RELATION_POLLING] = {.classes = {CLASS_PROBE, CLASS_REQUEST}},
	[RELATION_PARTITIONED_SEND] = {.classes = {TRANSFERS}, .requests_compete = true},
	[RELATION_LOCK_HOLD] = {.classes = {WINDOWS}},
	[RELATION_PASSIVE_CALL] = {.classes = {WINDOWS}},
	[RELATION_MUTEX_HOLD] = {.roles = {PGAS_LOCK}},
	[RELATION_THREAD_FENCE] = {.roles = {PGAS_ACCESS, PGAS_SYNC, PGAS_COLLECTIVE}},
	[RELATION_ACCESS] = {.classes = {WINDOWS}},
	[RELATION_INVERSION] = {.classes = {TRANSFERS}, .requests_compete = true},
	[RELATION_PHASE_TIME] = {.marks = true},
	[RELATION_CALL_PAIR] = {.is_needed = concerns_others},
	[RELATION_SITE] = {.is_needed = concerns_others},
};

/* Non-blocking operations also need their completions. */
static void need_function(struct need *need, size_t call)
{
	bool is_pgas = call_is_pgas(&all_calls[call]);

	if (call_is_openmp(&all_calls[call]))
		return;
	need->needed[call] = true;
	if (begins_request(&all_calls[call]) && !is_pgas)
		need_class(need, CLASS_REQUEST);
	/* Whole and split barriers match each other. */
	if (all_calls[call].pgas == PGAS_SYNC)
		need_role(need, PGAS_SYNC);
}

/* c.function in (…), or c.function = …: the only functions that can match; NULL without such a condition. */
static const struct expr *static_choice(const struct expr *condition)
{
	const struct expr *left;

	if (!condition || condition->arg_count < 2)
		return NULL;
	if (condition->kind == EXPR_BINARY && condition->op == OP_AND) {
		left = static_choice(condition->args[0]);
		return left ? left : static_choice(condition->args[1]);
	}
	if ((condition->kind != EXPR_AMONG &&
	     !(condition->kind == EXPR_BINARY && condition->op == OP_EQUAL)) ||
	    condition->args[0]->kind != EXPR_COLUMN || condition->args[0]->type.base != TYPE_FUNCTION)
		return NULL;
	for (uint32_t i = 1; i < condition->arg_count; i++)
		if (condition->args[i]->kind != EXPR_LITERAL || condition->args[i]->number < 0)
			return NULL;
	return condition;
}

/* Regions and phases need only marks. */
static void need_columns(struct need *need, const struct expr *expr)
{
	if (!expr)
		return;
	if (expr->kind == EXPR_COLUMN && !expr->args[0]->event &&
	    (expr->column == CALL_COLUMN_REGION || expr->column == CALL_COLUMN_PHASE))
		need->needed[SELECT_MARKS] = true;
	for (uint32_t i = 0; i < expr->arg_count; i++)
		need_columns(need, expr->args[i]);
}

static void need_type(struct need *need, const struct event_type *type);

static void need_member(struct need *need, const struct member *member)
{
	const struct expr *choice = member->type->form == FORM_NATIVE &&
	                                            (member->type->relation == RELATION_CALL ||
	                                             member->type->relation == RELATION_COLLECTIVE_CALL)
	                                    ? static_choice(member->where)
	                                    : NULL;

	need_columns(need, member->where);
	if (choice) {
		for (uint32_t i = 1; i < choice->arg_count; i++)
			need_function(need, (size_t)choice->args[i]->number);
	} else
		need_type(need, member->type);
}

static void need_type(struct need *need, const struct event_type *type)
{
	const struct relation_need *relation = &relation_needs[type->relation];

	if (need->is_visited[type->number])
		return;
	need->is_visited[type->number] = true;
	if (type->form == FORM_NATIVE) {
		for (size_t i = 0; relation->classes[i] != CLASS_ENVIRONMENT; i++)
			need_class(need, relation->classes[i]);
		for (size_t i = 0; relation->roles[i] != PGAS_NONE; i++)
			need_role(need, relation->roles[i]);
		if (relation->is_needed)
			need_calls(need, relation->is_needed);
		if (relation->requests_compete && need->competitors)
			need_calls(need, begins_request);
		need->needed[SELECT_MARKS] |= relation->marks;
	} else if (type->form == FORM_CALL) {
		for (size_t i = 0; type->functions && type->functions[i]; i++) {
			const struct call_info *call = call_find(type->functions[i]);
			if (call)
				need->needed[call - all_calls] = true;
		}
	} else {
		for (uint32_t i = 0; i < type->member_count; i++)
			need_member(need, &type->members[i]);
		for (uint32_t i = 0; i < type->key_count; i++)
			need_columns(need, type->keys[i]);
		for (uint32_t i = 0; i < type->column_count; i++)
			need_columns(need, type->columns[i].value);
		need_columns(need, type->when);
		need_columns(need, type->while_condition);
	}
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
