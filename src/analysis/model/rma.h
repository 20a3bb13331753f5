/* One-sided communication: which access belongs to which epoch, which epoch of an origin to which of its target, and
 * who had to wait for whose lock.
 *
 *	struct rma *rma = rma_new(reader, comms, teller, &counts);
 *	rma_call(rma, &occurrence);           each call that is over, in the order of its process
 *	if (rma_is_full(rma))
 *		rma_settle(rma, now);         now and then
 *	rma_gone(rma, process);               it has ended
 *	rma_finish(rma);
 *
 * Of the teller's callbacks, `exposures`, `access_epoch`, `fence`, `lock`, `passive` and `access` are used; what none of them asks
 * for costs nothing.
 *
 * Exposures. The n-th MPI_Win_start of an origin that names a target meets the n-th MPI_Win_post of that target that
 * names the origin. A target's epoch is told when MPI_Win_wait and the MPI_Win_complete of all its origins are over;
 * origins that are not in the trace are left out, and if one ended too early (a crash), the epoch is not told.
 *
 * Access epochs are told likewise, with the posts of all their targets; fences when all processes have passed them.
 *
 * Locks. Libraries differ in when they take a lock: in MPI_Win_lock, with the first access, or not before
 * MPI_Win_unlock. In all of them conflicting holds come one after the other, and each is over when its unlock is. So
 * `before` is, among the conflicting holds of other processes whose unlock ended before that of this one, that with
 * the last unlock; and it was waited for only if that unlock ended after this lock was asked for. A lock of all
 * (MPI_Win_lock_all) is told once, with NO_TARGET. Locks with MPI_MODE_NOCHECK wait for nobody.
 *
 * Accesses end with the fence, complete, unlock or flush that covers them, or with their own request. flush_local does
 * not end them: they may not be at the target yet.
 *
 * Memory is that of the epochs, locks and accesses under way, if processes go on last that are ahead. */
#ifndef TARRY_ANALYSIS_MODEL_RMA_H
#define TARRY_ANALYSIS_MODEL_RMA_H

#include "analysis/model/relations.h"

#define NO_TARGET UINT32_MAX

struct rma;

/* What does not end in the trace is added to the counts. */
struct rma *rma_new(const struct reader *reader, const struct comm_table *comms, const struct teller *teller,
                    struct replay_counts *counts);
/* Is this a call that rma_call() wants? */
bool rma_wants(const struct rma *rma, const struct role *role);
void rma_call(struct rma *rma, const struct occurrence *call);
/* The process has ended; or some of its calls are missing from here on, so that nothing more can be told of it. */
void rma_gone(struct rma *rma, uint32_t process);

/* Much of what this process did waits for what others do: they should go on first. */
bool rma_is_ahead(const struct rma *rma, uint32_t process);

/* Locks are told in the order of time, so they wait until all processes have come that far. */
bool rma_is_full(const struct rma *rma);
/* `now`, by process: none of its calls that come from here on ends before; INT64_MAX: there are none. */
void rma_settle(struct rma *rma, const int64_t *now);

/* Tells what is left, and releases. */
void rma_finish(struct rma *rma);

#endif
