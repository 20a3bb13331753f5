/* Signatures of datatypes as they are announced: equal ones are shared, and those without references are freed. The test plays MPI, whose
 * header it needs all the same: it has the predefined types. */
#include "check/signature/signature.h"
#include "job/check/objects/objects.h"
#include "job/check/objects/type_contents.h"
#include "job/check/objects/type_layout.h"
#include "job/check/objects/types.h"
#include "job/check/wire/process_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { FIRST_HANDLE = 5000, TYPES = 16, PARTS = 4 };

/* Types of the program. */
static struct made_type {
	int combiner;
	uint64_t bytes;
	int part_count;
	MPI_Datatype parts[PARTS];
	int lengths[PARTS];
} made[TYPES];

struct checked_process checked;
struct checked_object *object_cache[OBJECT_KINDS][OBJECT_CACHE];
static struct checked_object object;

struct checked_object *object_find_slowly(enum object_kind kind, uint64_t handle)
{
	(void)kind;
	(void)handle;
	return &object;
}

void *host_table(size_t count, size_t size)
{
	return calloc(count, size);
}

static struct type_layout layout_of_many_runs;

void type_layout_hold(const struct type_layout *layout)
{
	assert_ptr_equal(layout, &layout_of_many_runs);
	layout_of_many_runs.refs++;
}

void type_layout_release(const struct type_layout *layout)
{
	layout_of_many_runs.refs -= layout != NULL;
}

void host_lock(void)
{
}

void host_unlock(void)
{
}

static const struct made_type *find_made(MPI_Datatype type)
{
	const uint64_t handle = HANDLE(type);

	return handle >= FIRST_HANDLE && handle < FIRST_HANDLE + TYPES ? &made[handle - FIRST_HANDLE] : NULL;
}

int PMPI_Type_size_x(MPI_Datatype type, MPI_Count *size)
{
	const struct made_type *of = find_made(type);

	*size = of ? (MPI_Count)of->bytes : type == MPI_DOUBLE ? 8 : type == MPI_CHAR ? 1 : 4;
	return MPI_SUCCESS;
}

bool combiner_is_named(int combiner)
{
	return combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_INTEGER ||
	       combiner == MPI_COMBINER_F90_COMPLEX;
}

bool type_contents_open(struct type_contents *c, MPI_Datatype type)
{
	const struct made_type *of = find_made(type);

	*c = (struct type_contents){.combiner = of ? of->combiner : 0, .type_count = of ? of->part_count : 0};
	return of && of->combiner >= 0;
}

bool type_contents_read(struct type_contents *c, MPI_Datatype type)
{
	c->types = (MPI_Datatype *)(uintptr_t)find_made(type)->parts;
	c->integers = (int *)(uintptr_t)find_made(type)->lengths;
	return true;
}

void type_contents_release(struct type_contents *c)
{
	c->types = NULL;
}

uint64_t type_contents_times(const struct type_contents *c, int n)
{
	return (uint64_t)c->integers[n];
}

static struct announced_type *announced(int number)
{
	return type_announced((uint64_t)(FIRST_HANDLE + number), false);
}

static MPI_Datatype handle(int number)
{
	return TYPE_OF((uint64_t)FIRST_HANDLE + (uint64_t)number);
}

static void set_struct(int number, int count, const MPI_Datatype *parts, const int *lengths, uint64_t bytes)
{
	made[number] = (struct made_type){
		.combiner = MPI_COMBINER_STRUCT, .bytes = bytes, .part_count = count};
	for (int i = 0; i < count; i++) {
		made[number].parts[i] = parts[i];
		made[number].lengths[i] = lengths[i];
	}
}

static void set_repeated(int number, int combiner, MPI_Datatype of, uint64_t bytes)
{
	made[number] = (struct made_type){
		.combiner = combiner, .bytes = bytes, .part_count = 1, .parts = {of}};
}

