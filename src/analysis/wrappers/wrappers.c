#include "analysis/wrappers/wrappers.h"

#include "base/probe.h"
#include "base/text.h"

#include <ctype.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* Functions that no rule may trace */

static const struct {
	const char *reason;
	const char *patterns; /* separated by blanks */
} refusals[] = {
	{"the linker and the recorder allocate memory with it, also before it can be traced",
         "malloc calloc realloc reallocarray free cfree memalign aligned_alloc posix_memalign valloc pvalloc "
         "mmap mmap64 munmap mremap mprotect madvise brk sbrk"},
	{"it finds or loads libraries, and the wrapper itself needs it",
         "dlopen dlmopen dlsym dlvsym dlclose dlerror dladdr dladdr1 dlinfo dl_iterate_phdr _dl_*"},
	{"it does not return, so its calls never end",
         "exit _exit _Exit quick_exit abort longjmp _longjmp siglongjmp __longjmp_chk pthread_exit thrd_exit exec* "
         "fexecve __assert_fail __stack_chk_fail err errx verr verrx"},
	{"it returns twice, or on another stack",
         "setjmp _setjmp sigsetjmp __sigsetjmp vfork getcontext setcontext swapcontext makecontext clone"},
	{"compilers insert calls of it by themselves, also into the wrapper",
         "memcpy memmove memset memcmp __memcpy_chk __memmove_chk __memset_chk strlen"},
	{"errors and exceptions of C and C++ go through it",
         "__errno_location _Unwind_* __cxa_* __gxx_* __tls_get_addr __libc_* __gmon_start__"},
	{"it is an MPI function: name it without a prototype, as in for MPI_Send",
         "MPI_* PMPI_* MPIX_* PMPIX_*"},
	{"it is Tarry's own; regions and marks of tarry.h are recorded anyway", "tarry_*"},
	{"it belongs to the program itself, so no wrapper can replace it", "main"},
};

static int matches(const char *patterns, const char *function)
{
	while (*patterns) {
		char pattern[64];
		size_t length = strcspn(patterns, " ");
		if (length < sizeof pattern) {
			memcpy(pattern, patterns, length);
			pattern[length] = '\0';
			if (fnmatch(pattern, function, 0) == 0)
				return 1;
		}
		patterns += length + (patterns[length] == ' ');
	}
	return 0;
}

const char *tracing_refusal(const char *function)
{
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
		if (matches(refusals[i].patterns, function))
			return refusals[i].reason;
	return NULL;
}

/* Formulas: expressions of a rule as C. Arguments are a0, a1, …, the result is `result`. Real numbers are
 * doubles, all others int64_t. Fails with the place and the reason if only an analysis can know the value. */

static enum status formula_write(const struct expr *expr, struct text *out) MUST_CHECK;

static enum status refuse(const struct expr *expr, const char *reason)
{
	return fail("%s:%u:%u: %s: parameters of a traced function can use only its arguments and its result",
	            expr->origin.file, expr->origin.line, expr->origin.column, reason);
}

/* "$0" and so on are operands of the expression. */
static enum status write_form(const struct expr *expr, const char *form, struct text *out)
{
	for (; *form; form++) {
		if (*form == '$')
			TRY(formula_write(expr->args[*++form - '0'], out));
		else
			text_add_bytes(out, form, 1);
	}
	return OK;
}

static const char *const forms[] = {
	[OP_NOT] = "(!$0)",          [OP_MINUS] = "(-$0)",
	[OP_ADD] = "($0 + $1)",      [OP_SUBTRACT] = "($0 - $1)",
	[OP_MULTIPLY] = "($0 * $1)", [OP_DIVIDE] = "tarry_divide($0, $1)",
	[OP_EQUAL] = "($0 == $1)",   [OP_MODULO] = "tarry_modulo($0, $1)",
	[OP_UNEQUAL] = "($0 != $1)", [OP_LESS] = "($0 < $1)",
	[OP_GREATER] = "($0 > $1)",  [OP_LESS_EQUAL] = "($0 <= $1)",
	[OP_AND] = "($0 && $1)",     [OP_GREATER_EQUAL] = "($0 >= $1)",
	[OP_OR] = "($0 || $1)",
};

