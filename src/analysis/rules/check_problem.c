/* Problems and metrics: over one event type, or over each member of a group. */
#include "analysis/rules/checker.h"
#include "analysis/rules/lists.h"

#include <string.h>

/* A problem while its parameters are read. */
struct reading {
	struct checker *checker;
	const struct declaration *declaration;
	struct event_type *type;
	struct problem *problem;
	struct scope scope;
	const struct word *advice;
	bool is_wrong;
};

typedef void take_parameter(struct reading *reading, const struct syntax *value);

static const struct word *take_text(struct reading *reading, const struct syntax *value, const char *what)
{
	static const struct word nothing = {.text = ""};

	if (value->kind == SYNTAX_STRING)
		return &value->name;
	tell_error(reading->checker->told, value->place, "'%s' must be a string", what);
	reading->is_wrong = true;
	return &nothing;
}

static void take_name(struct reading *reading, const struct syntax *value)
{
	const struct word *name = take_text(reading, value, "name");

	reading->problem->name = name->text;
	reading->problem->names = translations_of(reading->checker, name);
}

static void take_description(struct reading *reading, const struct syntax *value)
{
	const struct word *description = take_text(reading, value, "description");

	reading->problem->description = description->text;
	reading->problem->descriptions = translations_of(reading->checker, description);
}

/* Read last: it may name the others. */
static void take_advice(struct reading *reading, const struct syntax *value)
{
	reading->advice = take_text(reading, value, "advice");
}

static void take_duration(struct reading *reading, const struct syntax *value)
{
	struct expr *expr = check_expression(&reading->scope, value);

	reading->is_wrong |= !expr;
	if (!expr)
		return;
	reading->problem->duration = expr;
	if (types_agree(expr->type, type_time))
		return;
	tell_error(reading->checker->told, value->place,
	           "the duration of a problem must be a time (s), this is %s",
	           describe(reading->checker, expr));
	reading->is_wrong = true;
}

static void take_occurrences(struct reading *reading, const struct syntax *value)
{
	struct expr *expr = check_expression(&reading->scope, value);

	if (expr && reading->problem->is_metric && types_agree(expr->type, type_count)) {
		reading->problem->occurrences = expr;
		return;
	}
	reading->is_wrong = true;
	if (!reading->problem->is_metric)
		tell_error(
			reading->checker->told, value->place,
			"a problem occurs once where it is found: only a metric can say how often it counts");
	else if (expr)
		tell_error(reading->checker->told, value->place, "occurrences are a number, this is %s",
		           describe(reading->checker, expr));
}

static struct expr *take_event(struct reading *reading, const struct syntax *value, const char *what)
{
	struct expr *expr = check_expression(&reading->scope, value);

	if (expr && expr->type.base == TYPE_EVENT)
		return expr_call_of(reading->checker, expr, value->place);
	if (expr)
		tell_error(reading->checker->told, value->place, "'%s' must be an event, this is %s", what,
		           describe(reading->checker, expr));
	reading->is_wrong = true;
	return NULL;
}

static void take_at(struct reading *reading, const struct syntax *value)
{
	reading->problem->at = take_event(reading, value, "at");
}

static void take_partner(struct reading *reading, const struct syntax *value)
{
	reading->problem->partner = take_event(reading, value, "partner");
}

static const char *const confidences[] = {
	[CONFIDENCE_CERTAIN] = "certain",
	[CONFIDENCE_LIKELY] = "likely",
	[CONFIDENCE_SUSPICION] = "suspicion",
};

enum { CONFIDENCES = sizeof confidences / sizeof *confidences };

static void take_confidence(struct reading *reading, const struct syntax *value)
{
	struct nearest nearest = {.word = value->kind == SYNTAX_NAME ? value->name.text : ""};

	for (size_t i = 0; i < CONFIDENCES; i++) {
		nearest_offer(&nearest, confidences[i]);
		if (strcmp(confidences[i], nearest.word) != 0)
			continue;
		reading->problem->confidence = (enum confidence)i;
		return;
	}
	reading->is_wrong = true;
	if (value->kind == SYNTAX_NAME && nearest_found(&nearest))
		tell_unknown(reading->checker, value->name, "confidence", &nearest);
	else
		tell_error(reading->checker->told, value->place,
		           "confidence is one of certain, likely and suspicion");
}

static const struct {
	const char *name;
	take_parameter *take;
} parameters[] = {
	{"name", take_name},         {"description", take_description}, {"advice", take_advice},
	{"duration", take_duration}, {"occurrences", take_occurrences}, {"at", take_at},
	{"partner", take_partner},   {"confidence", take_confidence},
};

enum { PARAMETERS = sizeof parameters / sizeof *parameters };

static bool is_given_before(struct reading *reading, const struct binding *binding)
{
	const struct binding *other = reading->declaration->parameters;

	while (other != binding && strcmp(other->name.text, binding->name.text) != 0)
		other = other->next;
	if (other == binding)
		return false;
	tell_error(reading->checker->told, binding->name.place, "parameter '%s' is given twice",
	           binding->name.text);
	tell_note(reading->checker->told, other->name.place, "it was given here first");
	return true;
}

static void tell_unknown_parameter(struct reading *reading, struct word name)
{
	struct nearest nearest = {.word = name.text};

	for (size_t i = 0; i < PARAMETERS; i++)
		nearest_offer(&nearest, parameters[i].name);
	tell_unknown(reading->checker, name, "parameter of a problem", &nearest);
	reading->is_wrong = true;
}

static void take_binding(struct reading *reading, const struct binding *binding)
{
	for (size_t i = 0; i < PARAMETERS; i++) {
		if (strcmp(parameters[i].name, binding->name.text) != 0)
			continue;
		if (is_given_before(reading, binding))
			reading->is_wrong = true;
		else
			parameters[i].take(reading, binding->value);
		return;
	}
	tell_unknown_parameter(reading, binding->name);
}

