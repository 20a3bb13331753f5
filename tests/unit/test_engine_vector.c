#include "analysis/engine/vector.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROWS = 37 };

static int64_t whole(enum vector vector, int64_t a, int64_t b)
{
	union word words[2] = {{.i = a}, {.i = b}}, out;

	vector_run(vector, &(struct vector_task){.out = &out, .args = {&words[0], &words[1]}, .count = 1});
	return out.i;
}

static union word real(enum vector vector, double a, double b)
{
	union word words[2] = {{.r = a}, {.r = b}}, out;

	vector_run(vector, &(struct vector_task){.out = &out, .args = {&words[0], &words[1]}, .count = 1});
	return out;
}

static void sums_end_where_numbers_do(void **state)
{
	(void)state;
	assert_int_equal(whole(VECTOR_ADD, 2, 3), 5);
	assert_int_equal(whole(VECTOR_ADD, INT64_MAX, 1), INT64_MAX);
	assert_int_equal(whole(VECTOR_ADD, INT64_MAX, INT64_MAX), INT64_MAX);
	assert_int_equal(whole(VECTOR_ADD, -INT64_MAX, -1), -INT64_MAX);
	assert_int_equal(whole(VECTOR_ADD, INT64_MAX, -INT64_MAX), 0);
	assert_int_equal(whole(VECTOR_SUBTRACT, -INT64_MAX, 1), -INT64_MAX);
	assert_int_equal(whole(VECTOR_SUBTRACT, -INT64_MAX, INT64_MAX), -INT64_MAX);
	assert_int_equal(whole(VECTOR_SUBTRACT, INT64_MAX, -1), INT64_MAX);
	assert_int_equal(whole(VECTOR_SUBTRACT, 3, 5), -2);
	assert_int_equal(whole(VECTOR_MINUS, INT64_MAX, 0), -INT64_MAX);
}

static void products_end_where_numbers_do(void **state)
{
	(void)state;
	assert_int_equal(whole(VECTOR_MULTIPLY, -4, 5), -20);
	assert_int_equal(whole(VECTOR_MULTIPLY, INT64_MAX, 2), INT64_MAX);
	assert_int_equal(whole(VECTOR_MULTIPLY, INT64_MAX, -2), -INT64_MAX);
	assert_int_equal(whole(VECTOR_MULTIPLY, INT64_C(1) << 62, -2), -INT64_MAX);
	assert_int_equal(whole(VECTOR_MODULO, 17, 5), 2);
	assert_int_equal(whole(VECTOR_MODULO, -INT64_MAX, -1), 0);
	assert_int_equal(whole(VECTOR_MODULO, 17, 0), ABSENT);
}

static void nothing_stays_nothing(void **state)
{
	static const enum vector vectors[] = {VECTOR_ADD, VECTOR_SUBTRACT, VECTOR_MULTIPLY, VECTOR_MODULO};

	(void)state;
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
		assert_int_equal(whole(vectors[i], ABSENT, 1), ABSENT);
		assert_int_equal(whole(vectors[i], 1, ABSENT), ABSENT);
		assert_int_equal(whole(vectors[i], -1, ABSENT), ABSENT);
	}
	assert_int_equal(whole(VECTOR_MINUS, ABSENT, 0), ABSENT);
	assert_int_equal(whole(VECTOR_LEAST, ABSENT, 5), ABSENT);
	assert_int_equal(whole(VECTOR_GREATEST, ABSENT, 5), 5);
	assert_int_equal(whole(VECTOR_LESS, ABSENT, -INT64_MAX), 1);
	assert_true(isnan(real(VECTOR_REAL_LEAST, NAN, 2).r));
	assert_true(isnan(real(VECTOR_REAL_LEAST, 2, NAN).r));
	assert_true(real(VECTOR_REAL_GREATEST, NAN, 2).r == 2);
	assert_true(real(VECTOR_REAL_GREATEST, 2, NAN).r == 2);
	assert_int_equal(real(VECTOR_REAL_LESS, NAN, 2).i, 0);
	assert_int_equal(real(VECTOR_REAL_UNEQUAL, NAN, NAN).i, 1);
}

static void numbers_become_each_other(void **state)
{
	(void)state;
	assert_int_equal(real(VECTOR_TO_WHOLE, 2.5, 0).i, 2);
	assert_int_equal(real(VECTOR_TO_WHOLE, -3.7, 0).i, -4);
	assert_int_equal(real(VECTOR_TO_WHOLE, 1e300, 0).i, INT64_MAX);
	assert_int_equal(real(VECTOR_TO_WHOLE, -INFINITY, 0).i, -INT64_MAX);
	assert_int_equal(real(VECTOR_TO_WHOLE, NAN, 0).i, ABSENT);
	assert_true(isnan(((union word){.i = whole(VECTOR_TO_REAL, ABSENT, 0)}).r));
	assert_true(((union word){.i = whole(VECTOR_TO_REAL, -7, 0)}).r == -7.0);
}

static void halves_are_kept_apart(void **state)
{
	int64_t both = whole(VECTOR_JOIN_HALVES, 70000, INT64_C(5) << 32 | 3);

	(void)state;
	assert_int_equal(both, INT64_C(70000) << 32 | 3);
	assert_int_equal(whole(VECTOR_HIGH_HALF, INT64_C(5) << 32 | 3, 0), 5);
	assert_int_equal(whole(VECTOR_LOW_HALF, INT64_C(5) << 32 | 3, 0), 3);
}

