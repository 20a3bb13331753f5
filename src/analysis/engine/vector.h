/* Vector operations: computations of rules, for many rows at a time.
 *
 *	vector_run(VECTOR_SUBTRACT, &(struct vector_task){.out = late, .args = {send_start, wait_start}, .count = 512});
 *
 * Operations on whole numbers saturate. ABSENT is the value of a missing thing, such as the maximum of no
 * rows. It is less than every other value, and values computed from it are ABSENT. For real numbers it is
 * not-a-number, for which only the comparison `!=` is true. The quotient of whole numbers is real; the
 * remainder of a division by 0 is ABSENT. */
#ifndef TARRY_ANALYSIS_ENGINE_VECTOR_H
#define TARRY_ANALYSIS_ENGINE_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

#ifndef ABSENT
#define ABSENT INT64_MIN
#endif

union word {
	int64_t i;
	double r;
};

/* Written without branches, so that the compiler can vectorize. */
static inline int64_t ended(int64_t sum, bool is_beyond, bool is_negative)
{
	int64_t end = is_negative ? -INT64_MAX : INT64_MAX;

	return is_beyond | (sum == ABSENT) ? end : sum;
}

static inline int64_t whole_add(int64_t a, int64_t b)
{
	int64_t sum = (int64_t)((uint64_t)a + (uint64_t)b);
	int64_t result = ended(sum, ((a ^ sum) & (b ^ sum)) < 0, a < 0);

	return (a == ABSENT) | (b == ABSENT) ? ABSENT : result;
}

/* VECTOR(NAME, number of arguments, arguments are real, result is real, result): arguments are the words a, b
 * and c. */
#define VECTORS(VECTOR) \
	VECTOR(ADD, 2, false, false, .i = whole_add(a.i, b.i)) \
	VECTOR(SUBTRACT, 2, false, false, .i = whole_subtract(a.i, b.i)) \
	VECTOR(MULTIPLY, 2, false, false, .i = whole_multiply(a.i, b.i)) \
	VECTOR(MODULO, 2, false, false, .i = whole_modulo(a.i, b.i)) \
	VECTOR(MINUS, 1, false, false, .i = whole_subtract(0, a.i)) \
	VECTOR(REAL_ADD, 2, true, true, .r = a.r + b.r) \
	VECTOR(REAL_SUBTRACT, 2, true, true, .r = a.r - b.r) \
	VECTOR(REAL_MULTIPLY, 2, true, true, .r = a.r * b.r) \
	VECTOR(REAL_DIVIDE, 2, true, true, .r = a.r / b.r) \
	VECTOR(REAL_MODULO, 2, true, true, .r = fmod(a.r, b.r)) \
	VECTOR(REAL_MINUS, 1, true, true, .r = -a.r) \
	VECTOR(EQUAL, 2, false, false, .i = a.i == b.i) \
	VECTOR(UNEQUAL, 2, false, false, .i = a.i != b.i) \
	VECTOR(LESS, 2, false, false, .i = a.i < b.i) \
	VECTOR(LESS_EQUAL, 2, false, false, .i = a.i <= b.i) \
	VECTOR(REAL_EQUAL, 2, true, false, .i = a.r == b.r) \
	VECTOR(REAL_UNEQUAL, 2, true, false, .i = a.r != b.r) \
	VECTOR(REAL_LESS, 2, true, false, .i = a.r < b.r) \
	VECTOR(REAL_LESS_EQUAL, 2, true, false, .i = a.r <= b.r) \
	VECTOR(LEAST, 2, false, false, .i = a.i < b.i ? a.i : b.i) \
	VECTOR(GREATEST, 2, false, false, .i = a.i > b.i ? a.i : b.i) \
	VECTOR(REAL_LEAST, 2, true, true, .r = a.r < b.r || a.r != a.r ? a.r : b.r) \
	VECTOR(REAL_GREATEST, 2, true, true, .r = a.r > b.r || b.r != b.r ? a.r : b.r) \
	VECTOR(AND, 2, false, false, .i = a.i & b.i) \
	VECTOR(OR, 2, false, false, .i = a.i | b.i) \
	VECTOR(NOT, 1, false, false, .i = !a.i) \
	VECTOR(BIT, 2, false, false, .i = (int64_t)((uint64_t)a.i >> (b.i & 63) & 1)) \
	VECTOR(CHOOSE, 3, false, false, .i = a.i ? b.i : c.i) \
	VECTOR(REAL_CHOOSE, 3, false, true, .r = a.i ? b.r : c.r) \
	VECTOR(TO_REAL, 1, false, true, .r = a.i == ABSENT ? NAN : (double)a.i) \
	VECTOR(TO_WHOLE, 1, true, false, .i = whole_nearest(a.r)) \
	VECTOR(HIGH_HALF, 1, false, false, .i = (int64_t)((uint64_t)a.i >> 32)) \
	VECTOR(LOW_HALF, 1, false, false, .i = a.i & 0xffffffff) \
	VECTOR(JOIN_HALVES, 2, false, false, \
	       .i = (int64_t)((uint64_t)a.i << 32 | ((uint64_t)b.i & 0xffffffff))) \
	VECTOR(MIX, 2, false, false, .i = whole_mix(a.i, b.i))

enum vector {
#define VECTOR(NAME, ...) VECTOR_##NAME,
	VECTORS(VECTOR)
#undef VECTOR
		VECTORS_END,
};

struct vector_info {
	const char *name;
	uint32_t arity;
	bool takes_real, gives_real;
};

extern const struct vector_info vector_infos[VECTORS_END];

struct vector_task {
	union word *out;
	const union word *args[3]; /* up to the arity of the vector */
	const uint32_t *rows;      /* NULL: 0, …, count - 1 */
	uint32_t count;
};

void vector_run(enum vector vector, const struct vector_task *task);

/* The bits of at least one value, and the bits that all values have. */
struct common_bits {
	uint64_t some, all;
};

/* Over `rows` (NULL: 0, …, count - 1). */
struct common_bits vector_common_bits(const union word *values, const uint32_t *rows, uint32_t count);

/* Keeps the rows of `rows` (NULL: 0, …, count - 1) whose value is not 0; `kept` may be the same array.
 * Returns their number. */
uint32_t vector_keep(const union word *values, const uint32_t *rows, uint32_t count, uint32_t *kept);
/* Keeps the rows with `left` less than `right` or, with `or_equal`, equal to it. */
uint32_t vector_keep_less(const union word *left, const union word *right, bool or_equal,
                          const uint32_t *rows, uint32_t count, uint32_t *kept);
/* Keeps the rows that have all bits of `need`. */
uint32_t vector_keep_bits(const union word *values, uint64_t need, const uint32_t *rows, uint32_t count,
                          uint32_t *kept);

#endif
