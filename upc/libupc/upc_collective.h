/* libupc's own <upc_collective.h>. It does not report collective calls: the linker redirects them to
 * wrappers. Here they first note their place, inside an argument, so that the name may still be anything:
 * a member, a pointer. */
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include_next <upc_collective.h>

#if defined(TARRY_UPC_SOURCE) && !defined(TARRY_UPC_UPCALL) && !defined(TARRY_UPC_COLLECTIVE_H)
#define TARRY_UPC_COLLECTIVE_H 1
#define TARRY_UPC_HERE(value) (tarry_upc_at(__FILE__, __LINE__), (value))

#define upc_all_broadcast(dst, src, size, ...) upc_all_broadcast(dst, src, TARRY_UPC_HERE(size), __VA_ARGS__)
#define upc_all_scatter(dst, src, size, ...) upc_all_scatter(dst, src, TARRY_UPC_HERE(size), __VA_ARGS__)
#define upc_all_gather(dst, src, size, ...) upc_all_gather(dst, src, TARRY_UPC_HERE(size), __VA_ARGS__)
#define upc_all_gather_all(dst, src, size, ...) \
	upc_all_gather_all(dst, src, TARRY_UPC_HERE(size), __VA_ARGS__)
#define upc_all_exchange(dst, src, size, ...) upc_all_exchange(dst, src, TARRY_UPC_HERE(size), __VA_ARGS__)
#define upc_all_permute(dst, src, perm, size, ...) \
	upc_all_permute(dst, src, perm, TARRY_UPC_HERE(size), __VA_ARGS__)

#define upc_all_reduceC(dst, src, op, ...) upc_all_reduceC(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_reduceUC(dst, src, op, ...) upc_all_reduceUC(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_reduceS(dst, src, op, ...) upc_all_reduceS(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_reduceUS(dst, src, op, ...) upc_all_reduceUS(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_reduceI(dst, src, op, ...) upc_all_reduceI(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_reduceUI(dst, src, op, ...) upc_all_reduceUI(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_reduceL(dst, src, op, ...) upc_all_reduceL(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_reduceUL(dst, src, op, ...) upc_all_reduceUL(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_reduceF(dst, src, op, ...) upc_all_reduceF(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_reduceD(dst, src, op, ...) upc_all_reduceD(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_reduceLD(dst, src, op, ...) upc_all_reduceLD(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)

#define upc_all_prefix_reduceC(dst, src, op, ...) \
	upc_all_prefix_reduceC(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_prefix_reduceUC(dst, src, op, ...) \
	upc_all_prefix_reduceUC(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_prefix_reduceS(dst, src, op, ...) \
	upc_all_prefix_reduceS(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_prefix_reduceUS(dst, src, op, ...) \
	upc_all_prefix_reduceUS(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_prefix_reduceI(dst, src, op, ...) \
	upc_all_prefix_reduceI(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_prefix_reduceUI(dst, src, op, ...) \
	upc_all_prefix_reduceUI(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_prefix_reduceL(dst, src, op, ...) \
	upc_all_prefix_reduceL(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_prefix_reduceUL(dst, src, op, ...) \
	upc_all_prefix_reduceUL(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_prefix_reduceF(dst, src, op, ...) \
	upc_all_prefix_reduceF(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_prefix_reduceD(dst, src, op, ...) \
	upc_all_prefix_reduceD(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#define upc_all_prefix_reduceLD(dst, src, op, ...) \
	upc_all_prefix_reduceLD(dst, src, TARRY_UPC_HERE(op), __VA_ARGS__)
#endif