static void end_all(void)
{
	for (int i = 0; i < TYPES; i++)
		type_ended((uint64_t)(FIRST_HANDLE + i));
	type_ended(HANDLE(MPI_INT));
	type_ended(HANDLE(MPI_DOUBLE));
	types_free_unused();
	assert_int_equal(types_count(), 0);
}

static int start(void **state)
{
	(void)state;
	object = (struct checked_object){.state = OBJECT_LIVE};
	return 0;
}

static int end(void **state)
{
	(void)state;
	end_all();
	return 0;
}

static void basic_types_have_their_names(void **state)
{
	const struct announced_type *type = type_announced(HANDLE(MPI_INT), false);

	(void)state;
	assert_int_equal(type->basic, BASIC_INT);
	assert_int_equal(type->bytes, 4);
	assert_int_equal(type->part_count, 0);
	assert_ptr_equal(type_announced(HANDLE(MPI_INT), false), type);
	assert_string_equal(type_name(HANDLE(MPI_DOUBLE)), "MPI_DOUBLE");
	assert_null(type_name(FIRST_HANDLE));
	assert_null(type_name(HANDLE(MPI_DATATYPE_NULL)));
}

/* MPI is asked for the contents of the first one only. */
static void types_of_one_structure_share_a_signature(void **state)
{
	const MPI_Datatype parts[] = {MPI_DOUBLE, MPI_INT};
	const int lengths[] = {2, 3}, other_lengths[] = {3, 2};
	const struct announced_type *type;
	struct structured_type *known;

	(void)state;
	set_struct(0, 2, parts, lengths, 28);
	set_struct(1, 2, parts, other_lengths, 32);
	object.structure = (struct type_structure){.made_by = 7, .element = 1, .numbers = {2, 3, 4}};
	type = announced(0);
	assert_ptr_equal(announced(1), type);
	type_ended(FIRST_HANDLE + 1);
	object.structure.numbers[2] = 5;
	assert_ptr_not_equal(announced(1), type);
	for (int i = 4; i <= 5; i++) {
		object.structure.numbers[2] = i;
		known = structured_type_get(&object.structure);
		assert_non_null(known->announced);
		known->announced->refs--;
		known->announced = NULL;
	}
}

static void few_large_layouts_are_shared(void **state)
{
	struct type_structure structure = {.made_by = 8, .element = 1};
	struct structured_type *known;

	(void)state;
	layout_of_many_runs = (struct type_layout){.refs = 1, .count = 1 << 15};
	for (structure.numbers[0] = 0; structure.numbers[0] < 20000; structure.numbers[0]++) {
		known = structured_type_get(&structure);
		assert_null(known->layout);
		structured_type_keep(known, &layout_of_many_runs);
		assert_in_range(layout_of_many_runs.refs, 1, 5);
	}
	assert_in_range(layout_of_many_runs.refs, 2, 5);
}

static void members_are_in_their_order(void **state)
{
	const MPI_Datatype parts[] = {MPI_DOUBLE, MPI_INT}, turned[] = {MPI_INT, MPI_DOUBLE};
	const int lengths[] = {2, 3}, other_lengths[] = {3, 2};
	const struct announced_type *type;

	(void)state;
	set_struct(0, 2, parts, lengths, 28);
	set_struct(1, 2, parts, lengths, 28);
	set_struct(2, 2, turned, other_lengths, 28);
	set_struct(3, 2, parts, other_lengths, 32);
	type = announced(0);
	assert_int_equal(type->part_count, 2);
	assert_int_equal(type->parts[0].type->basic, BASIC_DOUBLE);
	assert_int_equal(type->parts[0].times, 2);
	assert_int_equal(type->parts[1].type->basic, BASIC_INT);
	assert_int_equal(type->parts[1].times, 3);
	assert_ptr_equal(announced(1), type); /* equal ones are one */
	assert_ptr_not_equal(announced(2), type);
	assert_ptr_not_equal(announced(3), type);
	assert_int_equal(types_count(), 5);
}