/* Where the form differs for real numbers. */
static const char *const real_forms[OP_OR + 1] = {
	[OP_DIVIDE] = "((double)$0 / (double)$1)",
	[OP_MODULO] = "tarry_real_modulo($0, $1)",
};

/* min(a, b, c) is least(a, least(b, c)). */
static enum status write_extreme(const struct expr *expr, const char *function, struct text *out)
{
	for (uint32_t i = 0; i < expr->arg_count; i++) {
		if (i + 1 < expr->arg_count)
			text_add(out, "tarry_%s%s(", expr->type.is_real ? "real_" : "", function);
		TRY(formula_write(expr->args[i], out));
		if (i + 1 < expr->arg_count)
			text_add(out, ", ");
	}
	text_add_repeated(out, ')', expr->arg_count - 1);
	return OK;
}

static enum status write_among(const struct expr *expr, struct text *out)
{
	for (uint32_t i = 1; i < expr->arg_count; i++) {
		text_add(out, i == 1 ? "(" : " || ");
		TRY(formula_write(expr->args[0], out));
		text_add(out, " == ");
		TRY(formula_write(expr->args[i], out));
	}
	text_add(out, ")");
	return OK;
}

static enum status formula_write(const struct expr *expr, struct text *out)
{
	switch (expr->kind) {
	case EXPR_LITERAL:
		if (expr->type.base == TYPE_TEXT)
			return refuse(expr, "texts cannot be used in computations");
		if (expr->type.is_real)
			text_add(out, "((double)%.17g)", expr->real);
		else
			text_add(out, "INT64_C(%" PRId64 ")", expr->number);
		return OK;
	case EXPR_ARGUMENT:
		if (expr->type.base == TYPE_TEXT)
			return refuse(expr,
			              "a text can only be recorded unchanged, not used in a computation");
		text_add(out, "(%s)(", expr->type.is_real ? "double" : "int64_t");
		if (expr->member == ARGUMENT_RESULT)
			text_add(out, "result)");
		else
			text_add(out, "a%u)", expr->member);
		return OK;
	case EXPR_SETTING:
		return formula_write(expr->setting->value, out);
	case EXPR_UNARY:
	case EXPR_BINARY:
		return write_form(expr,
		                  expr->type.is_real && real_forms[expr->op] ? real_forms[expr->op]
		                                                             : forms[expr->op],
		                  out);
	case EXPR_CHOICE:
		return write_form(expr, "($0 ? $1 : $2)", out);
	case EXPR_LEAST:
		return write_extreme(expr, "least", out);
	case EXPR_GREATEST:
		return write_extreme(expr, "greatest", out);
	case EXPR_AMONG:
		return write_among(expr, out);
	default:
		return refuse(expr, "this is not known while the program runs");
	}
}

/* Wrappers */

extern const char wrapper_support[]; /* base/probe.h and support.c */

/* A parameter of the event, as the wrapper computes it. */
struct value {
	const struct column *column;
	const char *formula;
	enum probe_kind kind;
};

/* A function with all values that its declared events need. */
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

static enum probe_kind kind_of(const struct expr *expr)
{
	if (expr->type.base == TYPE_TEXT)
		return PROBE_TEXT;
	return expr->type.is_real ? PROBE_REAL : PROBE_INTEGER;
}

static enum status add_value(struct plan *plan, struct target *target, const struct column *column)
{
	struct value value = {.column = column, .kind = kind_of(column->value)};
	const struct expr *expr = column->value;
	struct text text = {0};
	enum status status = OK;

	/* A text is passed unchanged; other values are computed. */
	if (value.kind != PROBE_TEXT)
		status = formula_write(expr, &text);
	else if (expr->kind != EXPR_ARGUMENT)
		status = fail_at(&expr->origin, "only an argument or the result can be recorded as a text");
	else if (expr->member == ARGUMENT_RESULT)
		text_add(&text, "result");
	else
		text_add(&text, "a%u", expr->member);
	value.formula = arena_text(plan->arena, text_get(&text));
	text_release(&text);
	TRY(status);
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
			arena_format(
				plan->arena,
				"a function has at most %d parameters, all functions together at most %d",
				PROBE_VALUES_MAX, PROBE_NAMES_MAX));
	target->values[target->value_count++] = value;
	plan->names++;
	return OK;
}

