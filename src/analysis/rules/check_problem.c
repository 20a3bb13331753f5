/* Problems and metrics: over one event type, or over each member of a group. */
#include "analysis/rules/checker.h"

#include <string.h>

/* A problem while its parameters are read. */
struct problem_check {
	struct checker *checker;
	const struct declaration *declaration;
	struct event_type *type;
	struct problem *problem;
	struct name_scope scope;
	const struct token *advice;
	bool is_wrong;
};

static const char *const confidences[] = {
	[CONFIDENCE_CERTAIN] = "certain",
	[CONFIDENCE_LIKELY] = "likely",
	[CONFIDENCE_SUSPICION] = "suspicion",
};

enum { CONFIDENCES = sizeof confidences / sizeof *confidences };

const char *const remedy_names[REMEDIES_END] = {
	[REMEDY_WORK] = "work",
	[REMEDY_SHARE] = "share",
	[REMEDY_NO_WAIT] = "no_wait",
	[REMEDY_HIDE] = "hide",
	[REMEDY_REMOVE] = "remove",
	[REMEDY_SERVE] = "serve",
	[REMEDY_PARALLEL] = "parallel",
	[REMEDY_SHORTEN] = "shorten",
	[REMEDY_EVEN_TEAM] = "even_team",
	[REMEDY_SHARE_TASKS] = "share_tasks",
	[REMEDY_SHARE_TEAM] = "share_team",
	[REMEDY_SERIAL_REGION] = "serial_region",
	[REMEDY_FREE_LOCK] = "free_lock",
	[REMEDY_NONE] = "none",
};

/* A parameter whose value is one of a few words. */
struct word_choice {
	const char *what;         /* "confidence" */
	const char *const *words; /* NULL: a number without a word */
	uint32_t count;
	const char *sentence; /* that lists them */
};

static bool take_word(struct problem_check *check, const struct syntax *value,
                      const struct word_choice *choice, uint32_t *taken)
{
	struct nearest nearest = {.word = value->kind == SYNTAX_NAME ? value->name.text : ""};

	for (uint32_t i = 0; i < choice->count; i++) {
		if (!choice->words[i])
			continue;
		nearest_offer(&nearest, choice->words[i]);
		*taken = i;
		if (strcmp(choice->words[i], nearest.word) == 0)
			return true;
	}
	if (value->kind == SYNTAX_NAME && nearest_found(&nearest))
		return error_unknown(check->checker, value->name, choice->what, &nearest);
	return add_error(check->checker->errors, value->place, "%s", choice->sentence);
}

static bool take_confidence(struct problem_check *check, const struct syntax *value)
{
	static const struct word_choice choice = {"confidence", confidences, CONFIDENCES,
	                                          "confidence is one of certain, likely and suspicion"};
	uint32_t word = 0;
	bool is_known = take_word(check, value, &choice, &word);

	check->problem->confidence = (enum confidence)word;
	return is_known;
}

static bool take_remedy(struct problem_check *check, const struct syntax *value)
{
	static const struct word_choice choice = {
		"remedy", remedy_names, REMEDIES_END,
		"remedy is one of work, no_wait, hide, remove, serve, parallel, shorten, even_team, share_tasks, share_team, serial_region, free_lock and none"};
	uint32_t word = 0;
	bool is_known = take_word(check, value, &choice, &word);

	check->problem->remedy = (enum remedy_kind)word;
	return is_known;
}

/* Texts first, then events. */
enum problem_parameter {
	PARAMETER_NAME,
	PARAMETER_DESCRIPTION,
	PARAMETER_ADVICE,
	PARAMETER_AT,
	PARAMETER_PARTNER,
	PARAMETER_DURATION,
	PARAMETER_OCCURRENCES,
	PARAMETER_CONFIDENCE,
	PARAMETER_REMEDY,
	PARAMETERS
};

static const char *const parameters[PARAMETERS] = {
	"name", "description", "advice", "at", "partner", "duration", "occurrences", "confidence", "remedy"};

