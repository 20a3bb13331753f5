#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TRAIL_SIZE = 2048 };

static _Thread_local char trail[TRAIL_SIZE];

enum status fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(trail, sizeof trail, format, args);
	va_end(args);
	return FAILED;
}

enum status because(const char *format, ...)
{
	char cause[TRAIL_SIZE];
	va_list args;
	int written;

	memcpy(cause, trail, sizeof cause);
	va_start(args, format);
	written = vsnprintf(trail, sizeof trail, format, args);
	va_end(args);
	if (written >= 0 && (size_t)written < sizeof trail)
		snprintf(trail + written, sizeof trail - (size_t)written, ": %s", cause);
	return FAILED;
}

const char *trail_text(void)
{
	return trail;
}
