/* The part: the file of chunks that all processes of this node write while the job runs (trace/node_part.h). Chunks are mapped into memory,
 * so their content survives, however the process ends.
 *
 * The disk blocks of a chunk are reserved before it is mapped, so that a full disk is an error here and not a SIGBUS in the user's program.
 * The header is mapped only while it is used, so that a wild pointer of the program rarely hits the data of other processes.
 *
* A process has a part of its own if it cannot share one: it does not know its node or its job, the shared part is damaged or full, or a
 * process of an earlier job was killed while it wrote there. If the file system cannot map files, chunks are in plain memory and are written
 * when they are full. A process that is killed then loses its last chunks, and a note says so.
 *
 * The folder is kept open, so that a renamed folder stays whole. The program may close the recorder's files and reuse their numbers, so
 * before each write the recorder checks that the file is still the part.
 *
 * The caller holds the process's lock. */
#ifndef TARRY_JOB_RECORD_PART_H
#define TARRY_JOB_RECORD_PART_H

#include "trace/node_part.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGE_BYTES = PART_PAGE }; /* chunks are multiples of this */

/* The place of a chunk in the part's file. */
struct chunk_place {
	uint64_t offset;
	uint64_t bytes;
};

/* Joins the part of this node in the folder `<output>.parts`, or creates it. `*world`: the world of chunks without a rank. On failure sets
 * errno. */
bool part_open(const char *output, uint64_t *world);
bool part_is_open(void);
/* Removes a part that no other process has joined. */
void part_discard(void);

/* The open folder of the part; -1: none. */
int part_folder(void);
/* The part's file name in that folder. */
const char *part_name(void);

/* A new zeroed chunk of `bytes` (rounded up) at `place`. NULL: see errno. */
void *part_chunk(size_t *bytes, struct chunk_place *place);

/* Makes sure that the content of a chunk is in the file. */
void part_save(const void *chunk, const struct chunk_place *place);

/* Releases the memory of a finished chunk. */
void part_release(void *chunk, const struct chunk_place *place);

/* Adds the rank of this process, or a further rank in it. False: the table has no room for it, so `tarry recover` must write the trace. */
bool part_identify(uint64_t world, uint32_t rank, uint32_t size);
bool part_add_rank(uint64_t world, uint32_t rank, uint32_t size);

/* Marks all ranks of this process as finished, or the process as left if it has no rank, and closes the file. On failure sets errno. `*last`:
 * no other process of the part runs. If `closes`, no process can join such a part any more. */
bool part_finish(bool closes, bool *last);
/* Also closes the folder. */
void part_close(void);

#endif
