#include "engine/advice.h"

#include "model/source.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Times are kept in ns: rates of them too. */
static double in_seconds(double value, int power)
{
	return value * pow(1e-9, power);
}

/* Three digits are enough, but a person reads no powers of ten. */
static void add_real(struct text *text, double value)
{
	double size = fabs(value);

	if (size >= 100 && size < 1e15)
		text_add(text, "%.0f", value);
	else
		text_add(text, "%.3g", value);
}

static void add_number(struct text *text, struct type type, union word word)
{
	double value = type.is_real ? word.r : (double)word.i;

	if (type.is_instant || (type.seconds == 1 && !type.bytes))
		text_add_seconds(text, value * 1e-9);
	else if (!type.seconds && type.bytes == 1)
		text_add_size(text, value > 0 ? (uint64_t)value : 0);
	else if (type.seconds == -1 && type.bytes == 1) {
		text_add_size(text, value > 0 ? (uint64_t)in_seconds(value, -1) : 0);
		text_add(text, "/s");
	} else if (type.is_real || type.seconds || type.bytes)
		add_real(text, in_seconds(value, type.seconds));
	else
		text_add(text, "%" PRId64, word.i);
	if (type.seconds && type.seconds != 1 && !(type.seconds == -1 && type.bytes == 1))
		text_add(text, " s^%d", type.seconds);
}

static void add_event(struct text *text, const struct ground *ground, const struct facts *facts)
{
	const struct process *process;

	if (!facts->call) {
		text_add(text, "nobody");
		return;
	}
	process = &ground->reader->processes[facts->process];
	text_add(text, "%s on rank %" PRIu32, facts->call->name, process->rank);
}

static bool is_absent(struct type type, union word word)
{
	return type.is_real ? isnan(word.r) : type.base != TYPE_EVENT && word.i == ABSENT;
}

/* "halo.c:42"; false: it is not known. */
static bool add_line(struct text *text, struct source *source, const struct place *place)
{
	struct location where = {0};
	const char *slash;

	if (place->call)
		where = source_find_call(source, place->process, place->call);
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
		text_add(text, "an unknown place");
	else if (!ground->source || !add_line(text, ground->source, place))
		text_add(text, "%s", place->function);
}

static void add_value(struct text *text, const struct ground *ground, struct type type, union word word)
{
	if (is_absent(type, word)) {
		text_add(text, "none");
		return;
	}
	switch (type.base) {
	case TYPE_BOOL:
		text_add(text, word.i ? "yes" : "no");
		break;
	case TYPE_NUMBER:
		add_number(text, type, word);
		break;
	case TYPE_TEXT:
		text_add(text, "%s", ground_text_of(ground, word.i));
		break;
	case TYPE_FUNCTION:
		text_add(text, "%s", ground_function_name(ground, word.i));
		break;
	case TYPE_PLACE:
		add_place(text, ground, word.i);
		break;
	case TYPE_EVENT:
		add_event(text, ground, facts_at(word));
		break;
	case TYPE_RANK:
	case TYPE_IDENTITY:
		text_add(text, "%" PRId64, word.i);
		break;
	}
}

void advice_add(struct text *text, const struct ground *ground, const struct template *template,
                const union word *values)
{
	for (uint32_t i = 0; i < template->count; i++) {
		text_add(text, "%s", template->texts[i]);
		add_value(text, ground, template->values[i]->type, values[i]);
	}
	if (template->texts)
		text_add(text, "%s", template->texts[template->count]);
}
