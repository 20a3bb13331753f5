/* Collectives: functions that are not reported to tools. */
#ifndef UPC_COLLECTIVE_H
#define UPC_COLLECTIVE_H

#include <upc.h>

void upc_all_broadcast(shared void *dst, shared const void *src, size_t bytes, upc_flag_t flags);
void upc_all_scatter(shared void *dst, shared const void *src, size_t bytes, upc_flag_t flags);
void upc_all_gather(shared void *dst, shared const void *src, size_t bytes, upc_flag_t flags);
void upc_all_gather_all(shared void *dst, shared const void *src, size_t bytes, upc_flag_t flags);
void upc_all_exchange(shared void *dst, shared const void *src, size_t bytes, upc_flag_t flags);
void upc_all_permute(shared void *dst, shared const void *src, shared const int *perm, size_t bytes,
                     upc_flag_t flags);

#define UPC_DECLARE_REDUCTION(letters, type) \
	void upc_all_reduce##letters(shared void *dst, shared const void *src, upc_op_t op, size_t elements, \
	                             size_t block, type (*function)(type, type), upc_flag_t flags); \
	void upc_all_prefix_reduce##letters(shared void *dst, shared const void *src, upc_op_t op, \
	                                    size_t elements, size_t block, type (*function)(type, type), \
	                                    upc_flag_t flags);
UPCR_REDUCTIONS(UPC_DECLARE_REDUCTION)

#endif
