/* The part that only the compiler of a UPC program understands: compiled by that compiler with its own
 * headers, linked with the program, and called by libtarry-gasp.a. See tarry_upc_calls.h. Nothing here may
 * be an event itself. */

#if (defined(__BERKELEY_UPC_RUNTIME__) || defined(__BERKELEY_UPC__)) && !defined(TARRY_UPC_BERKELEY)
#define TARRY_UPC_BERKELEY 1
#endif

/* It is compiled with the user's options, whose warnings concern only the user's code. Berkeley UPC would
 * not translate a system header. */
#if defined(__GNUC__) && !defined(TARRY_UPC_BERKELEY)
#pragma GCC system_header
#endif

#include <upc.h>

/* Berkeley UPC has no collective functions for pthreads, and reports an error. */
#if !defined(__BERKELEY_UPC_PTHREADS__)
#include <upc_collective.h>
#define TARRY_UPC_HAS_COLLECTIVE 1
#elif defined(__UPC_VERSION__) && __UPC_VERSION__ >= 201311L
#include <upc_types.h>
#endif
#if defined(__UPC_ATOMIC__) && !defined(TARRY_UPC_GASP_ONLY)
#include <upc_atomic.h>
#define TARRY_UPC_HAS_ATOMIC 1
#endif

/* Berkeley UPC always has it. */
#if !defined(TARRY_UPC_BERKELEY) && defined(__has_include)
#if !__has_include(<gasp_upc.h>)
#define TARRY_UPC_NO_EVENTS 1
#endif
#endif
#ifdef TARRY_UPC_NO_EVENTS
#include "tarry_upc_libupc_events.h"
#else
#include <gasp_upc.h>
#endif

#include "tarry_upc_calls.h"

const char *tarry_upc_implementation(void)
{
#if defined(GASP_BUPC_NB_TRYSYNC) || defined(GASP_BUPC_STATIC_SHARED)
	return "berkeley";
#else
	return "gupc";
#endif
}

unsigned tarry_upc_gasp_version(void)
{
	return (unsigned)(GASP_UPC_VERSION);
}

unsigned tarry_upc_user_first(void)
{
	return (unsigned)(GASP_UPC_USEREVT_START);
}

unsigned tarry_upc_user_last(void)
{
	return (unsigned)(GASP_UPC_USEREVT_END);
}

/* The numbers in headers are sums without parentheses. */
#define NUMBER(tag, event) {(unsigned)(tag), event},

struct tarry_upc_pair {
	unsigned tag;
	const char *event;
};

