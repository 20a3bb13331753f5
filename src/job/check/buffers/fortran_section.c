#include "job/check/buffers/fortran_section.h"

#include <stddef.h>
#include <string.h>

enum { RANK_MAX = 15 };

/* The descriptor that gfortran (8 and later) passes for an argument of assumed rank. */
struct gfortran_descriptor {
	const void *base;
	size_t offset;
	size_t element_bytes;
	int version; /* 0 */
	signed char rank, type;
	short attribute;
	ptrdiff_t span; /* bytes of a stride of 1 */
	struct {
		ptrdiff_t stride, lower, upper;
	} dimension[RANK_MAX];
};

/* Descriptors of other compilers almost always violate one of these conditions. */
static bool makes_sense(const struct gfortran_descriptor *section)
{
	if (!section || !section->element_bytes || section->version != 0 || section->rank < 0 ||
	    section->rank > RANK_MAX || section->span < 0 ||
	    (section->span && (size_t)section->span < section->element_bytes))
		return false;
	for (int i = 0; i < section->rank; i++)
		if (section->dimension[i].upper < section->dimension[i].lower - 2)
			return false;
	return true;
}

static int64_t span_of(const struct gfortran_descriptor *section)
{
	return section->span ? section->span : (int64_t)section->element_bytes;
}

static int64_t extent_of(const struct gfortran_descriptor *section, int dimension)
{
	return section->dimension[dimension].upper - section->dimension[dimension].lower + 1;
}

/* The last dimension of an array of assumed size has no end. */
enum section_kind fortran_section_kind(const void *descriptor)
{
	const struct gfortran_descriptor *section = descriptor;
	int64_t next = 1;

	if (!makes_sense(section))
		return SECTION_UNKNOWN;
	if (section->rank && span_of(section) != (int64_t)section->element_bytes)
		return SECTION_WITH_GAPS;
	for (int i = 0; i < section->rank; i++) {
		const int64_t extent = extent_of(section, i);

		if (extent != 1 && section->dimension[i].stride != next)
			return SECTION_WITH_GAPS;
		next *= extent;
	}
	return SECTION_CONTIGUOUS;
}

void *fortran_section_moved(const void *descriptor, int64_t distance)
{
	static _Thread_local struct gfortran_descriptor moved __attribute__((tls_model("initial-exec")));
	const struct gfortran_descriptor *section = descriptor;

	if (!makes_sense(section))
		return NULL;
	memcpy(&moved, section,
	       offsetof(struct gfortran_descriptor, dimension) +
	               (size_t)section->rank * sizeof *section->dimension);
	moved.base = (const char *)section->base + distance;
	return &moved;
}

bool fortran_section_runs(const void *descriptor, int64_t count, int64_t bytes, struct byte_runs *runs)
{
	const struct gfortran_descriptor *section = descriptor;
	int64_t index[RANK_MAX] = {0}, at = (int64_t)(uintptr_t)section->base, all = 1;

	for (int i = 0; i < section->rank; i++)
		all *= extent_of(section, i);
	if ((int64_t)section->element_bytes != bytes || all < count || count > BYTE_RUNS_MAX)
		return false;
	for (; count > 0; count--) {
		byte_runs_add(runs, at, bytes);
		for (int i = 0; i < section->rank; i++) {
			const int64_t step = section->dimension[i].stride * span_of(section);

			at += step;
			if (++index[i] < extent_of(section, i))
				break;
			at -= step * extent_of(section, i);
			index[i] = 0;
		}
	}
	byte_runs_sort(runs);
	return !runs->approximate;
}
