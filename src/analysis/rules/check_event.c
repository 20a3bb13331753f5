/* Declared events: calls of some functions, with values of their arguments. */
#include "analysis/rules/checker.h"
#include "calls/calls.h"

#include <string.h>

static const char *const *check_functions(struct checker *checker, const struct syntax *first)
{
	uint32_t count = 0;
	const char **functions;
	bool is_fine = true;

	for (const struct syntax *syntax = first; syntax; syntax = syntax->next)
		count++;
	functions = arena_array(checker->arena, const char *, count + 1);
	count = 0;
	for (const struct syntax *syntax = first; syntax; syntax = syntax->next) {
		struct nearest nearest = {.word = syntax->name.text};

		functions[count++] = syntax->name.text;
		if (call_find(syntax->name.text))
			continue;
		for (size_t i = 0; i < ALL_CALLS; i++)
			nearest_offer(&nearest, all_calls[i].name);
		if (nearest_found(&nearest))
			error_unknown(checker, syntax->name, "MPI function", &nearest);
		else
			add_error(
				checker->errors, syntax->name.place,
				"unknown MPI function '%s': for other functions give the prototype, as in for \"int close(int fd)\"",
				syntax->name.text);
		is_fine = false;
	}
	return is_fine ? functions : NULL;
}

static const char *const *check_prototype(struct checker *checker, const struct declaration *declaration,
                                          struct event_type *type)
{
	const char **functions = arena_array(checker->arena, const char *, 2);

	type->prototype = parse_prototype(checker, declaration->prototype);
	if (!type->prototype)
		return NULL;
	if (call_find(type->prototype->function))
		return add_error(checker->errors, declaration->prototype.place,
		                 "'%s' is an MPI function: name it without a prototype",
		                 type->prototype->function);
	functions[0] = type->prototype->function;
	if (!names_find(&checker->functions, functions[0]))
		names_add(checker->arena, &checker->functions, functions[0], declaration);
	return functions;
}

/* True if it is known only after the call: the result of a C function, or an output of an MPI function. */
static bool uses_result(const struct expr *expr)
{
	if (expr->kind == EXPR_ARGUMENT && (expr->member == ARGUMENT_RESULT || expr->number))
		return true;
	for (uint32_t i = 0; i < expr->arg_count; i++)
		if (expr->args[i] && uses_result(expr->args[i]))
			return true;
	return false;
}

static bool check_parameter(struct checker *checker, struct event_type *type, const struct binding *binding)
{
	struct name_scope scope = {
		.checker = checker, .type = type, .prototype = type->prototype, .in_event = !type->prototype};
	struct expr *value;
	bool is_out;

	scope.visible_columns = type->prototype ? 0 : type->column_count;
	value = check_expression(&scope, binding->value);
	if (!value)
		return false;
	for (uint32_t i = CALL_COLUMNS_END; i < type->column_count; i++)
		if (strcmp(type->columns[i].name, binding->name.text) == 0)
			return add_error(checker->errors, binding->name.place,
			                 "parameter '%s' is given twice", binding->name.text);
	is_out = uses_result(value);
	if (is_out && binding->kind == BINDING_IN)
		return add_error(
			checker->errors, binding->kind_word.place,
			"'%s' needs the result of the function, which is known only after the call: add 'out'",
			binding->name.text);
	column_add(checker, type,
	           (struct column){.name = binding->name.text,
	                           .type = value->type,
	                           .event = value->event,
	                           .value = value,
	                           .is_out = is_out || binding->kind == BINDING_OUT,
	                           .origin = origin_of(binding->name.place)});
	return true;
}

static bool check_event(struct checker *checker, const struct declaration *declaration,
                        struct event_type *type)
{
	bool is_fine = true;

	type->form = FORM_CALL;
	type->functions = declaration->prototype.text ? check_prototype(checker, declaration, type)
	                                              : check_functions(checker, declaration->functions);
	if (!type->functions || !count_parameters(checker, declaration))
		return false;
	add_call_columns(checker, type);
	for (const struct binding *b = declaration->parameters; b; b = b->next)
		is_fine &= check_parameter(checker, type, b);
	return is_fine;
}

/* Event types, each checked when first needed, so that members precede composites. */

static void *make_type(struct checker *checker, struct symbol *symbol)
{
	const struct declaration *declaration = symbol->declaration;
	struct event_type *type = arena_new(checker->arena, struct event_type);
	bool is_fine;

	*type = (struct event_type){.name = symbol->name,
	                            .description = declaration->description.text,
	                            .descriptions = translations_of(checker, &declaration->description),
	                            .origin = origin_of(declaration->place),
	                            .text = text_of(checker, declaration->place)};
	is_fine = declaration->kind == DECLARE_EVENT ? check_event(checker, declaration, type)
	                                             : check_composite(checker, symbol, type);
	if (!is_fine)
		return NULL;
	type->number = (uint32_t)checker->book->type_count;
	arena_add(checker->arena, checker->book->types, checker->book->type_count, type);
	return type;
}

