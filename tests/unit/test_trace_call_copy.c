/* Distinct calls that go to the reader of another process. */
#include "trace/call_copy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "from_text.h"

static const char *const trace = "process rank=0\n"
				 "module 1 base=0x1000 size=0x100 build-id=abcd \"/bin/app\"\n"
				 "1 2 MPI_Send site=1+0x10 peer=1 tag=4 sent=8\n"
				 "3 4 MPI_Send site=1+0x10 peer=2 tag=4 sent=8\n"
				 "5 6 MPI_Recv site=1+0x20 path=1+0x20,1+0x30\n"
				 "7 8 MPI_Recv site=1+0x20 path=1+0x21,1+0x30\n"
				 "9 10 MPI_Barrier\n"
				 "process rank=1\n"
				 "module 1 base=0x1000 size=0x100 build-id=abcd \"/bin/app\"\n"
				 "1 2 MPI_Recv site=1+0x20 path=1+0x21,1+0x30\n"
				 "3 4 MPI_Send site=1+0x10 peer=0 tag=4 sent=8\n";

static void read_all(struct reader *reader)
{
	for (size_t i = 0; i < reader->process_count; i++) {
		struct event_iter iter;
		struct event event;
		reader_events(reader, &reader->processes[i].streams[0], &iter);
		while (reader_next(&iter, &event))
			;
	}
}

static void assert_same_path(const struct path *path, const struct path *copy)
{
	for (; path && copy; path = path->caller, copy = copy->caller) {
		assert_int_equal(path->module, copy->module);
		assert_int_equal(path->offset, copy->offset);
	}
	assert_true(!path && !copy);
}

static void assert_same(const struct process *process, const struct call *call, const struct process *other,
                        const struct call *copy)
{
	assert_non_null(copy);
	assert_int_equal(copy->id, call->id);
	assert_string_equal(copy->outline->name, call->outline->name);
	assert_int_equal(copy->outline->offset, call->outline->offset);
	assert_int_equal(copy->outline->has_site, call->outline->has_site);
	assert_int_equal(field_count(copy), field_count(call));
	for (uint32_t i = 0; i < field_count(call); i++) {
		assert_int_equal(field_key_at(copy, i), field_key_at(call, i));
		if (field_key_at(call, i) != FIELD_PATH)
			assert_int_equal(field_value_at(copy, i), field_value_at(call, i));
	}
	assert_same_path(call_path(process, call), call_path(other, copy));
}

/* In the order of the processes, and of their calls or backwards. */
static void copy_all(bool shares_outlines, bool backwards)
{
	struct reader *from = read_text(trace), *to = read_text(trace);
	struct call_packer packer = {0};
	struct call_unpacker unpacker = {0};
	struct text block = {0};
	struct cursor in;

	read_all(from);
	for (size_t i = 0; i < from->process_count; i++)
		for (uint32_t j = 0; j < from->processes[i].calls.count; j++) {
			const struct call_table *calls = &from->processes[i].calls;
			call_pack(shares_outlines ? &packer : NULL, &from->processes[i],
			          calls->items[backwards ? calls->count - 1 - j : j], &block);
		}
	in = unpack_begin(&block);
	for (size_t i = 0; i < to->process_count; i++)
		for (uint32_t j = 0; j < from->processes[i].calls.count; j++)
			assert_non_null(
				call_unpack(shares_outlines ? &unpacker : NULL, &to->processes[i], &in));
	assert_false(cursor_left(&in));
	for (size_t i = 0; i < to->process_count; i++)
		for (uint32_t j = 0; j < from->processes[i].calls.count; j++)
			assert_same(&from->processes[i], from->processes[i].calls.items[j], &to->processes[i],
			            to->processes[i].calls.items[j]);
	call_packer_release(&packer);
	call_unpacker_release(&unpacker);
	text_release(&block);
	reader_close(from);
	reader_close(to);
}

static void calls_arrive_as_they_were(void **state)
{
	(void)state;
	copy_all(false, false);
	copy_all(true, false);
	copy_all(true, true);
}

static void a_cut_block_gives_no_call(void **state)
{
	struct reader *from = read_text(trace), *to = read_text(trace);
	const struct process *process = &from->processes[0];
	struct call_packer packer = {0};
	struct text block = {0};

	(void)state;
	read_all(from);
	call_pack(&packer, process, process->calls.items[0], &block);
	call_pack(&packer, process, process->calls.items[1], &block);
	for (size_t length = 0; length < block.length; length++) {
		struct call_unpacker unpacker = {0};
		struct cursor in = {.at = (const uint8_t *)block.bytes,
		                    .end = (const uint8_t *)block.bytes + length};
		assert_true(!call_unpack(&unpacker, &to->processes[0], &in) ||
		            !call_unpack(&unpacker, &to->processes[0], &in));
		call_unpacker_release(&unpacker);
	}
	call_packer_release(&packer);
	text_release(&block);
	reader_close(from);
	reader_close(to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(calls_arrive_as_they_were),
	                                   cmocka_unit_test(a_cut_block_gives_no_call)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
