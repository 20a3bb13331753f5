/* Rule parameters: constants, or made of figures of the run, of surveys and of each other. */
#include "analysis/rules/checker.h"
#include "analysis/rules/lists.h"

#include <string.h>

static void error_cycle(struct checker *checker, const struct symbol *symbol, const struct symbol *user)
{
	add_error(checker->errors, symbol->declaration->name.place, "'%s' is made of itself", symbol->name);
	for (const struct symbol *s = user; s && s != symbol; s = s->reason)
		add_error_note(checker->errors, s->declaration->name.place, "through '%s'", s->name);
}

/* Surveys */

static struct expr *survey_value(struct name_scope *scope, const struct syntax *what)
{
	struct checker *checker = scope->checker;
	struct event_type *type = find_type(checker, what->args->name, scope->user);
	struct nearest nearest = {.word = what->name.text};
	struct expr *self;
	uint32_t column;

	if (!type)
		return NULL;
	column = column_find(type, what->name.text);
	if (column != UINT32_MAX) {
		self = expr_new(checker, EXPR_SELF, type_event, what->args->place);
		self->event = type;
		return expr_column(checker, self, column, what->name.place);
	}
	for (uint32_t i = 0; i < type->column_count; i++)
		nearest_offer(&nearest, type->columns[i].name);
	error_missing(checker, what->name, arena_format(checker->arena, "'%s' has no column", type->name),
	              &nearest);
	return NULL;
}

static bool survey_fits(struct checker *checker, const struct syntax *syntax, struct expr *value,
                        struct expr *otherwise)
{
	adapt_literals(value, otherwise);
	if (!type_is_ordered(value->type) || value->type.is_real)
		add_error(checker->errors, syntax->args->place,
		          "'survey' gives whole numbers, times, bytes and ranks, this is %s%s",
		          describe(checker, value), value->type.is_real ? " with fractions" : "");
	else if (!types_agree(value->type, otherwise->type) || otherwise->type.is_real)
		add_error(checker->errors, syntax->args->next->place, "this is %s, unlike %s before it",
		          describe(checker, otherwise), describe(checker, value));
	else
		return true;
	return false;
}

static struct expr *new_survey(struct checker *checker, const struct syntax *syntax, struct expr *value,
                               struct expr *otherwise)
{
	struct rulebook *book = checker->book;
	struct expr *expr = expr_new(checker, EXPR_SURVEY, value->type, syntax->place);
	struct problem *survey = arena_new(checker->arena, struct problem);

	expr->number = (int64_t)book->survey_count;
	expr->args = arena_array(checker->arena, struct expr *, 1);
	expr->args[0] = otherwise;
	expr->arg_count = 1;
	expr->text = arena_format(checker->arena, "%s.%s", syntax->args->args->name.text,
	                          syntax->args->name.text);
	*survey = (struct problem){.id = expr->text,
	                           .is_metric = true,
	                           .type = value->args[0]->event,
	                           .name = expr->text,
	                           .description = "",
	                           .duration = value,
	                           .origin = expr->origin,
	                           .text = "",
	                           .number = (uint32_t)book->survey_count};
	LIST_ADD(checker->arena, book->surveys, book->survey_count, checker->survey_capacity, survey);
	return expr;
}

struct expr *check_survey(struct name_scope *scope, const struct syntax *syntax)
{
	const struct syntax *what = syntax->args, *next = what ? what->next : NULL;
	struct expr *value, *otherwise;

	if (scope->type || scope->prototype || !scope->user) {
		add_error(scope->checker->errors, syntax->place,
		          "'survey' has a meaning only in the value of a declared parameter");
		return NULL;
	}
	if (!next || next->next || what->kind != SYNTAX_FIELD || what->args->kind != SYNTAX_NAME) {
		add_error(
			scope->checker->errors, syntax->place,
			"'survey' needs a column of a composite event, and what holds unless there is one such "
			"event: survey(EVENT.COLUMN, 0)");
		return NULL;
	}
	value = survey_value(scope, what);
	otherwise = check_expression(scope, next);
	if (!value || !otherwise || !survey_fits(scope->checker, syntax, value, otherwise))
		return NULL;
	return new_survey(scope->checker, syntax, value, otherwise);
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
	LIST_ADD(checker->arena, checker->book->settings, checker->book->setting_count,
	         checker->setting_capacity, setting);
	return setting;
}

struct setting *check_setting(struct checker *checker, struct symbol *symbol, struct symbol *user)
{
	static const struct check check = {make_setting, error_cycle};

	return check_symbol(checker, symbol, user, &check);
}

static void error_no_setting(struct checker *checker, const struct rule_source *source, const char *name,
                             size_t length)
{
	struct token word = {.text = arena_bytes_as_text(checker->arena, name, length),
	                     .place = {source, 0, (uint32_t)length}};
	struct nearest nearest = {.word = word.text};

	names_offer(&checker->settings, &nearest);
	error_unknown(checker, word, "rule parameter", &nearest);
}

/* Others were typed by what it was: a whole number stays one. */
static bool fits_whole(struct checker *checker, const struct setting *setting, struct expr *value,
                       struct source_range place)
{
	if (value->kind == EXPR_LITERAL && value->type.is_real && (double)value->number == value->real)
		value->type.is_real = false;
	if (setting->value->type.is_real)
		value->type.is_real = true;
	if (value->type.is_real == setting->value->type.is_real)
		return true;
	add_error(checker->errors, place, "'%s' is a whole number, this is not", setting->name);
	return false;
}

static bool set_value(struct checker *checker, struct setting *setting, struct source_range place)
{
	struct name_scope scope = {.checker = checker};
	struct syntax *syntax = parse_expression(checker->arena, place, checker->errors);
	struct expr *value = syntax ? check_expression(&scope, syntax) : NULL;

	if (!value)
		return false;
	adapt_literals(setting->value, value);
	if (!types_agree(value->type, setting->value->type)) {
		add_error(checker->errors, place, "'%s' is %s, this is %s", setting->name,
		          describe(checker, setting->value), describe(checker, value));
		return false;
	}
	if (!fits_whole(checker, setting, value, place))
		return false;
	setting->value = value;
	setting->is_given = true;
	return true;
}

bool give_setting(struct checker *checker, const char *text)
{
	const char *equal = strchr(text, '=');
	struct rule_source *source = source_of_text(checker->arena, "--set", text, strlen(text));
	size_t length = equal ? (size_t)(equal - text) : strlen(text);
	struct symbol *symbol;
	struct source_range flaw;
	const char *wrong = source_flaw(source, &flaw);

	if (wrong || !equal) {
		add_error(checker->errors, wrong ? flaw : (struct source_range){source, 0, source->size},
		          "%s", wrong ? wrong : "a rule parameter is set as in 'eps=5us'");
		return false;
	}
	symbol = names_find(&checker->settings, arena_bytes_as_text(checker->arena, text, length));
	if (!symbol) {
		error_no_setting(checker, source, text, length);
		return false;
	}
	return symbol->made && set_value(checker, symbol->made,
	                                 (struct source_range){source, (uint32_t)length + 1, source->size});
}
