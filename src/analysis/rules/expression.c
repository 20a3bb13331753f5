/* Expressions of a rulebook: creation, comparison, queries. */
#include "analysis/rules/checker.h"

#include <string.h>

struct expr *expr_new(struct checker *checker, enum expr_kind kind, struct type type,
                      struct source_range place)
{
	struct expr *expr = arena_new(checker->arena, struct expr);

	*expr = (struct expr){.kind = kind, .type = type, .origin = origin_of(place)};
	return expr;
}

struct expr *expr_of(struct checker *checker, enum expr_kind kind, struct type type,
                     struct source_range place, struct expr *first, struct expr *second)
{
	struct expr *expr = expr_new(checker, kind, type, place);

	expr->args = arena_array(checker->arena, struct expr *, 2);
	expr->args[0] = first;
	expr->args[1] = second;
	expr->arg_count = second ? 2 : 1;
	return expr;
}

struct expr *expr_column(struct checker *checker, struct expr *event, uint32_t column,
                         struct source_range place)
{
	struct expr *expr = expr_of(checker, EXPR_COLUMN, column_type(event->event, column), place, event,
	                            NULL);

	expr->column = column;
	expr->event = event->event ? event->event->columns[column].event : NULL;
	return expr;
}

struct expr *expr_aggregate(struct checker *checker, enum aggregate aggregate, struct expr *value,
                            struct expr *where, struct expr *result)
{
	struct expr *expr = arena_new(checker->arena, struct expr);

	*expr = (struct expr){.kind = EXPR_AGGREGATE,
	                      .type = value->type,
	                      .origin = value->origin,
	                      .aggregate = aggregate,
	                      .event = value->event,
	                      .arg_count = 3};
	expr->args = arena_array(checker->arena, struct expr *, expr->arg_count);
	expr->args[0] = value;
	expr->args[1] = where;
	expr->args[2] = result;
	return expr;
}

bool expr_uses(const struct expr *expr, enum expr_kind kind)
{
	if (!expr)
		return false;
	if (expr->kind == kind)
		return true;
	for (uint32_t i = 0; i < expr->arg_count; i++)
		if (expr_uses(expr->args[i], kind))
			return true;
	return false;
}

bool expr_is_same(const struct expr *a, const struct expr *b)
{
	if (!a || !b)
		return a == b;
	if ((a->kind == EXPR_MINE ? EXPR_MEMBER : a->kind) !=
	            (b->kind == EXPR_MINE ? EXPR_MEMBER : b->kind) ||
	    !types_agree(a->type, b->type) || a->op != b->op || a->aggregate != b->aggregate ||
	    a->number != b->number || a->real != b->real || a->member != b->member ||
	    a->column != b->column || a->setting != b->setting || a->run != b->run ||
	    a->arg_count != b->arg_count || (a->text && b->text && strcmp(a->text, b->text) != 0))
		return false;
	for (uint32_t i = 0; i < a->arg_count; i++)
		if (!expr_is_same(a->args[i], b->args[i]))
			return false;
	return true;
}

uint64_t expr_members(const struct expr *expr)
{
	uint64_t members = 0;

	if (!expr)
		return 0;
	if (expr->kind == EXPR_MEMBER)
		members = (uint64_t)1 << expr->member;
	for (uint32_t i = 0; i < expr->arg_count; i++)
		members |= expr_members(expr->args[i]);
	return members;
}

uint32_t column_count(const struct event_type *type)
{
	return type ? type->column_count : CALL_COLUMNS_END;
}

const char *column_name(const struct event_type *type, uint32_t column)
{
	return type ? type->columns[column].name : call_columns[column].name;
}

struct type column_type(const struct event_type *type, uint32_t column)
{
	return type ? type->columns[column].type : call_columns[column].type;
}

uint32_t column_find(const struct event_type *type, const char *name)
{
	/* A declared event's own column hides that of every call. */
	for (uint32_t i = column_count(type); i-- > 0;)
		if (strcmp(column_name(type, i), name) == 0)
			return i;
	return UINT32_MAX;
}

struct column *column_add(struct checker *checker, struct event_type *type, struct column column)
{
	struct column *columns = arena_array(checker->arena, struct column, type->column_count + 1);

	if (type->column_count)
		memcpy(columns, type->columns, type->column_count * sizeof *columns);
	type->columns = columns;
	columns[type->column_count] = column;
	return &columns[type->column_count++];
}

void add_call_columns(struct checker *checker, struct event_type *type)
{
	for (uint32_t i = 0; i < CALL_COLUMNS_END; i++)
		column_add(checker, type,
		           (struct column){
				   .name = call_columns[i].name, .type = call_columns[i].type, .native = i});
}

const char *describe(struct checker *checker, const struct expr *expr)
{
	return type_describe(&checker->errors->arena, expr->type);
}

const char *text_of(struct checker *checker, struct source_range place)
{
	return arena_bytes_as_text(checker->arena, place.source->text + place.begin, place.end - place.begin);
}

/* The charged call of a problem if the rule does not name one. */

/* A composite without `at` gets a column for it, which rules cannot refer to. */
static uint32_t composite_column(struct checker *checker, const struct event_type *type,
                                 struct source_range place)
{
	static const char hidden[] = "(at)";
	uint32_t column = column_find(type, "at");
	struct expr *value, *member, *call;

	if (column != UINT32_MAX && type->columns[column].type.base == TYPE_EVENT)
		return column;
	column = column_find(type, hidden);
	if (column != UINT32_MAX)
		return column;
	/* For a composite, the first member; for a group, the first arrival. */
	member = expr_new(checker, EXPR_MEMBER, type_event, place);
	member->event = type->members[0].type;
	call = expr_call_of(checker, member, place);
	value = type->form == FORM_JOIN ? call : expr_aggregate(checker, AGGREGATE_FIRST, call, NULL, NULL);
	column_add(checker, checker->book->types[type->number],
	           (struct column){.name = hidden,
	                           .type = type_event,
	                           .event = value->event,
	                           .value = value,
	                           .origin = type->origin});
	return type->column_count - 1;
}

struct expr *expr_call_of(struct checker *checker, struct expr *event, struct source_range place)
{
	while (!type_is_call(event->event)) {
		const struct event_type *type = event->event;
		uint32_t column = 0;

		if (type->form != FORM_NATIVE)
			column = composite_column(checker, type, place);
		/* The last for a message or collective call, otherwise the first. */
		else if (type->relation == RELATION_TRANSFER || type->relation == RELATION_COLLECTIVE_CALL)
			column = column_find(type, "wait");
		else
			while (type->columns[column].type.base != TYPE_EVENT)
				column++;
		event = expr_column(checker, event, column, place);
	}
	return event;
}
