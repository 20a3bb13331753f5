/* Hashes of buffers that use instructions of some processors. buffer_contents.c has the portable hash. */
#ifndef TARRY_JOB_CHECK_BUFFERS_CONTENT_HASH_H
#define TARRY_JOB_CHECK_BUFFERS_CONTENT_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t content_hash(const void *data, size_t bytes, uint64_t seed);

/* The hash for this processor; NULL: the portable hash is the best. */
content_hash *content_hash_find(void);

#endif