/* clang-format off */
static const struct tarry_upc_pair tarry_upc_numbers[] = {
#ifdef GASP_C_FUNC
	NUMBER(GASP_C_FUNC, "C_FUNC")
#endif
#ifdef GASP_C_MALLOC
	NUMBER(GASP_C_MALLOC, "C_MALLOC")
#endif
#ifdef GASP_C_REALLOC
	NUMBER(GASP_C_REALLOC, "C_REALLOC")
#endif
#ifdef GASP_C_FREE
	NUMBER(GASP_C_FREE, "C_FREE")
#endif
#ifdef GASP_UPC_COLLECTIVE_EXIT
	NUMBER(GASP_UPC_COLLECTIVE_EXIT, "COLLECTIVE_EXIT")
#endif
#ifdef GASP_UPC_NONCOLLECTIVE_EXIT
	NUMBER(GASP_UPC_NONCOLLECTIVE_EXIT, "NONCOLLECTIVE_EXIT")
#endif
#ifdef GASP_UPC_NOTIFY
	NUMBER(GASP_UPC_NOTIFY, "NOTIFY")
#endif
#ifdef GASP_UPC_WAIT
	NUMBER(GASP_UPC_WAIT, "WAIT")
#endif
#ifdef GASP_UPC_BARRIER
	NUMBER(GASP_UPC_BARRIER, "BARRIER")
#endif
#ifdef GASP_UPC_FENCE
	NUMBER(GASP_UPC_FENCE, "FENCE")
#endif
#ifdef GASP_UPC_FORALL
	NUMBER(GASP_UPC_FORALL, "FORALL")
#endif
#ifdef GASP_UPC_GLOBAL_ALLOC
	NUMBER(GASP_UPC_GLOBAL_ALLOC, "GLOBAL_ALLOC")
#endif
#ifdef GASP_UPC_ALL_ALLOC
	NUMBER(GASP_UPC_ALL_ALLOC, "ALL_ALLOC")
#endif
#ifdef GASP_UPC_ALLOC
	NUMBER(GASP_UPC_ALLOC, "ALLOC")
#endif
#ifdef GASP_UPC_FREE
	NUMBER(GASP_UPC_FREE, "FREE")
#endif
#ifdef GASP_UPC_ALL_FREE
	NUMBER(GASP_UPC_ALL_FREE, "ALL_FREE")
#endif
#ifdef GASP_UPC_GLOBAL_LOCK_ALLOC
	NUMBER(GASP_UPC_GLOBAL_LOCK_ALLOC, "GLOBAL_LOCK_ALLOC")
#endif
#ifdef GASP_UPC_ALL_LOCK_ALLOC
	NUMBER(GASP_UPC_ALL_LOCK_ALLOC, "ALL_LOCK_ALLOC")
#endif
#ifdef GASP_UPC_LOCK_FREE
	NUMBER(GASP_UPC_LOCK_FREE, "LOCK_FREE")
#endif
#ifdef GASP_UPC_LOCK
	NUMBER(GASP_UPC_LOCK, "LOCK")
#endif
#ifdef GASP_UPC_LOCK_ATTEMPT
	NUMBER(GASP_UPC_LOCK_ATTEMPT, "LOCK_ATTEMPT")
#endif
#ifdef GASP_UPC_UNLOCK
	NUMBER(GASP_UPC_UNLOCK, "UNLOCK")
#endif
#ifdef GASP_UPC_MEMCPY
	NUMBER(GASP_UPC_MEMCPY, "MEMCPY")
#endif
#ifdef GASP_UPC_MEMGET
	NUMBER(GASP_UPC_MEMGET, "MEMGET")
#endif
#ifdef GASP_UPC_MEMPUT
	NUMBER(GASP_UPC_MEMPUT, "MEMPUT")
#endif
#ifdef GASP_UPC_MEMSET
	NUMBER(GASP_UPC_MEMSET, "MEMSET")
#endif
#ifdef GASP_UPC_GET
	NUMBER(GASP_UPC_GET, "GET")
#endif
#ifdef GASP_UPC_PUT
	NUMBER(GASP_UPC_PUT, "PUT")
#endif
#ifdef GASP_UPC_NB_GET_INIT
	NUMBER(GASP_UPC_NB_GET_INIT, "NB_GET_INIT")
#endif
#ifdef GASP_UPC_NB_PUT_INIT
	NUMBER(GASP_UPC_NB_PUT_INIT, "NB_PUT_INIT")
#endif
#ifdef GASP_UPC_NB_GET_DATA
	NUMBER(GASP_UPC_NB_GET_DATA, "NB_GET_DATA")
#endif
#ifdef GASP_UPC_NB_PUT_DATA
	NUMBER(GASP_UPC_NB_PUT_DATA, "NB_PUT_DATA")
#endif
#ifdef GASP_UPC_NB_SYNC
	NUMBER(GASP_UPC_NB_SYNC, "NB_SYNC")
#endif
#ifdef GASP_BUPC_NB_TRYSYNC
	NUMBER(GASP_BUPC_NB_TRYSYNC, "NB_TRYSYNC")
#endif
#ifdef GASP_BUPC_NB_MEMGET_INIT
	NUMBER(GASP_BUPC_NB_MEMGET_INIT, "NB_MEMGET_INIT")
#endif
#ifdef GASP_BUPC_NB_MEMPUT_INIT
	NUMBER(GASP_BUPC_NB_MEMPUT_INIT, "NB_MEMPUT_INIT")
#endif
#ifdef GASP_BUPC_NB_MEMCPY_INIT
	NUMBER(GASP_BUPC_NB_MEMCPY_INIT, "NB_MEMCPY_INIT")
#endif
#ifdef GASP_UPC_CACHE_MISS
	NUMBER(GASP_UPC_CACHE_MISS, "CACHE_MISS")
#endif
#ifdef GASP_UPC_CACHE_HIT
	NUMBER(GASP_UPC_CACHE_HIT, "CACHE_HIT")
#endif
#ifdef GASP_UPC_CACHE_INVALIDATE
	NUMBER(GASP_UPC_CACHE_INVALIDATE, "CACHE_INVALIDATE")
#endif
#ifdef GASP_BUPC_STATIC_SHARED
	NUMBER(GASP_BUPC_STATIC_SHARED, "STATIC_SHARED")
#endif
#ifdef GASP_UPC_ALL_BROADCAST
	NUMBER(GASP_UPC_ALL_BROADCAST, "ALL_BROADCAST")
#endif
#ifdef GASP_UPC_ALL_SCATTER
	NUMBER(GASP_UPC_ALL_SCATTER, "ALL_SCATTER")
#endif
#ifdef GASP_UPC_ALL_GATHER
	NUMBER(GASP_UPC_ALL_GATHER, "ALL_GATHER")
#endif
#ifdef GASP_UPC_ALL_GATHER_ALL
	NUMBER(GASP_UPC_ALL_GATHER_ALL, "ALL_GATHER_ALL")
#endif
#ifdef GASP_UPC_ALL_EXCHANGE
	NUMBER(GASP_UPC_ALL_EXCHANGE, "ALL_EXCHANGE")
#endif
#ifdef GASP_UPC_ALL_PERMUTE
	NUMBER(GASP_UPC_ALL_PERMUTE, "ALL_PERMUTE")
#endif
#ifdef GASP_UPC_ALL_REDUCE
	NUMBER(GASP_UPC_ALL_REDUCE, "ALL_REDUCE")
#endif
#ifdef GASP_UPC_ALL_PREFIX_REDUCE
	NUMBER(GASP_UPC_ALL_PREFIX_REDUCE, "ALL_PREFIX_REDUCE")
#endif
};
/* clang-format on */

