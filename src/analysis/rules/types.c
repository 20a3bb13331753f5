#include "analysis/rules/types.h"

#include "base/units.h"

#include <stdio.h>
#include <string.h>

const struct type type_bool = {.base = TYPE_BOOL};
const struct type type_count = {.base = TYPE_NUMBER};
const struct type type_real = {.base = TYPE_NUMBER, .is_real = true};
const struct type type_time = {.base = TYPE_NUMBER, .seconds = 1};
const struct type type_bytes = {.base = TYPE_NUMBER, .bytes = 1};
const struct type type_instant = {.base = TYPE_NUMBER, .seconds = 1, .is_instant = true};
const struct type type_rank = {.base = TYPE_RANK};
const struct type type_text = {.base = TYPE_TEXT};
const struct type type_function = {.base = TYPE_FUNCTION};
const struct type type_event = {.base = TYPE_EVENT};

static const char *const base_names[] = {
	[TYPE_BOOL] = "a condition",    [TYPE_RANK] = "a rank",          [TYPE_TEXT] = "a text",
	[TYPE_FUNCTION] = "a function", [TYPE_PLACE] = "a source place", [TYPE_EVENT] = "an event",
};

static const char *const thing_names[] = {
	[THING_PROCESS] = "a process",       [THING_THREAD] = "a thread", [THING_NODE] = "a node",
	[THING_COMM] = "a communicator",     [THING_WINDOW] = "a window", [THING_FILE] = "a file",
	[THING_REQUEST] = "a request",       [THING_MUTEX] = "a lock",    [THING_INSTANCE] = "an instance",
	[THING_COMPLETION] = "a completion", [THING_PHASE] = "a phase",   [THING_EVENT] = "a call's identity",
};

struct named_unit {
	int8_t seconds, bytes;
	const char *name;
};

static const struct named_unit named_units[] = {
	{0, 0, "a plain number"}, {1, 0, "a time (s)"},         {0, 1, "bytes"},
	{-1, 1, "a rate (B/s)"},  {-1, 0, "a frequency (1/s)"},
};

static const char *describe_power(struct arena *arena, const char *unit, int power)
{
	if (power == 0)
		return "";
	return power == 1 ? unit : arena_format(arena, "%s^%d", unit, power);
}

const char *type_describe(struct arena *arena, struct type type)
{
	if (type.base == TYPE_NUMBER) {
		const char *bytes, *seconds;

		if (type.is_instant)
			return "an instant";
		if (type.is_late)
			return "an estimated time (s)";
		for (size_t i = 0; i < sizeof named_units / sizeof *named_units; i++)
			if (named_units[i].seconds == type.seconds && named_units[i].bytes == type.bytes)
				return named_units[i].name;
		bytes = describe_power(arena, "B", type.bytes);
		seconds = describe_power(arena, "s", type.seconds);
		return arena_format(arena, "a number in %s%s%s", bytes, *bytes && *seconds ? " " : "",
		                    seconds);
	}
	return type.base == TYPE_IDENTITY ? thing_names[type.thing] : base_names[type.base];
}

bool type_is_number(struct type type)
{
	return type.base == TYPE_NUMBER;
}

bool type_is_plain(struct type type)
{
	return type.base == TYPE_NUMBER && !type.seconds && !type.bytes;
}

bool type_is_ordered(struct type type)
{
	return (type.base == TYPE_NUMBER && !type.is_late) || type.base == TYPE_RANK;
}

bool types_agree(struct type a, struct type b)
{
	if (a.base != b.base)
		return false;
	if (a.base == TYPE_IDENTITY)
		return a.thing == b.thing;
	return a.base != TYPE_NUMBER || (a.seconds == b.seconds && a.bytes == b.bytes &&
	                                 a.is_instant == b.is_instant && a.is_late == b.is_late);
}

#define SECONDS \
	{ \
		.base = TYPE_NUMBER, .seconds = 1 \
	}
#define BYTES \
	{ \
		.base = TYPE_NUMBER, .bytes = 1 \
	}

static const struct {
	const char *name;
	struct type type;
	double scale;
} casts[] = {
	{"bytes", BYTES, 1},
	{"seconds", SECONDS, 1e9},
	{"milliseconds", SECONDS, 1e6},
	{"microseconds", SECONDS, 1e3},
	{"nanoseconds", SECONDS, 1},
	{"rank", {.base = TYPE_RANK}, 1},
	{"count", {.base = TYPE_NUMBER}, 1},
	{"text", {.base = TYPE_TEXT}, 1},
};

enum { CASTS = sizeof casts / sizeof *casts };

bool unit_named(const char *name, struct type *type, double *scale)
{
	static const struct type types[] = {[UNIT_TIME] = SECONDS,
	                                    [UNIT_SIZE] = BYTES,
	                                    [UNIT_SHARE] = {.base = TYPE_NUMBER, .is_real = true}};
	const struct unit *unit = unit_by_name(name);

	if (!unit)
		return false;
	*type = types[unit->kind];
	*scale = unit->scale;
	return true;
}

bool cast_find(const char *name, struct type *type, double *scale)
{
	for (size_t i = 0; i < CASTS; i++) {
		if (strcmp(casts[i].name, name) != 0)
			continue;
		*type = casts[i].type;
		*scale = casts[i].scale;
		return true;
	}
	return false;
}

const char *unit_name(unsigned number)
{
	return unit_at(number) ? unit_at(number)->name : NULL;
}

const char *cast_name(unsigned number)
{
	return number < CASTS ? casts[number].name : NULL;
}