static void others_repeat_their_element(void **state)
{
	(void)state;
	set_repeated(0, MPI_COMBINER_VECTOR, MPI_INT, 24);
	set_repeated(1, MPI_COMBINER_INDEXED, MPI_INT, 24);
	set_repeated(2, MPI_COMBINER_RESIZED, MPI_INT, 4); /* the gaps do not count */
	set_repeated(3, MPI_COMBINER_CONTIGUOUS, handle(0), 72);
	set_repeated(4, MPI_COMBINER_CONTIGUOUS, MPI_INT, 0);
	assert_int_equal(announced(0)->parts[0].times, 6);
	assert_ptr_equal(announced(1), announced(0));
	assert_int_equal(announced(2)->basic, BASIC_INT);
	assert_ptr_equal(announced(3)->parts[0].type, announced(0));
	assert_int_equal(announced(3)->parts[0].times, 3);
	assert_int_equal(announced(4)->parts[0].times, 0);
}

static void types_without_a_name_are_known_by_their_size(void **state)
{
	(void)state;
	made[0] = (struct made_type){.combiner = MPI_COMBINER_F90_REAL, .bytes = 8};
	made[1] = (struct made_type){.combiner = MPI_COMBINER_F90_INTEGER, .bytes = 2};
	made[2] = (struct made_type){.combiner = MPI_COMBINER_F90_COMPLEX, .bytes = 16};
	made[3] = (struct made_type){.combiner = -1, .bytes = 12}; /* MPI does not say */
	assert_int_equal(announced(0)->basic, BASIC_REAL8);
	assert_int_equal(announced(1)->basic, BASIC_INTEGER2);
	assert_int_equal(announced(2)->basic, BASIC_COMPLEX16);
	assert_int_equal(announced(3)->basic, BASIC_PACKED);
	assert_int_equal(announced(3)->bytes, 12);
}

static void a_handle_may_get_another_type(void **state)
{
	const struct announced_type *before;

	(void)state;
	set_repeated(0, MPI_COMBINER_VECTOR, MPI_INT, 24);
	before = announced(0);
	type_ended(FIRST_HANDLE);
	set_repeated(0, MPI_COMBINER_VECTOR, MPI_DOUBLE, 24);
	assert_ptr_not_equal(announced(0), before);
	assert_int_equal(announced(0)->parts[0].type->basic, BASIC_DOUBLE);
}

static void who_refers_to_a_type_keeps_it(void **state)
{
	const MPI_Datatype parts[] = {MPI_INT, handle(1)};
	const int lengths[] = {1, 2};
	struct announced_type *type;

	(void)state;
	set_repeated(1, MPI_COMBINER_VECTOR, MPI_DOUBLE, 16);
	set_struct(0, 2, parts, lengths, 36);
	type = announced(0);
	type->refs++; /* a call */
	type_ended(FIRST_HANDLE);
	types_free_unused();
	assert_int_equal(types_count(), 4);
	assert_int_equal(type->parts[1].type->parts[0].type->basic, BASIC_DOUBLE);
	type->refs--;
	types_free_unused();
	assert_int_equal(types_count(), 0);
}

static void types_that_are_gone_are_not_asked_for(void **state)
{
	(void)state;
	set_repeated(0, MPI_COMBINER_VECTOR, MPI_INT, 24);
	object.state = OBJECT_FREED;
	assert_null(announced(0));
	assert_non_null(type_announced(FIRST_HANDLE, true)); /* MPI has accepted it */
	assert_null(type_announced(HANDLE(MPI_DATATYPE_NULL), true));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(basic_types_have_their_names),
		TEST(types_of_one_structure_share_a_signature),
		TEST(few_large_layouts_are_shared),
		TEST(members_are_in_their_order),
		TEST(others_repeat_their_element),
		TEST(types_without_a_name_are_known_by_their_size),
		TEST(a_handle_may_get_another_type),
		TEST(who_refers_to_a_type_keeps_it),
		TEST(types_that_are_gone_are_not_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
