/* Composite events: members, groups and runs, conditions and parameters. */
#include "analysis/rules/checker.h"

#include <string.h>

static bool check_member(struct checker *checker, struct symbol *symbol, const struct member_syntax *syntax,
                         struct member *member)
{
	const struct member_syntax *other = symbol->declaration->members;

	*member = (struct member){
		.name = syntax->name.text, .is_shared = syntax->is_shared, .order = syntax->order};
	member->type = find_type(checker, syntax->type, symbol);
	while (other != syntax && strcmp(other->name.text, syntax->name.text) != 0)
		other = other->next;
	if (!member->type || other == syntax)
		return member->type;
	add_error(checker->errors, syntax->name.place, "two members are called '%s'", syntax->name.text);
	add_error_note(checker->errors, other->name.place, "this is the first one");
	return false;
}

static bool check_members(struct checker *checker, struct symbol *symbol, struct event_type *type)
{
	const struct declaration *declaration = symbol->declaration;
	struct name_scope scope = {.checker = checker, .user = symbol, .type = type, .visible_members = 1};
	bool is_fine = true;
	uint32_t i = 0;

	for (const struct member_syntax *syntax = declaration->members; syntax; syntax = syntax->next)
		type->member_count++;
	if (type->member_count > MEMBERS_MAX)
		return add_error(checker->errors, declaration->name.place,
		                 "'%s' has %u members: %d are allowed; make composites of composites",
		                 type->name, type->member_count, MEMBERS_MAX);
	type->members = arena_array(checker->arena, struct member, type->member_count);
	for (const struct member_syntax *syntax = declaration->members; syntax; syntax = syntax->next)
		is_fine &= check_member(checker, symbol, syntax, &type->members[i++]);
	if (!is_fine)
		return false;
	i = 0;
	for (const struct member_syntax *syntax = declaration->members; syntax; syntax = syntax->next, i++) {
		struct member *member = &type->members[i];
		struct nearest nearest = {.word = syntax->other.text};
		bool is_found = member->order == MEMBER_ANY;

		for (uint32_t j = 0; j < type->member_count && !is_found; j++) {
			if (j == i)
				continue;
			nearest_offer(&nearest, type->members[j].name);
			member->other = j;
			is_found = strcmp(type->members[j].name, syntax->other.text) == 0;
		}
		is_fine &= is_found || error_unknown(checker, syntax->other, "member", &nearest);
		scope.first_member = i;
		if (syntax->where)
			member->where = check_condition(&scope, syntax->where,
			                                "the expression after 'where'");
		is_fine &= !syntax->where || member->where;
	}
	return is_fine;
}

static bool check_grouping(struct checker *checker, struct symbol *symbol, struct event_type *type)
{
	const struct grouping_syntax *grouping = &symbol->declaration->grouping;
	struct name_scope scope = {.checker = checker, .user = symbol, .type = type, .visible_members = 1};
	const struct syntax *syntax = grouping->keys;

	type->form = grouping->kind == GROUPING_GROUP ? FORM_GROUP : FORM_RUN;
	if (type->member_count != 1)
		return add_error(
			checker->errors, symbol->declaration->members->next->name.place,
			"'group by' and 'run by' are over one member: join the others in a composite event first");
	type->keys = check_arguments(&scope, grouping->keys, &type->key_count);
	if (!type->keys)
		return false;
	for (uint32_t i = 0; i < type->key_count; i++, syntax = syntax->next) {
		if (type->keys[i]->type.base != TYPE_EVENT && !type->keys[i]->type.is_real)
			continue;
		return add_error(checker->errors, syntax->place,
		                 "cannot group by %s: use one of its columns, or a whole number",
		                 describe(checker, type->keys[i]));
	}
	if (!grouping->while_condition)
		return true;
	scope.has_previous = true;
	type->while_condition = check_condition(&scope, grouping->while_condition,
	                                        "the expression after 'while'");
	return type->while_condition != NULL;
}

static struct name_scope inner_scope(struct checker *checker, struct symbol *symbol, struct event_type *type)
{
	return (struct name_scope){.checker = checker,
	                           .user = symbol,
	                           .type = type,
	                           .visible_members = type->member_count,
	                           .is_many = type->form != FORM_JOIN,
	                           .keys = symbol->declaration->grouping.keys};
}

static bool check_parameter(struct checker *checker, struct symbol *symbol, struct event_type *type,
                            const struct binding *binding)
{
	struct name_scope scope = inner_scope(checker, symbol, type);
	struct expr *value;

	scope.visible_columns = type->column_count;
	if (binding->kind != BINDING_PLAIN)
		return add_error(checker->errors, binding->kind_word.place,
		                 "'in' and 'out' are for parameters of functions: 'declare event'");
	for (const struct binding *other = symbol->declaration->parameters; other != binding;
	     other = other->next) {
		if (strcmp(other->name.text, binding->name.text) != 0)
			continue;
		add_error(checker->errors, binding->name.place, "parameter '%s' is given twice",
		          binding->name.text);
		add_error_note(checker->errors, other->name.place, "it was given here first");
		return false;
	}
	for (uint32_t i = 0; i < type->member_count; i++) {
		if (strcmp(type->members[i].name, binding->name.text) != 0)
			continue;
		return add_error(
			checker->errors, binding->name.place,
			"'%s' is already the name of a member: choose another name for the parameter",
			binding->name.text);
	}
	value = check_expression(&scope, binding->value);
	if (!value)
		return false;
	column_add(checker, type,
	           (struct column){.name = binding->name.text,
	                           .type = value->type,
	                           .event = value->event,
	                           .value = value,
	                           .origin = origin_of(binding->name.place)});
	return true;
}

