/* The implementation's own <upc_atomic.h>. No runtime reports atomic operations. Berkeley UPC makes something else of the names,
 * so there each use is put between two calls of ours; libupc has functions, which the linker sends through wrappers. */
#include "../tarry_upc.h"

#if defined(__GNUC__) && !defined(TARRY_UPC_BERKELEY)
#pragma GCC system_header
#endif

/* Only our own up-calls can do without. */
#if defined(TARRY_UPC_UPCALL) && defined(__has_include_next)
#if __has_include_next(<upc_atomic.h>)
#define TARRY_UPC_HAS_ATOMIC 1
#endif
#elif defined(__UPC_ATOMIC__)
#define TARRY_UPC_HAS_ATOMIC 1
#endif

#if !defined(TARRY_UPC_UPCALL) || defined(TARRY_UPC_HAS_ATOMIC)
#include_next <upc_atomic.h>
#endif

#if defined(TARRY_UPC_SOURCE) && !defined(TARRY_UPC_UPCALL) && !defined(TARRY_UPC_ATOMIC_H)
#define TARRY_UPC_ATOMIC_H 1
#ifdef TARRY_UPC_BERKELEY
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
#else
#define upc_atomic_strict(domain, fetch, op, ...) \
	upc_atomic_strict(domain, fetch, (tarry_upc_at(__FILE__, __LINE__), (op)), __VA_ARGS__)
#define upc_atomic_relaxed(domain, fetch, op, ...) \
	upc_atomic_relaxed(domain, fetch, (tarry_upc_at(__FILE__, __LINE__), (op)), __VA_ARGS__)
#endif
#endif