static void error_too_deep(struct checker *checker, const struct symbol *symbol)
{
	add_error(checker->errors, symbol->declaration->name.place,
	          "too many declarations depend on each other here: %d levels are allowed", LEVELS_MAX);
}

bool symbol_uses(struct checker *checker, struct symbol *user, const struct symbol *symbol)
{
	if (user->level <= symbol->level)
		user->level = symbol->level + 1;
	if (user->level <= LEVELS_MAX)
		return true;
	error_too_deep(checker, user);
	return false;
}

/* How to check a symbol of some kind. */
struct check {
	void *(*make)(struct checker *checker, struct symbol *symbol);
	const char *cycle; /* the error for a cyclic definition */
};

static void *check_symbol(struct checker *checker, struct symbol *symbol, struct symbol *user,
                          const struct check *check)
{
	if (symbol->state == SYMBOL_CHECKING) {
		add_error(checker->errors, symbol->declaration->name.place, "'%s' is %s itself", symbol->name,
		          check->cycle);
		for (const struct symbol *s = user; s && s != symbol; s = s->reason)
			add_error_note(checker->errors, s->declaration->name.place, "through '%s'", s->name);
		symbol->state = SYMBOL_WRONG;
	}
	if (symbol->state != SYMBOL_UNCHECKED)
		return symbol->made;
	symbol->state = SYMBOL_CHECKING;
	symbol->reason = user;
	symbol->made = NULL;
	if (++checker->depth > LEVELS_MAX)
		error_too_deep(checker, symbol);
	else
		symbol->made = check->make(checker, symbol);
	checker->depth--;
	if (symbol->state == SYMBOL_CHECKING)
		symbol->state = symbol->made ? SYMBOL_FINE : SYMBOL_WRONG;
	return symbol->made;
}

struct event_type *check_type(struct checker *checker, struct symbol *symbol, struct symbol *user)
{
	static const struct check check = {make_type, "a member of"};

	return check_symbol(checker, symbol, user, &check);
}

struct event_type *find_type(struct checker *checker, struct token name, struct symbol *user)
{
	struct symbol *symbol = names_find(&checker->types, name.text);
	struct nearest nearest = {.word = name.text};
	struct event_type *type;

	if (!symbol) {
		names_offer(&checker->types, &nearest);
		return error_unknown(checker, name, "event type", &nearest);
	}
	type = check_type(checker, symbol, user);
	if (type && user && !symbol_uses(checker, user, symbol))
		return NULL;
	/* A symbol that depends on a disabled one is disabled too. */
	if (symbol->state == SYMBOL_DISABLED && user)
		user->state = SYMBOL_DISABLED;
	return type;
}

/* Rule parameters: constants, or expressions of figures of the run, surveys and other parameters. */

/* Surveys */

static struct expr *survey_value(struct name_scope *scope, const struct syntax *what)
{
	struct checker *checker = scope->checker;
	struct event_type *type = find_type(checker, what->args->name, scope->user);
	uint32_t column = type ? column_find(type, what->name.text) : UINT32_MAX;
	struct nearest nearest = {.word = what->name.text};
	struct expr *self;

	if (!type)
		return NULL;
	if (column != UINT32_MAX) {
		self = expr_new(checker, EXPR_SELF, type_event, what->args->place);
		self->event = type;
		return expr_column(checker, self, column, what->name.place);
	}
	for (uint32_t i = 0; i < type->column_count; i++)
		nearest_offer(&nearest, type->columns[i].name);
	return error_missing(checker, what->name,
	                     arena_format(checker->arena, "'%s' has no column", type->name), &nearest);
}

struct expr *check_survey(struct name_scope *scope, const struct syntax *syntax)
{
	const struct syntax *what = syntax->args, *next = what ? what->next : NULL;
	struct checker *checker = scope->checker;
	struct rulebook *book = checker->book;
	struct expr *value, *otherwise, *expr;
	struct problem *survey;