int tarry_upc_number(int index, unsigned *tag, const char **event)
{
	if (index < 0 || index >= (int)(sizeof tarry_upc_numbers / sizeof tarry_upc_numbers[0]))
		return 0;
	*tag = tarry_upc_numbers[index].tag;
	*event = tarry_upc_numbers[index].event;
	return 1;
}

int tarry_upc_my_thread(void)
{
#ifdef __BERKELEY_UPC_FIRST_PREPROCESS__
	/* Calls from here must not become the place of the user's call. */
#pragma UPCR NO_SRCPOS
#endif
	return (int)MYTHREAD;
}

int tarry_upc_threads(void)
{
	return (int)THREADS;
}

int tarry_upc_thread_of(const void *pointer)
{
	shared void *shared_pointer = *(shared void **)pointer;

	return (int)upc_threadof(shared_pointer);
}

unsigned long tarry_upc_address_of(const void *pointer)
{
	shared void *shared_pointer = *(shared void **)pointer;

	return (unsigned long)upc_addrfield(shared_pointer);
}

/* A missing part means ALLSYNC. The order matters because an old header defines it as 0. */
unsigned tarry_upc_flags(int flags)
{
	unsigned in = 1, out = 8;

#ifdef UPC_IN_ALLSYNC
	if (flags & UPC_IN_NOSYNC)
		in = 4;
	if (flags & UPC_IN_MYSYNC)
		in = 2;
	if (flags & UPC_IN_ALLSYNC)
		in = 1;
	if (flags & UPC_OUT_NOSYNC)
		out = 32;
	if (flags & UPC_OUT_MYSYNC)
		out = 16;
	if (flags & UPC_OUT_ALLSYNC)
		out = 8;
#else
	(void)flags;
#endif
	return in | out;
}

