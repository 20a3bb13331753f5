/* What these programs need beyond plain UPC calls, so that any UPC compiler takes them unchanged, and so does the small
 * runtime of Tarry's own tests, which is not a compiler and has no shared types.
 *
 *     shared [] char *room = upc_all_alloc(THREADS, BLOCK);
 *     WRITE(int, ON_THREAD(room, BLOCK, 1), 42);         // an element on thread 1
 *     READ(int, BEHIND(ON_THREAD(room, BLOCK, 1), 4));   // the one behind it
 *     work(200);                                         // 200 ms */
#if defined(__UPC__) && defined(__BERKELEY_UPC__)
#pragma upc upc_code /* translate this header too, although little in it looks like UPC */
#endif
#ifndef PORTABLE_H
#define PORTABLE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <upc_relaxed.h>

#ifdef __UPC__
#define ON_THREAD(object, bytes, thread) \
	((shared void *)((shared[bytes] char *)(object) + (size_t)(bytes) * (size_t)(thread)))
#define BEHIND(object, bytes) ((shared void *)((shared[] char *)(object) + (bytes)))
#define READ(type, from) (*(shared[] type *)(from))
#define WRITE(type, to, value) (*(shared[] type *)(to) = (value))
#define WRITE_STRICT(type, to, value) (*(strict shared[] type *)(to) = (value))
#else
#define ON_THREAD(object, bytes, thread) ((void *)((char *)(object) + (size_t)(bytes) * (size_t)(thread)))
#define BEHIND(object, bytes) ((void *)((char *)(object) + (bytes)))
#define READ(type, from) \
	({ \
		type upcr_value; \
		upcr_get(&upcr_value, from, sizeof(upcr_value), true, UPCR_HERE); \
		upcr_value; \
	})
#define WRITE_AS(type, to, value, is_relaxed) \
	do { \
		type upcr_value = (value); \
		upcr_put(to, &upcr_value, sizeof(upcr_value), is_relaxed, UPCR_HERE); \
	} while (0)
#define WRITE(type, to, value) WRITE_AS(type, to, value, true)
#define WRITE_STRICT(type, to, value) WRITE_AS(type, to, value, false)
#endif

/* Work that takes that long: the thread sleeps, so that no other one is slowed down by it. */
static inline void work(int milliseconds)
{
	usleep((useconds_t)milliseconds * 1000);
}

#endif
