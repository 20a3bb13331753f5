/* Heap memory for programs that have no use for going on without it: these functions never return NULL. When
 * the machine refuses, they call the handler, which must not return; the front end sets one that says so and
 * exits. Libraries in the user's job do not use this file: they claim their memory at start and step aside
 * when there is none. */
#ifndef TARRY_BASE_MEMORY_H
#define TARRY_BASE_MEMORY_H

#include <stddef.h>

/* Without a handler the process aborts. */
void memory_on_exhaustion(void (*handler)(size_t wanted));

/* Zeroed, to be given back with free(). */
void *memory_new(size_t count, size_t size);

/* Like reallocarray(): the added part is not zeroed. */
void *memory_grow(void *old, size_t count, size_t size);

/* Calls the handler; for containers that could not grow. */
void memory_exhausted(size_t wanted) __attribute__((noreturn));

char *memory_copy_text(const char *text);

/* From now on, what is large goes back to the machine as soon as it is freed, and grows without being copied: for a
 * program of its own, not within the user's. */
void memory_map_large(void);

/* Much was given back, and what comes next needs memory of another kind: lets the machine have it, where the C library can. */
void memory_trim(void);

#endif
