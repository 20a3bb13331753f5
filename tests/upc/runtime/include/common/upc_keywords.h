/* Everything that UPC programs may use without a header. The compiler drivers include this file first, and turn
 *
 *     upc_barrier 42;                          into  upc_barrier_statement(42);
 *     upc_forall (a; b; c; d)                  into  upc_forall_loop (a; b; c) upc_forall_part(d)
 *     shared [BLOCK] int *p                    into  shared int *p
 *     #pragma pupc off                         into  #include <pupc_off.h> */
#ifndef UPC_KEYWORDS_H
#define UPC_KEYWORDS_H

#include <stdlib.h>

#include <upcr.h>

#define shared
#define strict
#define relaxed

#define MYTHREAD upcr_mythread()
#define THREADS upcr_threads()

#include <pupc_on.h>

#define UPCR_ID(...) (sizeof(#__VA_ARGS__) > 1), __VA_ARGS__ + 0
#define upc_barrier_statement(...) upcr_barrier(UPCR_HERE, UPCR_ID(__VA_ARGS__))
#define upc_notify_statement(...) upcr_notify(UPCR_HERE, UPCR_ID(__VA_ARGS__))
#define upc_wait_statement(...) upcr_wait(UPCR_HERE, UPCR_ID(__VA_ARGS__))
#define upc_fence upcr_fence()

#define upc_forall_loop \
	for (struct upcr_forall upcr_loop = upcr_forall_start(UPCR_HERE); !upcr_loop.is_over; \
	     upcr_forall_end(&upcr_loop)) \
		for
#define upc_forall_part(affinity) if ((size_t)(affinity) % (size_t)THREADS == (size_t)MYTHREAD)

#define exit(status) upcr_exit(status)

#ifdef UPCR_REPORTS_MALLOC
#define malloc(bytes) upcr_malloc(bytes, UPCR_HERE)
#define realloc(old, bytes) upcr_realloc(old, bytes, UPCR_HERE)
#define free(old) upcr_cfree(old, UPCR_HERE)
#endif

#endif
