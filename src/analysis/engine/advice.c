#include "analysis/engine/advice.h"

#include "analysis/symbols/symbols.h"
#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Times are kept in ns: rates of them too. */
static double in_seconds(double value, int power)
{
	return value * pow(1e-9, power);
}

/* Three digits are enough, but a person reads no powers of ten. */
static void add_real(struct text *text, const struct locale *locale, double value)
{
	double size = fabs(value);
	size_t before = text->length;
	char *point;

	text_add(text, size >= 100 && size < 1e15 ? "%.0f" : "%.3g", value);
	point = strchr(text->bytes + before, '.');
	if (point)
		*point = locale->point;
}

static void add_number(struct text *text, const struct locale *locale, struct type type, union word word)
{
	double value = type.is_real ? word.r : (double)word.i;

	if (type.is_instant || (type.seconds == 1 && !type.bytes))
		text_add_seconds_in(text, locale, value * 1e-9);
	else if (!type.seconds && type.bytes == 1)
		text_add_size_in(text, locale, value > 0 ? (uint64_t)value : 0);
	else if (type.seconds == -1 && type.bytes == 1) {
		text_add_size_in(text, locale, value > 0 ? (uint64_t)in_seconds(value, -1) : 0);
		text_add(text, "%s", locale->per_second);
	} else if (type.is_real || type.seconds || type.bytes)
		add_real(text, locale, in_seconds(value, type.seconds));
	else
		text_add(text, "%" PRId64, word.i);
	if (type.seconds && type.seconds != 1 && !(type.seconds == -1 && type.bytes == 1))
		text_add(text, " %s^%d", locale->s, type.seconds);
}

/* What stands for a value that is no number. */
enum saying { SAYING_YES, SAYING_NO, SAYING_NONE, SAYING_NOWHERE, SAYING_UNKNOWN, SAYINGS };

static const struct {
	const char *lang;
	const char *words[SAYINGS];
} sayings[] = {
	{"en", {"yes", "no", "none", "an unknown place", "an unknown time"}},
	{"ru", {"да", "нет", "нет", "неизвестное место", "неизвестное время"}},
};

static const char *saying(const struct ground *ground, enum saying number)
{
	for (size_t i = 1; i < sizeof sayings / sizeof *sayings && ground->lang; i++)
		if (strcmp(sayings[i].lang, ground->lang) == 0)
			return sayings[i].words[number];
	return sayings[0].words[number];
}

static bool is_absent(struct type type, union word word)
{
	return type.is_real ? isnan(word.r) : type.base != TYPE_EVENT && word.i == ABSENT;
}

/* "halo.c:42"; false: it is not known. */
static bool add_line(struct text *text, struct symbols *source, const struct place *place)
{
	struct location where = {0};
	const char *slash;

	if (place->call)
		where = symbols_find_call(source, place->process, place->call);
	if (!where.file)
		return false;
	slash = strrchr(where.file, '/');
	text_add(text, "%s:%d", slash ? slash + 1 : where.file, where.line);
	return true;
}

static void add_place(struct text *text, const struct ground *ground, int64_t number)
{
	const struct place *place = number >= 0 && number < ground->places.count
	                                    ? place_get(&ground->places, (uint32_t)number)
	                                    : NULL;

	if (!place || !place->function)
		text_add(text, "%s", saying(ground, SAYING_NOWHERE));
	else if (!ground->source || !add_line(text, ground->source, place))
		text_add(text, "%s", place->function);
}

static void add_value(struct text *text, const struct ground *ground, struct type type, union word word)
{
	if (is_absent(type, word)) {
		text_add(text, "%s", saying(ground, type.is_late ? SAYING_UNKNOWN : SAYING_NONE));
		return;
	}
	switch (type.base) {
	case TYPE_BOOL:
		text_add(text, "%s", saying(ground, word.i ? SAYING_YES : SAYING_NO));
		break;
	case TYPE_NUMBER:
		add_number(text, locale_of(ground->lang), type, word);
		break;
	case TYPE_TEXT:
		text_add(text, "%s",
		         rulebook_translate(ground->book, ground_text_of(ground, word.i), ground->lang));
		break;
	case TYPE_FUNCTION:
		text_add(text, "%s", ground_function_name(ground, word.i));
		break;
	case TYPE_PLACE:
		add_place(text, ground, word.i);
		break;
	case TYPE_RANK:
	case TYPE_IDENTITY:
	case TYPE_EVENT:
		text_add(text, "%" PRId64, word.i);
		break;
	}
}

static bool is_subtracted(const struct expr *expr)
{
	bool is_left = expr->kind == EXPR_BINARY && expr->args[0]->type.is_late;

	if (expr->kind != EXPR_BINARY)
		return false;
	return is_left ? is_subtracted(expr->args[0])
	               : is_subtracted(expr->args[1]) != (expr->op == OP_SUBTRACT);
}

/* A sum with an estimate in it, which is known only now. */
static union word late_value(const struct ground *ground, const struct expr *expr, union word known,
                             union word estimate)
{
	double time;

	if (!estimate_time(ground->estimates, estimate.i, &time))
		return (union word){.i = ABSENT};
	return (union word){.i = whole_add(known.i, llround(is_subtracted(expr) ? -time : time))};
}

void advice_add(struct text *text, const struct ground *ground, const struct template *template,
                const union word *values)
{
	for (uint32_t i = 0; i < template->count; i++) {
		const struct expr *expr = template->values[i];
		union word value = values[i];
		text_add(text, "%s", template->texts[i]);
		if (expr->type.is_late)
			value = late_value(ground, expr, value, values[template->count + i]);
		add_value(text, ground, expr->type, value);
	}
	if (template->texts)
		text_add(text, "%s", template->texts[template->count]);
}
