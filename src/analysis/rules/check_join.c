/* Would a composite join everything with everything? Members must be held together by equalities; without them each event
 * of one type would meet each of another. */
#include "analysis/rules/checker.h"

struct join_check {
	struct checker *checker;
	const struct declaration *declaration;
	const struct event_type *type;
	uint32_t group[MEMBERS_MAX]; /* members that hold together have the same */
	bool has_equality[MEMBERS_MAX];
};

static void unite(struct join_check *join, uint32_t a, uint32_t b)
{
	uint32_t from = join->group[a], to = join->group[b];

	for (uint32_t i = 0; i < join->type->member_count; i++)
		if (join->group[i] == from)
			join->group[i] = to;
	join->has_equality[a] = join->has_equality[b] = true;
}

static bool is_one_member(uint64_t members)
{
	return members && !(members & (members - 1));
}

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
	if (condition->op == OP_EQUAL && is_one_member(left) && is_one_member(right) && left != right)
		unite(join, (uint32_t)__builtin_ctzll(left), (uint32_t)__builtin_ctzll(right));
}

static const struct member_syntax *nth_member(const struct declaration *declaration, uint32_t number)
{
	const struct member_syntax *member = declaration->members;

	while (number--)
		member = member->next;
	return member;
}

/* How the process of a member is named. */
static const char *process_of(struct join_check *join, uint32_t number)
{
	const struct member *member = &join->type->members[number];
	const struct event_type *type = member->type;

	for (uint32_t i = 0; i < type->column_count && column_find(type, "process") == UINT32_MAX; i++)
		if (type->columns[i].type.base == TYPE_EVENT)
			return arena_format(join->checker->arena, "%s.%s.process", member->name,
			                    type->columns[i].name);
	return arena_format(join->checker->arena, "%s.process", member->name);
}

static bool error_loose(struct join_check *join, uint32_t a, uint32_t b)
{
	const struct member *members = join->type->members;

	add_error(
		join->checker->errors, nth_member(join->declaration, b)->name.place,
		"nothing holds '%s' and '%s' together: every %s would meet every %s; add an equality to 'when', such as "
		"%s = %s",
		members[a].name, members[b].name, members[a].type->name, members[b].type->name,
		process_of(join, a), process_of(join, b));
	return false;
}

static bool error_unordered(struct join_check *join, uint32_t number)
{
	const struct member *member = &join->type->members[number];

	add_error(
		join->checker->errors, nth_member(join->declaration, number)->order_word.place,
		"'%s' needs an equality to know among which events to look: add one to 'when', such as %s = %s",
		member->order == MEMBER_LAST_BEFORE ? "last … before" : "first … after",
		process_of(join, member->other), process_of(join, number));
	return false;
}

static bool holds_together(struct join_check *join)
{
	for (uint32_t i = 0; i < join->type->member_count; i++)
		if (join->type->members[i].order != MEMBER_ANY && !join->has_equality[i])
			return error_unordered(join, i);
	for (uint32_t i = 1; i < join->type->member_count; i++)
		if (join->group[i] != join->group[0])
			return error_loose(join, 0, i);
	return true;
}

/* Somebody must be there to be looked from. */
static bool has_anchor(struct join_check *join)
{
	for (uint32_t i = 0; i < join->type->member_count; i++)
		if (join->type->members[i].order == MEMBER_ANY)
			return true;
	add_error(
		join->checker->errors, join->declaration->members->order_word.place,
		"every member is the last before or the first after another one: one of them has to come by itself");
	return false;
}

bool check_join(struct checker *checker, const struct declaration *declaration, const struct event_type *type)
{
	struct join_check join = {.checker = checker, .declaration = declaration, .type = type};

	for (uint32_t i = 0; i < type->member_count; i++)
		join.group[i] = i;
	follow_equalities(&join, type->when);
	return has_anchor(&join) && holds_together(&join);
}
