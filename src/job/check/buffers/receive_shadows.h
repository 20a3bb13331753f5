/* Finds accesses of the program to a buffer that MPI is receiving into (`--buffers=all`). MPI gets a shadow of the buffer: memory with the same layout and
 * content. When the operation is complete, a hash of the program's buffer shows whether the program wrote to it (memory.receive-written), and the
 * received data is copied into it. Until then, pages inside the buffer are guarded, so reads are seen as well (memory.receive-read).
 *
 * The shadow of a one-sided operation without a request is delivered by any call that completes the operation at the origin. A persistent request has one shadow for all starts. Partitions share one shadow, and each completes by itself. Buffers have no shadow if
 * their bytes are unknown or far apart, or if they are not mapped as a whole; all shadows together have at most SHADOW_BYTES_MAX.
 * Of calls that are made often, only some operations have one (active_buffers.c).
 *
 * Functions need the lock. */
#ifndef TARRY_JOB_CHECK_BUFFERS_RECEIVE_SHADOWS_H
#define TARRY_JOB_CHECK_BUFFERS_RECEIVE_SHADOWS_H

#include "job/check/buffers/active_buffers.h"

enum { SHADOW_BYTES_MAX = 256 << 20 };

extern HIDDEN bool receive_shadows_wanted;
extern HIDDEN uint32_t receive_shadows_live; /* how many there are */

/* Gives a buffer a shadow, and passes its address to the call. Several buffers, linked by `next`, are the
 * partitions of one. False: MPI uses the buffer itself. */
bool receive_shadow_add(struct active_buffer *buffers, struct agent_call *call);
/* The operation is about to begin: MPI may write to the shadow from now on. Does nothing if
 * it has already begun. */
void receive_shadow_fill(struct active_buffer *buffer);
/* MPI has prepared a persistent operation, which has not begun. Copies data that MPI has already written to
 * the buffer: MPICH 4.0 copies the root's own block in MPI_Gather_init. */
void receive_shadow_prepared(struct active_buffer *buffer);
/* The operation has begun. */
void receive_shadow_guard(struct active_buffer *buffer);
/* `call` has completed it, with this status; NULL: unknown. */
void receive_shadow_complete(struct agent_call *call, struct active_buffer *buffer, const MPI_Status *status);
/* It never began. */
void receive_shadow_drop(struct active_buffer *buffer);
/* True if there is one, and its operation has begun. */
bool receive_shadow_is_used(const struct active_buffer *buffer);
void receive_shadow_free(struct active_buffer *buffer);

/* Operations whose requests the program has freed: MPI continues them, so their shadows must stay. */
void receive_shadows_adopt(uint64_t handle, struct active_buffer *buffers);
/* Completes finished operations; at the end, releases the others. Without the lock. */
void receive_shadows_poll(bool at_end);
extern HIDDEN uint32_t receive_shadows_adopted;

#endif
