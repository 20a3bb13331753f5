#include "job/preload/shmem_calls.h"

#include "calls/ids.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define HERE __builtin_return_address(0)
#define FRAME __builtin_frame_address(0)

struct shmem_link shmem_link;

typedef struct shmem_context *shmem_ctx_t;

/* The library's function; found once. It exists, because the caller was linked with it. */
static inline void *library_function(const char *name, void **found)
{
	void *function = __atomic_load_n(found, __ATOMIC_ACQUIRE);

	if (__builtin_expect(!function, 0)) {
		function = dlsym(RTLD_NEXT, name);
		__atomic_store_n(found, function, __ATOMIC_RELEASE);
	}
	return function;
}

#define NEXT(function) \
	({ \
		static void *found_; \
		void *next_ = library_function(#function, &found_); \
		if (!next_) \
			__builtin_unreachable(); \
		(__typeof__(&(function)))next_; \
	})

/* A call of the program, on the stack of its wrapper. */
struct served_call {
	struct shmem_span span;
	struct shmem_checked_call checked;
	bool is_recorded, is_checked;
};

static const struct shmem_hooks *recorder(void)
{
	return __atomic_load_n(&shmem_link.hooks, __ATOMIC_ACQUIRE);
}

static const struct shmem_checker *checker(void)
{
	return __atomic_load_n(&shmem_link.checker, __ATOMIC_ACQUIRE);
}

/* The checker is outside: its work is not part of the recorded call. */
static inline void begins(struct served_call *served, uint32_t call, const struct shmem_values *values,
                          const void *site, const void *frame)
{
	served->is_checked = checker() && checker()->before(&served->checked, call, values, site, frame);
	served->is_recorded = recorder() && recorder()->begin(&served->span, call, site, frame);
}

static inline void ends(struct served_call *served, const struct shmem_values *values)
{
	if (served->is_recorded)
		recorder()->end(&served->span, values);
	if (served->is_checked)
		checker()->after(&served->checked, values);
}

static inline bool is_served(void)
{
	return __builtin_expect(recorder() || checker(), 0);
}

/* NOLINTBEGIN(bugprone-macro-parentheses): parameters of functions */

/* A function without a result; the last arguments are members of struct shmem_values. */
#define CALL(call, name, parameters, arguments, ...) \
	void name parameters; \
	EXPORT void name parameters \
	{ \
		__typeof__(&(name)) next = NEXT(name); \
		struct served_call served; \
		if (!is_served()) { \
			next arguments; \
			return; \
		} \
		const struct shmem_values values = {__VA_ARGS__}; \
		begins(&served, CALL_##call, &values, HERE, FRAME); \
		next arguments; \
		ends(&served, &values); \
	}

/* A function with a result, which is `result` in the members: 0 before the call. */
#define CALL_WITH_RESULT(type, call, name, parameters, arguments, ...) \
	type name parameters; \
	EXPORT type name parameters \
	{ \
		__typeof__(&(name)) next = NEXT(name); \
		struct served_call served; \
		if (!is_served()) \
			return next arguments; \
		type result = 0; \
		begins(&served, CALL_##call, &(struct shmem_values){__VA_ARGS__}, HERE, FRAME); \
		result = next arguments; \
		ends(&served, &(struct shmem_values){__VA_ARGS__}); \
		return result; \
	}

/* With and without a context. */
#define CALLS(call, stem, parameters, arguments, ...) \
	CALL(call, shmem_##stem, (SPREAD parameters), (SPREAD arguments), __VA_ARGS__) \
	CALL(call, shmem_ctx_##stem, (shmem_ctx_t context, SPREAD parameters), (context, SPREAD arguments), \
	     __VA_ARGS__)
#define CALLS_WITH_RESULT(type, call, stem, parameters, arguments, ...) \
	CALL_WITH_RESULT(type, call, shmem_##stem, (SPREAD parameters), (SPREAD arguments), __VA_ARGS__) \
	CALL_WITH_RESULT(type, call, shmem_ctx_##stem, (shmem_ctx_t context, SPREAD parameters), \
	                 (context, SPREAD arguments), __VA_ARGS__)
#define SPREAD(...) __VA_ARGS__

/* Types */

#define INTEGER_TYPES(X) \
	X(int, int) \
	X(long, long) \
	X(longlong, long long) \
	X(uint, unsigned) \
	X(ulong, unsigned long) \
	X(ulonglong, unsigned long long)
#define SIZED_TYPES(X) \
	X(int32, int32_t) \
	X(int64, int64_t) \
	X(uint32, uint32_t) \
	X(uint64, uint64_t)
#define REAL_TYPES(X) \
	X(float, float) \
	X(double, double)
#define OTHER_TYPES(X) \
	X(char, char) \
	X(short, short) \
	X(longdouble, long double) \
	X(schar, signed char) \
	X(uchar, unsigned char) \
	X(ushort, unsigned short) \
	X(int8, int8_t) \
	X(int16, int16_t) \
	X(uint8, uint8_t) \
	X(uint16, uint16_t) \
	X(size, size_t) \
	X(ptrdiff, ptrdiff_t)
#define ALL_TYPES(X) INTEGER_TYPES(X) SIZED_TYPES(X) REAL_TYPES(X) OTHER_TYPES(X)

/* Accesses */

/* Members of struct shmem_values: `there` is the accessed memory of the PE, `here` that of the caller. */
#define ACCESS(there, here, count, size) \
	.pe = pe, .bytes = (count) * (size), .object = there, .local = here, .elements = count, \
	.element_bytes = size
#define STRIDED_ACCESS(there, here, there_stride, count, size) \
	ACCESS(there, here, count, size), .stride = there_stride

#define PUTS(call, stem, size) \
	CALLS(call, stem, (void *to, const void *from, size_t count, int pe), (to, from, count, pe), \
	      ACCESS(to, from, count, size))
#define GETS(call, stem, size) \
	CALLS(call, stem, (void *to, const void *from, size_t count, int pe), (to, from, count, pe), \
	      ACCESS(from, to, count, size))
#define STRIDED_PUTS(call, stem, size) \
	CALLS(call, stem, \
	      (void *to, const void *from, ptrdiff_t to_stride, ptrdiff_t from_stride, size_t count, \
	       int pe), \
	      (to, from, to_stride, from_stride, count, pe), \
	      STRIDED_ACCESS(to, from, to_stride, count, size))
#define STRIDED_GETS(call, stem, size) \
	CALLS(call, stem, \
	      (void *to, const void *from, ptrdiff_t to_stride, ptrdiff_t from_stride, size_t count, \
	       int pe), \
	      (to, from, to_stride, from_stride, count, pe), \
	      STRIDED_ACCESS(from, to, from_stride, count, size))

#define TYPED_ACCESSES(name, type) \
	CALLS(shmem_p, name##_p, (type * to, type value, int pe), (to, value, pe), \
	      ACCESS(to, &value, 1, sizeof(type))) \
	CALLS_WITH_RESULT(type, shmem_g, name##_g, (const type *from, int pe), (from, pe), \
	                  ACCESS(from, NULL, 1, sizeof(type))) \
	PUTS(shmem_put, name##_put, sizeof(type)) \
	GETS(shmem_get, name##_get, sizeof(type)) \
	PUTS(shmem_put_nbi, name##_put_nbi, sizeof(type)) \
	GETS(shmem_get_nbi, name##_get_nbi, sizeof(type)) \
	STRIDED_PUTS(shmem_iput, name##_iput, sizeof(type)) \
	STRIDED_GETS(shmem_iget, name##_iget, sizeof(type))
ALL_TYPES(TYPED_ACCESSES)

#define SIZED_ACCESSES(bits) \
	PUTS(shmem_put, put##bits, (bits) / 8) \
	GETS(shmem_get, get##bits, (bits) / 8) \
	PUTS(shmem_put_nbi, put##bits##_nbi, (bits) / 8) \
	GETS(shmem_get_nbi, get##bits##_nbi, (bits) / 8) \
	STRIDED_PUTS(shmem_iput, iput##bits, (bits) / 8) \
	STRIDED_GETS(shmem_iget, iget##bits, (bits) / 8)
SIZED_ACCESSES(8)
SIZED_ACCESSES(16)
SIZED_ACCESSES(32)
SIZED_ACCESSES(64)
SIZED_ACCESSES(128)
PUTS(shmem_put, putmem, 1)
GETS(shmem_get, getmem, 1)
PUTS(shmem_put_nbi, putmem_nbi, 1)
GETS(shmem_get_nbi, getmem_nbi, 1)

/* Atomic operations. The recorder shows no bytes for them. */

#define IN_ATOMIC(type) .pe = pe, .object = target, .elements = 1, .element_bytes = sizeof(type)

#define ATOMIC(call, stem, type) \
	CALLS(shmem_atomic_##call, stem, (type * target, type value, int pe), (target, value, pe), \
	      IN_ATOMIC(type))
#define ATOMIC_WITH_RESULT(call, stem, type) \
	CALLS_WITH_RESULT(type, shmem_atomic_##call, stem, (type * target, type value, int pe), \
	                  (target, value, pe), IN_ATOMIC(type))

#define ATOMICS_OF_ALL(name, type) \
	CALLS_WITH_RESULT(type, shmem_atomic_fetch, name##_atomic_fetch, (const type *target, int pe), \
	                  (target, pe), IN_ATOMIC(type)) \
	ATOMIC(set, name##_atomic_set, type) \
	ATOMIC_WITH_RESULT(swap, name##_atomic_swap, type)
#define OLD_ATOMICS_OF_ALL(name, type) \
	CALL_WITH_RESULT(type, shmem_atomic_fetch, shmem_##name##_fetch, (const type *target, int pe), \
	                 (target, pe), IN_ATOMIC(type)) \
	CALL(shmem_atomic_set, shmem_##name##_set, (type * target, type value, int pe), (target, value, pe), \
	     IN_ATOMIC(type)) \
	CALL_WITH_RESULT(type, shmem_atomic_swap, shmem_##name##_swap, (type * target, type value, int pe), \
	                 (target, value, pe), IN_ATOMIC(type))
#define ATOMICS_OF_INTEGERS(name, type) \
	CALLS_WITH_RESULT(type, shmem_atomic_compare_swap, name##_atomic_compare_swap, \
	                  (type * target, type expected, type value, int pe), (target, expected, value, pe), \
	                  IN_ATOMIC(type)) \
	ATOMIC(add, name##_atomic_add, type) \
	ATOMIC_WITH_RESULT(fetch_add, name##_atomic_fetch_add, type) \
	CALLS(shmem_atomic_inc, name##_atomic_inc, (type * target, int pe), (target, pe), IN_ATOMIC(type)) \
	CALLS_WITH_RESULT(type, shmem_atomic_fetch_inc, name##_atomic_fetch_inc, (type * target, int pe), \
	                  (target, pe), IN_ATOMIC(type))
#define OLD_ATOMICS_OF_INTEGERS(name, type) \
	CALL_WITH_RESULT(type, shmem_atomic_compare_swap, shmem_##name##_cswap, \
	                 (type * target, type expected, type value, int pe), (target, expected, value, pe), \
	                 IN_ATOMIC(type)) \
	CALL(shmem_atomic_add, shmem_##name##_add, (type * target, type value, int pe), (target, value, pe), \
	     IN_ATOMIC(type)) \
	CALL_WITH_RESULT(type, shmem_atomic_fetch_add, shmem_##name##_fadd, \
	                 (type * target, type value, int pe), (target, value, pe), IN_ATOMIC(type)) \
	CALL(shmem_atomic_inc, shmem_##name##_inc, (type * target, int pe), (target, pe), IN_ATOMIC(type)) \
	CALL_WITH_RESULT(type, shmem_atomic_fetch_inc, shmem_##name##_finc, (type * target, int pe), \
	                 (target, pe), IN_ATOMIC(type))
#define ATOMICS_OF_BITS(name, type) \
	ATOMIC(and, name##_atomic_and, type) \
	ATOMIC(or, name##_atomic_or, type) \
	ATOMIC(xor, name##_atomic_xor, type) \
	ATOMIC_WITH_RESULT(fetch_and, name##_atomic_fetch_and, type) \
	ATOMIC_WITH_RESULT(fetch_or, name##_atomic_fetch_or, type) \
	ATOMIC_WITH_RESULT(fetch_xor, name##_atomic_fetch_xor, type)
#define OLD_TYPES(X) X(int, int) X(long, long) X(longlong, long long)

INTEGER_TYPES(ATOMICS_OF_ALL)
REAL_TYPES(ATOMICS_OF_ALL)
OLD_TYPES(OLD_ATOMICS_OF_ALL)
REAL_TYPES(OLD_ATOMICS_OF_ALL)
INTEGER_TYPES(ATOMICS_OF_INTEGERS)
OLD_TYPES(OLD_ATOMICS_OF_INTEGERS)
INTEGER_TYPES(ATOMICS_OF_BITS)
SIZED_TYPES(ATOMICS_OF_BITS)

/* Waits for a variable */

#define WAITS(name, type) \
	CALL(shmem_wait_until, shmem_##name##_wait_until, \
	     (volatile type * variable, int comparison, type value), (variable, comparison, value), \
	     .object = variable, .flag = SHMEM_NO_FLAG) \
	CALL_WITH_RESULT(int, shmem_test, shmem_##name##_test, \
	                 (volatile type * variable, int comparison, type value), \
	                 (variable, comparison, value), .object = variable, .flag = result != 0)
#define OLD_WAIT(name, type) \
	CALL(shmem_wait_until, shmem_##name##_wait, (volatile type * variable, type value), \
	     (variable, value), .object = variable, .flag = SHMEM_NO_FLAG)

INTEGER_TYPES(WAITS)
SIZED_TYPES(WAITS)
WAITS(short, short)
WAITS(ushort, unsigned short)
WAITS(size, size_t)
WAITS(ptrdiff, ptrdiff_t)
OLD_TYPES(OLD_WAIT)
OLD_WAIT(short, short)
CALL(shmem_wait_until, shmem_wait, (volatile long *variable, long value), (variable, value),
     .object = variable, .flag = SHMEM_NO_FLAG)

/* Locks */

CALL(shmem_set_lock, shmem_set_lock, (volatile long *lock), (lock), .object = lock)
CALL(shmem_clear_lock, shmem_clear_lock, (volatile long *lock), (lock), .object = lock)
CALL_WITH_RESULT(int, shmem_test_lock, shmem_test_lock, (volatile long *lock), (lock), .object = lock,
                 .flag = result == 0)

/* Synchronisation and collective operations */

#define SET int first, int log_stride, int count, long *sync
#define SET_ARGUMENTS first, log_stride, count, sync
#define IN_SET .set = {first, log_stride, count}, .sync = sync
#define MOVES(count, size) \
	.bytes = (count) * (size), .object = to, .source = from, .elements = count, .element_bytes = size

CALL(shmem_barrier_all, shmem_barrier_all, (void), (), .pe = 0)
CALL(shmem_sync_all, shmem_sync_all, (void), (), .pe = 0)
CALL(shmem_barrier, shmem_barrier, (SET), (SET_ARGUMENTS), IN_SET)
CALL(shmem_sync, shmem_sync, (SET), (SET_ARGUMENTS), IN_SET)
CALL(shmem_quiet, shmem_quiet, (void), (), .pe = 0)
CALL(shmem_quiet, shmem_ctx_quiet, (shmem_ctx_t context), (context), .pe = 0)
CALL(shmem_fence, shmem_fence, (void), (), .pe = 0)
CALL(shmem_fence, shmem_ctx_fence, (shmem_ctx_t context), (context), .pe = 0)

#define BROADCAST(name, size) \
	CALL(shmem_broadcast, name, (void *to, const void *from, size_t elements, int root, SET), \
	     (to, from, elements, root, SET_ARGUMENTS), .pe = root, MOVES(elements, size), IN_SET)
#define COLLECTIVE(call, name, size) \
	CALL(call, name, (void *to, const void *from, size_t elements, SET), \
	     (to, from, elements, SET_ARGUMENTS), MOVES(elements, size), IN_SET)
#define STRIDED_COLLECTIVE(call, name, size) \
	CALL(call, name, \
	     (void *to, const void *from, ptrdiff_t to_stride, ptrdiff_t from_stride, size_t elements, SET), \
	     (to, from, to_stride, from_stride, elements, SET_ARGUMENTS), MOVES(elements, size), IN_SET, \
	     .stride = to_stride, .source_stride = from_stride)

BROADCAST(shmem_broadcast, sizeof(long))
BROADCAST(shmem_broadcast32, 4)
BROADCAST(shmem_broadcast64, 8)
COLLECTIVE(shmem_collect, shmem_collect32, 4)
COLLECTIVE(shmem_collect, shmem_collect64, 8)
COLLECTIVE(shmem_fcollect, shmem_fcollect32, 4)
COLLECTIVE(shmem_fcollect, shmem_fcollect64, 8)
COLLECTIVE(shmem_alltoall, shmem_alltoall32, 4)
COLLECTIVE(shmem_alltoall, shmem_alltoall64, 8)
STRIDED_COLLECTIVE(shmem_alltoalls, shmem_alltoalls32, 4)
STRIDED_COLLECTIVE(shmem_alltoalls, shmem_alltoalls64, 8)

#define REDUCTION(name, combine, size) \
	CALL(shmem_reduce, shmem_##name##_##combine##_to_all, \
	     (void *to, const void *from, int elements, int first, int log_stride, int count, void *work, \
	      long *sync), \
	     (to, from, elements, first, log_stride, count, work, sync), \
	     .bytes = elements > 0 ? (uint64_t)elements * (size) : 0, .object = to, .source = from, \
	     .elements = (size_t)elements, .element_bytes = size, .operation = #name "_" #combine, \
	     .work = work, IN_SET)
#define REDUCTIONS_OF_BITS(name, type) \
	REDUCTION(name, and, sizeof(type)) \
	REDUCTION(name, or, sizeof(type)) \
	REDUCTION(name, xor, sizeof(type))
#define REDUCTIONS(name, type) \
	REDUCTION(name, max, sizeof(type)) \
	REDUCTION(name, min, sizeof(type)) \
	SUMS(name, sizeof(type))
#define SUMS(name, size) \
	REDUCTION(name, sum, size) \
	REDUCTION(name, prod, size)

OLD_TYPES(REDUCTIONS_OF_BITS)
REDUCTIONS_OF_BITS(short, short)
OLD_TYPES(REDUCTIONS)
REAL_TYPES(REDUCTIONS)
REDUCTIONS(short, short)
REDUCTIONS(longdouble, long double)
SUMS(complexf, 2 * sizeof(float))
SUMS(complexd, 2 * sizeof(double))

/* Memory */

#define ALLOCATION(name, call, parameters, arguments, size) \
	CALL_WITH_RESULT(void *, call, name, parameters, arguments, .bytes = size, .object = result)

ALLOCATION(shmem_malloc, shmem_malloc, (size_t size), (size), size)
ALLOCATION(shmalloc, shmem_malloc, (size_t size), (size), size)
ALLOCATION(shmem_calloc, shmem_calloc, (size_t count, size_t size), (count, size), count *size)
ALLOCATION(shmem_align, shmem_align, (size_t alignment, size_t size), (alignment, size), size)
ALLOCATION(shmemalign, shmem_align, (size_t alignment, size_t size), (alignment, size), size)
CALL_WITH_RESULT(void *, shmem_realloc, shmem_realloc, (void *memory, size_t size), (memory, size),
                 .bytes = size, .object = result, .source = memory)
CALL_WITH_RESULT(void *, shmem_realloc, shrealloc, (void *memory, size_t size), (memory, size), .bytes = size,
                 .object = result, .source = memory)
CALL(shmem_free, shmem_free, (void *memory), (memory), .source = memory)
CALL(shmem_free, shfree, (void *memory), (memory), .source = memory)

/* NOLINTEND(bugprone-macro-parentheses) */

void *shmem_ptr(const void *object, int pe);
EXPORT void *shmem_ptr(const void *object, int pe)
{
	if (checker())
		checker()->shared();
	return NEXT(shmem_ptr)(object, pe);
}

/* Start and end */

enum { NAME_BYTES = 8192, /* MPI_MAX_LIBRARY_VERSION_STRING of MPICH */ THREAD_MULTIPLE = 3 };

static int number_from(const char *function)
{
	int (*ask)(void) = (int (*)(void))(uintptr_t)dlsym(RTLD_NEXT, function);

	return ask ? ask() : 0;
}

/* Open MPI's OpenSHMEM has the version of Open MPI, but names itself by an address. */
static void find_name(char *name)
{
	int (*get_version)(char *name, int *length) = (int (*)(char *, int *))(uintptr_t)dlsym(
		RTLD_DEFAULT, "PMPI_Get_library_version");
	void (*get_name)(char *name) = (void (*)(char *))(uintptr_t)dlsym(RTLD_NEXT, "shmem_info_get_name");
	int length;

	if (get_version && get_version(name, &length) == 0)
		name[strcspn(name, ",\n")] = '\0';
	else if (get_name)
		get_name(name);
}

static void tell_start(uint32_t call, bool is_multithreaded, const void *site, const void *frame)
{
	void (*get_version)(int *major, int *minor) = (void (*)(int *, int *))(uintptr_t)dlsym(
		RTLD_NEXT, "shmem_info_get_version");
	char name[NAME_BYTES] = "";
	struct shmem_start start = {.library = name, .is_multithreaded = is_multithreaded, .call = call};

	preload_load_recorder();
	if (!is_served())
		return;
	start.pe = number_from("shmem_my_pe");
	start.pe_count = number_from("shmem_n_pes");
	find_name(name);
	if (get_version)
		get_version(&start.major, &start.minor);
	if (recorder())
		recorder()->start(&start, site, frame);
	if (checker())
		checker()->start(&start, site, frame);
}

void shmem_init(void);
EXPORT void shmem_init(void)
{
	NEXT(shmem_init)();
	tell_start(CALL_shmem_init, false, HERE, FRAME);
}

int shmem_init_thread(int requested, int *provided);
EXPORT int shmem_init_thread(int requested, int *provided)
{
	const int result = NEXT(shmem_init_thread)(requested, provided);

	tell_start(CALL_shmem_init, provided && *provided >= THREAD_MULTIPLE, HERE, FRAME);
	return result;
}

void start_pes(int count);
EXPORT void start_pes(int count)
{
	NEXT(start_pes)(count);
	tell_start(CALL_shmem_init, false, HERE, FRAME);
}

void shmem_finalize(void);
EXPORT void shmem_finalize(void)
{
	const struct shmem_values values = {.pe = 0};
	struct served_call served;

	begins(&served, CALL_shmem_finalize, &values, HERE, FRAME);
	NEXT(shmem_finalize)();
	ends(&served, &values);
	if (recorder())
		recorder()->finish();
	if (checker())
		checker()->finish();
}

/* Does not return, so it is recorded before. */
void shmem_global_exit(int status);
EXPORT void shmem_global_exit(int status)
{
	const struct shmem_values values = {.pe = 0};
	struct served_call served;

	begins(&served, CALL_shmem_global_exit, &values, HERE, FRAME);
	if (served.is_recorded)
		recorder()->end(&served.span, &values);
	NEXT(shmem_global_exit)(status);
}
