#include "analysis/wrappers/wrappers.h"

#include "analysis/wrappers/formula.h"
#include "analysis/wrappers/refusal.h"
#include "base/probe.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

extern const char wrapper_support[]; /* base/probe.h and support.c */

/* A parameter of the event, as the wrapper computes it. */
struct value {
	const struct column *column;
	const char *formula;
	enum probe_kind kind;
};

/* A function with all that the events declared for it want to know. */
struct target {
	const struct prototype *prototype;
	const char *event;
	struct value values[PROBE_VALUES_MAX];
	uint32_t value_count;
};

struct plan {
	struct arena *arena;
	struct target targets[PROBES_MAX];
	uint32_t count;
	uint32_t names;
};

static enum status fail_at(const struct origin *origin, const char *sentence)
{
	return fail("%s:%u:%u: %s", origin->file, origin->line, origin->column, sentence);
}

static bool same_signature(const struct prototype *a, const struct prototype *b)
{
	if (strcmp(a->result, b->result) != 0 || a->argument_count != b->argument_count)
		return false;
	for (uint32_t i = 0; i < a->argument_count; i++)
		if (strcmp(a->arguments[i].c_type, b->arguments[i].c_type) != 0)
			return false;
	return true;
}

static struct target *find_target(struct plan *plan, const char *function)
{
	for (uint32_t i = 0; i < plan->count; i++)
		if (strcmp(plan->targets[i].prototype->function, function) == 0)
			return &plan->targets[i];
	return NULL;
}

static enum status check_new(const struct plan *plan, const struct event_type *type)
{
	const char *function = type->prototype->function, *refusal = tracing_refusal(function);

	if (refusal)
		return fail_at(&type->origin,
		               arena_format(plan->arena, "'%s' cannot be traced: %s", function, refusal));
	if (plan->count == PROBES_MAX)
		return fail_at(
			&type->origin,
			arena_format(plan->arena, "no more than %d functions can be traced", PROBES_MAX));
	return OK;
}

static enum status check_same(const struct plan *plan, const struct target *known,
                              const struct event_type *type)
{
	if (same_signature(known->prototype, type->prototype))
		return OK;
	return fail_at(&type->origin,
	               arena_format(plan->arena, "'%s' has another prototype in event '%s': %s",
	                            type->prototype->function, known->event, known->prototype->text));
}

static enum probe_kind kind_of(const struct expr *expr)
{
	if (expr->type.base == TYPE_TEXT)
		return PROBE_TEXT;
	return expr->type.is_real ? PROBE_REAL : PROBE_INTEGER;
}

/* A text is handed over as it is; of all others the value is computed. */
static enum status write_formula(const struct plan *plan, const struct column *column, const char **formula)
{
	const struct expr *expr = column->value;
	struct text text = {0};
	enum status status = OK;

	if (kind_of(expr) != PROBE_TEXT)
		status = formula_write(expr, &text);
	else if (expr->kind != EXPR_ARGUMENT)
		status = fail_at(&expr->origin, "only an argument or the result can be recorded as a text");
	else if (expr->member == ARGUMENT_RESULT)
		text_add(&text, "result");
	else
		text_add(&text, "a%u", expr->member);
	*formula = arena_text(plan->arena, text_get(&text));
	text_release(&text);
	return status;
}

static enum status add_value(struct plan *plan, struct target *target, const struct column *column)
{
	struct value value = {.column = column, .kind = kind_of(column->value)};

	TRY(write_formula(plan, column, &value.formula));
	for (uint32_t i = 0; i < target->value_count; i++) {
		const struct value *known = &target->values[i];
		if (strcmp(known->column->name, column->name) != 0)
			continue;
		if (known->kind == value.kind && known->column->is_out == column->is_out &&
		    strcmp(known->formula, value.formula) == 0)
			return OK;
		return fail_at(
			&column->origin,
			arena_format(plan->arena,
		                     "'%s' of '%s' means something else in event '%s': give it another name",
		                     column->name, target->prototype->function, target->event));
	}
	if (target->value_count == PROBE_VALUES_MAX || plan->names == PROBE_NAMES_MAX)
		return fail_at(
			&column->origin,
			arena_format(plan->arena,
		                     "a function has at most %d parameters, and all of them together %d",
		                     PROBE_VALUES_MAX, PROBE_NAMES_MAX));
	target->values[target->value_count++] = value;
	plan->names++;
	return OK;
}

static enum status take_event(struct plan *plan, const struct event_type *type)
{
	struct target *target = find_target(plan, type->prototype->function);

	if (target) {
		TRY(check_same(plan, target, type));
	} else {
		TRY(check_new(plan, type));
		target = &plan->targets[plan->count++];
		target->prototype = type->prototype;
		target->event = type->name;
	}
	for (uint32_t i = 0; i < type->column_count; i++)
		if (type->columns[i].value)
			TRY(add_value(plan, target, &type->columns[i]));
	return OK;
}

/* A struct that is only pointed to must be known before the prototype, or each mention of it is another one. */
static void announce_structs(const char *c_type, struct text *out)
{
	static const char *const keywords[] = {"struct ", "union "};

	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
		const char *at = strstr(c_type, keywords[i]);
		size_t length = 0;

		if (!at)
			continue;
		at += strlen(keywords[i]);
		while (isalnum((unsigned char)at[length]) || at[length] == '_')
			length++;
		text_add(out, "%s%.*s;\n", keywords[i], (int)length, at);
	}
}

static void write_arguments(const struct prototype *prototype, struct text *out)
{
	for (uint32_t i = 0; i < prototype->argument_count; i++)
		text_add(out, "%s__typeof__(%s) a%u", i ? ", " : "", prototype->arguments[i].c_type, i);
	if (!prototype->argument_count)
		text_add(out, "void");
}

