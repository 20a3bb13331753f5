/* Finds accesses of the program to a buffer into which MPI is receiving (`--buffers=all`). MPI gets a shadow of the buffer: memory with the same layout and
 * content. When the operation is complete, a hash of the program's buffer shows whether the program wrote to it (memory.receive-written), and the
 * received data is copied into the buffer. Until then, pages inside the buffer are guarded, so reads are seen as well (memory.receive-read).
 *
* The shadow of a one-sided operation without a request is delivered by any call that completes the operation at the origin. A persistent request has one
 * shadow for all starts. Partitions share a shadow, and each completes by itself. A buffer has no shadow if its bytes are unknown, far apart or not all
 * mapped. All shadows together have at most SHADOW_BYTES_MAX. Of calls that are made often, only some operations get one (active_buffers.c).
 *
 * Functions need the lock. */
#ifndef TARRY_JOB_CHECK_BUFFERS_RECEIVE_SHADOWS_H
#define TARRY_JOB_CHECK_BUFFERS_RECEIVE_SHADOWS_H

#include "job/check/buffers/active_buffers.h"

enum { SHADOW_BYTES_MAX = 256 << 20 };

extern HIDDEN bool receive_shadows_wanted;
extern HIDDEN uint32_t receive_shadows_live; /* number of shadows */

/* Gives a buffer a shadow, and passes the shadow's address to the call. Several buffers, linked by `next`, are
 * the partitions of one. False: MPI uses the buffer itself. */
bool receive_shadow_add(struct active_buffer *buffers, struct agent_call *call);
/* The operation is about to begin, and MPI may write to the shadow from now on. Does nothing
 * if it has already begun. */
void receive_shadow_fill(struct active_buffer *buffer);
/* MPI has prepared a persistent operation, which has not begun. Copies data that MPI has already written to
 * the buffer: MPICH 4.0 copies the root's own block in MPI_Gather_init. */
void receive_shadow_prepared(struct active_buffer *buffer);
/* The operation has begun. */
void receive_shadow_guard(struct active_buffer *buffer);
/* `call` has completed the operation, with this status; NULL: unknown. */
void receive_shadow_complete(struct agent_call *call, struct active_buffer *buffer, const MPI_Status *status);
/* The operation never began. */
void receive_shadow_drop(struct active_buffer *buffer);
/* True if the buffer has a shadow, and its operation has begun. */
bool receive_shadow_is_used(const struct active_buffer *buffer);
void receive_shadow_free(struct active_buffer *buffer);

/* The program has freed the request. MPI continues the operation, so the shadows must stay. */
void receive_shadows_adopt(uint64_t handle, struct active_buffer *buffers);
/* Completes such operations if they are finished; at the end, releases the others. Call it without the lock. */
void receive_shadows_poll(bool at_end);
extern HIDDEN uint32_t receive_shadows_adopted;

#endif
