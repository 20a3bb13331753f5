/* Objects of all kinds: lifetime errors that are reported, and correct uses that must not be. */
#include "check_calls.h"
#include "job/check/lifetimes.h"
#include "job/check/objects/objects.h"

static void scenario_nothing_is_left(void)
{
	MPI_Comm comm;
	MPI_Datatype type;
	MPI_Group group;
	MPI_Info info;
	MPI_Op op;
	int keyval;

	DO(Comm_dup, MPI_COMM_WORLD, &comm);
	DO(Type_contiguous, 2, MPI_INT, &type);
	DO(Type_commit, &type);
	DO(Comm_group, comm, &group);
	DO(Info_create, &info);
	DO(Op_create, NULL, 1, &op);
	DO(Comm_create_keyval, NULL, NULL, &keyval, NULL);
	DO(Comm_free_keyval, &keyval);
	DO(Op_free, &op);
	DO(Info_free, &info);
	DO(Group_free, &group);
	DO(Type_free, &type);
	DO(Comm_free, &comm);
	finalize();
	expect_nothing();
}
SCENARIO(nothing_is_left)

static void scenario_everything_is_left(void)
{
	MPI_Comm comm;
	MPI_Datatype type;
	MPI_Group group;
	MPI_Info info;
	MPI_Op op;
	MPI_Win win;
	MPI_File file;
	MPI_Errhandler errhandler;
	int keyval;

	DO(Comm_dup, MPI_COMM_WORLD, &comm);
	DO(Type_contiguous, 2, MPI_INT, &type);
	DO(Comm_group, comm, &group);
	DO(Info_create, &info);
	DO(Op_create, NULL, 1, &op);
	DO(Win_create, NULL, 0, 1, MPI_INFO_NULL, comm, &win);
	DO(File_open, comm, "x", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
	DO(Comm_create_errhandler, NULL, &errhandler);
	DO(Comm_create_keyval, NULL, NULL, &keyval, NULL);
	finalize();
	expect(CHECK_LEAK_COMMUNICATOR, __LINE__ - 10);
	expect_text("count", "1");
	expect(CHECK_LEAK_DATATYPE, __LINE__ - 11);
	expect(CHECK_LEAK_GROUP, __LINE__ - 11);
	expect(CHECK_LEAK_INFO, __LINE__ - 11);
	expect(CHECK_LEAK_OPERATION, __LINE__ - 11);
	expect(CHECK_LEAK_WINDOW, __LINE__ - 11);
	expect(CHECK_LEAK_FILE, __LINE__ - 11);
	expect(CHECK_LEAK_ERRHANDLER, __LINE__ - 11);
	expect(CHECK_LEAK_KEYVAL, __LINE__ - 11);
	expect_nothing();
}
SCENARIO(everything_is_left)

static void scenario_leaks_of_a_place_are_one(void)
{
	MPI_Datatype types[5];

	for (int i = 0; i < 5; i++)
		DO(Type_contiguous, 2, MPI_INT, &types[i]);
	DO(Type_free, &types[1]);
	finalize();
	expect(CHECK_LEAK_DATATYPE, __LINE__ - 3);
	expect_text("count", "4");
	expect_nothing();
}
SCENARIO(leaks_of_a_place_are_one)

static void scenario_freed_twice(void)
{
	MPI_Datatype type, copy;

	DO(Type_contiguous, 2, MPI_INT, &type);
	copy = type;
	DO(Type_free, &type);
	DO(Type_free, &copy);
	expect(CHECK_ARGUMENT_FREED_HANDLE, __LINE__ - 1);
	expect_call(NOTE_FREED, __LINE__ - 3);
	expect_call(NOTE_CREATED, __LINE__ - 6);
	expect_text("type", "MPI_Datatype");
	DO(Type_commit, &copy);
	expect_nothing(); /* the variable is null by now */
	finalize();
	expect_nothing();
}
SCENARIO(freed_twice)

static void scenario_handle_comes_back(void)
{
	MPI_Datatype type, copy;

	fake->next_handle = 0x4711;
	DO(Type_contiguous, 2, MPI_INT, &type);
	copy = type;
	DO(Type_free, &type);
	require(object_find(OBJECT_TYPE, 0x4711)->state == OBJECT_FREED);
	DO(Type_vector, 2, 1, 3, MPI_INT, &type);
	require(object_find(OBJECT_TYPE, 0x4711)->state == OBJECT_LIVE);
	require(!object_find(OBJECT_TYPE, 0x4711)->committed);
	DO(Type_commit, &type);
	require(object_find(OBJECT_TYPE, 0x4711)->committed);
	DO(Type_free, &copy); /* the same handle */
	finalize();
	expect_nothing();
}
SCENARIO(handle_comes_back)

static void scenario_failed_calls_change_nothing(void)
{
	MPI_Comm comm;
	MPI_Info info = 0x99;

	DO(Comm_dup, MPI_COMM_WORLD, &comm);
	MPI_Comm copy = comm;
	fake->codes[CALL_Comm_free] = MPI_ERR_COMM;
	fake->codes[CALL_Info_create] = MPI_ERR_OTHER;
	DO(Comm_free, &comm);
	require(object_find(OBJECT_COMM, HANDLE(copy))->state == OBJECT_LIVE);
	require(object_count(OBJECT_COMM) == 1);
	DO(Info_create, &info);
	require(object_count(OBJECT_INFO) == 0);
	fake->codes[CALL_Comm_free] = MPI_SUCCESS;
	DO(Comm_free, &copy);
	finalize();
	expect_nothing();
}
SCENARIO(failed_calls_change_nothing)

static void scenario_predefined_are_not_freed(void)
{
	MPI_Datatype type = MPI_INT;
	MPI_Comm comm = MPI_COMM_WORLD;
	MPI_Op op = MPI_SUM;

	DO(Type_free, &type);
	expect(CHECK_ARGUMENT_PREDEFINED_FREED, __LINE__ - 1);
	expect_text("value", "MPI_INT");
	DO(Comm_free, &comm);
	expect(CHECK_ARGUMENT_PREDEFINED_FREED, __LINE__ - 1);
	DO(Op_free, &op);
	expect(CHECK_ARGUMENT_PREDEFINED_FREED, __LINE__ - 1);
	finalize();
	expect_nothing();
}
SCENARIO(predefined_are_not_freed)

static void scenario_predefined_that_were_given(void)
{
	MPI_Group group;
	MPI_Errhandler errhandler;

	fake->next_handle = MPI_GROUP_EMPTY;
	DO(Group_incl, 0x88, 0, NULL, &group);
	DO(Group_free, &group);
	fake->next_handle = MPI_ERRORS_RETURN;
	DO(Comm_get_errhandler, MPI_COMM_WORLD, &errhandler);
	DO(Errhandler_free, &errhandler);
	expect_nothing();
	errhandler = MPI_ERRORS_RETURN;
	DO(Errhandler_free, &errhandler);
	expect(CHECK_ARGUMENT_PREDEFINED_FREED, __LINE__ - 1);
	finalize();
	expect_nothing();
}
SCENARIO(predefined_that_were_given)

/* MPI gives the group of a communicator as the same object each time. */
static void scenario_references(void)
{
	MPI_Group first, second, third;

	fake->next_handle = 0x3001;
	DO(Win_get_group, 0x77, &first);
	DO(Win_get_group, 0x77, &second);
	DO(Win_get_group, 0x77, &third);
	require(object_find(OBJECT_GROUP, 0x3001)->references == 3);
	DO(Group_free, &third);
	DO(Group_free, &first);
	require(object_find(OBJECT_GROUP, 0x3001)->state == OBJECT_LIVE);
	finalize();
	expect(CHECK_LEAK_GROUP, __LINE__ - 7);
	expect_text("count", "1");
	expect_nothing();
}
SCENARIO(references)

static void scenario_types_that_come_to_life_again(void)
{
	MPI_Datatype inner, outer, copy;
	MPI_Datatype parts[1];

	DO(Type_contiguous, 2, MPI_INT, &inner);
	copy = inner;
	DO(Type_contiguous, 2, inner, &outer);
	DO(Type_free, &inner);
	fake->envelope_types = 1;
	parts[0] = copy;
	DO(Type_get_contents, outer, 1, 0, 1, (int[1]){0}, NULL, parts);
	require(object_find(OBJECT_TYPE, HANDLE(copy))->state == OBJECT_LIVE);
	DO(Type_free, &parts[0]);
	DO(Type_free, &outer);
	finalize();
	expect_nothing();
}
SCENARIO(types_that_come_to_life_again)

static void scenario_types_that_are_predefined(void)
{
	MPI_Datatype type;

	DO(Type_create_f90_real, 6, 30, &type);
	require(object_find(OBJECT_TYPE, HANDLE(type))->committed);
	finalize();
	expect_nothing();
	DO(Type_free, &type);
	expect(CHECK_ARGUMENT_PREDEFINED_FREED, __LINE__ - 1);
	expect_nothing();
}
SCENARIO(types_that_are_predefined)

static void scenario_committed_as_its_model(void)
{
	MPI_Datatype type, early, late;

	DO(Type_contiguous, 2, MPI_INT, &type);
	DO(Type_dup, type, &early);
	DO(Type_commit, &type);
	DO(Type_dup, type, &late);
	require(!object_find(OBJECT_TYPE, HANDLE(early))->committed);
	require(object_find(OBJECT_TYPE, HANDLE(late))->committed);
	DO(Type_free, &type);
	DO(Type_free, &early);
	DO(Type_free, &late);
	finalize();
	expect_nothing();
}
SCENARIO(committed_as_its_model)

static void scenario_parent_need_not_be_freed(void)
{
	MPI_Comm parent, again, copy;

	fake->next_handle = 0x2002;
	DO(Comm_get_parent, &parent);
	DO(Comm_get_parent, &again);
	finalize();
	expect_nothing();
	copy = parent;
	DO(Comm_disconnect, &parent);
	expect_nothing();
	DO(Comm_free, &copy);
	expect(CHECK_ARGUMENT_FREED_HANDLE, __LINE__ - 1);
}
SCENARIO(parent_need_not_be_freed)

static void scenario_communicator_before_its_request(void)
{
	MPI_Comm comm;
	MPI_Request request;

	DO(Comm_idup, MPI_COMM_WORLD, &comm, &request);
	require(object_find(OBJECT_COMM, HANDLE(comm))->incomplete);
	DO(Wait, &request, MPI_STATUS_IGNORE);
	require(!object_find(OBJECT_COMM, HANDLE(comm))->incomplete);
	DO(Comm_free, &comm);
	finalize();
	expect_nothing();
}
SCENARIO(communicator_before_its_request)

static void scenario_messages(void)
{
	MPI_Message message, lost, none;
	int flag;

	fake->flag = 1;
	DO(Improbe, 0, 0, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
	DO(Mprobe, 0, 0, MPI_COMM_WORLD, &lost, MPI_STATUS_IGNORE);
	fake->flag = 0;
	DO(Improbe, 0, 0, MPI_COMM_WORLD, &flag, &none, MPI_STATUS_IGNORE);
	MPI_Message copy = message;
	fake->codes[CALL_Mrecv] = MPI_ERR_TRUNCATE; /* it is taken all the same */
	DO(Mrecv, NULL, 0, MPI_INT, &message, MPI_STATUS_IGNORE);
	fake->codes[CALL_Mrecv] = MPI_SUCCESS;
	expect_nothing();
	DO(Mrecv, NULL, 0, MPI_INT, &copy, MPI_STATUS_IGNORE);
	expect(CHECK_ARGUMENT_FREED_HANDLE, __LINE__ - 1);
	finalize();
	expect(CHECK_LEAK_MESSAGE, __LINE__ - 11);
	expect_nothing();
}
SCENARIO(messages)

/* Attributes of MPI_COMM_SELF are deleted in MPI_Finalize: their functions free what libraries keep. */
static MPI_Comm cached;

static void free_in_callback(enum call_id id)
{
	if (id != CALL_Finalize)
		return;
	fake->inside = NULL;
	check_nested = true;
	DO(Comm_free, &cached);
	check_nested = false;
}

static void scenario_freed_by_attributes(void)
{
	MPI_Comm left;

	DO(Comm_set_attr, MPI_COMM_SELF, 1, NULL);
	DO(Comm_dup, MPI_COMM_WORLD, &cached);
	DO(Comm_dup, MPI_COMM_WORLD, &left);
	fake->inside = free_in_callback;
	finalize();
	expect(CHECK_LEAK_COMMUNICATOR, __LINE__ - 3);
	expect_text("count", "1");
	expect_nothing();
}
SCENARIO(freed_by_attributes)

static void scenario_callbacks_are_followed(void)
{
	MPI_Comm comm, copy;

	DO(Comm_dup, MPI_COMM_WORLD, &comm);
	copy = comm;
	check_nested = true;
	DO(Comm_free, &comm);
	fake->next_handle = copy;
	DO(Comm_dup, MPI_COMM_WORLD, &comm);
	check_nested = false;
	DO(Comm_free, &copy);
	check_nested = true;
	DO(Comm_dup, MPI_COMM_WORLD, &comm); /* is a library's own affair */
	check_nested = false;
	finalize();
	expect_nothing();
}
SCENARIO(callbacks_are_followed)

static void scenario_too_many(void)
{
	static MPI_Comm comms[1200];
	int line = 0;

	for (int i = 0; i < 1200; i++) {
		DO(Comm_dup, MPI_COMM_WORLD, &comms[i]);
		line = __LINE__ - 1;
	}
	expect(CHECK_LIMIT_OBJECTS, line);
	expect_text("type", "MPI_Comm");
	expect_text("count", "1001");
	for (int i = 0; i < 1200; i++)
		DO(Comm_free, &comms[i]);
	finalize();
	expect_nothing();
}
SCENARIO(too_many)

/* Many objects are created and freed: memory does not grow, and the first ones are forgotten. */
static void scenario_many_lives(void)
{
	MPI_Info info, first = 0;

	for (int i = 0; i < 100000; i++) {
		DO(Info_create, &info);
		if (!first)
			first = info;
		DO(Info_free, &info);
	}
	require(object_count(OBJECT_INFO) == 0);
	require(!object_find(OBJECT_INFO, HANDLE(first)));
	DO(Info_free, &first); /* nothing is known of it */
	finalize();
	expect_nothing();
}
SCENARIO(many_lives)

static void scenario_sessions_outlive_finalize(void)
{
	MPI_Session session;
	MPI_Group group;

	DO(Session_init, MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
	DO(Group_from_session_pset, session, "x", &group);
	finalize();
	expect_nothing();
	DO(Session_finalize, &session);
	lifetimes_end(false);
	expect(CHECK_LEAK_GROUP, __LINE__ - 5);
	expect_nothing();
}
SCENARIO(sessions_outlive_finalize)

static void scenario_session_is_left(void)
{
	MPI_Session session;

	DO(Session_init, MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
	lifetimes_end(false);
	expect(CHECK_LEAK_SESSION, __LINE__ - 2);
	expect_nothing();
}
SCENARIO(session_is_left)

static void scenario_unknown_is_no_mistake(void)
{
	MPI_Comm comm = 0x123;
	MPI_Datatype type = 0x456;

	DO(Comm_free, &comm);
	DO(Type_commit, &type);
	DO(Type_free, &type);
	require(!object_find(OBJECT_COMM, 0x123));
	finalize();
	expect_nothing();
}
SCENARIO(unknown_is_no_mistake)

/* The key lives on in attributes. */
static void scenario_keys_of_attributes(void)
{
	int key, copy;

	check_arguments = true;
	DO(Init, NULL, NULL);
	DO(Comm_create_keyval, NULL, NULL, &key, NULL);
	DO(Comm_set_attr, MPI_COMM_WORLD, key, NULL);
	copy = key;
	DO(Comm_free_keyval, &key);
	DO(Comm_get_attr, MPI_COMM_WORLD, copy, (void *[1]){NULL}, (int[1]){0});
	DO(Comm_delete_attr, MPI_COMM_WORLD, copy);
	expect_nothing();
	DO(Comm_free_keyval, &copy);
	expect(CHECK_ARGUMENT_FREED_HANDLE, __LINE__ - 1);
	expect_nothing();
}
SCENARIO(keys_of_attributes)

static void scenario_fortran_handles(void)
{
	MPI_Fint type, copy;

	check_fortran = true;
	DO(Type_contiguous, 2, MPI_INT, &type);
	copy = type;
	DO(Type_free, &type);
	DO(Type_free, &copy);
	expect(CHECK_ARGUMENT_FREED_HANDLE, __LINE__ - 1);
	finalize();
	expect_nothing();
}
SCENARIO(fortran_handles)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_left),
		cmocka_unit_test(everything_is_left),
		cmocka_unit_test(leaks_of_a_place_are_one),
		cmocka_unit_test(freed_twice),
		cmocka_unit_test(handle_comes_back),
		cmocka_unit_test(failed_calls_change_nothing),
		cmocka_unit_test(predefined_are_not_freed),
		cmocka_unit_test(predefined_that_were_given),
		cmocka_unit_test(references),
		cmocka_unit_test(types_that_come_to_life_again),
		cmocka_unit_test(types_that_are_predefined),
		cmocka_unit_test(committed_as_its_model),
		cmocka_unit_test(parent_need_not_be_freed),
		cmocka_unit_test(communicator_before_its_request),
		cmocka_unit_test(messages),
		cmocka_unit_test(freed_by_attributes),
		cmocka_unit_test(callbacks_are_followed),
		cmocka_unit_test(too_many),
		cmocka_unit_test(many_lives),
		cmocka_unit_test(sessions_outlive_finalize),
		cmocka_unit_test(session_is_left),
		cmocka_unit_test(unknown_is_no_mistake),
		cmocka_unit_test(keys_of_attributes),
		cmocka_unit_test(fortran_handles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
