/* The part: this process's share of the trace while the job runs, a file beside the trace-to-be, cut into
 * chunks that are mapped into memory. What stands in a chunk survives the process, however it dies.
 *
 * Every chunk's blocks are reserved on disk before it is mapped, so that a full disk shows as an error here and not
 * as a SIGBUS in the user's program. Where the file system refuses to be mapped, a chunk lives in plain memory
 * and is written when it is full: then a killed process loses its last chunks, and a note says so.
 *
 * The folder is kept open: what this process writes stays together even if somebody gives the folder another name.
 * The program may close files that are not its own, and get their numbers for others: so nothing is written before it
 * is known to be the part still.
 *
 * Not for several threads at once: the caller holds the process's lock. */
#ifndef TARRY_JOB_RECORD_PART_H
#define TARRY_JOB_RECORD_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGE_BYTES = 1 << 16 }; /* chunks are multiples of this: a page of any machine we know */

/* Where a chunk lies in the part's file, for the merging at the end. */
struct chunk_place {
	uint64_t offset;
	uint64_t bytes;
};

/* Creates the file `<output>.parts/<host>-<pid>-<random>.part`. False: the reason is in errno. */
bool part_open(const char *output);
bool part_is_open(void);
/* Removes a part that nothing was written to. */
void part_discard(void);

/* Folder of the part, open; -1: there is none. */
int part_folder(void);

/* A new zeroed chunk, `bytes` long (rounded up). NULL: the reason is in errno. `place` says where it lies. */
void *part_chunk(size_t *bytes, struct chunk_place *place);

/* Makes sure that the contents of a chunk are in the file. */
void part_save(const void *chunk, const struct chunk_place *place);

/* Gives the memory of a finished chunk back; its contents stay in the file. */
void part_release(void *chunk, const struct chunk_place *place);

/* Ends the part: from now on its name says that it is finished, and of whom it is (WORLD-RANK-…, or WORLD-RANK+N-… if N more are
 * in it). False: errno. */
bool part_finish(uint64_t world, uint32_t rank, uint32_t others);
/* Closes the folder too. */
void part_close(void);

#endif
