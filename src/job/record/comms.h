/* Communicators, windows and files: the recorder's data of each, and an identity that all its processes compute without communication.
 *
 * A new communicator's identity is a hash of its parent's, of its members, and of the number of earlier communicators with the same
 * parent and members. All members create these in the same order. If there is no common parent (MPI_Comm_create_group,
 * MPI_Intercomm_create, MPI_Comm_connect and MPI_Comm_accept), the tag or port name replaces it. */
#ifndef TARRY_JOB_RECORD_COMMS_H
#define TARRY_JOB_RECORD_COMMS_H

#include "calls/epochs.h"
#include "job/mpi/comm_shape.h"
#include "job/record/process.h"
#include "job/record/stream.h"

struct recorded_comm {
	uint64_t identity;
	int64_t number; /* of the object */
	struct comm_shape shape;
};

struct win {
	uint64_t identity;
	int64_t number;
	MPI_Group group; /* of its communicator, to translate the ranks in MPI_Win_post and MPI_Win_start */
	struct window_epochs epochs;
};

struct file {
	uint64_t identity;
	int64_t number;
};

/* Adds MPI_COMM_WORLD and MPI_COMM_SELF. The process's world must be known. */
void comms_start(void);

struct win *win_get(struct recording_stream *s, MPI_Win handle);
int64_t file_number(MPI_File handle);

/* These return the number of a new object. The number of MPI_COMM_NULL has identity 0. */
int64_t comm_made(struct recording_stream *s, MPI_Comm made, MPI_Comm parent);
int64_t comm_made_in_group(struct recording_stream *s, MPI_Comm made, MPI_Comm parent, int64_t tag);
int64_t comm_made_with_tag(struct recording_stream *s, MPI_Comm made, int64_t tag);
int64_t comm_made_at_port(struct recording_stream *s, MPI_Comm made, const char *port, size_t length);
/* For MPI_Comm_spawn, and for the children's communicator to their parents. */
int64_t comm_made_by_spawn(struct recording_stream *s, MPI_Comm made, MPI_Comm parent, int root);
void comm_to_parents(void);
/* For MPI_Comm_idup: all processes begin such calls in the same order, but may complete them in any order. */
uint64_t comm_promised(struct recording_stream *s, MPI_Comm parent);
int64_t comm_made_by_request(int64_t parent_number, uint64_t identity, MPI_Comm made);
int64_t win_made(struct recording_stream *s, MPI_Win made, MPI_Comm comm, int64_t bytes, int64_t unit);
int64_t file_made(struct recording_stream *s, MPI_File made, MPI_Comm comm, const char *path, size_t length);

/* The object is about to be freed. MPI may reuse its handle. */
void comm_ended(MPI_Comm handle);
void win_ended(MPI_Win handle);
void file_ended(MPI_File handle);
/* A handle of any kind becomes invalid: so do the handle caches of all threads. */
void handle_ended(void);

/* Size of a datatype in bytes. */
int64_t type_size_slow(struct recording_stream *s, MPI_Datatype handle);

static inline struct handle_cache_entry *cached(struct handle_cache *cache, uint64_t handle)
{
	return &cache->entries[(handle >> 4 ^ handle >> 10 ^ handle) & (CACHE_ENTRIES - 1)];
}

const struct recorded_comm *comm_get_slow(struct recording_stream *s, MPI_Comm handle);

/* Adds the communicator if it is unknown. Never returns NULL. */
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