static bool take_text(struct problem_check *check, enum problem_parameter parameter,
                      const struct syntax *value)
{
	struct problem *problem = check->problem;

	if (value->kind != SYNTAX_STRING)
		return add_error(check->checker->errors, value->place, "'%s' must be a string",
		                 parameters[parameter]);
	if (parameter == PARAMETER_NAME) {
		problem->name = value->name.text;
		problem->names = translations_of(check->checker, &value->name);
	} else if (parameter == PARAMETER_DESCRIPTION) {
		problem->description = value->name.text;
		problem->descriptions = translations_of(check->checker, &value->name);
	} else {
		check->advice = &value->name; /* read last: it may refer to the others */
	}
	return true;
}

static bool take_parameter(struct problem_check *check, enum problem_parameter parameter,
                           const struct syntax *value)
{
	struct checker *checker = check->checker;
	struct problem *problem = check->problem;
	struct expr *expr;

	if (parameter <= PARAMETER_ADVICE)
		return take_text(check, parameter, value);
	if (parameter == PARAMETER_CONFIDENCE)
		return take_confidence(check, value);
	if (parameter == PARAMETER_REMEDY)
		return take_remedy(check, value);
	expr = check_expression(&check->scope, value);
	if (parameter == PARAMETER_OCCURRENCES && !problem->is_metric)
		return add_error(
			checker->errors, value->place,
			"each instance of a problem counts once: only a metric can have 'occurrences'");
	if (!expr)
		return false;
	if (parameter == PARAMETER_DURATION) {
		problem->duration = expr;
		return types_agree(expr->type, type_time) ||
		       add_error(checker->errors, value->place,
		                 "the duration of a problem must be a time (s), but this is %s",
		                 describe(checker, expr));
	}
	if (parameter == PARAMETER_OCCURRENCES) {
		problem->occurrences = expr;
		return types_agree(expr->type, type_count) ||
		       add_error(checker->errors, value->place,
		                 "'occurrences' must be a number, but this is %s", describe(checker, expr));
	}
	if (expr->type.base != TYPE_EVENT)
		return add_error(checker->errors, value->place, "'%s' must be an event, but this is %s",
		                 parameters[parameter], describe(checker, expr));
	*(parameter == PARAMETER_AT ? &problem->at : &problem->partner) = expr_call_of(checker, expr,
	                                                                               value->place);
	return true;
}

static bool take_binding(struct problem_check *check, const struct binding *binding)
{
	struct nearest nearest = {.word = binding->name.text};
	const struct binding *other = check->declaration->parameters;
	enum problem_parameter parameter = 0;

	while (parameter < PARAMETERS && strcmp(parameters[parameter], binding->name.text) != 0)
		nearest_offer(&nearest, parameters[parameter++]);
	if (parameter == PARAMETERS)
		return error_unknown(check->checker, binding->name, "parameter of a problem", &nearest);
	while (other != binding && strcmp(other->name.text, binding->name.text) != 0)
		other = other->next;
	if (other == binding)
		return take_parameter(check, parameter, binding->value);
	add_error(check->checker->errors, binding->name.place, "parameter '%s' is given twice",
	          binding->name.text);
	add_error_note(check->checker->errors, other->name.place, "it was given here first");
	return false;
}

/* The underlying column of the relation, through composite events of one member; UINT32_MAX:
 * computed, or several members. */
static uint32_t native_below(const struct event_type *type, const struct expr *value)
{
	while (value && value->kind == EXPR_COLUMN) {
		if (value->args[0]->kind == EXPR_MEMBER)
			type = type->members[value->args[0]->member].type;
		else if (value->args[0]->kind != EXPR_SELF)
			break;
		if (type->form == FORM_NATIVE)
			return type->relation == RELATION_CALL ? UINT32_MAX
			                                       : type->columns[value->column].native;
		if (type->form != FORM_JOIN || type->member_count != 1)
			break;
		value = type->columns[value->column].value;
	}
	return UINT32_MAX;
}

static bool is_natively_closed(const struct event_type *type)
{
	bool has_key = type->form == FORM_GROUP && type->key_count == 1;
	uint32_t native = has_key ? native_below(type, type->keys[0]) : UINT32_MAX;
	const struct type *key = native != UINT32_MAX ? &native_columns[native].type : NULL;

	return key && key->base == TYPE_IDENTITY &&
	       (key->thing == THING_INSTANCE || key->thing == THING_COMPLETION);
}

