/* The part of a loaded file that an address lies in. */
#ifndef TARRY_JOB_RECORD_SEGMENTS_H
#define TARRY_JOB_RECORD_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

struct segment {
	uintptr_t start, end; /* both 0: the address lies in no loaded file */
	bool is_writable;
	bool is_asked_for; /* what the question was answered with for the file's path */
};

/* `question` may be NULL. */
struct segment segment_of(uintptr_t address, bool (*question)(const char *path))
	__attribute__((visibility("hidden")));

#endif
