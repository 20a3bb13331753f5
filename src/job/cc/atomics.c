/* Atomic operations of files compiled with -fsanitize=thread, which calls the runtime for them. They
 * are not reported as loads and stores, because threads synchronize with them. Their memory order is
 * always the strongest. */
#include "job/cc/runtime.h"

/* NOLINTBEGIN(bugprone-reserved-identifier): compilers name them */

#define FETCH(bits, operation) \
	uint##bits##_t __tsan_atomic##bits##_fetch_##operation(volatile uint##bits##_t *at, \
	                                                       uint##bits##_t value, int order) \
	{ \
		(void)order; \
		synchronise((uintptr_t)at, true); \
		return __atomic_fetch_##operation(at, value, __ATOMIC_SEQ_CST); \
	}
#define EXCHANGE_IF(bits, strength, is_weak) \
	int __tsan_atomic##bits##_compare_exchange_##strength(volatile uint##bits##_t *at, \
	                                                      uint##bits##_t *expected, \
	                                                      uint##bits##_t value, int order, int failed) \
	{ \
		(void)order; \
		(void)failed; \
		synchronise((uintptr_t)at, true); \
		return __atomic_compare_exchange_n(at, expected, value, is_weak, __ATOMIC_SEQ_CST, \
		                                   __ATOMIC_SEQ_CST); \
	}
#define ATOMICS(bits) \
	uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *at, int order) \
	{ \
		(void)order; \
		synchronise((uintptr_t)at, false); \
		return __atomic_load_n(at, __ATOMIC_SEQ_CST); \
	} \
	void __tsan_atomic##bits##_store(volatile uint##bits##_t *at, uint##bits##_t value, int order) \
	{ \
		(void)order; \
		synchronise((uintptr_t)at, true); \
		__atomic_store_n(at, value, __ATOMIC_SEQ_CST); \
	} \
	uint##bits##_t __tsan_atomic##bits##_exchange(volatile uint##bits##_t *at, uint##bits##_t value, \
	                                              int order) \
	{ \
		(void)order; \
		synchronise((uintptr_t)at, true); \
		return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST); \
	} \
	uint##bits##_t __tsan_atomic##bits##_compare_exchange_val( \
		volatile uint##bits##_t *at, uint##bits##_t expected, uint##bits##_t value, int order, \
		int failed) \
	{ \
		(void)order; \
		(void)failed; \
		synchronise((uintptr_t)at, true); \
		__atomic_compare_exchange_n(at, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
		return expected; \
	} \
	EXCHANGE_IF(bits, strong, 0) \
	EXCHANGE_IF(bits, weak, 1) \
	FETCH(bits, add) \
	FETCH(bits, sub) \
	FETCH(bits, and) \
	FETCH(bits, or) \
	FETCH(bits, xor) \
	FETCH(bits, nand)

ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)

void __tsan_atomic_thread_fence(int order)
{
	(void)order;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order)
{
	(void)order;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* NOLINTEND(bugprone-reserved-identifier) */
