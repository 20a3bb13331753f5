#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char units[] = "KMGTP";

/* The power of 1024 that a suffix stands for, -1 if it is none. */
static int unit_power(const char *suffix)
{
	const char *unit;

	if (!*suffix || strcasecmp(suffix, "B") == 0)
		return 0;
	unit = strchr(units, toupper((unsigned char)suffix[0]));
	if (!unit || (suffix[1] && strcasecmp(suffix + 1, "B") != 0 && strcasecmp(suffix + 1, "iB") != 0))
		return -1;
	return (int)(unit - units) + 1;
}

enum status parse_size(const char *text, uint64_t *bytes)
{
	char *end;
	unsigned long long number;
	int power;

	errno = 0;
	number = strtoull(text, &end, 10);
	power = unit_power(end);
	if (!isdigit((unsigned char)text[0]) || power < 0)
		return fail("'%s' is not a size; write it like 4096, 64K, 16M or 1G", text);
	if (errno || number > UINT64_MAX >> 10 * power)
		return fail("'%s' does not fit in 64 bits", text);
	*bytes = (uint64_t)number << 10 * power;
	return OK;
}

enum status parse_integer(const char *text, int64_t *number)
{
	char *end;
	long long value;

	errno = 0;
	value = strtoll(text, &end, 10);
	if (end == text || *end)
		return fail("'%s' is not a whole number", text);
	if (errno)
		return fail("'%s' does not fit in 64 bits", text);
	*number = value;
	return OK;
}

enum status parse_real(const char *text, double *number)
{
	char *end;
	double value = strtod(text, &end);
	bool is_share = *end == '%' && end[1] == 0;

	/* No "inf", no "nan", nothing hexadecimal. */
	if (end == text || (*end && !is_share) || text[strspn(text, "+-.0123456789eE%")])
		return fail("'%s' is not a number; write it like 0.25 or 25%%", text);
	if (!isfinite(value))
		return fail("'%s' is too large a number", text);
	*number = is_share ? value / 100 : value;
	return OK;
}