/* The column of the relation that this one is, through composite events of one member; UINT32_MAX: it is calculated, or
 * they are of several. */
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
	const struct type *key;
	uint32_t native;

	if (type->form != FORM_GROUP || type->key_count != 1)
		return false;
	native = native_below(type, type->keys[0]);
	if (native == UINT32_MAX)
		return false;
	key = &native_columns[native].type;
	return key->base == TYPE_IDENTITY && (key->thing == THING_INSTANCE || key->thing == THING_COMPLETION);
}

static bool check_each(struct reading *reading)
{
	const struct declaration *declaration = reading->declaration;
	struct event_type *type = reading->type;

	if (!declaration->each.text)
		return true;
	if (!is_natively_closed(type)) {
		tell_error(
			reading->checker->told, declaration->each.place,
			"'for each' needs a group whose members come together: one by the instance of collective calls, "
			"epochs or fences, or by the completion of transfers; '%s' is none",
			type->name);
		return false;
	}
	if (strcmp(type->members[0].name, declaration->each.text) != 0) {
		struct nearest nearest = {.word = declaration->each.text};
		nearest_offer(&nearest, type->members[0].name);
		tell_unknown(reading->checker, declaration->each, "member", &nearest);
		return false;
	}
	reading->problem->is_for_each = true;
	reading->scope.is_each = true;
	reading->scope.visible_members = 1;
	return true;
}

static struct expr *self_expr(struct reading *reading)
{
	struct expr *self = expr_new(reading->checker, EXPR_SELF, type_event,
	                             reading->declaration->name.place);

	self->event = reading->type;
	return self;
}

static struct expr *event_column(struct reading *reading, const char *name)
{
	uint32_t column = column_find(reading->type, name);

	if (column == UINT32_MAX || reading->type->columns[column].type.base != TYPE_EVENT)
		return NULL;
	return expr_call_of(
		reading->checker,
		expr_column(reading->checker, self_expr(reading), column, reading->declaration->name.place),
		reading->declaration->name.place);
}

static struct expr *self_at(struct reading *reading)
{
	return expr_call_of(reading->checker, self_expr(reading), reading->declaration->name.place);
}

static struct expr *each_at(struct reading *reading)
{
	struct place place = reading->declaration->name.place;
	struct expr *each = expr_new(reading->checker, EXPR_EACH, type_event, place);

	each->event = reading->type->members[0].type;
	return expr_call_of(reading->checker, each, place);
}

static void complete(struct reading *reading)
{
	struct problem *problem = reading->problem;

	if (!problem->at)
		problem->at = event_column(reading, "at");
	if (!problem->at)
		problem->at = problem->is_for_each ? each_at(reading) : self_at(reading);
	if (!problem->partner)
		problem->partner = event_column(reading, "partner");
	if (!problem->name)
		problem->name = problem->id;
}

static struct place name_or_verb(const struct declaration *declaration)
{
	return declaration->name.text ? declaration->name.place : declaration->type.place;
}

static bool has_everything(struct reading *reading)
{
	if (reading->is_wrong)
		return false;
	if (!reading->problem->duration) {
		tell_error(
			reading->checker->told, name_or_verb(reading->declaration),
			"%s '%s' has no duration: add 'duration = …' to its parameters, the time that is lost",
			reading->problem->is_metric ? "metric" : "problem", reading->problem->id);
		return false;
	}
	complete(reading);
	return true;
}

static bool check_when(struct reading *reading)
{
	struct scope scope = reading->scope;

	if (!reading->declaration->when)
		return true;
	scope.problem = reading->problem;
	scope.is_condition = true;
	reading->problem->when = check_condition(&scope, reading->declaration->when, "what follows 'when'");
	return reading->problem->when != NULL;
}

static void check_advice(struct reading *reading)
{
	static const char *const nothing[] = {""};

	reading->problem->advice = (struct template){.texts = (const char **)nothing};
	reading->scope.problem = reading->problem;
	if (reading->advice)
		reading->is_wrong |= !check_template(&reading->scope, reading->advice,
		                                     &reading->problem->advice);
}

static bool check_parts(struct reading *reading)
{
	if (!check_each(reading))
		return false;
	for (const struct binding *b = reading->declaration->parameters; b; b = b->next)
		take_binding(reading, b);
	/* It may name the duration. */
	if (reading->problem->duration)
		reading->is_wrong |= !check_when(reading);
	if (!has_everything(reading))
		return false;
	check_advice(reading);
	return !reading->is_wrong;
}

static void add_problem(struct checker *checker, struct problem *problem)
{
	struct rulebook *book = checker->book;

	problem->number = (uint32_t)book->problem_count;
	LIST_ADD(checker->arena, book->problems, book->problem_count, checker->problem_capacity, problem);
}

void check_problem(struct checker *checker, struct symbol *symbol, bool is_metric)
{
	const struct declaration *declaration = symbol->declaration;
	struct reading reading = {.checker = checker, .declaration = declaration};

	if (symbol->state == SYMBOL_DISABLED)
		return;
	reading.type = find_type(checker, declaration->type, symbol);
	if (!reading.type)
		return;
	reading.problem = arena_new(checker->arena, struct problem);
	*reading.problem = (struct problem){.id = symbol->name,
	                                    .is_metric = is_metric,
	                                    .type = reading.type,
	                                    .description = "",
	                                    .origin = origin_of(declaration->place),
	                                    .text = text_of(checker, declaration->place)};
	reading.scope = (struct scope){
		.checker = checker, .type = reading.type, .visible_columns = reading.type->column_count};
	if (check_parts(&reading))
		add_problem(checker, reading.problem);
}