#define OPERATION(name, number) \
	if (operation == (int)(name)) \
		return number;

/* Of reductions. Those of atomic operations may have the same numbers: under Berkeley UPC, UPC_LOGAND and
 * UPC_GET do. */
int tarry_upc_operation(int operation)
{
#ifdef UPC_ADD
	OPERATION(UPC_ADD, 3)
	OPERATION(UPC_MULT, 4)
	OPERATION(UPC_AND, 6)
	OPERATION(UPC_OR, 8)
	OPERATION(UPC_XOR, 10)
	OPERATION(UPC_LOGAND, 5)
	OPERATION(UPC_LOGOR, 7)
	OPERATION(UPC_MIN, 2)
	OPERATION(UPC_MAX, 1)
#endif
#ifdef UPC_FUNC
	OPERATION(UPC_FUNC, 0)
	OPERATION(UPC_NONCOMM_FUNC, 0)
#endif
	return -1;
}

#ifdef TARRY_UPC_HAS_ATOMIC
static int tarry_upc_atomic_operation(int operation)
{
#ifdef UPC_CSWAP
	OPERATION(UPC_SET, 13)
	OPERATION(UPC_CSWAP, 13)
	OPERATION(UPC_GET, 14)
	OPERATION(UPC_INC, 3)
	OPERATION(UPC_DEC, 3)
	OPERATION(UPC_SUB, 3)
#endif
	OPERATION(UPC_ADD, 3)
	OPERATION(UPC_MULT, 4)
	OPERATION(UPC_AND, 6)
	OPERATION(UPC_OR, 8)
	OPERATION(UPC_XOR, 10)
	OPERATION(UPC_MIN, 2)
	OPERATION(UPC_MAX, 1)
	return -1;
}
#endif

#ifdef TARRY_UPC_GASP_ONLY

/* Nothing is wrapped. */

#elif defined(TARRY_UPC_BERKELEY)

#ifdef TARRY_UPC_HAS_ATOMIC
upc_op_t tarry_upc_atomic_op(upc_op_t op)
{
	if (tarry_upc_recording())
		tarry_upc_atomic_does(tarry_upc_atomic_operation((int)op));
	return op;
}
#endif

shared void *tarry_upc_atomic_on(shared void *target, const char *name, const char *file, int line)
{
	if (tarry_upc_recording()) {
		tarry_upc_at(file, line);
		tarry_upc_atomic_start(name, (int)upc_threadof(target));
	}
	return target;
}

#ifdef _BUPC_ATOMIC_DECL
#include <stdint.h>

shared void *tarry_upc_bupc_atomic_on(shared void *target, int operation, const char *file, int line)
{
	if (tarry_upc_recording())
		tarry_upc_atomic_does(operation);
	return tarry_upc_atomic_on(target, "bupc_atomic", file, line);
}

#define DONE(code, type) \
	type tarry_upc_done_##code(type value) \
	{ \
		tarry_upc_atomic_end(); \
		return value; \
	}

DONE(I32, int32_t)
DONE(U32, uint32_t)
DONE(I64, int64_t)
DONE(U64, uint64_t)
#endif

#else /* libupc, whose functions the linker redirects here */

/* The functions themselves, declared as in the implementation. */
#define REAL(function) extern __typeof__(function) __real_##function

#ifdef TARRY_UPC_HAS_COLLECTIVE

#define THREAD_OF(pointer) ((int)upc_threadof((shared void *)(pointer)))
#define ROOT_OF_SOURCE THREAD_OF(src)
#define ROOT_OF_DESTINATION THREAD_OF(dst)
#define NO_ROOT (-1)

