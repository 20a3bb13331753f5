/* Words for arguments of MPI's functions, and lists of them for the recorder. */
#include "calls/arguments.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static bool parses(enum call_id call, const char *text)
{
	struct call_argument argument;
	char written[ARGUMENT_TEXT_MAX];

	if (!argument_parse(call, text, strlen(text), &argument))
		return false;
	assert_string_equal(argument_write(&argument, written), text);
	return true;
}

static void words(void **state)
{
	(void)state;
	assert_true(parses(CALL_Comm_split, "color"));
	assert_true(parses(CALL_Cart_create, "dims[0]"));
	assert_true(parses(CALL_Cart_create, "dims[1000000]"));
	assert_true(parses(CALL_Alltoallv, "sendcounts.sum"));
	assert_true(parses(CALL_Recv, "status.MPI_TAG"));
	assert_true(parses(CALL_Waitall, "array_of_statuses[3].bytes"));
	assert_false(parses(CALL_Comm_split, "colour"));
	assert_false(parses(CALL_Comm_split, "color[0]"));
	assert_false(parses(CALL_Comm_split, ""));
	assert_false(parses(CALL_Cart_create, "dims"));
	assert_false(parses(CALL_Cart_create, "dims[]"));
	assert_false(parses(CALL_Cart_create, "dims[-1]"));
	assert_false(parses(CALL_Cart_create, "dims[1000001]"));
	assert_false(parses(CALL_Cart_create, "dims[0"));
	assert_false(parses(CALL_Cart_create, "dims[0]x"));
	assert_false(parses(CALL_Cart_create, "dims[0].sum"));
	assert_false(parses(CALL_Recv, "status"));
	assert_false(parses(CALL_Recv, "status.sum"));
	assert_false(parses(CALL_Type_create_struct, "array_of_types.sum"));
}

static void lists(void **state)
{
	const char *list =
		"MPI_Comm_split:color/MPI_Nothing:x/MPI_Cart_create:dims[1]/:/MPI_Send/upc_barrier:id/MPI_Send:count";
	struct call_argument argument;
	char text[ARGUMENT_TEXT_MAX];
	int good = 0, bad = 0;

	(void)state;
	while (list) {
		if (argument_list_next(&list, &argument)) {
			argument_write(&argument, text);
			good++;
		} else {
			bad++;
		}
	}
	assert_int_equal(good, 3);
	assert_int_equal(bad, 4);
	assert_int_equal(argument.call, CALL_Send);
	assert_string_equal(text, "count");
}

/* Each argument of each function has a form that fits its kind. */
static void forms(void **state)
{
	(void)state;
	assert_int_equal(call_argument_forms[CALL_Cart_create][3].base, ARGUMENT_TRUTH);
	assert_int_equal(call_argument_forms[CALL_Cart_create][2].length, LENGTH_PARAMETER);
	assert_int_equal(call_argument_forms[CALL_Cart_create][2].other, 1);
	assert_int_equal(call_argument_forms[CALL_Alltoallv_c][1].is_wide, 1);
	assert_int_equal(call_argument_forms[CALL_Alltoallv][1].is_wide, 0);
	assert_int_equal(call_argument_forms[CALL_Neighbor_alltoallw][1].length, LENGTH_DESTINATIONS);
	assert_int_equal(call_argument_forms[CALL_Reduce_scatter][2].length, LENGTH_MEMBERS);
	assert_int_equal(call_argument_forms[CALL_Waitsome][4].other, 2);
	assert_int_equal(call_argument_forms[CALL_Type_free][0].is_out, 0);
	assert_int_equal(call_argument_forms[CALL_Iprobe][3].is_out, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(lists),
		cmocka_unit_test(forms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
