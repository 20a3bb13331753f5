/* Signatures against the sequences that they stand for, written out. */
#include "check/signature/signature.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TYPES = 24, LONGEST = 4096, ROUNDS = 300 };

static const struct {
	enum basic_type type;
	uint32_t bytes;
} basics[] = {{BASIC_INT, 4}, {BASIC_DOUBLE, 8}, {BASIC_INTEGER, 4}, {BASIC_CHAR, 1}, {BASIC_FLOAT_INT, 8}};

enum { BASICS = sizeof basics / sizeof *basics };

static struct {
	struct signature *signature;
	uint64_t length;
	uint8_t elements[LONGEST];
} types[TYPES];

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 8) % limit;
}

static void make_basics(void)
{
	for (int i = 0; i < BASICS; i++) {
		types[i].signature = signature_basic(basics[i].type, basics[i].bytes);
		assert_non_null(types[i].signature);
		types[i].length = 1;
		types[i].elements[0] = (uint8_t)basics[i].type;
		if (basics[i].type == BASIC_FLOAT_INT) {
			types[i].length = 2;
			types[i].elements[0] = BASIC_FLOAT;
			types[i].elements[1] = BASIC_INT;
		}
		assert_true(signature_elements(types[i].signature) == types[i].length);
		assert_true(signature_bytes(types[i].signature) == basics[i].bytes);
	}
}

/* Composes a type of up to four existing ones, some of them zero times. */
static void make_type(int number)
{
	struct signature_part parts[4];
	uint32_t count = random_below(4) + 1;

	types[number].length = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t of = random_below((uint32_t)number), times = random_below(4);
		if (types[number].length + types[of].length * times > LONGEST)
			times = 0;
		parts[i] = (struct signature_part){types[of].signature, times};
		for (uint32_t j = 0; j < times; j++) {
			memcpy(types[number].elements + types[number].length, types[of].elements,
			       types[of].length);
			types[number].length += types[of].length;
		}
	}
	types[number].signature = signature_new(count, parts);
	assert_non_null(types[number].signature);
	assert_true(signature_elements(types[number].signature) == types[number].length);
}

static void free_types(void)
{
	for (int i = 0; i < TYPES; i++)
		signature_free(types[i].signature);
}

static uint8_t element_of(int type, uint64_t index)
{
	return types[type].elements[index % types[type].length];
}

static enum basic_type plain_class(uint8_t element)
{
	return element == BASIC_INTEGER ? BASIC_INT : (enum basic_type)element;
}

static void compare_with_sequences(int a, uint64_t sent, int b, uint64_t room)
{
	uint64_t there = types[a].length * sent, space = types[b].length * room;
	uint64_t common = there < space ? there : space, exact = 0, real = 0;
	struct signature_comparison got = signatures_compare(types[a].signature, sent, types[b].signature,
	                                                     room);

	while (exact < common && element_of(a, exact) == element_of(b, exact))
		exact++;
	while (real < common && plain_class(element_of(a, real)) == plain_class(element_of(b, real)))
		real++;
	if (real < common) {
		assert_int_equal(got.verdict, SIGNATURE_DIFFERS);
		assert_true(got.at == real && got.sent == element_of(a, real) &&
		            got.received == element_of(b, real));
	} else if (there > space) {
		assert_int_equal(got.verdict, SIGNATURE_TOO_LONG);
	} else if (exact < common) {
		assert_int_equal(got.verdict, SIGNATURE_SIMILAR);
		assert_true(got.at == exact && got.sent == element_of(a, exact));
	} else {
		assert_int_equal(got.verdict, SIGNATURE_FITS);
	}
	if (there == space)
		assert_true((exact == common) == (signature_hash(types[a].signature, sent) ==
		                                  signature_hash(types[b].signature, room)));
}

static void comparisons_are_those_of_the_sequences(void **state)
{
	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		make_basics();
		for (int i = BASICS; i < TYPES; i++)
			make_type(i);
		for (int i = 0; i < TYPES; i++) {
			for (uint64_t j = 0; j < types[i].length; j++)
				assert_int_equal(signature_element(types[i].signature, j),
				                 types[i].elements[j]);
			for (int j = 0; j < TYPES; j++)
				compare_with_sequences(i, random_below(5), j, random_below(5));
		}
		free_types();
	}
}

static void the_same_sequence_in_other_shapes_fits(void **state)
{
	struct signature *integer = signature_basic(BASIC_INT, 4), *real = signature_basic(BASIC_DOUBLE, 8);
	struct signature_part two[] = {{integer, 1}, {real, 1}};
	struct signature *pair = signature_new(2, two);
	struct signature_part four[] = {{pair, 1}, {integer, 1}, {real, 1}};
	struct signature *quad = signature_new(3, four);
	uint64_t many = UINT64_C(1) << 40;

	(void)state;
	assert_int_equal(signatures_compare(pair, 2, quad, 1).verdict, SIGNATURE_FITS);
	assert_int_equal(signatures_compare(pair, 2 * many, quad, many).verdict, SIGNATURE_FITS);
	assert_int_equal(signatures_compare(pair, 2 * many + 1, quad, many).verdict, SIGNATURE_TOO_LONG);
	assert_int_equal(signatures_compare(integer, 3, quad, 1).verdict, SIGNATURE_DIFFERS);
	assert_true(signatures_compare(integer, 3, quad, 1).at == 1);
	signature_free(quad);
	signature_free(pair);
	signature_free(real);
	signature_free(integer);
}

static void packed_data_fits_by_bytes(void **state)
{
	struct signature *packed = signature_basic(BASIC_PACKED, 1), *integer = signature_basic(BASIC_INT, 4);

	(void)state;
	assert_int_equal(signatures_compare(packed, 8, integer, 2).verdict, SIGNATURE_FITS);
	assert_int_equal(signatures_compare(integer, 2, packed, 8).verdict, SIGNATURE_FITS);
	assert_int_equal(signatures_compare(integer, 2, packed, 7).verdict, SIGNATURE_TOO_LONG);
	signature_free(packed);
	signature_free(integer);
}

static void nonsense_is_no_type(void **state)
{
	struct signature *integer = signature_basic(BASIC_INT, 4);
	struct signature *deeper = integer, *chain[1000] = {NULL};
	int depth = 0;

	(void)state;
	assert_null(signature_basic(BASIC_NONE, 4));
	assert_null(signature_basic(BASIC_TYPES, 4));
	assert_null(signature_new(2, (struct signature_part[]){{integer, UINT64_MAX}, {integer, 2}}));
	for (; deeper && depth < 1000; depth++)
		deeper = chain[depth] = signature_new(1, (struct signature_part[]){{deeper, 1}});
	assert_true(depth > 100 && depth < 1000);
	while (depth--)
		signature_free(chain[depth]);
	signature_free(integer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comparisons_are_those_of_the_sequences),
		cmocka_unit_test(the_same_sequence_in_other_shapes_fits),
		cmocka_unit_test(packed_data_fits_by_bytes),
		cmocka_unit_test(nonsense_is_no_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
