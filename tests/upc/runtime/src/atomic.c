/* Atomic operations on 32- and 64-bit integers, which are not reported to tools; and the clock. */
#include "runtime.h"

#include <stdlib.h>

#include <upc_atomic.h>
#include <upc_tick.h>

struct upcr_domain {
	upc_type_t type;
	upc_op_t ops;
};

upc_atomicdomain_t *upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops, upc_atomichint_t hint)
{
	struct upcr_place at = {NULL, 0, UPCR_CALLS};
	void *object = upcr_all_alloc(1, sizeof(struct upcr_domain), at);

	(void)hint;
	*(struct upcr_domain *)here((uint64_t)object) = (struct upcr_domain){type, ops};
	return object;
}

void upc_all_atomicdomain_free(upc_atomicdomain_t *domain)
{
	upcr_all_free(domain, (struct upcr_place){NULL, 0, UPCR_CALLS});
}

static int64_t result(upc_op_t op, int64_t old, int64_t a, int64_t b)
{
	switch (op) {
	case UPC_ADD:
		return old + a;
	case UPC_SUB:
		return old - a;
	case UPC_MULT:
		return old * a;
	case UPC_INC:
		return old + 1;
	case UPC_DEC:
		return old - 1;
	case UPC_AND:
		return old & a;
	case UPC_OR:
		return old | a;
	case UPC_XOR:
		return old ^ a;
	case UPC_MIN:
		return old < a ? old : a;
	case UPC_MAX:
		return old > a ? old : a;
	case UPC_SET:
		return a;
	case UPC_CSWAP:
		return old == a ? b : old;
	default:
		return old;
	}
}

static bool is_wide(upc_type_t type)
{
	return type == UPC_LONG || type == UPC_ULONG || type == UPC_INT64 || type == UPC_UINT64;
}

static int64_t load(const void *from, upc_type_t type)
{
	if (!from)
		return 0;
	return is_wide(type) ? *(const int64_t *)from : *(const int32_t *)from;
}

static void store(void *to, int64_t value, upc_type_t type)
{
	if (is_wide(type))
		*(int64_t *)to = value;
	else
		*(int32_t *)to = (int32_t)value;
}

/* Operations on one thread's memory are sequential. */
static uint64_t take_turn(int thread)
{
	uint64_t *until = &segment->atomics_until_ns[thread];
	uint64_t now = now_ns();

	*until = (*until > now ? *until : now) + planted.atomic_ns;
	return *until;
}

static int64_t atomic(upc_type_t type, upc_op_t op, void *target, int64_t a, int64_t b)
{
	void *value = here((uint64_t)target);
	uint64_t until;
	int64_t old;

	lock_segment();
	until = take_turn(thread_of((uint64_t)target));
	old = load(value, type);
	store(value, result(op, old, a, b), type);
	unlock_segment();
	sleep_until_ns(until);
	return old;
}

void upc_atomic_strict(upc_atomicdomain_t *domain, void *fetched, upc_op_t op, void *target,
                       const void *operand1, const void *operand2)
{
	upc_type_t type = ((struct upcr_domain *)here((uint64_t)domain))->type;
	int64_t old = atomic(type, op, target, load(operand1, type), load(operand2, type));

	if (fetched)
		store(fetched, old, type);
}

void upc_atomic_relaxed(upc_atomicdomain_t *domain, void *fetched, upc_op_t op, void *target,
                        const void *operand1, const void *operand2)
{
	upc_atomic_strict(domain, fetched, op, target, operand1, operand2);
}

#ifdef UPCR_BERKELEY

#define ATOMICS(type, letters, order, number) \
	type bupc_atomic##letters##_read_##order(void *target) \
	{ \
		return (type)atomic(number, UPC_GET, target, 0, 0); \
	} \
	void bupc_atomic##letters##_set_##order(void *target, type value) \
	{ \
		atomic(number, UPC_SET, target, (int64_t)value, 0); \
	} \
	type bupc_atomic##letters##_swap_##order(void *target, type value) \
	{ \
		return (type)atomic(number, UPC_SET, target, (int64_t)value, 0); \
	} \
	type bupc_atomic##letters##_cswap_##order(void *target, type expected, type value) \
	{ \
		return (type)atomic(number, UPC_CSWAP, target, (int64_t)expected, (int64_t)value); \
	} \
	type bupc_atomic##letters##_fetchadd_##order(void *target, type value) \
	{ \
		return (type)atomic(number, UPC_ADD, target, (int64_t)value, 0); \
	} \
	type bupc_atomic##letters##_fetchand_##order(void *target, type value) \
	{ \
		return (type)atomic(number, UPC_AND, target, (int64_t)value, 0); \
	} \
	type bupc_atomic##letters##_fetchor_##order(void *target, type value) \
	{ \
		return (type)atomic(number, UPC_OR, target, (int64_t)value, 0); \
	} \
	type bupc_atomic##letters##_fetchxor_##order(void *target, type value) \
	{ \
		return (type)atomic(number, UPC_XOR, target, (int64_t)value, 0); \
	} \
	type bupc_atomic##letters##_fetchnot_##order(void *target) \
	{ \
		return (type)atomic(number, UPC_XOR, target, -1, 0); \
	}
#define ATOMICS_OF(type, letters, number) \
	ATOMICS(type, letters, strict, number) \
	ATOMICS(type, letters, relaxed, number)

ATOMICS_OF(int32_t, I32, UPC_INT32)
ATOMICS_OF(uint32_t, U32, UPC_UINT32)
ATOMICS_OF(int64_t, I64, UPC_INT64)
ATOMICS_OF(uint64_t, U64, UPC_UINT64)

#endif

upc_tick_t upc_ticks_now(void)
{
	return now_ns();
}

uint64_t upc_ticks_to_ns(upc_tick_t ticks)
{
	return ticks;
}
