/* Writes JSON into a text, indented by two spaces per level. It adds commas and quotes; the caller
 * balances the brackets.
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
	bool has_items;  /* at this level */
	bool is_compact; /* without spaces and line breaks, for pages; may change between two items */
};

void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);
/* Several levels, the innermost first: "]}". */
void json_close_all(struct json *json, const char *brackets);
/* null if the value is NULL */
void json_text(struct json *json, const char *key, const char *value);
void json_texts(struct json *json, const char *key, const char *const *values, size_t count);
void json_number(struct json *json, const char *key, int64_t value);
/* Seconds, exact to the last nanosecond: 1.500000000. */
void json_seconds(struct json *json, const char *key, int64_t ns);
/* An approximate number, with six significant digits. */
void json_real(struct json *json, const char *key, double value);
/* As few digits as are needed to read the same number again; null unless it is finite. */
void json_exact(struct json *json, const char *key, double value);
/* An array of such numbers on one line. */
void json_row(struct json *json, const char *key, const double *values, size_t count);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);
/* Items of the open array. */
void json_numbers(struct json *json, const int64_t *values, size_t count);
/* A value that is already JSON. */
void json_value(struct json *json, const char *key, const char *value);

/* A field of a struct, declared once for all outputs:
 *
 *	static const struct json_field fields[] = {
 *		JSON_FIELD(rank_figures, "calls", COUNT, calls, "recorded calls"),
 *		JSON_FIELD(rank_figures, "length_s", SECONDS, length_ns, "from the first call to the last"),
 *		{0}};
 *	json_fields(&json, fields, &rank);                members of the open object
 *	json_record(&json, "rank", fields, &rank);        a new object */
enum json_type {
	JSON_TEXT,    /* const char *; NULL: null */
	JSON_COUNT,   /* uint64_t */
	JSON_COUNT32, /* uint32_t */
	JSON_LINE,    /* int; 0: null */
	JSON_SECONDS, /* int64_t, ns */
	JSON_REAL,    /* double */
	JSON_EXACT,   /* double, with all digits */
	JSON_BOOL,
};

struct json_field {
	const char *name;
	enum json_type type;
	size_t offset;
	const char *meaning; /* shown in the documentation */
};

#define JSON_FIELD(record, name, type, member, meaning) \
	{ \
		name, JSON_##type, offsetof(struct record, member), meaning \
	}

/* The list ends with {0}. */
void json_fields(struct json *json, const struct json_field *fields, const void *record);
void json_record(struct json *json, const char *key, const struct json_field *fields, const void *record);

#endif