/* All rows at once, and some of them: the same values, and no other row is touched. */
static void chosen_rows_are_like_all(void **state)
{
	union word a[ROWS], b[ROWS], all[ROWS], some[ROWS];
	uint32_t chosen[ROWS], count = 0;

	(void)state;
	for (uint32_t i = 0; i < ROWS; i++) {
		a[i].i = (int64_t)(i * 7919 % 101) - 50;
		b[i].i = (int64_t)(i * 104729 % 97) - 48;
		some[i].i = 12345678;
		if (i % 3 == 1)
			chosen[count++] = i;
	}
	for (uint32_t v = 0; v < VECTORS_END; v++) {
		struct vector_task task = {.out = all, .args = {a, b, a}, .count = ROWS};
		if (vector_infos[v].takes_real)
			continue;
		vector_run((enum vector)v, &task);
		task = (struct vector_task){.out = some, .args = {a, b, a}, .rows = chosen, .count = count};
		vector_run((enum vector)v, &task);
		for (uint32_t i = 0; i < ROWS; i++)
			assert_int_equal(some[i].i, i % 3 == 1 ? all[i].i : 12345678);
	}
}

static void rows_are_kept(void **state)
{
	union word values[ROWS];
	uint32_t kept[ROWS], count;

	(void)state;
	for (uint32_t i = 0; i < ROWS; i++)
		values[i].i = i % 4;
	count = vector_keep(values, NULL, ROWS, kept);
	assert_int_equal(count, ROWS - (ROWS + 3) / 4);
	for (uint32_t k = 0; k < count; k++)
		assert_int_not_equal(kept[k] % 4, 0);
	count = vector_keep_bits(values, 3, kept, count, kept);
	assert_int_equal(count, ROWS / 4);
	for (uint32_t k = 0; k < count; k++)
		assert_int_equal(kept[k], 4 * k + 3);
}

static void bits_are_those_of_some_and_of_all(void **state)
{
	union word values[ROWS];
	struct common_bits bits;

	(void)state;
	for (uint32_t i = 0; i < ROWS; i++)
		values[i].i = 8 | (i == ROWS - 1 ? 2 : 4);
	bits = vector_common_bits(values, NULL, ROWS);
	assert_int_equal(bits.some, 14);
	assert_int_equal(bits.all, 8);
	assert_int_equal(vector_common_bits(values, NULL, ROWS - 1).some, 12);
	assert_int_equal(vector_common_bits(values, (uint32_t[]){0, 1}, 2).some, 12);
	assert_int_equal(vector_common_bits(values, (uint32_t[]){1, ROWS - 1}, 2).some, 14);
	assert_int_equal(whole(VECTOR_BIT, 8, 3), 1);
	assert_int_equal(whole(VECTOR_BIT, 8, 2), 0);
	assert_int_equal(whole(VECTOR_BIT, INT64_MIN, 63), 1);
}

/* One number near the ends among many that are far from them. */
static void a_column_has_ends_where_one_number_has(void **state)
{
	static const int64_t edges[] = {ABSENT, -INT64_MAX, -(INT64_C(1) << 62) - 1, INT64_C(1) << 62,
	                                INT64_MAX};
	union word a[ROWS], b[ROWS], out[ROWS];

	(void)state;
	for (size_t edge = 0; edge < sizeof edges / sizeof *edges; edge++) {
		for (int64_t i = 0; i < ROWS; i++) {
			a[i].i = i == 5 ? edges[edge] : 1000 * i;
			b[i].i = i == 9 ? edges[edge] : i;
		}
		vector_run(VECTOR_SUBTRACT, &(struct vector_task){.out = out, .args = {a, b}, .count = ROWS});
		for (uint32_t i = 0; i < ROWS; i++)
			assert_int_equal(out[i].i, whole(VECTOR_SUBTRACT, a[i].i, b[i].i));
	}
	assert_int_equal(whole(VECTOR_SUBTRACT, INT64_C(1) << 62, -(INT64_C(1) << 62)), INT64_MAX);
	assert_int_equal(whole(VECTOR_SUBTRACT, 1 - (INT64_C(1) << 62), INT64_C(1) << 62), 1 - INT64_MAX - 1);
}

static void rows_are_kept_by_comparison(void **state)
{
	union word left[ROWS], right[ROWS];
	uint32_t kept[ROWS], count;

	(void)state;
	for (uint32_t i = 0; i < ROWS; i++) {
		left[i].i = i % 5;
		right[i].i = 2;
	}
	count = vector_keep_less(left, right, true, NULL, ROWS, kept);
	for (uint32_t k = 0; k < count; k++)
		assert_true(kept[k] % 5 <= 2);
	assert_int_equal(count, 23);
	count = vector_keep_less(left, right, false, kept, count, kept);
	for (uint32_t k = 0; k < count; k++)
		assert_true(kept[k] % 5 < 2);
	assert_int_equal(count, 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_end_where_numbers_do),
		cmocka_unit_test(products_end_where_numbers_do),
		cmocka_unit_test(nothing_stays_nothing),
		cmocka_unit_test(numbers_become_each_other),
		cmocka_unit_test(halves_are_kept_apart),
		cmocka_unit_test(chosen_rows_are_like_all),
		cmocka_unit_test(rows_are_kept),
		cmocka_unit_test(bits_are_those_of_some_and_of_all),
		cmocka_unit_test(a_column_has_ends_where_one_number_has),
		cmocka_unit_test(rows_are_kept_by_comparison),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
