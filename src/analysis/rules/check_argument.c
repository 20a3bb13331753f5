/* Arguments of MPI functions in declared events, by their names in the standard. Arguments in
 * every trace are columns. */
#include "analysis/rules/checker.h"
#include "calls/arguments.h"
#include "calls/calls.h"

#include <string.h>

/* The columns with arguments of these kinds. */
static const struct {
	uint8_t kind;
	const char *column;
} columns_of_kinds[] = {
	{KIND_comm, "comm"},          {KIND_oldcomm, "comm"},  {KIND_dest, "dest"},
	{KIND_source, "source"},      {KIND_tag, "tag"},       {KIND_stag, "tag"},
	{KIND_root, "root"},          {KIND_target, "target"}, {KIND_win, "window"},
	{KIND_newwin, "window"},      {KIND_oldwin, "window"}, {KIND_file, "file"},
	{KIND_newfile, "file"},       {KIND_oldfile, "file"},  {KIND_request, "request"},
	{KIND_newrequest, "request"}, {KIND_many, "count"},
};

/* UINT32_MAX: none. Then it is recorded only if rules ask for it. */
static uint32_t column_of(enum call_id call, uint32_t parameter)
{
	const uint8_t kind = call_parameter_kinds(call)[parameter];

	/* A trace has only the names of these calls. */
	if (all_calls[call].class == CLASS_CONVERSION)
		return UINT32_MAX;
	for (size_t i = 0; i < sizeof columns_of_kinds / sizeof *columns_of_kinds; i++)
		if (columns_of_kinds[i].kind == kind &&
		    call_parameter(call, (enum parameter_kind)kind) == (int)parameter)
			return column_find(NULL, columns_of_kinds[i].column);
	return UINT32_MAX;
}

/* ALL_CALLS: unknown name. */
static enum call_id call_named(const char *function)
{
	const struct call_info *info = call_find(function);

	return (enum call_id)(info ? info - all_calls : ALL_CALLS);
}

/* -1: none. */
static int find_in(const char *function, const char *name)
{
	enum call_id call = call_named(function);

	return call < MPI_CALLS ? argument_find(call, name, strlen(name)) : -1;
}

/* True if all functions of the event have an argument of this name. `is_wrong`: only some have it, and the
 * name has no other meaning; already reported. */
static bool is_argument(struct name_scope *scope, struct token name, bool *is_wrong)
{
	const char *const *functions = scope->type->functions;
	const char *having = NULL, *lacking = NULL;

	for (const char *const *function = functions; *function; function++)
		*(find_in(*function, name.text) < 0 ? &lacking : &having) = *function;
	*is_wrong = having && lacking && column_find(NULL, name.text) == UINT32_MAX;
	if (*is_wrong)
		add_error(scope->checker->errors, name.place,
		          "'%s' has no argument '%s', unlike '%s': declare an event for each", lacking,
		          name.text, having);
	return having && !lacking;
}

/* NULL: wrong for one of the functions; already reported. */
static struct expr *new_argument(struct name_scope *scope, const struct syntax *syntax, struct token name,
                                 struct call_argument argument)
{
	struct expr *expr = NULL;

	for (const char *const *function = scope->type->functions; *function; function++) {
		struct type type = type_count;
		const char *refusal;

		argument.call = (uint16_t)call_named(*function);
		argument.parameter = (uint8_t)find_in(*function, name.text);
		refusal = argument_refusal(&argument);
		if (argument.part == ARGUMENT_SOURCE)
			type = type_rank;
		else if (argument.part == ARGUMENT_BYTES)
			type = type_bytes;
		else if (argument_is_text(&argument))
			type = type_text;
		else if (argument_form(&argument)->base == ARGUMENT_TRUTH && argument.part == ARGUMENT_WHOLE)
			type = type_bool;
		if (refusal || (expr && !types_agree(expr->type, type)))
			return add_error(scope->checker->errors, syntax->place, "'%s' of '%s' %s", name.text,
			                 *function,
			                 refusal ? refusal : "has another type than the values before it");
		if (!expr)
			expr = expr_new(scope->checker, EXPR_ARGUMENT, type, syntax->place);
		expr->number |= argument_form(&argument)->is_out;
	}
	expr->text = argument_write(&argument, arena_array(scope->checker->arena, char, ARGUMENT_TEXT_MAX));
	return expr;
}

/* NAME, NAME[ELEMENT], NAME.PART or NAME[ELEMENT].PART. */
static bool read_parts(struct name_scope *scope, const struct syntax *syntax, struct call_argument *argument)
{
	*argument = (struct call_argument){.element = -1};
	if (syntax->kind == SYNTAX_FIELD) {
		argument->part = ARGUMENT_SUM;
		while (argument->part < ARGUMENT_PARTS &&
		       strcmp(argument_part_names[argument->part], syntax->name.text) != 0)
			argument->part++;
		if (argument->part == ARGUMENT_PARTS)
			return add_error(
				scope->checker->errors, syntax->name.place,
				"arrays have the parts sum, min, max and length, statuses MPI_SOURCE, MPI_TAG, "
				"MPI_ERROR and bytes");
		syntax = syntax->args;
	}
	if (syntax->kind == SYNTAX_ELEMENT) {
		argument->element = (int32_t)syntax->element;
		syntax = syntax->args;
	}
	if (syntax->kind == SYNTAX_NAME)
		return true;
	return add_error(scope->checker->errors, syntax->place,
	                 "an argument has one element and one part at most");
}

struct expr *check_call_argument(struct name_scope *scope, const struct syntax *syntax, bool *is_found)
{
	const struct syntax *name = syntax;
	struct call_argument argument;
	bool is_wrong = false, is_column = syntax->kind == SYNTAX_NAME;
	uint32_t column = UINT32_MAX;

	while (name->kind == SYNTAX_FIELD || name->kind == SYNTAX_ELEMENT)
		name = name->args;
	*is_found = scope->in_event && name->kind == SYNTAX_NAME && is_argument(scope, name->name, &is_wrong);
	if (!*is_found || !read_parts(scope, syntax, &argument)) {
		*is_found |= is_wrong;
		return NULL;
	}
	/* The column that holds the argument of all functions. */
	for (const char *const *function = scope->type->functions; *function; function++) {
		uint32_t own = column_of(call_named(*function),
		                         (uint32_t)find_in(*function, name->name.text));

		is_column &= own != UINT32_MAX && (column == UINT32_MAX || own == column);
		column = own;
	}
	if (!is_column)
		return new_argument(scope, syntax, name->name, argument);
	return expr_column(scope->checker, expr_self(scope, syntax->place), column, syntax->place);
}

void offer_arguments(const struct name_scope *scope, struct nearest *nearest)
{
	for (const char *const *function = scope->in_event ? scope->type->functions : NULL;
	     function && *function; function++) {
		const enum call_id call = call_named(*function);

		for (uint32_t i = 0; call < MPI_CALLS && call_parameter_kinds(call)[i] != KIND_END; i++)
			nearest_offer(nearest, call_parameter_name(call, i));
	}
}

struct expr *check_element(struct name_scope *scope, const struct syntax *syntax)
{
	bool is_found;
	struct expr *expr = check_call_argument(scope, syntax, &is_found);

	if (!is_found)
		add_error(
			scope->checker->errors, syntax->place,
			"only arguments of MPI's functions have elements, in the parameters of a declared event");
	return expr;
}