bool count_parameters(struct checker *checker, const struct declaration *declaration)
{
	uint32_t count = 0;

	for (const struct binding *b = declaration->parameters; b; b = b->next) {
		if (++count <= PARAMETERS_MAX)
			continue;
		return add_error(checker->errors, b->name.place,
		                 "there are too many parameters: %d are allowed", PARAMETERS_MAX);
	}
	return true;
}

bool check_composite(struct checker *checker, struct symbol *symbol, struct event_type *type)
{
	struct name_scope scope;
	bool is_fine = true;

	type->form = FORM_JOIN;
	if (!check_members(checker, symbol, type))
		return false;
	if (symbol->declaration->grouping.kind != GROUPING_NONE && !check_grouping(checker, symbol, type))
		return false;
	if (!count_parameters(checker, symbol->declaration))
		return false;
	scope = inner_scope(checker, symbol, type);
	if (symbol->declaration->when) {
		type->when = check_condition(&scope, symbol->declaration->when,
		                             "the expression after 'when'");
		is_fine = type->when;
	}
	for (const struct binding *b = symbol->declaration->parameters; b; b = b->next)
		is_fine &= check_parameter(checker, symbol, type, b);
	return is_fine && (type->form != FORM_JOIN || check_join(checker, symbol->declaration, type));
}

/* Detects a composite that would be a cross join: members must be connected by equalities; otherwise each
 * event of one type would be combined with each of another. */

struct join_check {
	const struct event_type *type;
	uint32_t group[MEMBERS_MAX]; /* connected members have the same number */
	bool has_equality[MEMBERS_MAX];
};

static void follow_equalities(struct join_check *join, const struct expr *condition)
{
	uint64_t left, right;

	if (!condition || condition->kind != EXPR_BINARY)
		return;
	if (condition->op == OP_AND) {
		follow_equalities(join, condition->args[0]);
		follow_equalities(join, condition->args[1]);
		return;
	}
	left = expr_members(condition->args[0]);
	right = expr_members(condition->args[1]);
	if (condition->op == OP_EQUAL && is_one_member(left) && is_one_member(right) && left != right) {
		uint32_t a = (uint32_t)__builtin_ctzll(left);
		uint32_t b = (uint32_t)__builtin_ctzll(right);
		uint32_t from = join->group[a], to = join->group[b];

		for (uint32_t i = 0; i < join->type->member_count; i++)
			if (join->group[i] == from)
				join->group[i] = to;
		join->has_equality[a] = join->has_equality[b] = true;
	}
}

static const struct member_syntax *nth_member(const struct declaration *declaration, uint32_t number)
{
	const struct member_syntax *member = declaration->members;

	while (number--)
		member = member->next;
	return member;
}

/* The name of a member's process. */
static const char *process_of(struct checker *checker, const struct member *member)
{
	const struct event_type *type = member->type;

	for (uint32_t i = 0; i < type->column_count && column_find(type, "process") == UINT32_MAX; i++)
		if (type->columns[i].type.base == TYPE_EVENT)
			return arena_format(checker->arena, "%s.%s.process", member->name,
			                    type->columns[i].name);
	return arena_format(checker->arena, "%s.process", member->name);
}

bool check_join(struct checker *checker, const struct declaration *declaration, const struct event_type *type)
{
	struct join_check join = {.type = type};
	const struct member *members = type->members;
	bool has_anchor = false; /* start of the search for the others */

	for (uint32_t i = 0; i < type->member_count; i++) {
		join.group[i] = i;
		has_anchor |= members[i].order == MEMBER_ANY;
	}
	follow_equalities(&join, type->when);
	if (!has_anchor)
		return add_error(
			checker->errors, declaration->members->order_word.place,
			"every member is the last before or the first after another member: at least one must depend on no other");
	for (uint32_t i = 0; i < type->member_count; i++)
		if (members[i].order != MEMBER_ANY && !join.has_equality[i])
			return add_error(
				checker->errors, nth_member(declaration, i)->order_word.place,
				"'%s' needs an equality that limits the search: add one to 'when', such as %s = %s",
				members[i].order == MEMBER_LAST_BEFORE ? "last … before" : "first … after",
				process_of(checker, &members[members[i].other]),
				process_of(checker, &members[i]));
	for (uint32_t i = 1; i < type->member_count; i++)
		if (join.group[i] != join.group[0])
			return add_error(
				checker->errors, nth_member(declaration, i)->name.place,
				"nothing connects '%s' and '%s': each %s would be combined with each %s; add an equality to 'when', such as %s = %s",
				members[0].name, members[i].name, members[0].type->name,
				members[i].type->name, process_of(checker, &members[0]),
				process_of(checker, &members[i]));
	return true;
}
