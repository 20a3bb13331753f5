#include "bench/results/fields.h"

#include <stddef.h>

static double plain_error_of(const struct result_point *point)
{
	return plain_error(&point->summary);
}

#define FIELD(name, kind, member) \
	{ \
		name, FIELD_##kind, offsetof(struct result_point, member), NULL \
	}

const struct point_field point_fields[] = {
	FIELD("operation", TEXT, operation),
	FIELD("variant", TEXT, variant),
	FIELD("bytes", BYTES, bytes),
	FIELD("ranks", RANK, ranks),
	FIELD("root", RANK, root),
	FIELD("datatype", TEXT, datatype),
	FIELD("reduction", TEXT, reduction),
	FIELD("communicator", TEXT, communicator),
	FIELD("cache", TEXT, cache),
	FIELD("in_place", FLAG, in_place),
	FIELD("stages", COUNT, stages),
	FIELD("runs", COUNT, runs),
	FIELD("right", COUNT, summary.count),
	FIELD("kept", COUNT, summary.kept),
	FIELD("mean_s", NUMBER, summary.mean),
	FIELD("half_width_s", NUMBER, summary.half_width),
	FIELD("error_s", NUMBER, summary.error),
	{"plain_error_s", FIELD_DERIVED, 0, plain_error_of},
	FIELD("deviation_s", NUMBER, summary.deviation),
	FIELD("min_s", NUMBER, summary.min),
	FIELD("q05_s", NUMBER, summary.q05),
	FIELD("q25_s", NUMBER, summary.q25),
	FIELD("median_s", NUMBER, summary.median),
	FIELD("q75_s", NUMBER, summary.q75),
	FIELD("q95_s", NUMBER, summary.q95),
	FIELD("max_s", NUMBER, summary.max),
	FIELD("window_s", NUMBER, window),
	FIELD("clock_error_s", NUMBER, clock_error),
	FIELD("overlap", NUMBER, overlap),
	FIELD("computing_s", NUMBER, computing),
	FIELD("total_s", NUMBER, total),
	FIELD("bytes_per_s", NUMBER, rate),
	{0},
};
