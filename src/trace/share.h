/* Finds common contents of the chunks of different processes when parts are merged.
 *
 *	struct trace_sharing *sharing = sharing_new(reader, jobs, count_process, context);
 *	for (size_t i = 0; i < sharing->groups.count; i++) {
 *		group_write_head(sharing, &sharing->groups.items[i], &head);
 *		group_write_member(sharing, sharing->groups.items[i].members.items[0], &member);
 *	}
 *	sharing_free(sharing);
 *
 * In a regular program the chunks of most processes differ in their times only. Their partners are stored relative to the rank, unless
 * the partners themselves are equal. A chunk that has nothing in common with others is in no group and is copied as it is. */
#ifndef TARRY_TRACE_SHARE_H
#define TARRY_TRACE_SHARE_H

#include "base/array.h"
#include "base/text.h"
#include "trace/intern.h"
#include "trace/reader.h"

#define NO_GROUP UINT32_MAX

/* The order of a chunk's calls, by which chunks are compared. */
struct order_key {
	uint64_t hash, length;
	uint32_t crc;
};

/* A chunk of the reader in the trace. */
struct shared_chunk {
	const struct interned *table; /* NULL: nothing is shared */
	struct order_key order;
	uint32_t length;  /* of the payload in a group */
	uint32_t group;   /* NO_GROUP */
	uint32_t process; /* an index in the reader */
};

struct sharing_group {
	ARRAY(uint32_t) members; /* indices of chunks in the reader, by rank */
	uint32_t table;          /* its number in the trace */
	uint32_t order;          /* likewise, 1 + that of the table with the order of calls; 0: none */
	uint64_t bytes;          /* of the members without their lengths */
	uint64_t length_bytes;   /* of their lengths */
	bool has_equal_lengths;  /* then the members do not have them */
};

struct trace_sharing {
	struct reader *reader;
	struct shared_chunk *chunks;           /* as in the reader */
	ARRAY(struct sharing_group) groups;    /* in the order of their first chunks */
	ARRAY(const struct interned *) tables; /* of these groups, by their numbers */
	/* private */
	struct arena arena;
	struct interner known_tables;
	uint64_t *relative; /* by outline: a bit for each field that is relative */
	struct common_records *records;
	void (*count_process)(void *context);
	void *context;
};

/* Reads all events, in up to `jobs` threads. Calls `count_process` after each process. */
struct trace_sharing *sharing_new(struct reader *reader, unsigned jobs, void (*count_process)(void *context),
                                  void *context);
void sharing_free(struct trace_sharing *sharing);

/* The payload of a group before its members. */
void group_write_head(const struct trace_sharing *sharing, const struct sharing_group *group,
                      struct text *out);
/* The member for this chunk of the reader. */
void group_write_member(const struct trace_sharing *sharing, const struct sharing_group *group,
                        uint32_t chunk, struct text *out);
/* Of all members. */
uint64_t group_bytes(const struct sharing_group *group);

/* Records of processes (share_records.c) */

/* Sets the tables of chunks whose records are partly those of all processes of the world. */
struct common_records *common_records_new(struct trace_sharing *sharing);
void common_records_free(struct common_records *records);
/* The records of this chunk; if it `shares`, those that are not in the table. */
void common_records_rest(const struct common_records *records, const struct process *process,
                         const struct chunk *chunk, bool shares, struct text *out);
/* Any thread may call it. */
const struct interned *sharing_table(struct trace_sharing *sharing, const struct text *bytes);

#endif