	if (scope->type || scope->prototype || !scope->user)
		return add_error(checker->errors, syntax->place,
		                 "'survey' can be used only in the value of a declared parameter");
	if (!next || next->next || what->kind != SYNTAX_FIELD || what->args->kind != SYNTAX_NAME)
		return add_error(
			checker->errors, syntax->place,
			"'survey' needs a column of a composite event, and a value for runs without exactly one such event: survey(EVENT.COLUMN, 0)");
	value = survey_value(scope, what);
	otherwise = check_expression(scope, next);
	if (!value || !otherwise)
		return NULL;
	adapt_literals(value, otherwise);
	if (!type_is_ordered(value->type) || value->type.is_real)
		return add_error(checker->errors, what->place,
		                 "'survey' supports whole numbers, times, bytes and ranks, but this is %s%s",
		                 describe(checker, value), value->type.is_real ? " with fractions" : "");
	if (!types_agree(value->type, otherwise->type) || otherwise->type.is_real)
		return add_error(checker->errors, next->place, "this is %s, but the value before it is %s",
		                 describe(checker, otherwise), describe(checker, value));
	expr = expr_of(checker, EXPR_SURVEY, value->type, syntax->place, otherwise, NULL);
	expr->number = (int64_t)book->survey_count;
	expr->text = arena_format(checker->arena, "%s.%s", what->args->name.text, what->name.text);
	survey = arena_new(checker->arena, struct problem);
	*survey = (struct problem){.id = expr->text,
	                           .is_metric = true,
	                           .type = value->args[0]->event,
	                           .name = expr->text,
	                           .description = "",
	                           .duration = value,
	                           .origin = expr->origin,
	                           .text = "",
	                           .number = (uint32_t)book->survey_count};
	arena_add(checker->arena, book->surveys, book->survey_count, survey);
	return expr;
}

/* Parameters */

static void *make_setting(struct checker *checker, struct symbol *symbol)
{
	const struct declaration *declaration = symbol->declaration;
	struct name_scope scope = {.checker = checker, .user = symbol};
	struct expr *value = check_expression(&scope, declaration->value);
	struct setting *setting;

	if (!value)
		return NULL;
	setting = arena_new(checker->arena, struct setting);
	*setting = (struct setting){.name = symbol->name,
	                            .value = value,
	                            .description = declaration->description.text,
	                            .descriptions = translations_of(checker, &declaration->description),
	                            .origin = origin_of(declaration->place),
	                            .text = text_of(checker, declaration->place)};
	arena_add(checker->arena, checker->book->settings, checker->book->setting_count, setting);
	return setting;
}

struct setting *check_setting(struct checker *checker, struct symbol *symbol, struct symbol *user)
{
	static const struct check check = {make_setting, "made of"};

	return check_symbol(checker, symbol, user, &check);
}

static bool set_value(struct checker *checker, struct setting *setting, struct source_range place)
{
	struct name_scope scope = {.checker = checker};
	struct syntax *syntax = parse_expression(checker->arena, place, checker->errors);
	struct expr *value = syntax ? check_expression(&scope, syntax) : NULL;

	if (!value)
		return false;
	adapt_literals(setting->value, value);
	if (!types_agree(value->type, setting->value->type))
		return add_error(checker->errors, place, "'%s' is %s, but this is %s", setting->name,
		                 describe(checker, setting->value), describe(checker, value));
	/* Other expressions were typed by its old value: a whole number stays one. */
	if (value->kind == EXPR_LITERAL && value->type.is_real && (double)value->number == value->real)
		value->type.is_real = false;
	if (value->type.is_real && !setting->value->type.is_real)
		return add_error(checker->errors, place, "'%s' is a whole number, but this is not",
		                 setting->name);
	value->type.is_real = setting->value->type.is_real;
	setting->value = value;
	setting->is_given = true;
	return true;
}

bool give_setting(struct checker *checker, const char *text)
{
	const char *equal = strchr(text, '=');
	struct rule_source *source = source_of_text(checker->arena, RULE_SETTINGS, text, strlen(text));
	size_t length = equal ? (size_t)(equal - text) : strlen(text);
	struct token name = {.text = arena_bytes_as_text(checker->arena, text, length),
	                     .place = {source, 0, (uint32_t)length}};
	struct nearest nearest = {.word = name.text};
	struct symbol *symbol;
	struct source_range flaw;
	const char *wrong = source_flaw(source, &flaw);

	if (wrong || !equal)
		return add_error(checker->errors,
		                 wrong ? flaw : (struct source_range){source, 0, source->size}, "%s",
		                 wrong ? wrong : "a rule parameter is set as in 'eps=5us'");
	symbol = names_find(&checker->settings, name.text);
	if (!symbol) {
		names_offer(&checker->settings, &nearest);
		return error_unknown(checker, name, "rule parameter", &nearest);
	}
	return symbol->made && set_value(checker, symbol->made,
	                                 (struct source_range){source, (uint32_t)length + 1, source->size});
}