/* Adds the values that the event needs. */
static enum status take_event(struct plan *plan, const struct event_type *type)
{
	const char *function = type->prototype->function, *refusal = tracing_refusal(function);
	struct target *target = plan->targets;

	while (target < plan->targets + plan->count && strcmp(target->prototype->function, function) != 0)
		target++;
	if (target < plan->targets + plan->count) {
		if (!same_signature(target->prototype, type->prototype))
			return fail_at(&type->origin,
			               arena_format(plan->arena,
			                            "'%s' has another prototype in event '%s': %s", function,
			                            target->event, target->prototype->text));
	} else {
		if (refusal)
			return fail_at(&type->origin, arena_format(plan->arena, "'%s' cannot be traced: %s",
			                                           function, refusal));
		if (plan->count == PROBES_MAX)
			return fail_at(
				&type->origin,
				arena_format(plan->arena, "at most %d functions can be traced", PROBES_MAX));
		plan->count++;
		target->prototype = type->prototype;
		target->event = type->name;
	}
	for (uint32_t i = 0; i < type->column_count; i++)
		if (type->columns[i].value)
			TRY(add_value(plan, target, &type->columns[i]));
	return OK;
}

/* A struct that is only used by pointer must be declared before the prototype, otherwise each mention
 * declares another one. */
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

static void write_wrapper(const struct target *target, uint32_t number, struct text *out)
{
	const bool returns = strcmp(target->prototype->result, "void") != 0;
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

enum status wrappers_write(const struct rulebook *book, struct arena *arena, struct wrappers *wrappers)
{
	struct plan *plan = arena_new(arena, struct plan);

	plan->arena = arena;
	for (size_t i = 0; i < book->type_count; i++)
		if (book->types[i]->form == FORM_CALL && book->types[i]->prototype)
			TRY(take_event(plan, book->types[i]));
	*wrappers = (struct wrappers){.count = plan->count};
	if (plan->count) {
		struct traced *traced = arena_array(plan->arena, struct traced, plan->count);
		struct text text = {0};
		uint32_t names = 0;
		text_add(&text, "/* Made by Tarry from tracing rules. */\n%s", wrapper_support);
		for (uint32_t i = 0; i < plan->count; i++) {
			static const char *const kinds[] = {"PROBE_INTEGER", "PROBE_REAL", "PROBE_TEXT"};
			text_add(&text, "static const struct probe_parameter tarry_parameters_%u[] = {\n", i);
			for (uint32_t j = 0; j < plan->targets[i].value_count; j++)
				text_add(&text, "\t{\"%s\", %s},\n", plan->targets[i].values[j].column->name,
				         kinds[plan->targets[i].values[j].kind]);
			text_add(&text, "\t{0, 0},\n};\n");
		}
		text_add(&text, "static struct probe tarry_probes[] = {\n");
		for (uint32_t i = 0; i < plan->count; i++) {
			const struct target *target = &plan->targets[i];
			text_add(&text, "\t{\"%s\", tarry_parameters_%u, %u, %u, %u, 0, 0},\n",
			         target->prototype->function, i, target->value_count, i, names);
			names += target->value_count;
		}
		text_add(&text,
		         "};\nstatic struct probe_table tarry_table = {PROBE_VERSION, %u, tarry_probes};\n\n",
		         plan->count);
		for (uint32_t i = 0; i < plan->count; i++)
			write_wrapper(&plan->targets[i], i, &text);
		wrappers->source = arena_text(plan->arena, text_get(&text));
		text_release(&text);
		for (uint32_t i = 0; i < plan->count; i++)
			traced[i] = (struct traced){
				arena_text(plan->arena, plan->targets[i].prototype->function),
				arena_text(plan->arena, plan->targets[i].event)};
		wrappers->traced = traced;
	}
	return OK;
}
