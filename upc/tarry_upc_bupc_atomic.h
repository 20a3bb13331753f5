/* Atomic operations of Berkeley UPC before <upc_atomic.h>: each use is put between two calls of ours. The
 * numbers are those of operations in the trace. */
#ifndef TARRY_UPC_BUPC_ATOMIC_H
#define TARRY_UPC_BUPC_ATOMIC_H

#include <stdint.h>

extern shared void *tarry_upc_bupc_atomic_on(shared void *target, int operation, const char *file, int line);
extern int32_t tarry_upc_done_I32(int32_t value);
extern uint32_t tarry_upc_done_U32(uint32_t value);
extern int64_t tarry_upc_done_I64(int64_t value);
extern uint64_t tarry_upc_done_U64(uint64_t value);
extern void tarry_upc_atomic_end(void);

#define TARRY_UPC_ON(target, operation) tarry_upc_bupc_atomic_on(target, operation, __FILE__, __LINE__)

#define bupc_atomicI32_read_relaxed(target) \
	tarry_upc_done_I32(bupc_atomicI32_read_relaxed(TARRY_UPC_ON(target, 14)))
#define bupc_atomicI32_fetchnot_relaxed(target) \
	tarry_upc_done_I32(bupc_atomicI32_fetchnot_relaxed(TARRY_UPC_ON(target, 10)))
#define bupc_atomicI32_set_relaxed(target, ...) \
	(bupc_atomicI32_set_relaxed(TARRY_UPC_ON(target, 13), __VA_ARGS__), tarry_upc_atomic_end())
#define bupc_atomicI32_swap_relaxed(target, ...) \
	tarry_upc_done_I32(bupc_atomicI32_swap_relaxed(TARRY_UPC_ON(target, 13), __VA_ARGS__))
#define bupc_atomicI32_cswap_relaxed(target, ...) \
	tarry_upc_done_I32(bupc_atomicI32_cswap_relaxed(TARRY_UPC_ON(target, 13), __VA_ARGS__))
#define bupc_atomicI32_fetchadd_relaxed(target, ...) \
	tarry_upc_done_I32(bupc_atomicI32_fetchadd_relaxed(TARRY_UPC_ON(target, 3), __VA_ARGS__))
#define bupc_atomicI32_fetchand_relaxed(target, ...) \
	tarry_upc_done_I32(bupc_atomicI32_fetchand_relaxed(TARRY_UPC_ON(target, 6), __VA_ARGS__))
#define bupc_atomicI32_fetchor_relaxed(target, ...) \
	tarry_upc_done_I32(bupc_atomicI32_fetchor_relaxed(TARRY_UPC_ON(target, 8), __VA_ARGS__))
#define bupc_atomicI32_fetchxor_relaxed(target, ...) \
	tarry_upc_done_I32(bupc_atomicI32_fetchxor_relaxed(TARRY_UPC_ON(target, 10), __VA_ARGS__))
#define bupc_atomicI32_read_strict(target) \
	tarry_upc_done_I32(bupc_atomicI32_read_strict(TARRY_UPC_ON(target, 14)))
#define bupc_atomicI32_fetchnot_strict(target) \
	tarry_upc_done_I32(bupc_atomicI32_fetchnot_strict(TARRY_UPC_ON(target, 10)))
#define bupc_atomicI32_set_strict(target, ...) \
	(bupc_atomicI32_set_strict(TARRY_UPC_ON(target, 13), __VA_ARGS__), tarry_upc_atomic_end())
#define bupc_atomicI32_swap_strict(target, ...) \
	tarry_upc_done_I32(bupc_atomicI32_swap_strict(TARRY_UPC_ON(target, 13), __VA_ARGS__))
#define bupc_atomicI32_cswap_strict(target, ...) \
	tarry_upc_done_I32(bupc_atomicI32_cswap_strict(TARRY_UPC_ON(target, 13), __VA_ARGS__))
#define bupc_atomicI32_fetchadd_strict(target, ...) \
	tarry_upc_done_I32(bupc_atomicI32_fetchadd_strict(TARRY_UPC_ON(target, 3), __VA_ARGS__))
