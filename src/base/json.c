#include "base/json.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void new_line(struct json *json)
{
	text_add(json->out, "\n");
	text_add_repeated(json->out, ' ', 2 * (size_t)json->depth);
}

/* Bytes that are no UTF-8 are shown as the replacement character: JSON has no other place for them. */
static void add_quoted(struct text *out, const char *value)
{
	const char *end = value + strlen(value);

	text_add(out, "\"");
	while (value < end) {
		const char *begin = value;
		uint32_t code = utf8_next(&value, end);
		if (code == '"' || code == '\\')
			text_add(out, "\\%c", *begin);
		else if (code != UTF8_INVALID && utf8_is_control(code))
			text_add(out, "\\u%04x", code);
		else if (code == UTF8_INVALID)
			text_add(out, UTF8_REPLACEMENT);
		else
			text_add_bytes(out, begin, (size_t)(value - begin));
	}
	text_add(out, "\"");
}

static void begin_item(struct json *json, const char *key)
{
	if (json->has_items)
		text_add(json->out, ",");
	if (json->depth)
		new_line(json);
	json->has_items = true;
	if (key) {
		add_quoted(json->out, key);
		text_add(json->out, ": ");
	}
}

void json_open(struct json *json, const char *key, char bracket)
{
	begin_item(json, key);
	text_add(json->out, "%c", bracket);
	json->depth++;
	json->has_items = false;
}

void json_close(struct json *json, char bracket)
{
	json->depth--;
	if (json->has_items)
		new_line(json);
	text_add(json->out, "%c", bracket);
	json->has_items = true;
	if (!json->depth)
		text_add(json->out, "\n");
}

void json_text(struct json *json, const char *key, const char *value)
{
	begin_item(json, key);
	add_quoted(json->out, value);
}

void json_number(struct json *json, const char *key, int64_t value)
{
	begin_item(json, key);
	text_add(json->out, "%" PRId64, value);
}

void json_seconds(struct json *json, const char *key, int64_t ns)
{
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	begin_item(json, key);
	text_add(json->out, "%s%" PRIu64 ".%09" PRIu64, ns < 0 ? "-" : "", size / 1000000000,
	         size % 1000000000);
}

void json_real(struct json *json, const char *key, double value)
{
	begin_item(json, key);
	text_add(json->out, "%.6g", isfinite(value) ? value : 0);
}

static void add_exact(struct text *out, double value)
{
	char digits[32] = "null";

	for (int count = 6; isfinite(value) && count <= 17; count++) {
		snprintf(digits, sizeof digits, "%.*g", count, value);
		if (strtod(digits, NULL) == value)
			break;
	}
	text_add(out, "%s", digits);
}

void json_exact(struct json *json, const char *key, double value)
{
	begin_item(json, key);
	add_exact(json->out, value);
}

void json_row(struct json *json, const char *key, const double *values, size_t count)
{
	begin_item(json, key);
	text_add(json->out, "[");
	for (size_t i = 0; i < count; i++) {
		text_add(json->out, i ? ", " : "");
		add_exact(json->out, values[i]);
	}
	text_add(json->out, "]");
}

void json_bool(struct json *json, const char *key, bool value)
{
	begin_item(json, key);
	text_add(json->out, "%s", value ? "true" : "false");
}

void json_null(struct json *json, const char *key)
{
	begin_item(json, key);
	text_add(json->out, "null");
}
