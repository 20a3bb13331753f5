#include "output/report/finding_fields.h"

#include "base/json.h"

#include <inttypes.h>

#define VALUE(name, member, expression) \
	static union finding_value name(const struct report *report, const struct report_entry *entry) \
	{ \
		(void)report; \
		return (union finding_value){.member = (expression)}; \
	}

VALUE(pattern, text, entry->problem->id)
VALUE(name, text, problem_name(entry->problem, report->analysis->lang))
VALUE(severity, text, impact_names[entry->impact])
VALUE(confidence, text, confidence_names[entry->problem->confidence])
VALUE(occurrences, number, (int64_t)entry->count)
VALUE(total, number, entry->total_ns)
VALUE(mean, number, mean_ns(entry))
VALUE(maximum, number, entry->max_ns)
VALUE(share, share, share_of_run(report, entry->total_ns))

const struct finding_field finding_fields[FINDING_FIELDS] = {
	{"pattern", FINDING_TEXT, pattern},
	{"name", FINDING_TEXT, name},
	{"severity", FINDING_TEXT, severity},
	{"confidence", FINDING_TEXT, confidence},
	{"occurrences", FINDING_COUNT, occurrences},
	{"total_s", FINDING_SECONDS, total},
	{"mean_s", FINDING_SECONDS, mean},
	{"max_s", FINDING_SECONDS, maximum},
	{"share", FINDING_SHARE, share},
};

void finding_fields_json(struct json *json, const struct report *report, const struct report_entry *entry)
{
	for (size_t i = 0; i < FINDING_FIELDS; i++) {
		const struct finding_field *field = &finding_fields[i];
		union finding_value value = field->of(report, entry);

		if (field->kind == FINDING_COUNT)
			json_number(json, field->name, value.number);
		else if (field->kind == FINDING_SECONDS)
			json_seconds(json, field->name, value.number);
		else if (field->kind == FINDING_SHARE)
			json_real(json, field->name, value.share);
		else if (value.text)
			json_text(json, field->name, value.text);
		else
			json_null(json, field->name);
	}
}

void finding_field_csv(const struct finding_field *field, const struct report *report,
                       const struct report_entry *entry, struct text *out)
{
	union finding_value value = field->of(report, entry);

	if (field->kind == FINDING_COUNT)
		text_add(out, "%" PRId64, value.number);
	else if (field->kind == FINDING_SECONDS)
		text_add(out, "%" PRId64 ".%09" PRId64, value.number / 1000000000, value.number % 1000000000);
	else if (field->kind == FINDING_SHARE)
		text_add(out, "%.6g", value.share);
	else
		text_add(out, "%s", value.text ? value.text : "");
}
