/* Receives that waited for their message while another one, sent earlier, was received only after them. Whether there is such a
 * message shows later: of each process, the last few receives that waited are kept until then. Internal to the replay.
 *
 *	inversions_received(scene, actor, &wait, &send);   for each message that a call received,
 *	inversions_waited(scene, actor, &wait, &send);     or that a probe waited for
 *	inversions_end(scene); */
#ifndef TARRY_MODEL_INVERSIONS_H
#define TARRY_MODEL_INVERSIONS_H

#include "model/relations.h"

enum { LATE_KEPT = 8 };

struct scene;
struct actor;

struct late_receive {
	struct inversion told;
	bool is_inverted;
};

/* A ring. */
struct late_receives {
	struct late_receive items[LATE_KEPT];
	uint64_t count;
	int64_t last_sent; /* no message of them later */
};

void inversions_received(struct scene *scene, struct actor *actor, const struct occurrence *wait,
                         const struct occurrence *send);
void inversions_waited(struct scene *scene, struct actor *actor, const struct occurrence *wait,
                       const struct occurrence *send);
void inversions_end(struct scene *scene);

#endif
