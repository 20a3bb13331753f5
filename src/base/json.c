#include "base/json.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void new_line(struct json *json)
{
	if (json->is_compact)
		return;
	text_add(json->out, "\n");
	text_add_repeated(json->out, ' ', 2 * (size_t)json->depth);
}

/* Bytes that are not UTF-8 become the replacement character, since JSON cannot represent them. */
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
		text_add(json->out, json->is_compact ? ":" : ": ");
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
	if (!json->depth && !json->is_compact)
		text_add(json->out, "\n");
}

void json_close_all(struct json *json, const char *brackets)
{
	while (*brackets)
		json_close(json, *brackets++);
}

void json_text(struct json *json, const char *key, const char *value)
{
	begin_item(json, key);
	if (value)
		add_quoted(json->out, value);
	else
		text_add(json->out, "null");
}

void json_texts(struct json *json, const char *key, const char *const *values, size_t count)
{
	json_open(json, key, '[');
	for (size_t i = 0; i < count; i++)
		json_text(json, NULL, values[i]);
	json_close(json, ']');
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
	json_value(json, key, "null");
}

void json_numbers(struct json *json, const int64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		json_number(json, NULL, values[i]);
}

void json_value(struct json *json, const char *key, const char *value)
{
	begin_item(json, key);
	text_add_bytes(json->out, value, strlen(value));
}

void json_fields(struct json *json, const struct json_field *fields, const void *record)
{
	for (const struct json_field *field = fields; field->name; field++) {
		const void *at = (const char *)record + field->offset;

		switch (field->type) {
		case JSON_TEXT:
			json_text(json, field->name, *(const char *const *)at);
			break;
		case JSON_COUNT:
			json_number(json, field->name, (int64_t) * (const uint64_t *)at);
			break;
		case JSON_COUNT32:
			json_number(json, field->name, *(const uint32_t *)at);
			break;
		case JSON_LINE:
			if (*(const int *)at)
				json_number(json, field->name, *(const int *)at);
			else
				json_null(json, field->name);
			break;
		case JSON_SECONDS:
			json_seconds(json, field->name, *(const int64_t *)at);
			break;
		case JSON_REAL:
			json_real(json, field->name, *(const double *)at);
			break;
		case JSON_EXACT:
			json_exact(json, field->name, *(const double *)at);
			break;
		case JSON_BOOL:
			json_bool(json, field->name, *(const bool *)at);
		}
	}
}

void json_record(struct json *json, const char *key, const struct json_field *fields, const void *record)
{
	json_open(json, key, '{');
	json_fields(json, fields, record);
	json_close(json, '}');
}
