#include "analysis/engine/vector.h"

#include <math.h>

static inline int64_t whole_subtract(int64_t a, int64_t b)
{
	int64_t rest = (int64_t)((uint64_t)a - (uint64_t)b);
	int64_t result = ended(rest, ((a ^ b) & (a ^ rest)) < 0, a < 0);

	return (a == ABSENT) | (b == ABSENT) ? ABSENT : result;
}

static inline int64_t whole_multiply(int64_t a, int64_t b)
{
	int64_t product;
	bool is_beyond = __builtin_mul_overflow(a, b, &product);

	return a == ABSENT || b == ABSENT ? ABSENT : ended(product, is_beyond, (a < 0) != (b < 0));
}

static inline int64_t whole_modulo(int64_t a, int64_t b)
{
	if (a == ABSENT || b == ABSENT || b == 0)
		return ABSENT;
	return b == -1 ? 0 : a % b;
}

static inline int64_t whole_nearest(double value)
{
	if (isnan(value))
		return ABSENT;
	if (value >= 0x1p63)
		return INT64_MAX;
	return value <= -0x1p63 ? -INT64_MAX : llrint(value);
}

static inline int64_t whole_mix(int64_t a, int64_t b)
{
	uint64_t mixed = ((uint64_t)a ^ ((uint64_t)b + 0x9e3779b97f4a7c15)) * 0xbf58476d1ce4e5b9;

	return (int64_t)(mixed ^ mixed >> 29);
}

const struct vector_info vector_infos[VECTORS_END] = {
#define VECTOR(NAME, arity, takes, gives, ...) {#NAME, arity, takes, gives},
	VECTORS(VECTOR)
#undef VECTOR
};

/* Most of a column's loop is counting. */
#define UNROLLED _Pragma("GCC unroll 4")

#define VECTOR(NAME, arity, takes, gives, ...) \
	static void run_##NAME(const struct vector_task *task) \
	{ \
		const union word *as = task->args[0], *bs = task->args[(arity) > 1], \
				 *cs = task->args[(arity)-1]; \
		union word *out = task->out; \
		if (!task->rows) { \
			UNROLLED for (uint32_t i = 0; i < task->count; i++) \
			{ \
				union word a = as[i], b = bs[i], c = cs[i]; \
				(void)a, (void)b, (void)c; \
				out[i] = (union word){__VA_ARGS__}; \
			} \
			return; \
		} \
		for (uint32_t k = 0; k < task->count; k++) { \
			uint32_t i = task->rows[k]; \
			union word a = as[i], b = bs[i], c = cs[i]; \
			(void)a, (void)b, (void)c; \
			out[i] = (union word){__VA_ARGS__}; \
		} \
	}
VECTORS(VECTOR)
#undef VECTOR

/* Nearly all numbers are far from the limits, and need no checks. False: these are not. */
static bool run_small_SUBTRACT(const struct vector_task *task)
{
	const uint64_t far = UINT64_C(1) << 62;
	const union word *restrict as = task->args[0], *restrict bs = task->args[1];
	union word *restrict out = task->out;
	uint64_t large = 0;

	for (uint32_t i = 0; i < task->count; i++) {
		uint64_t a = (uint64_t)as[i].i, b = (uint64_t)bs[i].i;
		out[i].i = (int64_t)(a - b);
		large |= (a + far) | (b + far);
	}
	return !(large >> 63);
}

void vector_run(enum vector vector, const struct vector_task *task)
{
	static void (*const runs[])(const struct vector_task *) = {
#define VECTOR(NAME, ...) run_##NAME,
		VECTORS(VECTOR)
#undef VECTOR
	};

	if (vector == VECTOR_SUBTRACT && !task->rows && run_small_SUBTRACT(task))
		return;
	runs[vector](task);
}

struct common_bits vector_common_bits(const union word *values, const uint32_t *rows, uint32_t count)
{
	uint64_t some = 0, all = UINT64_MAX;

	for (uint32_t row = 0; !rows && row < count; row++) {
		some |= (uint64_t)values[row].i;
		all &= (uint64_t)values[row].i;
	}
	for (uint32_t k = 0; rows && k < count; k++) {
		some |= (uint64_t)values[rows[k]].i;
		all &= (uint64_t)values[rows[k]].i;
	}
	return (struct common_bits){some, all};
}

/* Without a branch for each row, which would be mispredicted. */
#define KEEP_IF(condition) \
	for (uint32_t row = 0; !rows && row < count; row++) { \
		kept[n] = row; \
		n += (condition); \
	} \
	for (uint32_t k = 0; rows && k < count; k++) { \
		uint32_t row = rows[k]; \
		kept[n] = row; \
		n += (condition); \
	}

uint32_t vector_keep(const union word *values, const uint32_t *rows, uint32_t count, uint32_t *kept)
{
	uint32_t n = 0;

	KEEP_IF(values[row].i != 0);
	return n;
}

uint32_t vector_keep_less(const union word *left, const union word *right, bool or_equal,
                          const uint32_t *rows, uint32_t count, uint32_t *kept)
{
	uint32_t n = 0;

	if (or_equal) {
		KEEP_IF(left[row].i <= right[row].i);
	} else {
		KEEP_IF(left[row].i < right[row].i);
	}
	return n;
}

uint32_t vector_keep_bits(const union word *values, uint64_t need, const uint32_t *rows, uint32_t count,
                          uint32_t *kept)
{
	uint32_t n = 0;

	KEEP_IF(((uint64_t)values[row].i & need) == need);
	return n;
}
