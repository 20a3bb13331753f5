/* The checker's wrappers around every function, in C and in Fortran, with the test as the agent: each call reaches MPI once, and the agent
 * sees the values of its parameters as C has them. */
#include "call_all.h"
#include "fake_control.h"

#include "calls/calls.h"
#include "job/check/agent.h"
#include "job/check/wrap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

MPI_Count rooms[16][64];
bool agent_translates_handles = true;

/* The agent's last input. */
static struct {
	bool off, inside;
	int before, after, result;
	struct agent_call call;
	int64_t arguments[CALL_PARAMETERS_MAX];
	MPI_Status status;
} seen;

bool call_is_inside_mpi(const void *site)
{
	(void)site;
	return false;
}

bool agent_enter(struct agent_call *call, const void *frame)
{
	call->frame = frame;
	if (seen.off || seen.inside)
		return false;
	return seen.inside = true;
}

void agent_before(struct agent_call *call)
{
	seen.before++;
	seen.call = *call;
	for (int i = 0; call_parameter_kinds(call->id)[i] != KIND_END; i++)
		seen.arguments[i] = call->arguments[i];
}

void agent_after(struct agent_call *call, int result)
{
	seen.after++;
	seen.result = result;
	seen.inside = false;
	if (call->status)
		seen.status = *(MPI_Status *)call->status;
}

static void call_each(const struct one_call *calls, bool off)
{
	for (const struct one_call *one = calls; one->name; one++) {
		const bool wrapped = strncmp(one->name, "MPI_", 4) != 0 || agent_next[one->id];
		const unsigned long reached = fake->calls[one->id];

		memset(&seen, 0, sizeof seen);
		memset(rooms, 0, sizeof rooms);
		seen.off = off;
		one->call();
		if (fake->calls[one->id] != reached + 1)
			fail_msg("%s reached MPI %lu times", one->name, fake->calls[one->id] - reached);
		if (off || !wrapped || !agent_next[one->id]) {
			assert_int_equal(seen.before, 0);
			continue;
		}
		if (seen.before != 1 || seen.after != 1 || seen.call.id != one->id)
			fail_msg("the agent saw %d calls of %s", seen.before, one->name);
		assert_true(seen.call.fortran == (strncmp(one->name, "MPI_", 4) != 0));
	}
}

static void every_function_is_seen(void **state)
{
	(void)state;
	call_each(c_calls, false);
	call_each(fortran_calls, false);
}

static void nothing_is_seen_when_it_is_off(void **state)
{
	(void)state;
	call_each(c_calls, true);
	call_each(fortran_calls, true);
}

static int64_t argument(enum parameter_kind kind)
{
	return seen.arguments[call_parameter(seen.call.id, kind)];
}

/* Functions that return a value are called with anything at any time: they are not wrapped. */
static void values_are_not_wrapped(void **state)
{
	(void)state;
	assert_null(agent_next[CALL_Wtime]);
	assert_null(agent_next[CALL_Comm_c2f]);
	assert_non_null(agent_next[CALL_Send]);
	assert_string_equal(agent_next_names[CALL_Send], "MPI_Send");
}

static void statuses_have_room(void **state)
{
	MPI_Request requests[FEW_STATUSES + 1] = {0};
	MPI_Status own = {0}, many[2] = {{0}};

	(void)state;
	memset(&seen, 0, sizeof seen);
	fake->statuses[0] = (MPI_Status){.MPI_SOURCE = 3, .MPI_TAG = 7, .bytes = 400};
	MPI_Recv(rooms, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	assert_true(argument(KIND_status) == (int64_t)(uintptr_t)MPI_STATUS_IGNORE);
	assert_int_equal(seen.status.MPI_SOURCE, 3);
	MPI_Recv(rooms, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &own);
	assert_ptr_equal(seen.call.status, &own);
	assert_int_equal(own.MPI_TAG, 7);
	MPI_Waitall(2, requests, many);
	assert_ptr_equal(seen.call.status, many);
	for (int count = 1; count <= FEW_STATUSES + 1; count += FEW_STATUSES) {
		seen.status.MPI_SOURCE = 0;
		MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
		assert_int_equal(seen.status.MPI_SOURCE, 3);
	}
	MPI_Waitall(0, requests, MPI_STATUSES_IGNORE);
	assert_null(seen.call.status);
	fake->codes[CALL_Recv] = MPI_ERR_RANK;
	assert_int_equal(MPI_Recv(rooms, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_RANK);
	assert_int_equal(seen.result, MPI_ERR_RANK);
	fake->codes[CALL_Recv] = MPI_SUCCESS;
}

void mpi_recv_(void *buf, MPI_Fint *count, MPI_Fint *type, MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm,
               void *status, MPI_Fint *ierror);
void mpi_allreduce_(void *sbuf, void *rbuf, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *comm,
                    MPI_Fint *ierror);
void mpi_allreduce_f08ts_(void *sbuf, void *rbuf, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op,
                          MPI_Fint *comm, MPI_Fint *ierror);
void mpi_send_f08ts_large_(void *buf, MPI_Count *count, MPI_Fint *type, MPI_Fint *dest, MPI_Fint *tag,
                           MPI_Fint *comm, MPI_Fint *ierror);

static void fortran_becomes_c(void **state)
{
	MPI_Fint ierror = 99, world = MPI_COMM_WORLD, type = MPI_INT, three = 3, four = 4, sum = MPI_SUM;
	MPI_Count large = 1ll << 33;
	void *in_place = fake_f08_in_place,
	     *buffer = rooms; /* as descriptors, which begin with the address */

	(void)state;
	memset(&seen, 0, sizeof seen);
	mpi_recv_(rooms, &four, &type, &three, &four, &world, &fake_status_ignore_, &ierror);
	assert_int_equal(ierror, MPI_SUCCESS);
	assert_true(argument(KIND_rbuf) == (int64_t)(uintptr_t)rooms && argument(KIND_count) == 4);
	assert_true(argument(KIND_source) == 3 && argument(KIND_comm) == MPI_COMM_WORLD);
	assert_true(argument(KIND_status) == (int64_t)(uintptr_t)MPI_STATUS_IGNORE);
	mpi_allreduce_(&fake_in_place_, rooms, &four, &type, &sum, &world, &ierror);
	assert_true(argument(KIND_sbuf) == (int64_t)(uintptr_t)MPI_IN_PLACE);
	assert_false(seen.call.described);
	mpi_allreduce_f08ts_(&in_place, &buffer, &four, &type, &sum, &world, &ierror);
	assert_true(argument(KIND_sbuf) == (int64_t)(uintptr_t)MPI_IN_PLACE);
	assert_true(argument(KIND_rbuf) == (int64_t)(uintptr_t)rooms && argument(KIND_op) == MPI_SUM);
	assert_true(seen.call.described);
	mpi_send_f08ts_large_(&buffer, &large, &type, &three, &three, &world, NULL);
	assert_true(argument(KIND_count) == 1ll << 33 && seen.call.id == CALL_Send_c);
}

static int reset(void **state)
{
	(void)state;
	fake_reset();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(every_function_is_seen, reset),
		cmocka_unit_test_setup(nothing_is_seen_when_it_is_off, reset),
		cmocka_unit_test_setup(values_are_not_wrapped, reset),
		cmocka_unit_test_setup(statuses_have_room, reset),
		cmocka_unit_test_setup(fortran_becomes_c, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
