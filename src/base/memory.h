/* Heap memory for programs that cannot continue without it: these functions never return NULL. When
 * allocation fails, they call the handler, which must not return; the front end's handler prints a message
 * and exits. Libraries in the user's job do not use this file: they allocate their memory at start and step
 * aside when there is none. */
#ifndef TARRY_BASE_MEMORY_H
#define TARRY_BASE_MEMORY_H

#include <stddef.h>

/* Without a handler the process aborts. */
void memory_on_exhaustion(void (*handler)(size_t wanted));

/* Zeroed; release it with free(). */
void *memory_new(size_t count, size_t size);

/* Like reallocarray(): the added part is not zeroed. */
void *memory_grow(void *old, size_t count, size_t size);

/* Calls the handler; for containers that could not grow. */
void memory_exhausted(size_t wanted) __attribute__((noreturn));

char *memory_copy_text(const char *text);

/* From now on, large blocks are returned to the system as soon as they are freed, and grow without being
 * copied. For separate programs, not for libraries in the user's job. */
void memory_map_large(void);

/* Returns freed memory to the system, where the C library can. Call it after a phase whose memory the
 * next phase cannot reuse. */
void memory_trim(void);

#endif
