/* Fortran entry points: all arguments are references, indices count from 1, strings end with blanks. */
#include "scenario.h"

typedef int f_int;

void mpi_init_(f_int *ierror);
void mpi_finalize_(f_int *ierror);
void mpi_send_(void *buf, f_int *count, f_int *type, f_int *dest, f_int *tag, f_int *comm, f_int *ierror);
void mpi_send_f08_(void *buf, f_int *count, f_int *type, f_int *dest, f_int *tag, f_int *comm, f_int *ierror);
void mpi_send_f08ts_large_(void *buf, MPI_Count *count, f_int *type, f_int *dest, f_int *tag, f_int *comm,
                           f_int *ierror);
void mpi_recv_(void *buf, f_int *count, f_int *type, f_int *source, f_int *tag, f_int *comm, void *status,
               f_int *ierror);
void mpi_irecv_(void *buf, f_int *count, f_int *type, f_int *source, f_int *tag, f_int *comm, f_int *request,
                f_int *ierror);
void mpi_waitany_(f_int *count, f_int *requests, f_int *index, void *status, f_int *ierror);
void mpi_waitsome_f08_(f_int *count, f_int *requests, f_int *outcount, f_int *indices, void *statuses,
                       f_int *ierror);
void mpi_waitall_f08_(f_int *count, f_int *requests, void *statuses, f_int *ierror);
void mpi_allreduce_(void *sbuf, void *rbuf, f_int *count, f_int *type, f_int *op, f_int *comm, f_int *ierror);
void mpi_allreduce_f08ts_(void *sbuf, void *rbuf, f_int *count, f_int *type, f_int *op, f_int *comm,
                          f_int *ierror);
void mpi_comm_connect_(const char *port, f_int *info, f_int *root, f_int *comm, f_int *made, f_int *ierror,
                       size_t length);
void mpi_file_open_(f_int *comm, const char *path, f_int *mode, f_int *info, f_int *file, f_int *ierror,
                    size_t length);
void MPI_BARRIER(f_int *comm, f_int *ierror);
void mpi_barrier__(f_int *comm, f_int *ierror);

static char buffer[64];
static f_int ierror, world = MPI_COMM_WORLD, type = MPI_INT, three = 3, four = 4, any_source = MPI_ANY_SOURCE,
		     any_tag = MPI_ANY_TAG, sum = MPI_SUM, null = 0;

static void sends(void)
{
	MPI_Count large = 1ll << 33;
	void *in_place = fake_f08_in_place; /* a descriptor, which begins with the address */

	mpi_init_(&ierror);
	mpi_send_(buffer, &four, &type, &three, &three, &world, &ierror);
	assert(ierror == MPI_SUCCESS);
	mpi_send_f08_(buffer, &four, &type, &three, &three, &world, NULL);
	mpi_send_f08ts_large_(buffer, &large, &type, &three, &three, &world, &ierror);
	fake->codes[CALL_Send] = MPI_ERR_COMM;
	mpi_send_(buffer, &four, &type, &three, &three, &world, &ierror);
	assert(ierror == MPI_ERR_COMM);
	fake->codes[CALL_Send] = MPI_SUCCESS;
	mpi_allreduce_(&fake_in_place_, buffer, &four, &type, &sum, &world, &ierror);
	mpi_allreduce_f08ts_(&in_place, buffer, &four, &type, &sum, &world, &ierror);
	mpi_allreduce_(buffer, buffer, &four, &type, &sum, &world, &ierror);
	MPI_BARRIER(&world, &ierror);
	mpi_barrier__(&world, &ierror);
	mpi_finalize_(&ierror);
}