static void write_call(const struct prototype *prototype, struct text *out)
{
	text_add(out, "real(");
	for (uint32_t i = 0; i < prototype->argument_count; i++)
		text_add(out, "%sa%u", i ? ", " : "", i);
	text_add(out, ")");
}

static void write_values(const struct target *target, bool is_out, struct text *out)
{
	for (uint32_t i = 0; i < target->value_count; i++) {
		const struct value *value = &target->values[i];

		if (value->column->is_out != is_out)
			continue;
		text_add(out, "\tkey[PROBE_KEY_WORDS + %u] = ", i);
		if (value->kind == PROBE_TEXT)
			text_add(out, "tarry_text((const char *)(%s));\n", value->formula);
		else if (value->kind == PROBE_REAL)
			text_add(out, "tarry_bits(%s);\n", value->formula);
		else
			text_add(out, "(int64_t)(%s);\n", value->formula);
	}
}

static void write_head(const struct target *target, uint32_t number, struct text *out)
{
	const struct prototype *prototype = target->prototype;

	announce_structs(prototype->result, out);
	for (uint32_t i = 0; i < prototype->argument_count; i++)
		announce_structs(prototype->arguments[i].c_type, out);
	text_add(out, "__typeof__(%s) tarry_wrapper_%u(", prototype->result, number);
	write_arguments(prototype, out);
	text_add(out, ") __asm__(\"%s\");\n", prototype->function);
	text_add(out, "TARRY_EXPORT __typeof__(%s) tarry_wrapper_%u(", prototype->result, number);
	write_arguments(prototype, out);
	text_add(out, ")\n{\n");
}

static void write_wrapper(const struct target *target, uint32_t number, struct text *out)
{
	const bool returns = strcmp(target->prototype->result, "void") != 0;

	write_head(target, number, out);
	text_add(out,
	         "\tstruct probe *probe = &tarry_probes[%u];\n"
	         "\tconst void *site = __builtin_return_address(0);\n"
	         "\t__typeof__(tarry_wrapper_%u) *real = tarry_real(probe, site);\n"
	         "\tstruct tarry_call call = tarry_begin(probe, site);\n"
	         "\tint64_t key[PROBE_KEY_WORDS + %u];\n"
	         "\tuint64_t start, end;\n"
	         "\tif (!call.begun) {\n\t\t%s",
	         number, number, target->value_count, returns ? "return " : "");
	write_call(target->prototype, out);
	text_add(out, ";\n%s\t}\n", returns ? "" : "\t\treturn;\n");
	write_values(target, false, out);
	text_add(out, "\tstart = tarry_start(&call);\n\t");
	if (returns)
		text_add(out, "__typeof__(%s) result = ", target->prototype->result);
	write_call(target->prototype, out);
	text_add(out, ";\n\tend = tarry_returned(&call);\n");
	write_values(target, true, out);
	text_add(out, "\ttarry_end(probe, &call, site, start, end, key);\n%s}\n\n",
	         returns ? "\treturn result;\n" : "");
}

static void write_parameters(const struct target *target, uint32_t number, struct text *out)
{
	static const char *const kinds[] = {"PROBE_INTEGER", "PROBE_REAL", "PROBE_TEXT"};

	text_add(out, "static const struct probe_parameter tarry_parameters_%u[] = {\n", number);
	for (uint32_t i = 0; i < target->value_count; i++)
		text_add(out, "\t{\"%s\", %s},\n", target->values[i].column->name,
		         kinds[target->values[i].kind]);
	text_add(out, "\t{0, 0},\n};\n");
}

static void write_table(const struct plan *plan, struct text *out)
{
	uint32_t names = 0;

	for (uint32_t i = 0; i < plan->count; i++)
		write_parameters(&plan->targets[i], i, out);
	text_add(out, "static struct probe tarry_probes[] = {\n");
	for (uint32_t i = 0; i < plan->count; i++) {
		const struct target *target = &plan->targets[i];
		text_add(out, "\t{\"%s\", tarry_parameters_%u, %u, %u, %u, 0, 0},\n",
		         target->prototype->function, i, target->value_count, i, names);
		names += target->value_count;
	}
	text_add(out, "};\nstatic struct probe_table tarry_table = {PROBE_VERSION, %u, tarry_probes};\n\n",
	         plan->count);
}

static const char *write_source(const struct plan *plan)
{
	struct text text = {0};
	const char *source;

	text_add(&text, "/* Made by Tarry from tracing rules. */\n%s", wrapper_support);
	write_table(plan, &text);
	for (uint32_t i = 0; i < plan->count; i++)
		write_wrapper(&plan->targets[i], i, &text);
	source = arena_text(plan->arena, text_get(&text));
	text_release(&text);
	return source;
}

static const struct traced *list_traced(const struct plan *plan)
{
	struct traced *traced = arena_array(plan->arena, struct traced, plan->count);

	for (uint32_t i = 0; i < plan->count; i++)
		traced[i] = (struct traced){arena_text(plan->arena, plan->targets[i].prototype->function),
		                            arena_text(plan->arena, plan->targets[i].event)};
	return traced;
}

enum status wrappers_write(const struct rulebook *book, struct arena *arena, struct wrappers *wrappers)
{
	struct plan *plan = arena_new(arena, struct plan);

	plan->arena = arena;
	for (size_t i = 0; i < book->type_count; i++)
		if (book->types[i]->form == FORM_CALL && book->types[i]->prototype)
			TRY(take_event(plan, book->types[i]));
	*wrappers = (struct wrappers){.count = plan->count};
	if (plan->count) {
		wrappers->source = write_source(plan);
		wrappers->traced = list_traced(plan);
	}
	return OK;
}
