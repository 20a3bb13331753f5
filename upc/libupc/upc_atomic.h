/* libupc's own <upc_atomic.h>. It does not report atomic operations: the linker redirects them to
 * wrappers. Here they first note their place, as in <upc_collective.h>. */
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include_next <upc_atomic.h>

#if defined(TARRY_UPC_SOURCE) && !defined(TARRY_UPC_UPCALL) && !defined(TARRY_UPC_ATOMIC_H)
#define TARRY_UPC_ATOMIC_H 1
#define upc_atomic_strict(domain, fetch, op, ...) \
	upc_atomic_strict(domain, fetch, (tarry_upc_at(__FILE__, __LINE__), (op)), __VA_ARGS__)
#define upc_atomic_relaxed(domain, fetch, op, ...) \
	upc_atomic_relaxed(domain, fetch, (tarry_upc_at(__FILE__, __LINE__), (op)), __VA_ARGS__)
#endif
