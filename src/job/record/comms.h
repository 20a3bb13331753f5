/* Communicators, windows and files: what the recorder keeps of each, and the identity that all its processes
 * agree on without a word between them.
 *
 * A new communicator's identity is a hash of its parent's, of its members and of how many of the same parent and
 * members there were before: all members take part in all of these, in the same order. Where there is no common
 * parent (Comm_create_group, Intercomm_create, connect and accept), the tag or port name takes its place. */
#ifndef TARRY_JOB_RECORD_COMMS_H
#define TARRY_JOB_RECORD_COMMS_H

#include "calls/epochs.h"
#include "job/mpi/flavour.h"
#include "job/record/process.h"
#include "job/record/stream.h"

struct recorded_comm {
	uint64_t identity;
	int64_t number; /* as an object */
	int rank, size;
	int peers; /* those that a collective moves data to: the remote group's size, if there is one */
	int indegree, outdegree; /* of a topology's neighbourhood */
	bool inter;
};

struct win {
	uint64_t identity;
	int64_t number;
	MPI_Group group; /* of its communicator, for the ranks in MPI_Win_post and MPI_Win_start */
	struct window_epochs epochs;
};

struct file {
	uint64_t identity;
	int64_t number;
};

/* Knows MPI_COMM_WORLD and MPI_COMM_SELF; needs the process's world. */
void comms_start(void);

struct win *win_get(struct recording_stream *s, MPI_Win handle);
int64_t file_number(MPI_File handle);

/* Numbers for what has just come into being; 0 identity (number of nothing) for MPI_COMM_NULL. */
int64_t comm_made(struct recording_stream *s, MPI_Comm made, MPI_Comm parent);
int64_t comm_made_in_group(struct recording_stream *s, MPI_Comm made, MPI_Comm parent, int64_t tag);
int64_t comm_made_with_tag(struct recording_stream *s, MPI_Comm made, int64_t tag);
int64_t comm_made_at_port(struct recording_stream *s, MPI_Comm made, const char *port, size_t length);
/* MPI_Comm_spawn, and the communicator to the parents that the children find when they begin. */
int64_t comm_made_by_spawn(struct recording_stream *s, MPI_Comm made, MPI_Comm parent, int root);
void comm_to_parents(void);
/* MPI_Comm_idup: all processes begin these in the same order, but may complete them in any. */
uint64_t comm_promised(struct recording_stream *s, MPI_Comm parent);
int64_t comm_made_by_request(int64_t parent_number, uint64_t identity, MPI_Comm made);
int64_t win_made(struct recording_stream *s, MPI_Win made, MPI_Comm comm, int64_t bytes, int64_t unit);
int64_t file_made(struct recording_stream *s, MPI_File made, MPI_Comm comm, const char *path, size_t length);

/* The handle is about to end; it may stand for something else soon. */
void comm_ended(MPI_Comm handle);
void win_ended(MPI_Win handle);
void file_ended(MPI_File handle);
/* A handle of any kind: what threads remember of handles is void. */
void handle_ended(void);

/* Size of a datatype in bytes. */
int64_t type_size_slow(struct recording_stream *s, MPI_Datatype handle);

static inline struct handle_cache_entry *cached(struct handle_cache *cache, uint64_t handle)
{
	return &cache->entries[(handle >> 4 ^ handle >> 10 ^ handle) & (CACHE_ENTRIES - 1)];
}

const struct recorded_comm *comm_get_slow(struct recording_stream *s, MPI_Comm handle);

/* Never NULL; a communicator that was never seen before becomes known. */
static inline const struct recorded_comm *comm_get(struct recording_stream *s, MPI_Comm handle)
{
	struct handle_cache_entry *entry = cached(&s->comms, HANDLE(handle));

	if (LIKELY(entry->value && entry->handle == HANDLE(handle)))
		return (const struct recorded_comm *)(intptr_t)
		        entry->value; /* NOLINT: it was put there as a pointer */
	return comm_get_slow(s, handle);
}

static inline int64_t comm_number(struct recording_stream *s, MPI_Comm handle)
{
	return comm_get(s, handle)->number;
}

static inline int64_t type_size(struct recording_stream *s, MPI_Datatype handle)
{
	struct handle_cache_entry *entry = cached(&s->types, HANDLE(handle));

	return LIKELY(entry->handle == HANDLE(handle)) ? entry->value : type_size_slow(s, handle);
}

/* FIELD_EPOCH of an access to the window. */
static inline int64_t win_epoch(const struct win *w)
{
	int64_t kind = EPOCH_LOCK_ALL;

	while (kind && !epoch_is_open(&w->epochs, kind))
		kind--;
	return kind;
}

#endif
