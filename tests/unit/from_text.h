/* A reader of a trace that a test writes as text. Include it after cmocka.h. */
#ifndef TARRY_TESTS_FROM_TEXT_H
#define TARRY_TESTS_FROM_TEXT_H

#include "trace/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline struct reader *read_chunked(const char *text, size_t chunk_bytes)
{
	char path[] = "/tmp/tarry-unit-XXXXXX";
	struct reader *reader;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(trace_assemble("text", text, strlen(text), path, chunk_bytes), OK);
	assert_int_equal(reader_open(path, &reader), OK);
	unlink(path);
	return reader;
}

static inline struct reader *read_text(const char *text)
{
	return read_chunked(text, CHUNK_DEFAULT);
}

#endif