static void values_come_by_reference(void **state)
{
	struct recording r;

	(void)state;
	record(sends, &r);
	for (size_t i = 0; i < 3; i++) {
		const struct call *call = nth_call(&r, "MPI_Send", i);
		assert_int_equal(field(call, FIELD_PEER), 3);
		assert_int_equal(field(call, FIELD_TAG), 3);
		assert_int_equal(field(call, FIELD_SENT), 16);
		assert_int_equal(has_field(call, FIELD_RESULT), i == 2);
	}
	assert_int_equal(field(nth_call(&r, "MPI_Send_c", 0), FIELD_SENT), 4ll << 33);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(has_field(nth_call(&r, "MPI_Allreduce", i), FIELD_IN_PLACE), i < 2);
	assert_int_equal(count_calls(&r, "MPI_Barrier"), 2);
	assert_int_equal(r.count, 11);
	recording_release(&r);
}

static void completions(void)
{
	f_int requests[4], index, outcount, indices[4];
	MPI_Status status;

	mpi_init_(&ierror);
	for (int i = 0; i < 4; i++)
		mpi_irecv_(buffer, &four, &type, &any_source, &any_tag, &world, &requests[i], &ierror);
	for (int i = 0; i < 4; i++)
		fake->statuses[i] = (MPI_Status){.MPI_SOURCE = i, .MPI_TAG = 5, .bytes = 10 + i};
	fake->index = 1;
	mpi_waitany_(&four, requests, &index, &fake_status_ignore_, &ierror);
	assert(index == 2 && requests[1] == MPI_REQUEST_NULL);
	fake->outcount = 1;
	fake->indices[0] = 3;
	mpi_waitsome_f08_(&four, requests, &outcount, indices, fake_statuses_ignore, &ierror);
	assert(outcount == 1 && indices[0] == 4);
	mpi_waitall_f08_(&four, requests, fake_statuses_ignore, &ierror);
	mpi_recv_(buffer, &four, &type, &any_source, &any_tag, &world, &fake_status_ignore_, &ierror);
	mpi_recv_(buffer, &four, &type, &any_source, &any_tag, &world, &status, &ierror);
	assert(status.bytes == 10);
	mpi_finalize_(&ierror);
}

static void completions_tell_what_came(void **state)
{
	const struct call *call;
	struct recording r;

	(void)state;
	record(completions, &r);
	call = nth_call(&r, "MPI_Waitany", 0);
	assert_int_equal(field(call, FIELD_DONE), 1);
	assert_int_equal(field(call, FIELD_RECEIVED), 10);
	assert_int_equal(field(nth_call(&r, "MPI_Waitsome", 0), FIELD_DONE), 3);
	call = nth_call(&r, "MPI_Waitall", 0);
	assert_int_equal(nth_field(call, FIELD_DONE, 0), 0);
	assert_int_equal(nth_field(call, FIELD_DONE, 1), 2);
	assert_int_equal(nth_field(call, FIELD_RECEIVED, 1), 12);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(field(nth_call(&r, "MPI_Recv", i), FIELD_RECEIVED), 10);
	recording_release(&r);
}

static void texts(void)
{
	f_int made, root = 2;

	mpi_init_(&ierror);
	mpi_comm_connect_("here  ", &null, &root, &world, &made, &ierror, 6);
	mpi_comm_connect_("here\0rest", &null, &root, &world, &made, &ierror, 9);
	mpi_file_open_(&world, "data.bin  and more", &null, &null, &made, &ierror, 10);
	mpi_finalize_(&ierror);
}

static void texts_lose_their_blanks(void **state)
{
	const struct call *call;
	struct recording r;

	(void)state;
	record(texts, &r);
	for (size_t i = 0; i < 2; i++) {
		call = nth_call(&r, "MPI_Comm_connect", i);
		assert_string_equal(call_text(call, FIELD_PORT), "here");
	}
	assert_int_equal(r.process->object_count, 1);
	assert_string_equal(r.process->objects[0].name, "data.bin");
	recording_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_come_by_reference),
		cmocka_unit_test(completions_tell_what_came),
		cmocka_unit_test(texts_lose_their_blanks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