#define bupc_atomicI32_fetchand_strict(target, ...) \
	tarry_upc_done_I32(bupc_atomicI32_fetchand_strict(TARRY_UPC_ON(target, 6), __VA_ARGS__))
#define bupc_atomicI32_fetchor_strict(target, ...) \
	tarry_upc_done_I32(bupc_atomicI32_fetchor_strict(TARRY_UPC_ON(target, 8), __VA_ARGS__))
#define bupc_atomicI32_fetchxor_strict(target, ...) \
	tarry_upc_done_I32(bupc_atomicI32_fetchxor_strict(TARRY_UPC_ON(target, 10), __VA_ARGS__))

#define bupc_atomicU32_read_relaxed(target) \
	tarry_upc_done_U32(bupc_atomicU32_read_relaxed(TARRY_UPC_ON(target, 14)))
#define bupc_atomicU32_fetchnot_relaxed(target) \
	tarry_upc_done_U32(bupc_atomicU32_fetchnot_relaxed(TARRY_UPC_ON(target, 10)))
#define bupc_atomicU32_set_relaxed(target, ...) \
	(bupc_atomicU32_set_relaxed(TARRY_UPC_ON(target, 13), __VA_ARGS__), tarry_upc_atomic_end())
#define bupc_atomicU32_swap_relaxed(target, ...) \
	tarry_upc_done_U32(bupc_atomicU32_swap_relaxed(TARRY_UPC_ON(target, 13), __VA_ARGS__))
#define bupc_atomicU32_cswap_relaxed(target, ...) \
	tarry_upc_done_U32(bupc_atomicU32_cswap_relaxed(TARRY_UPC_ON(target, 13), __VA_ARGS__))
#define bupc_atomicU32_fetchadd_relaxed(target, ...) \
	tarry_upc_done_U32(bupc_atomicU32_fetchadd_relaxed(TARRY_UPC_ON(target, 3), __VA_ARGS__))
#define bupc_atomicU32_fetchand_relaxed(target, ...) \
	tarry_upc_done_U32(bupc_atomicU32_fetchand_relaxed(TARRY_UPC_ON(target, 6), __VA_ARGS__))
#define bupc_atomicU32_fetchor_relaxed(target, ...) \
	tarry_upc_done_U32(bupc_atomicU32_fetchor_relaxed(TARRY_UPC_ON(target, 8), __VA_ARGS__))
#define bupc_atomicU32_fetchxor_relaxed(target, ...) \
	tarry_upc_done_U32(bupc_atomicU32_fetchxor_relaxed(TARRY_UPC_ON(target, 10), __VA_ARGS__))
#define bupc_atomicU32_read_strict(target) \
	tarry_upc_done_U32(bupc_atomicU32_read_strict(TARRY_UPC_ON(target, 14)))
#define bupc_atomicU32_fetchnot_strict(target) \
	tarry_upc_done_U32(bupc_atomicU32_fetchnot_strict(TARRY_UPC_ON(target, 10)))
#define bupc_atomicU32_set_strict(target, ...) \
	(bupc_atomicU32_set_strict(TARRY_UPC_ON(target, 13), __VA_ARGS__), tarry_upc_atomic_end())
#define bupc_atomicU32_swap_strict(target, ...) \
	tarry_upc_done_U32(bupc_atomicU32_swap_strict(TARRY_UPC_ON(target, 13), __VA_ARGS__))
#define bupc_atomicU32_cswap_strict(target, ...) \
	tarry_upc_done_U32(bupc_atomicU32_cswap_strict(TARRY_UPC_ON(target, 13), __VA_ARGS__))
#define bupc_atomicU32_fetchadd_strict(target, ...) \
	tarry_upc_done_U32(bupc_atomicU32_fetchadd_strict(TARRY_UPC_ON(target, 3), __VA_ARGS__))
#define bupc_atomicU32_fetchand_strict(target, ...) \
	tarry_upc_done_U32(bupc_atomicU32_fetchand_strict(TARRY_UPC_ON(target, 6), __VA_ARGS__))
