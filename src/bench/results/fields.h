/* The fields of a point by their names in files: JSON and CSV are written from this table, and JSON is
 * read by it. */
#ifndef TARRY_BENCH_RESULTS_FIELDS_H
#define TARRY_BENCH_RESULTS_FIELDS_H

#include "bench/results/results.h"

#define RESULTS_FORMAT "tarry-bench"
enum { RESULTS_VERSION = 1 };

enum field_kind {
	FIELD_TEXT,    /* const char * */
	FIELD_BYTES,   /* uint64_t */
	FIELD_COUNT,   /* size_t */
	FIELD_RANK,    /* int; none: -1, null in files */
	FIELD_FLAG,    /* bool */
	FIELD_NUMBER,  /* double, not negative; unknown: NAN, null in files */
	FIELD_DERIVED, /* the same, computed instead of stored */
};

struct point_field {
	const char *name;
	enum field_kind kind;
	size_t offset; /* in struct result_point */
	double (*derive)(const struct result_point *point);
};

extern const struct point_field point_fields[]; /* ends with an entry without a name */

static inline const void *field_of(const struct point_field *field, const struct result_point *point)
{
	return (const char *)point + field->offset;
}

static inline double field_number(const struct point_field *field, const struct result_point *point)
{
	return field->derive ? field->derive(point) : *(const double *)field_of(field, point);
}

#endif
