/* Which call an event stands for when a rule does not say: problems are charged to calls. */
#include "analysis/rules/checker.h"

static bool is_call(const struct event_type *type)
{
	return !type || type->form == FORM_CALL ||
	       (type->form == FORM_NATIVE && type->relation == RELATION_CALL);
}

static uint32_t first_event_column(const struct event_type *type)
{
	for (uint32_t i = 0; i < type->column_count; i++)
		if (type->columns[i].type.base == TYPE_EVENT)
			return i;
	return UINT32_MAX;
}

/* The last of a message or collective call, the first of anything else. */
static uint32_t native_column(const struct event_type *type)
{
	bool has_wait = type->relation == RELATION_TRANSFER || type->relation == RELATION_COLLECTIVE_CALL;

	return has_wait ? column_find(type, "wait") : first_event_column(type);
}

/* Of a composite, the first member; of a group, the first to arrive. */
static struct expr *first_member(struct checker *checker, const struct event_type *type,
                                 struct source_range place)
{
	struct expr *member = expr_new(checker, EXPR_MEMBER, type_event, place);
	struct expr *call;

	member->event = type->members[0].type;
	call = expr_call_of(checker, member, place);
	return type->form == FORM_JOIN ? call : expr_aggregate(checker, AGGREGATE_FIRST, call, NULL, NULL);
}

/* A composite that says nothing of `at` gets a column for it, which rules cannot name. */
static uint32_t composite_column(struct checker *checker, const struct event_type *type,
                                 struct source_range place)
{
	static const char hidden[] = "(at)";
	uint32_t column = column_find(type, "at");
	struct expr *value;

	if (column != UINT32_MAX && type->columns[column].type.base == TYPE_EVENT)
		return column;
	column = column_find(type, hidden);
	if (column != UINT32_MAX)
		return column;
	value = first_member(checker, type, place);
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
	while (!is_call(event->event)) {
		const struct event_type *type = event->event;
		uint32_t column = type->form == FORM_NATIVE ? native_column(type)
		                                            : composite_column(checker, type, place);
		event = expr_column(checker, event, column, place);
	}
	return event;
}
