/* Copying chunks from file to file. */
#include "trace/chunk.h"

#include "base/memory.h"
#include "trace/encode.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { CHUNK_BYTES = 4096, LARGE_BYTES = 3 * CHUNK_COPY_BUFFER, PAYLOAD = sizeof(struct chunk_header) };

struct copying {
	FILE *from, *to;
	uint8_t *chunk;
	struct encoder encoder;
	struct chunk_copier copier;
};

static void begin(struct copying *test, size_t bytes)
{
	struct chunk_identity identity = {.world = 7, .process = PROCESS_UNKNOWN, .stream = 1};

	*test = (struct copying){.from = tmpfile(), .to = tmpfile()};
	test->chunk = memory_new(1, bytes);
	test->copier = (struct chunk_copier){.from = fileno(test->from),
	                                     .to = fileno(test->to),
	                                     .buffer = memory_new(1, CHUNK_COPY_BUFFER)};
	encoder_open(&test->encoder, test->chunk, bytes, &identity, 5);
}

static void put_record(struct copying *test, size_t size)
{
	uint8_t *body = memory_new(1, size);

	memset(body, 'x', size);
	encode_long(&test->encoder, RECORD_NAME, body, size);
	free(body);
}

static void save(struct copying *test, size_t bytes)
{
	assert_int_equal(pwrite(test->copier.from, test->chunk, bytes, 0), bytes);
}

static void end(struct copying *test)
{
	fclose(test->from);
	fclose(test->to);
	free(test->chunk);
	free(test->copier.buffer);
}

static void check_copy(struct copying *test, bool is_sealed)
{
	uint32_t length = test->encoder.chunk->length;
	uint8_t *payload = memory_new(1, length);
	struct chunk_header header;

	assert_true(chunk_read_header(test->copier.to, 0, &header));
	assert_int_equal(header.capacity, chunk_align(length));
	assert_int_equal(header.process, 3);
	assert_int_equal(header.sealed, is_sealed);
	if (is_sealed)
		assert_int_equal(header.seal_crc, chunk_seal_crc(&header));
	assert_int_equal(pread(test->copier.to, payload, length, PAYLOAD), length);
	assert_memory_equal(payload, test->chunk + PAYLOAD, length);
	assert_int_equal(lseek(test->copier.to, 0, SEEK_END), PAYLOAD + chunk_align(length));
	free(payload);
}

static bool copy(struct copying *test, bool seal)
{
	struct chunk_header header;

	if (!chunk_read_header(test->copier.from, 0, &header))
		return false;
	header.process = 3;
	return chunk_copy(&test->copier, 0, &header, seal);
}

static void a_copy_has_no_room_left(void **state)
{
	struct copying test;

	(void)state;
	for (int is_large = 0; is_large < 2; is_large++) {
		size_t bytes = is_large ? LARGE_BYTES : CHUNK_BYTES;
		begin(&test, bytes);
		put_record(&test, is_large ? 2 * CHUNK_COPY_BUFFER + 1 : 13);
		encoder_seal(&test.encoder, false);
		save(&test, bytes);
		assert_true(copy(&test, false));
		check_copy(&test, true);
		end(&test);
	}
}

static void an_open_chunk_is_sealed_on_demand(void **state)
{
	struct copying test;

	(void)state;
	for (int seal = 0; seal < 2; seal++) {
		begin(&test, CHUNK_BYTES);
		put_record(&test, 13);
		save(&test, CHUNK_BYTES);
		assert_true(copy(&test, seal));
		check_copy(&test, seal);
		end(&test);
	}
}

/* A chunk with a wrong byte is not copied. */
static void damage_is_not_copied(void **state)
{
	struct copying test;

	(void)state;
	begin(&test, CHUNK_BYTES);
	put_record(&test, 13);
	encoder_seal(&test.encoder, false);
	for (size_t i = 0; i < PAYLOAD + test.encoder.chunk->length; i++) {
		test.chunk[i] ^= 0x10;
		save(&test, CHUNK_BYTES);
		errno = 0;
		assert_false(copy(&test, true));
		assert_int_equal(errno, EIO);
		test.chunk[i] ^= 0x10;
	}
	assert_int_equal(lseek(test.copier.to, 0, SEEK_END), 0);
	end(&test);
}

static void a_chunk_that_is_cut_off_is_not_copied(void **state)
{
	struct copying test;

	(void)state;
	begin(&test, CHUNK_BYTES);
	put_record(&test, 13);
	encoder_seal(&test.encoder, false);
	save(&test, CHUNK_BYTES);
	for (size_t size = 0; size < PAYLOAD + test.encoder.chunk->length; size++) {
		assert_int_equal(ftruncate(test.copier.from, (off_t)size), 0);
		assert_false(copy(&test, false));
		assert_int_equal(errno, EIO);
		save(&test, CHUNK_BYTES);
	}
	assert_int_equal(lseek(test.copier.to, 0, SEEK_END), 0);
	end(&test);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_has_no_room_left),
		cmocka_unit_test(an_open_chunk_is_sealed_on_demand),
		cmocka_unit_test(damage_is_not_copied),
		cmocka_unit_test(a_chunk_that_is_cut_off_is_not_copied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