static bool check_each(struct problem_check *check)
{
	const struct declaration *declaration = check->declaration;
	struct event_type *type = check->type;

	if (!declaration->each.text)
		return true;
	if (!is_natively_closed(type))
		return add_error(
			check->checker->errors, declaration->each.place,
			"'for each' needs a group by the instance of collective calls, epochs or fences, or by the completion of transfers; '%s' is not one",
			type->name);
	if (strcmp(type->members[0].name, declaration->each.text) != 0) {
		struct nearest nearest = {.word = declaration->each.text};
		nearest_offer(&nearest, type->members[0].name);
		return error_unknown(check->checker, declaration->each, "member", &nearest);
	}
	check->problem->is_for_each = true;
	check->scope.is_each = true;
	check->scope.visible_members = 1;
	return true;
}

static struct expr *self_expr(struct problem_check *check)
{
	struct expr *self = expr_new(check->checker, EXPR_SELF, type_event, check->declaration->name.place);

	self->event = check->type;
	return self;
}

static struct expr *event_column(struct problem_check *check, const char *name)
{
	uint32_t column = column_find(check->type, name);

	if (column == UINT32_MAX || check->type->columns[column].type.base != TYPE_EVENT)
		return NULL;
	return expr_call_of(
		check->checker,
		expr_column(check->checker, self_expr(check), column, check->declaration->name.place),
		check->declaration->name.place);
}

static bool check_parts(struct problem_check *check)
{
	static const char *const nothing[] = {""};
	struct problem *problem = check->problem;

	if (!check_each(check))
		return false;
	for (const struct binding *b = check->declaration->parameters; b; b = b->next)
		check->is_wrong |= !take_binding(check, b);
	/* It may refer to the duration. */
	if (problem->duration && check->declaration->when) {
		struct name_scope scope = check->scope;

		scope.problem = problem;
		scope.is_condition = true;
		problem->when = check_condition(&scope, check->declaration->when,
		                                "the expression after 'when'");
		check->is_wrong |= !problem->when;
	}
	if (check->is_wrong)
		return false;
	if (!problem->duration)
		return add_error(
			check->checker->errors,
			check->declaration->name.text ? check->declaration->name.place
						      : check->declaration->type.place,
			"%s '%s' has no duration: add 'duration = …' to its parameters, the time that is lost",
			problem->is_metric ? "metric" : "problem", problem->id);
	if (!problem->at)
		problem->at = event_column(check, "at");
	if (!problem->at) {
		struct source_range place = check->declaration->name.place;
		struct expr *self = self_expr(check);

		if (problem->is_for_each) {
			self = expr_new(check->checker, EXPR_EACH, type_event, place);
			self->event = check->type->members[0].type;
		}
		problem->at = expr_call_of(check->checker, self, place);
	}
	if (!problem->partner)
		problem->partner = event_column(check, "partner");
	if (!problem->name)
		problem->name = problem->id;
	problem->advice = (struct template){.texts = (const char **)nothing};
	check->scope.problem = problem;
	if (check->advice)
		check->is_wrong |= !check_template(&check->scope, check->advice, &problem->advice);
	return !check->is_wrong;
}

void check_problem(struct checker *checker, struct symbol *symbol, bool is_metric)
{
	const struct declaration *declaration = symbol->declaration;
	struct problem_check check = {.checker = checker, .declaration = declaration};

	if (symbol->state == SYMBOL_DISABLED)
		return;
	check.type = find_type(checker, declaration->type, symbol);
	if (!check.type)
		return;
	check.problem = arena_new(checker->arena, struct problem);
	*check.problem = (struct problem){.id = symbol->name,
	                                  .is_metric = is_metric,
	                                  .type = check.type,
	                                  .description = "",
	                                  .origin = origin_of(declaration->place),
	                                  .text = text_of(checker, declaration->place)};
	check.scope = (struct name_scope){
		.checker = checker, .type = check.type, .visible_columns = check.type->column_count};
	if (check_parts(&check)) {
		struct rulebook *book = checker->book;

		check.problem->number = (uint32_t)book->problem_count;
		arena_add(checker->arena, book->problems, book->problem_count, check.problem);
	}
}
