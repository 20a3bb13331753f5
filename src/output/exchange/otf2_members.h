/* Who is in a communicator, as numbers of the processes in an archive.
 *
 * Processes of the trace have their own numbers. Members that were not recorded, or that nobody knows, get the
 * numbers behind these, so that ranks stay what they were. */
#ifndef TARRY_OUTPUT_EXCHANGE_OTF2_MEMBERS_H
#define TARRY_OUTPUT_EXCHANGE_OTF2_MEMBERS_H

#include "trace/reader.h"

/* A process that communicators have and the trace has not. */
struct absent {
	uint64_t world; /* 0: not even that is known */
	uint32_t rank;
};

struct members {
	uint64_t *at;
	uint32_t count;
};

struct known_comm {
	uint64_t identity;
	uint64_t parent;
	const char *name;
	bool is_inter;
	bool told; /* its members are */
	struct members local, remote;
	uint32_t ref; /* once it is defined; UINT32_MAX before */
};

struct known_comms {
	const struct reader *reader;
	struct arena *arena;
	struct interner identities; /* number: place in `at` */
	struct known_comm *at;
	size_t count;
	struct interner strangers; /* number: place in `absents` */
	struct absent *absents;
	size_t absent_count;
};

/* All communicators of all processes. */
void known_comms_collect(struct known_comms *comms, const struct reader *reader, struct arena *arena);
/* One without members if no process tells of it. */
struct known_comm *known_comm_get(struct known_comms *comms, uint64_t identity);

#endif
