/* What the calls of each distinct call add up to while the trace is gone through; `struct site_sum` (model/relations.h) is
 * put together of it at the end. A trace of many processes has millions of them, so each has room only for what calls of
 * its kind can add up to. Of use to nobody but the replay. */
#ifndef TARRY_ANALYSIS_MODEL_SITES_H
#define TARRY_ANALYSIS_MODEL_SITES_H

#include "analysis/model/pair_map.h"
#include "analysis/model/relations.h"
#include "analysis/model/tracker.h"

struct actor;
struct scene;
struct thread;

/* What a running sum goes on with; in struct role. */
enum sum_kind { SUM_PLAIN, SUM_STARTS, SUM_SENDS, SUM_RECEIVES, SUM_MEETS, SUM_ACCESSES };

/* Fields mean what those of struct site_sum do. What every call changes lies together. */
struct running_sum {
	int64_t start;     /* of the first call */
	uint64_t position; /* likewise */
	uint32_t thread, phase;
	int64_t end; /* of the last one */
	uint64_t count;
	int64_t inside;
	/* A local call's ends here. */
	int64_t before;
};

/* What few have that are added up: by role, one for what was stolen before its calls and one for inside. */
struct stolen_times {
	struct pair_map numbers;
	int64_t *ns;
	uint32_t count, room;
};

void stolen_times_release(struct stolen_times *times);

struct sum_of_starts {
	struct running_sum all;
	uint64_t starts;
};

struct sum_of_sends {
	struct running_sum all;
	int64_t size;
	uint64_t again;
	int64_t again_inside;
};

struct sum_of_replies {
	uint64_t replies;
	int64_t gap, sent, saved, most_saved;
	struct occurrence answered;
};

struct sum_of_receives {
	struct running_sum all;
	int64_t size;
	uint64_t found, passed_on;
	int64_t found_inside, lain, moving, until_passed, moved;
	struct sum_of_replies *replies; /* NULL: none */
};

struct sum_of_meetings {
	struct running_sum all;
	int64_t settled, worked;
};

struct sum_of_accesses {
	struct running_sum all;
	uint64_t epoch; /* of the thread, with the last of them: see struct thread */
	uint64_t again;
	int64_t again_inside, stolen_inside;
};

/* Behind its role. */
static inline void *sum_of(const struct role *role)
{
	return (void *)(uintptr_t)(role + 1);
}

/* A role whose calls are to be added up: how many bytes that takes. */
size_t site_room(struct role *role);
void site_met(struct role *role);
/* A receive has got its message, and completed nothing else. */
void site_received(const struct occurrence *wait, const struct occurrence *send);
void site_met_others(const struct collective_operation *gathering);
void sites_tell(struct scene *scene);

/* A request that the role prepared is started. */
static inline void site_started(const struct role *role)
{
	if (role->trackers & COUNTED_BIT)
		((struct sum_of_starts *)sum_of(role))->starts++;
}

#endif
