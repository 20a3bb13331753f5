/* Atomic operations of older versions of the Berkeley runtime: functions that are not reported to tools. */
#ifndef BUPC_ATOMICS_H
#define BUPC_ATOMICS_H

#include <stdint.h>

#define _BUPC_ATOMIC_DECL(type, letters, order) \
	type bupc_atomic##letters##_read_##order(shared void *target); \
	void bupc_atomic##letters##_set_##order(shared void *target, type value); \
	type bupc_atomic##letters##_swap_##order(shared void *target, type value); \
	type bupc_atomic##letters##_cswap_##order(shared void *target, type expected, type value); \
	type bupc_atomic##letters##_fetchadd_##order(shared void *target, type value); \
	type bupc_atomic##letters##_fetchand_##order(shared void *target, type value); \
	type bupc_atomic##letters##_fetchor_##order(shared void *target, type value); \
	type bupc_atomic##letters##_fetchxor_##order(shared void *target, type value); \
	type bupc_atomic##letters##_fetchnot_##order(shared void *target);

_BUPC_ATOMIC_DECL(int32_t, I32, strict)
_BUPC_ATOMIC_DECL(int32_t, I32, relaxed)
_BUPC_ATOMIC_DECL(uint32_t, U32, strict)
_BUPC_ATOMIC_DECL(uint32_t, U32, relaxed)
_BUPC_ATOMIC_DECL(int64_t, I64, strict)
_BUPC_ATOMIC_DECL(int64_t, I64, relaxed)
_BUPC_ATOMIC_DECL(uint64_t, U64, strict)
_BUPC_ATOMIC_DECL(uint64_t, U64, relaxed)

#endif
