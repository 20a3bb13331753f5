/* The figures of a finding that programs read: one row each, for JSON and CSV alike. docs/report.schema.json has their types. */
#ifndef TARRY_OUTPUT_REPORT_FINDING_FIELDS_H
#define TARRY_OUTPUT_REPORT_FINDING_FIELDS_H

#include "output/report/parts.h"

enum finding_field_kind { FINDING_TEXT, FINDING_COUNT, FINDING_SECONDS, FINDING_SHARE };

union finding_value {
	const char *text; /* NULL: none */
	int64_t number;   /* a count, or nanoseconds */
	double share;
};

struct finding_field {
	const char *name;
	enum finding_field_kind kind;
	union finding_value (*of)(const struct report *report, const struct report_entry *entry);
};

enum { FINDING_FIELDS = 9 };
extern const struct finding_field finding_fields[FINDING_FIELDS];

struct json;
void finding_fields_json(struct json *json, const struct report *report, const struct report_entry *entry);
void finding_field_csv(const struct finding_field *field, const struct report *report,
                       const struct report_entry *entry, struct text *out);

#endif
