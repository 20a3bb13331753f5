/* Berkeley UPC's own <upc_atomic.h>. Atomic operations have no event, and no function with their name is
 * called: each use is put between two calls of ours. */
#if defined(__BERKELEY_UPC_SECOND_PREPROCESS__) && defined(__has_include_next)
#if __has_include_next(<upc_atomic.h>)
#include_next <upc_atomic.h>
#endif
#else
#include_next <upc_atomic.h>
#endif

#if defined(TARRY_UPC_SOURCE) && !defined(TARRY_UPC_UPCALL) && !defined(TARRY_UPC_ATOMIC_H)
#define TARRY_UPC_ATOMIC_H 1
extern upc_op_t tarry_upc_atomic_op(upc_op_t op);
extern shared void *tarry_upc_atomic_on(shared void *target, const char *name, const char *file, int line);
extern void tarry_upc_atomic_end(void);

#define upc_atomic_strict(domain, fetch, op, target, ...) \
	(upc_atomic_strict(domain, fetch, tarry_upc_atomic_op(op), \
	                   tarry_upc_atomic_on(target, "upc_atomic_strict", __FILE__, __LINE__), \
	                   __VA_ARGS__), \
	 tarry_upc_atomic_end())
#define upc_atomic_relaxed(domain, fetch, op, target, ...) \
	(upc_atomic_relaxed(domain, fetch, tarry_upc_atomic_op(op), \
	                    tarry_upc_atomic_on(target, "upc_atomic_relaxed", __FILE__, __LINE__), \
	                    __VA_ARGS__), \
	 tarry_upc_atomic_end())
#endif
