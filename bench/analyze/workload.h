/* Programs whose times are known without running them: the times of a rank in an iteration are a pure function of rank
 * and iteration. So a trace of any size is written process by process, and all its waits are known.
 *
 *	struct workload load = {.kind = WORKLOAD_MIXED, .ranks = 16, .iterations = 1000, .jitter_ns = 8000};
 *	workload_init(&load);
 *	struct exchange exchange = halo_exchange(&load, rank, iteration);
 *	workload_release(&load);
 *
 * An iteration has its own time slot. Each rank is slightly late, some are very late. Starts are at even nanoseconds and
 * ends at odd ones, so they never coincide. Waits are computed from the times alone, as the truth to compare with. */
#ifndef TARRY_BENCH_WORKLOAD_H
#define TARRY_BENCH_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

enum workload_kind { WORKLOAD_RING, WORKLOAD_HALO, WORKLOAD_MIXED };

enum wait_state {
	LATE_SENDER,
	LATE_RECEIVER,
	BARRIER_WAIT,
	LATE_BROADCAST,
	EARLY_REDUCE,
	NXN_WAIT,
	WAIT_STATES
};

extern const char *const wait_state_names[WAIT_STATES];

struct wait_total {
	uint64_t occurrences;
	uint64_t total_ns;
};

enum { DIRECTIONS = 4, ROOTS = 4 };

enum meeting_kind { MEETING_NONE, MEETING_ALLREDUCE, MEETING_BARRIER, MEETING_BCAST, MEETING_REDUCE };

struct workload {
	enum workload_kind kind;
	uint32_t ranks; /* even */
	uint64_t iterations;
	uint64_t jitter_ns;
	/* private */
	uint32_t width;
	uint64_t slot_ns;
	uint64_t *awaited; /* by iteration: arrival of the last process for which a collective call waits */
};

struct span {
	uint64_t start, end;
};

/* Blocking: to the next rank, from the previous one. */
struct pass {
	bool is_large;
	bool receives_first;
	struct span send, receive;
	uint64_t sender_start; /* of the received message */
	uint64_t posted;       /* of the sent message */
};

/* With four neighbours. */
struct exchange {
	bool is_large;
	bool sends_first;
	struct span sends[DIRECTIONS], receives[DIRECTIONS], wait;
	int64_t late_sender, late_receiver; /* not positive: none */
};

struct meeting_part {
	enum meeting_kind kind;
	uint32_t root_number; /* below ROOTS */
	struct span call;
	enum wait_state waits;
	int64_t wait_ns; /* not positive: none */
};

void workload_init(struct workload *load);
void workload_release(struct workload *load);

struct pass ring_pass(const struct workload *load, uint32_t rank, uint64_t iteration);
struct exchange halo_exchange(const struct workload *load, uint32_t rank, uint64_t iteration);
struct meeting_part meeting_part(const struct workload *load, uint32_t rank, uint64_t iteration,
                                 const struct exchange *before);

enum meeting_kind meeting_kind_at(const struct workload *load, uint64_t iteration);
uint32_t halo_neighbour(const struct workload *load, uint32_t rank, uint32_t direction);
uint32_t meeting_root(const struct workload *load, uint32_t root_number);

/* The direction from which a message in `direction` arrives. */
static inline uint32_t opposite(uint32_t direction)
{
	return direction ^ 1;
}

static inline void count_wait(struct wait_total *totals, enum wait_state state, int64_t ns)
{
	if (ns <= 0)
		return;
	totals[state].occurrences++;
	totals[state].total_ns += (uint64_t)ns;
}

#endif
