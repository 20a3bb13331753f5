#include "output/exchange/perfetto_exporter.h"

/* Slice `a` stands in the file already. At one time, packets are taken in the order of the file, so an end of `b` must
 * not fall on one of `a` that it would be mistaken for. */
static bool lie_well(int64_t a_start, int64_t a_end, int64_t b_start, int64_t b_end)
{
	bool behind = b_start >= a_end, before = b_end < a_start;
	bool inside = b_start >= a_start && b_end < a_end;
	bool around = b_start < a_start && b_end >= a_end;

	return behind || before || inside || around;
}

bool lane_takes(const struct lane *lane, int64_t start, int64_t end)
{
	uint64_t count = lane->slice_count < LANE_MEMORY ? lane->slice_count : LANE_MEMORY;

	for (uint64_t i = 0; i < count; i++)
		if (!lie_well(lane->slices[i].start, lane->slices[i].end, start, end))
			return false;
	return true;
}

void lane_add(struct lane *lane, int64_t start, int64_t end)
{
	uint64_t place = lane->slice_count++ % LANE_MEMORY;

	lane->slices[place].start = start;
	lane->slices[place].end = end;
}
