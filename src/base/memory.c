#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void (*on_exhaustion)(size_t wanted);

void memory_on_exhaustion(void (*handler)(size_t wanted))
{
	on_exhaustion = handler;
}

static void *never_null(void *memory, size_t count, size_t size)
{
	if (memory || !count || !size)
		return memory;
	if (on_exhaustion)
		on_exhaustion(count * size);
	abort();
}

void *memory_new(size_t count, size_t size)
{
	return never_null(calloc(count, size), count, size);
}

void *memory_grow(void *old, size_t count, size_t size)
{
	return never_null(reallocarray(old, count, size), count, size);
}

char *memory_copy_text(const char *text)
{
	return never_null(strdup(text), 1, strlen(text) + 1);
}