#define bupc_atomicU32_fetchor_strict(target, ...) \
	tarry_upc_done_U32(bupc_atomicU32_fetchor_strict(TARRY_UPC_ON(target, 8), __VA_ARGS__))
#define bupc_atomicU32_fetchxor_strict(target, ...) \
	tarry_upc_done_U32(bupc_atomicU32_fetchxor_strict(TARRY_UPC_ON(target, 10), __VA_ARGS__))

#define bupc_atomicI64_read_relaxed(target) \
	tarry_upc_done_I64(bupc_atomicI64_read_relaxed(TARRY_UPC_ON(target, 14)))
#define bupc_atomicI64_fetchnot_relaxed(target) \
	tarry_upc_done_I64(bupc_atomicI64_fetchnot_relaxed(TARRY_UPC_ON(target, 10)))
#define bupc_atomicI64_set_relaxed(target, ...) \
	(bupc_atomicI64_set_relaxed(TARRY_UPC_ON(target, 13), __VA_ARGS__), tarry_upc_atomic_end())
#define bupc_atomicI64_swap_relaxed(target, ...) \
	tarry_upc_done_I64(bupc_atomicI64_swap_relaxed(TARRY_UPC_ON(target, 13), __VA_ARGS__))
#define bupc_atomicI64_cswap_relaxed(target, ...) \
	tarry_upc_done_I64(bupc_atomicI64_cswap_relaxed(TARRY_UPC_ON(target, 13), __VA_ARGS__))
#define bupc_atomicI64_fetchadd_relaxed(target, ...) \
	tarry_upc_done_I64(bupc_atomicI64_fetchadd_relaxed(TARRY_UPC_ON(target, 3), __VA_ARGS__))
#define bupc_atomicI64_fetchand_relaxed(target, ...) \
	tarry_upc_done_I64(bupc_atomicI64_fetchand_relaxed(TARRY_UPC_ON(target, 6), __VA_ARGS__))
#define bupc_atomicI64_fetchor_relaxed(target, ...) \
	tarry_upc_done_I64(bupc_atomicI64_fetchor_relaxed(TARRY_UPC_ON(target, 8), __VA_ARGS__))
#define bupc_atomicI64_fetchxor_relaxed(target, ...) \
	tarry_upc_done_I64(bupc_atomicI64_fetchxor_relaxed(TARRY_UPC_ON(target, 10), __VA_ARGS__))
#define bupc_atomicI64_read_strict(target) \
	tarry_upc_done_I64(bupc_atomicI64_read_strict(TARRY_UPC_ON(target, 14)))
#define bupc_atomicI64_fetchnot_strict(target) \
	tarry_upc_done_I64(bupc_atomicI64_fetchnot_strict(TARRY_UPC_ON(target, 10)))
#define bupc_atomicI64_set_strict(target, ...) \
	(bupc_atomicI64_set_strict(TARRY_UPC_ON(target, 13), __VA_ARGS__), tarry_upc_atomic_end())
#define bupc_atomicI64_swap_strict(target, ...) \
	tarry_upc_done_I64(bupc_atomicI64_swap_strict(TARRY_UPC_ON(target, 13), __VA_ARGS__))
#define bupc_atomicI64_cswap_strict(target, ...) \
	tarry_upc_done_I64(bupc_atomicI64_cswap_strict(TARRY_UPC_ON(target, 13), __VA_ARGS__))
#define bupc_atomicI64_fetchadd_strict(target, ...) \
	tarry_upc_done_I64(bupc_atomicI64_fetchadd_strict(TARRY_UPC_ON(target, 3), __VA_ARGS__))
#define bupc_atomicI64_fetchand_strict(target, ...) \
	tarry_upc_done_I64(bupc_atomicI64_fetchand_strict(TARRY_UPC_ON(target, 6), __VA_ARGS__))
#define bupc_atomicI64_fetchor_strict(target, ...) \
	tarry_upc_done_I64(bupc_atomicI64_fetchor_strict(TARRY_UPC_ON(target, 8), __VA_ARGS__))
