/* Receives that waited for their message while another one, sent earlier, was received only after them. Whether there is such a
 * message shows later: of each process, the last few receives that waited are kept until then. Internal to the replay.
 *
 *	if (process->late && is_inverted(process->late, &wait, send.start))   for each message that a call received
 *		inversions_look_back(process->late, &wait, &send);
 *	inversions_waited(replay, process, &wait, &send);                    if it waited for it: at least of the last
 *	inversions_end(replay); */
#ifndef TARRY_ANALYSIS_MODEL_INVERSIONS_H
#define TARRY_ANALYSIS_MODEL_INVERSIONS_H

#include "analysis/relations/rows.h"

enum { LATE_KEPT = 8 };

struct replay;
struct replay_process;

/* A ring. */
struct late_receives {
	struct inversion items[LATE_KEPT];
	bool is_inverted[LATE_KEPT];
	uint64_t count;
	int64_t newest_start, newest_sent; /* of the newest */
	int64_t last_sent;                 /* no message of the others later */
};

/* Whether what was sent then was sent before one that a call waited for, other than this one. */
static inline bool is_inverted(const struct late_receives *kept, const struct occurrence *wait, int64_t sent)
{
	return sent < kept->last_sent || (sent < kept->newest_sent && wait->start != kept->newest_start);
}

void inversions_look_back(struct late_receives *kept, const struct occurrence *wait,
                          const struct occurrence *send);
void inversions_waited(struct replay *replay, struct replay_process *proc, const struct occurrence *wait,
                       const struct occurrence *send);
void inversions_end(struct replay *replay);

#endif
