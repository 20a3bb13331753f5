/* Lists of numbers as people and Linux write them: "0-3,8" or "0-3, 8".
 *
 *	struct number_range range;
 *	while (next_range(&list, &range))
 *		…
 *	if (*list)
 *		invalid: `list` points to the error */
#ifndef TARRY_BASE_NUMBER_RANGES_H
#define TARRY_BASE_NUMBER_RANGES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct number_range {
	uint32_t first, last; /* below UINT32_MAX */
};

static inline bool take_range_end(const char **text, uint32_t *number)
{
	char *end;
	unsigned long long value = strtoull(*text, &end, 10);

	if (**text < '0' || **text > '9' || value >= UINT32_MAX)
		return false;
	*number = (uint32_t)value;
	*text = end;
	return true;
}

/* False: at the end, or at an error. */
static inline bool next_range(const char **text, struct number_range *range)
{
	const char *at = *text;

	if (!take_range_end(&at, &range->first))
		return false;
	range->last = range->first;
	if (*at == '-' && (at++, !take_range_end(&at, &range->last)))
		return false;
	if (range->last < range->first || (*at && *at != ',' && *at != '\n'))
		return false;
	at += *at == ',';
	*text = at + strspn(at, " \n");
	return true;
}

#endif