#define bupc_atomicI64_fetchxor_strict(target, ...) \
	tarry_upc_done_I64(bupc_atomicI64_fetchxor_strict(TARRY_UPC_ON(target, 10), __VA_ARGS__))

#define bupc_atomicU64_read_relaxed(target) \
	tarry_upc_done_U64(bupc_atomicU64_read_relaxed(TARRY_UPC_ON(target, 14)))
#define bupc_atomicU64_fetchnot_relaxed(target) \
	tarry_upc_done_U64(bupc_atomicU64_fetchnot_relaxed(TARRY_UPC_ON(target, 10)))
#define bupc_atomicU64_set_relaxed(target, ...) \
	(bupc_atomicU64_set_relaxed(TARRY_UPC_ON(target, 13), __VA_ARGS__), tarry_upc_atomic_end())
#define bupc_atomicU64_swap_relaxed(target, ...) \
	tarry_upc_done_U64(bupc_atomicU64_swap_relaxed(TARRY_UPC_ON(target, 13), __VA_ARGS__))
#define bupc_atomicU64_cswap_relaxed(target, ...) \
	tarry_upc_done_U64(bupc_atomicU64_cswap_relaxed(TARRY_UPC_ON(target, 13), __VA_ARGS__))
#define bupc_atomicU64_fetchadd_relaxed(target, ...) \
	tarry_upc_done_U64(bupc_atomicU64_fetchadd_relaxed(TARRY_UPC_ON(target, 3), __VA_ARGS__))
#define bupc_atomicU64_fetchand_relaxed(target, ...) \
	tarry_upc_done_U64(bupc_atomicU64_fetchand_relaxed(TARRY_UPC_ON(target, 6), __VA_ARGS__))
#define bupc_atomicU64_fetchor_relaxed(target, ...) \
	tarry_upc_done_U64(bupc_atomicU64_fetchor_relaxed(TARRY_UPC_ON(target, 8), __VA_ARGS__))
#define bupc_atomicU64_fetchxor_relaxed(target, ...) \
	tarry_upc_done_U64(bupc_atomicU64_fetchxor_relaxed(TARRY_UPC_ON(target, 10), __VA_ARGS__))
#define bupc_atomicU64_read_strict(target) \
	tarry_upc_done_U64(bupc_atomicU64_read_strict(TARRY_UPC_ON(target, 14)))
#define bupc_atomicU64_fetchnot_strict(target) \
	tarry_upc_done_U64(bupc_atomicU64_fetchnot_strict(TARRY_UPC_ON(target, 10)))
#define bupc_atomicU64_set_strict(target, ...) \
	(bupc_atomicU64_set_strict(TARRY_UPC_ON(target, 13), __VA_ARGS__), tarry_upc_atomic_end())
#define bupc_atomicU64_swap_strict(target, ...) \
	tarry_upc_done_U64(bupc_atomicU64_swap_strict(TARRY_UPC_ON(target, 13), __VA_ARGS__))
#define bupc_atomicU64_cswap_strict(target, ...) \
	tarry_upc_done_U64(bupc_atomicU64_cswap_strict(TARRY_UPC_ON(target, 13), __VA_ARGS__))
#define bupc_atomicU64_fetchadd_strict(target, ...) \
	tarry_upc_done_U64(bupc_atomicU64_fetchadd_strict(TARRY_UPC_ON(target, 3), __VA_ARGS__))
#define bupc_atomicU64_fetchand_strict(target, ...) \
	tarry_upc_done_U64(bupc_atomicU64_fetchand_strict(TARRY_UPC_ON(target, 6), __VA_ARGS__))
#define bupc_atomicU64_fetchor_strict(target, ...) \
	tarry_upc_done_U64(bupc_atomicU64_fetchor_strict(TARRY_UPC_ON(target, 8), __VA_ARGS__))
#define bupc_atomicU64_fetchxor_strict(target, ...) \
	tarry_upc_done_U64(bupc_atomicU64_fetchxor_strict(TARRY_UPC_ON(target, 10), __VA_ARGS__))

#endif
