/* The part: this process's share of the trace while the job runs. It is a file of chunks that are mapped into memory, so the content of a
 * chunk survives the process, however it dies.
 *
 * The disk blocks of a chunk are reserved before it is mapped, so that a full disk is an error here and not a SIGBUS in the user's program.
 * If the file system cannot map files, a chunk is in plain memory and is written when it is full. A killed process then loses its last
 * chunks, and a note says so.
 *
 * The folder is kept open, so that a renamed folder stays whole. The program may close the recorder's files and reuse their numbers, so
 * before each write the recorder checks that the file is still the part.
 *
 * The caller holds the process's lock. */
#ifndef TARRY_JOB_RECORD_PART_H
#define TARRY_JOB_RECORD_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGE_BYTES = 1 << 16 }; /* chunks are multiples of this, the largest page size */

/* The place of a chunk in the part's file. */
struct chunk_place {
	uint64_t offset;
	uint64_t bytes;
};

/* Creates the file `<output>.parts/<host>-<pid>-<random>.part`. On failure sets errno. */
bool part_open(const char *output);
bool part_is_open(void);
/* Removes an empty part. */
void part_discard(void);

/* The open folder of the part; -1: none. */
int part_folder(void);

/* A new zeroed chunk of `bytes` (rounded up) at `place`. NULL: see errno. */
void *part_chunk(size_t *bytes, struct chunk_place *place);

/* Makes sure that the content of a chunk is in the file. */
void part_save(const void *chunk, const struct chunk_place *place);

/* Releases the memory of a finished chunk. */
void part_release(void *chunk, const struct chunk_place *place);

/* Renames the part to show that it is finished, and its owner: WORLD-RANK-…, or WORLD-RANK+N-… with N more ranks. On failure sets
 * errno. */
bool part_finish(uint64_t world, uint32_t rank, uint32_t others);
/* Also closes the folder. */
void part_close(void);

#endif
