/* The header of a part. A part is the file of chunks that the processes of a node share while the job runs.
 *
 * The header is the first page of the file: a counter of the pages that were handed out, and a table of the processes. A process takes
 * room for a chunk by moving the counter, and reserves only that room, so that processes never wait for each other. Chunks follow in any
 * order. A page that was handed out but never written has zeros.
 *
 *	struct part_header *header = mmap(…, PART_PAGE, …);          all zeros: an empty part
 *	int self = part_join(header, getpid(), start);
 *	if (self >= 0 && part_take(header, bytes, &offset))
 *		… the chunk is at `offset` …
 *	part_leave(header, self, PART_FINISHED, true);
 *
 * Chunks from before MPI_Init have no rank. Their `world` is the number of their process in the table, plus 1 (part_token).
 *
 * A program may overwrite the header by mistake. So the counter and the entries of the table have checksums: with a wrong one, nothing is
 * handed out any more, and readers do without the table. Only processes of one node may map a header, because network file systems keep
 * no common memory. Nothing here allocates, prints or exits: it runs in the user's job. */
#ifndef TARRY_TRACE_NODE_PART_H
#define TARRY_TRACE_NODE_PART_H

#include "trace/format.h"

#include <stdbool.h>

#define PART_MAGIC "TARRYN\x1a\x01"

enum {
	PART_MAGIC_SIZE = 8, /* its last byte is the version */
	PART_PAGE = 1 << 16, /* the largest page size; chunks take whole pages */
	PART_PROCESSES = 1600,
};

enum part_state {
	PART_STARTING, /* its entry is not written yet */
	PART_RUNNING,
	PART_FINISHED,
	PART_LEFT,   /* ended without a rank, or was killed */
	PART_MERGED, /* its chunks are in a trace */
};

/* An entry of the table: a rank, or a process that has none yet. */
struct part_entry {
	uint64_t start; /* of the process since the start of the machine, in clock ticks */
	uint64_t world;
	uint32_t pid;
	uint32_t size; /* of the world */
	union {
		struct {
			uint32_t rank; /* PROCESS_UNKNOWN: none yet */
			uint32_t crc;
		};
		uint64_t identity; /* both change in one store */
	};
	uint32_t state; /* enum part_state */
	uint32_t reserved;
};

struct part_header {
	uint8_t magic[PART_MAGIC_SIZE];
	uint64_t taken;  /* pages of chunks that were handed out; with a checksum */
	uint64_t census; /* entries in use, running ones, and whether the part is closed; with a checksum */
	uint8_t reserved[40];
	struct part_entry processes[PART_PROCESSES];
};

_Static_assert(sizeof(struct part_entry) == 40, "docs/trace-format.md has this size");
_Static_assert(sizeof(struct part_header) <= PART_PAGE, "the header is one page");

/* For readers. `header` may have any content. */

/* The reason why the header cannot be used; NULL if it can. */
const char *part_header_problem(const struct part_header *header);
/* Entries of the table; 0 if the header is damaged. */
uint32_t part_entry_count(const struct part_header *header);
/* No process writes to a closed part any more. */
bool part_is_closed(const struct part_header *header);
/* The valid entry with this number; NULL: none. */
const struct part_entry *part_entry_at(const struct part_header *header, uint32_t number);
/* Of a process in its chunks without a rank. */
static inline uint64_t part_token(uint32_t number)
{
	return 1 + (uint64_t)number;
}
/* The valid entry of this rank, or of a process without one: then `world` is its token. NULL: none. */
const struct part_entry *part_find(const struct part_header *header, uint64_t world, uint32_t rank);
/* Gives a chunk from before MPI_Init the world and rank that its process got later. Otherwise nothing changes. */
void part_resolve(const struct part_header *header, uint64_t *world, uint32_t *rank);

/* For writers, in a mapped header. */

/* Room for a chunk of whole pages. On failure sets errno. */
bool part_take(struct part_header *header, uint64_t bytes, uint64_t *offset);
/* Gives it back, if it is still the last one. */
void part_give_back(struct part_header *header, uint64_t bytes, uint64_t offset);

/* The number of a new entry; -1: the part is closed, full or damaged. */
int part_join(struct part_header *header, uint32_t pid, uint64_t start);
void part_set_rank(struct part_entry *process, uint64_t world, uint32_t rank, uint32_t size);
/* Ends a running entry. Returns whether none is left; then `closes` closes the part. */
bool part_leave(struct part_header *header, uint32_t number, enum part_state state, bool closes);

#endif
