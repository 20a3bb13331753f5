/* Collectives. Programs whose threads share a process cannot have them. */
#ifndef UPC_COLLECTIVE_H
#define UPC_COLLECTIVE_H

#ifdef UPCR_PTHREADS
#error "upc_collective.h is not supported with -pthreads"
#endif

#include <upc.h>

#define upc_all_broadcast(dst, src, bytes, flags) upcr_all_broadcast(dst, src, bytes, flags, UPCR_HERE)
#define upc_all_scatter(dst, src, bytes, flags) upcr_all_scatter(dst, src, bytes, flags, UPCR_HERE)
#define upc_all_gather(dst, src, bytes, flags) upcr_all_gather(dst, src, bytes, flags, UPCR_HERE)
#define upc_all_gather_all(dst, src, bytes, flags) upcr_all_gather_all(dst, src, bytes, flags, UPCR_HERE)
#define upc_all_exchange(dst, src, bytes, flags) upcr_all_exchange(dst, src, bytes, flags, UPCR_HERE)
#define upc_all_permute(dst, src, perm, bytes, flags) \
	upcr_all_permute(dst, src, perm, bytes, flags, UPCR_HERE)

#define upc_all_reduceC(...) upcr_all_reduceC(__VA_ARGS__, UPCR_HERE)
#define upc_all_reduceUC(...) upcr_all_reduceUC(__VA_ARGS__, UPCR_HERE)
#define upc_all_reduceS(...) upcr_all_reduceS(__VA_ARGS__, UPCR_HERE)
#define upc_all_reduceUS(...) upcr_all_reduceUS(__VA_ARGS__, UPCR_HERE)
#define upc_all_reduceI(...) upcr_all_reduceI(__VA_ARGS__, UPCR_HERE)
#define upc_all_reduceUI(...) upcr_all_reduceUI(__VA_ARGS__, UPCR_HERE)
#define upc_all_reduceL(...) upcr_all_reduceL(__VA_ARGS__, UPCR_HERE)
#define upc_all_reduceUL(...) upcr_all_reduceUL(__VA_ARGS__, UPCR_HERE)
#define upc_all_reduceF(...) upcr_all_reduceF(__VA_ARGS__, UPCR_HERE)
#define upc_all_reduceD(...) upcr_all_reduceD(__VA_ARGS__, UPCR_HERE)
#define upc_all_reduceLD(...) upcr_all_reduceLD(__VA_ARGS__, UPCR_HERE)
#define upc_all_prefix_reduceC(...) upcr_all_prefix_reduceC(__VA_ARGS__, UPCR_HERE)
#define upc_all_prefix_reduceUC(...) upcr_all_prefix_reduceUC(__VA_ARGS__, UPCR_HERE)
#define upc_all_prefix_reduceS(...) upcr_all_prefix_reduceS(__VA_ARGS__, UPCR_HERE)
#define upc_all_prefix_reduceUS(...) upcr_all_prefix_reduceUS(__VA_ARGS__, UPCR_HERE)
#define upc_all_prefix_reduceI(...) upcr_all_prefix_reduceI(__VA_ARGS__, UPCR_HERE)
#define upc_all_prefix_reduceUI(...) upcr_all_prefix_reduceUI(__VA_ARGS__, UPCR_HERE)
#define upc_all_prefix_reduceL(...) upcr_all_prefix_reduceL(__VA_ARGS__, UPCR_HERE)
#define upc_all_prefix_reduceUL(...) upcr_all_prefix_reduceUL(__VA_ARGS__, UPCR_HERE)
#define upc_all_prefix_reduceF(...) upcr_all_prefix_reduceF(__VA_ARGS__, UPCR_HERE)
#define upc_all_prefix_reduceD(...) upcr_all_prefix_reduceD(__VA_ARGS__, UPCR_HERE)
#define upc_all_prefix_reduceLD(...) upcr_all_prefix_reduceLD(__VA_ARGS__, UPCR_HERE)

#endif
