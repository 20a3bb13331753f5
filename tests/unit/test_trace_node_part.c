/* The header of a part: processes take room and leave at the same time, and nothing that is damaged is used. */
#include "trace/node_part.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { WRITERS = 4, CHUNKS = 5000 };

static struct part_header *new_header(void)
{
	void *memory = mmap(NULL, PART_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(memory != MAP_FAILED);
	return memory;
}

/* Each takes chunks of another size, and marks their pages. */
static int take_chunks(struct part_header *header, uint8_t *pages)
{
	int number = part_join(header, (uint32_t)getpid(), 1);
	uint64_t offset;

	for (int i = 0; i < CHUNKS; i++) {
		const uint64_t count = 1 + (uint64_t)(i % (number + 1));
		if (!part_take(header, count * PART_PAGE, &offset))
			return 1;
		for (uint64_t page = 0; page < count; page++)
			__atomic_add_fetch(&pages[offset / PART_PAGE + page], 1, __ATOMIC_RELAXED);
	}
	return part_leave(header, (uint32_t)number, PART_FINISHED, true) ? 2 : 0;
}

static void no_page_is_handed_out_twice(void **state)
{
	const size_t room = 1 + CHUNKS * WRITERS * WRITERS;
	struct part_header *header = new_header();
	uint8_t *pages = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint64_t end;
	int last = 0, status;

	(void)state;
	assert_true(pages != MAP_FAILED);
	assert_int_equal(part_join(header, 1, 1), 0); /* so that the part is not closed too early */
	for (int i = 0; i < WRITERS; i++)
		if (fork() == 0)
			_exit(take_chunks(header, pages));
	for (int i = 0; i < WRITERS; i++) {
		assert_true(wait(&status) > 0);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	last += part_leave(header, 0, PART_LEFT, true);
	assert_int_equal(last, 1);
	assert_true(part_is_closed(header));
	assert_int_equal(part_entry_count(header), WRITERS + 1);
	assert_true(part_take(header, PART_PAGE, &end));
	assert_int_equal(pages[0], 0);
	for (uint64_t page = 1; page < end / PART_PAGE; page++)
		assert_int_equal(pages[page], 1);
	for (uint64_t page = end / PART_PAGE; page < room; page++)
		assert_int_equal(pages[page], 0);
	munmap(pages, room);
	munmap(header, PART_PAGE);
}

static void ranks_replace_tokens(void **state)
{
	struct part_header *header = new_header();
	uint64_t world = part_token(1);
	uint32_t rank = PROCESS_UNKNOWN;

	(void)state;
	part_join(header, 10, 1);
	part_join(header, 11, 1);
	part_resolve(header, &world, &rank);
	assert_int_equal(rank, PROCESS_UNKNOWN);
	part_set_rank(&header->processes[1], 77, 3, 4);
	part_resolve(header, &world, &rank);
	assert_int_equal(world, 77);
	assert_int_equal(rank, 3);
	assert_ptr_equal(part_find(header, 77, 3), &header->processes[1]);
	assert_null(part_find(header, 77, 2));
	header->processes[1].size = 5;
	assert_null(part_find(header, 77, 3));
	world = part_token(1);
	rank = PROCESS_UNKNOWN;
	part_resolve(header, &world, &rank);
	assert_int_equal(rank, PROCESS_UNKNOWN);
	munmap(header, PART_PAGE);
}

static void a_closed_or_full_part_is_not_joined(void **state)
{
	struct part_header *header = new_header();

	(void)state;
	assert_int_equal(part_join(header, 10, 1), 0);
	assert_false(part_leave(header, 0, PART_FINISHED, true) && !part_is_closed(header));
	assert_int_equal(part_join(header, 11, 1), -1);
	assert_false(part_leave(header, 0, PART_FINISHED, true)); /* it has left already */
	memset(header, 0, PART_PAGE);
	for (int i = 0; i < PART_PROCESSES; i++)
		assert_int_equal(part_join(header, 10, 1), i);
	assert_int_equal(part_join(header, 11, 1), -1);
	munmap(header, PART_PAGE);
}

static void damage_is_noticed(void **state)
{
	struct part_header *header = new_header();
	uint64_t offset, second;

	(void)state;
	part_join(header, 10, 1);
	assert_true(part_take(header, PART_PAGE, &offset));
	assert_int_equal(offset, PART_PAGE);
	assert_true(part_take(header, 2 * PART_PAGE, &second));
	part_give_back(header, PART_PAGE, offset); /* others are after it */
	part_give_back(header, 2 * PART_PAGE, second);
	assert_true(part_take(header, PART_PAGE, &offset));
	assert_int_equal(offset, second);
	assert_null(part_header_problem(header));
	header->taken--;
	assert_string_equal(part_header_problem(header), "the counter of the part is damaged");
	assert_false(part_take(header, PART_PAGE, &offset));
	assert_int_equal(errno, EBADMSG);
	assert_int_equal(part_join(header, 11, 1), -1);
	header->taken++;
	header->census ^= 4;
	assert_int_equal(part_entry_count(header), 0);
	assert_int_equal(part_join(header, 11, 1), -1);
	assert_false(part_leave(header, 0, PART_FINISHED, true));
	munmap(header, PART_PAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_page_is_handed_out_twice),
		cmocka_unit_test(ranks_replace_tokens),
		cmocka_unit_test(a_closed_or_full_part_is_not_joined),
		cmocka_unit_test(damage_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
