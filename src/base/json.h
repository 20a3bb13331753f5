/* Writes JSON into a text, two spaces for each level. Commas and quoting are its business, balance the
 * caller's.
 *
 *	struct json json = {.out = &text};
 *	json_open(&json, NULL, '{');
 *	json_text(&json, "name", "heat");
 *	json_open(&json, "ranks", '[');
 *	json_number(&json, NULL, 4);
 *	json_close(&json, ']');
 *	json_close(&json, '}');
 *
 * `key` is NULL in arrays and at the top. */
#ifndef TARRY_BASE_JSON_H
#define TARRY_BASE_JSON_H

#include "base/text.h"

struct json {
	struct text *out;
	int depth;
	bool has_items; /* at this level */
};

void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);
void json_text(struct json *json, const char *key, const char *value);
void json_number(struct json *json, const char *key, int64_t value);
/* Seconds, exact to the last nanosecond: 1.500000000. */
void json_seconds(struct json *json, const char *key, int64_t ns);
/* A number that is not exact, with six digits that count. */
void json_real(struct json *json, const char *key, double value);
/* As few digits as it takes to read the same number again; null unless it is finite. */
void json_exact(struct json *json, const char *key, double value);
/* An array of those on one line. */
void json_row(struct json *json, const char *key, const double *values, size_t count);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);

#endif
