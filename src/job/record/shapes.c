#include "job/record/shapes.h"

#include "job/record/probes.h"
#include "job/record/process.h"

#include <string.h>

static const struct shape user_shapes[SHAPES - ALL_CALLS] = {
	{"tarry_region_begin", {FIELD_REGION}, false},
	{"tarry_region_end", {FIELD_REGION}, false},
	{"tarry_phase", {FIELD_REGION}, false},
	{"tarry_mark", {FIELD_REGION}, false},
};

const struct shape *shape_of(uint32_t id)
{
	return id < ALL_CALLS ? &call_shapes[id] : &user_shapes[id - ALL_CALLS];
}

const char *shape_name(uint32_t id)
{
	return id < SHAPES ? shape_of(id)->name : probe_of(id)->function;
}

static size_t traced_text_bytes(const int64_t *key)
{
	const struct probe *probe = probe_of((uint32_t)key[KEY_WHAT]);
	size_t bytes = strlen(probe->function);

	for (uint32_t i = 0; i < probe->parameter_count; i++) {
		const struct probe_parameter *parameter = &probe->parameters[i];
		bytes += LONG_HEAD_MAX + strlen(parameter->name);
		if (parameter->kind == PROBE_TEXT && key[KEY_VALUES + i] != ABSENT)
			bytes += LONG_HEAD_MAX + strlen(text_of(key[KEY_VALUES + i]));
	}
	return bytes;
}

size_t shape_text_bytes(const int64_t *key, uint32_t words)
{
	if ((uint32_t)key[KEY_WHAT] >= SHAPES)
		return traced_text_bytes(key);

	const struct shape *shape = shape_of((uint32_t)key[KEY_WHAT]);
	size_t bytes = strlen(shape->name);
	uint32_t at = KEY_VALUES;

	for (const uint8_t *field = shape->fields; *field && at < words; field++, at++)
		if ((*field == FIELD_REGION || *field == FIELD_PORT || *field == FIELD_PROGRAM) &&
		    key[at] != ABSENT)
			bytes += LONG_HEAD_MAX + strlen(text_of(key[at]));
	return bytes;
}
