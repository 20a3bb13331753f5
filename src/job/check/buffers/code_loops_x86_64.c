#include "job/check/buffers/code_loops.h"

#ifdef __x86_64__
#include <string.h>

enum {
	SHORT_JUMP = 0xeb,
	JUMP = 0xe9,
	PREFIX = 0x0f,
	CONDITIONS = 0xf0,
	SHORT_CONDITION = 0x70,
	CONDITION = 0x80
};
enum { LONGEST = 6 };

/* It is unknown where instructions start, so every byte may start one. This finds some branches that do not
 * exist, but misses none. */
bool code_branch_back(uintptr_t first, uintptr_t end, uintptr_t back, struct code_branch *found)
{
	for (uintptr_t at = first; at + LONGEST <= end; at++) {
		/* NOLINTNEXTLINE(performance-no-int-to-ptr): code of the program */
		const uint8_t *code = (const uint8_t *)at;
		const bool has_prefix = *code == PREFIX && (code[1] & CONDITIONS) == CONDITION,
			   is_short = *code == SHORT_JUMP || (*code & CONDITIONS) == SHORT_CONDITION;
		const uintptr_t operand = 1 + has_prefix;
		int32_t distance = is_short ? (int8_t)code[1] : 0;

		if (has_prefix || *code == JUMP)
			memcpy(&distance, code + operand, sizeof distance);
		*found = (struct code_branch){at, at + operand + (is_short ? 1 : sizeof distance) +
		                                          (uintptr_t)(intptr_t)distance};
		if (distance < 0 && found->target <= back)
			return true;
	}
	return false;
}
#endif
