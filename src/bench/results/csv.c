#include "bench/results/fields.h"
#include "bench/results/memory_use.h"
#include "bench/results/output.h"
#include "bench/results/point_text.h"

#include <inttypes.h>
#include <math.h>

/* Empty if unknown. */
static void add_field(struct text *out, const struct point_field *field, const struct result_point *point)
{
	const void *at = field_of(field, point);

	switch (field->kind) {
	case FIELD_TEXT:
		text_add_csv(out, *(const char *const *)at);
		break;
	case FIELD_BYTES:
		text_add(out, "%" PRIu64, *(const uint64_t *)at);
		break;
	case FIELD_COUNT:
		text_add(out, "%zu", *(const size_t *)at);
		break;
	case FIELD_RANK:
		if (*(const int *)at >= 0)
			text_add(out, "%d", *(const int *)at);
		break;
	case FIELD_FLAG:
		text_add(out, "%s", *(const bool *)at ? "true" : "false");
		break;
	case FIELD_NUMBER:
	case FIELD_DERIVED:
		if (isfinite(field_number(field, point)))
			text_add(out, "%.12g", field_number(field, point));
		break;
	}
}

static void add_memory(const struct results *results, struct text *out)
{
	text_add(out, "step,ranks");
	for (const struct memory_field *field = memory_fields; field->name; field++)
		text_add(out, ",%s", field->name);
	text_add(out, "\n");
	for (size_t i = 0; i < results->memory_count; i++) {
		const struct memory_use *use = &results->memory[i];

		text_add_csv(out, use->step);
		text_add(out, ",%d", use->ranks);
		for (const struct memory_field *field = memory_fields; field->name; field++)
			text_add(out, ",%.0f", *memory_value(field, use));
		text_add(out, "\n");
	}
}

void results_csv(const struct results *results, struct text *out)
{
	if (results->memory_count && !results->point_count) {
		add_memory(results, out);
		return;
	}
	for (const struct point_field *field = point_fields; field->name; field++)
		text_add(out, "%s,", field->name);
	text_add(out, "marks\n");
	for (size_t i = 0; i < results->point_count; i++) {
		for (const struct point_field *field = point_fields; field->name; field++) {
			add_field(out, field, &results->points[i]);
			text_add(out, ",");
		}
		text_add_marks(out, results->points[i].marks, " ");
		text_add(out, "\n");
	}
}
