#include "job/check/buffers/code_loops.h"

#ifdef __aarch64__
#include <stddef.h>

enum { INSTRUCTION = 4 };

/* Branches without a link, by bits of their encoding (Arm Architecture Reference Manual, C4.1), and the field
 * with their distance in instructions. */
static const struct {
	uint32_t mask, value, shift, bits;
} encodings[] = {
	{0xfc000000, 0x14000000, 0, 26}, /* B */
	{0xff000000, 0x54000000, 5, 19}, /* B.cond */
	{0x7e000000, 0x34000000, 5, 19}, /* CBZ, CBNZ */
	{0x7e000000, 0x36000000, 5, 14}, /* TBZ, TBNZ */
};

/* The distance in instructions; 0: not a branch. */
static int64_t distance_of(uint32_t instruction)
{
	for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++) {
		const int64_t limit = (int64_t)1 << encodings[i].bits,
			      field = instruction >> encodings[i].shift & (limit - 1);

		if ((instruction & encodings[i].mask) == encodings[i].value)
			return field < limit / 2 ? field : field - limit;
	}
	return 0;
}

bool code_branch_back(uintptr_t first, uintptr_t end, uintptr_t back, struct code_branch *found)
{
	for (uintptr_t at = (first + INSTRUCTION - 1) / INSTRUCTION * INSTRUCTION; at + INSTRUCTION <= end;
	     at += INSTRUCTION) {
		/* NOLINTNEXTLINE(performance-no-int-to-ptr): code of the program */
		const int64_t distance = distance_of(*(const uint32_t *)at);

		*found = (struct code_branch){at, at + (uintptr_t)(distance * INSTRUCTION)};
		if (distance < 0 && found->target <= back)
			return true;
	}
	return false;
}
#endif