#define MOVEMENT(function, event, root) \
	REAL(function); \
	void __wrap_##function(shared void *dst, shared const void *src, size_t nbytes, upc_flag_t flags) \
	{ \
		if (!tarry_upc_recording()) { \
			__real_##function(dst, src, nbytes, flags); \
			return; \
		} \
		tarry_upc_start(event, 0); \
		__real_##function(dst, src, nbytes, flags); \
		tarry_upc_end(event, root, -1, -1, tarry_upc_flags((int)flags), nbytes, 0, 0); \
	}

MOVEMENT(upc_all_broadcast, TARRY_UPC_BROADCAST, ROOT_OF_SOURCE)
MOVEMENT(upc_all_scatter, TARRY_UPC_SCATTER, ROOT_OF_SOURCE)
MOVEMENT(upc_all_gather, TARRY_UPC_GATHER, ROOT_OF_DESTINATION)
MOVEMENT(upc_all_gather_all, TARRY_UPC_GATHER_ALL, NO_ROOT)
MOVEMENT(upc_all_exchange, TARRY_UPC_EXCHANGE, NO_ROOT)

REAL(upc_all_permute);
void __wrap_upc_all_permute(shared void *dst, shared const void *src, shared const int *perm, size_t nbytes,
                            upc_flag_t flags)
{
	if (!tarry_upc_recording()) {
		__real_upc_all_permute(dst, src, perm, nbytes, flags);
		return;
	}
	tarry_upc_start(TARRY_UPC_PERMUTE, 0);
	__real_upc_all_permute(dst, src, perm, nbytes, flags);
	tarry_upc_end(TARRY_UPC_PERMUTE, -1, -1, -1, tarry_upc_flags((int)flags), nbytes, 0, 0);
}

#define REDUCTION(function, event, root, type) \
	REAL(function); \
	void __wrap_##function(shared void *dst, shared const void *src, upc_op_t op, size_t nelems, \
	                       size_t blk_size, type (*func)(type, type), upc_flag_t flags) \
	{ \
		if (!tarry_upc_recording()) { \
			__real_##function(dst, src, op, nelems, blk_size, func, flags); \
			return; \
		} \
		tarry_upc_start(event, 0); \
		__real_##function(dst, src, op, nelems, blk_size, func, flags); \
		tarry_upc_end(event, root, THREAD_OF(src), tarry_upc_operation((int)op), \
		              tarry_upc_flags((int)flags), sizeof(type), nelems, blk_size); \
	}

#define REDUCTIONS(code, type) \
	REDUCTION(upc_all_reduce##code, TARRY_UPC_REDUCE, ROOT_OF_DESTINATION, type) \
	REDUCTION(upc_all_prefix_reduce##code, TARRY_UPC_PREFIX_REDUCE, NO_ROOT, type)

REDUCTIONS(C, signed char)
REDUCTIONS(UC, unsigned char)
REDUCTIONS(S, signed short)
REDUCTIONS(US, unsigned short)
REDUCTIONS(I, signed int)
REDUCTIONS(UI, unsigned int)
REDUCTIONS(L, signed long)
REDUCTIONS(UL, unsigned long)
REDUCTIONS(F, float)
REDUCTIONS(D, double)
REDUCTIONS(LD, long double)

#endif

#ifdef TARRY_UPC_HAS_ATOMIC

#define ATOMIC(function) \
	REAL(function); \
	void __wrap_##function(upc_atomicdomain_t *domain, void *fetch, upc_op_t op, shared void *target, \
	                       const void *operand1, const void *operand2) \
	{ \
		if (!tarry_upc_recording()) { \
			__real_##function(domain, fetch, op, target, operand1, operand2); \
			return; \
		} \
		tarry_upc_atomic_start(#function, (int)upc_threadof(target)); \
		tarry_upc_atomic_does(tarry_upc_atomic_operation((int)op)); \
		__real_##function(domain, fetch, op, target, operand1, operand2); \
		tarry_upc_atomic_end(); \
	}

ATOMIC(upc_atomic_strict)
ATOMIC(upc_atomic_relaxed)

#endif
#endif
