#include "base/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check_round_trip(const char *value)
{
	char encoded[1024], back[1024];

	setting_encode(value, encoded);
	assert_true(strlen(encoded) < SETTING_ENCODED(strlen(value)));
	/* Nothing that a launcher splits, drops or expands. */
	assert_null(strpbrk(encoded, "=;, \t\n\"'$\\`&|<>()*?[]{}~#!^"));
	setting_decode(encoded, back);
	assert_string_equal(back, value);
}

static void test_every_value_comes_back(void **state)
{
	char every_byte[256];

	(void)state;
	for (int i = 1; i < 256; i++)
		every_byte[i - 1] = (char)i;
	every_byte[255] = '\0';
	check_round_trip(every_byte);
	check_round_trip("");
	check_round_trip("allgather=ring,bcast=mpi");
	check_round_trip("node=3e-07,1e+10 network=2e-05,1.2e+08");
	check_round_trip("100%41 %");
}

static void test_plain_values_stay(void **state)
{
	char encoded[64];

	(void)state;
	setting_encode("/home/u-1/run_2.tarry", encoded);
	assert_string_equal(encoded, "/home/u-1/run_2.tarry");
}

static void test_values_by_hand(void **state)
{
	char out[64];

	(void)state;
	setting_decode("50%", out);
	assert_string_equal(out, "50%");
	setting_decode("%zz%4", out);
	assert_string_equal(out, "%zz%4");
	setting_decode("a%00b", out);
	assert_string_equal(out, "a%00b");
}

static void test_environment(void **state)
{
	const char *first;

	(void)state;
	unsetenv("TARRY_OUTPUT");
	assert_null(setting_get(SETTING_OUTPUT));
	setenv("TARRY_OUTPUT", "/plain", 1);
	assert_string_equal(setting_get(SETTING_OUTPUT), "/plain");
	setenv("TARRY_OUTPUT", "/a%3Db", 1);
	first = setting_get(SETTING_OUTPUT);
	assert_string_equal(first, "/a=b");
	assert_ptr_equal(setting_get(SETTING_OUTPUT), first);
	setenv("TARRY_OUTPUT", "/c%20d", 1);
	assert_string_equal(setting_get(SETTING_OUTPUT), "/c d");
	assert_string_equal(first, "/a=b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_value_comes_back),
		cmocka_unit_test(test_plain_values_stay),
		cmocka_unit_test(test_values_by_hand),
		cmocka_unit_test(test_environment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
