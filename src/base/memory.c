/* reallocarray() */
#define _DEFAULT_SOURCE

#include "base/memory.h"

#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <pthread.h>
#endif

enum { LARGE = 4 << 20 };

static void (*on_exhaustion)(size_t wanted);

void memory_on_exhaustion(void (*handler)(size_t wanted))
{
	on_exhaustion = handler;
}

void memory_exhausted(size_t wanted)
{
	if (on_exhaustion)
		on_exhaustion(wanted);
	abort();
}

static void *never_null(void *memory, size_t count, size_t size)
{
	if (memory || !count || !size)
		return memory;
	memory_exhausted(count * size);
}

void *memory_new(size_t count, size_t size)
{
	return array_on_large_pages(never_null(calloc(count, size), count, size), count * size);
}

void *memory_grow(void *old, size_t count, size_t size)
{
	return array_on_large_pages(never_null(reallocarray(old, count, size), count, size), count * size);
}

char *memory_copy_text(const char *text)
{
	return never_null(strdup(text), 1, strlen(text) + 1);
}

void memory_map_large(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

void memory_trim(void)
{
#ifdef __GLIBC__
	/* If another library replaces malloc, the first call initializes glibc's heap, and two threads may
	 * make this call at once. */
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&lock);
	malloc_trim(0);
	pthread_mutex_unlock(&lock);
#endif
}
