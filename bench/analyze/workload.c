#include "workload.h"

#include "base/memory.h"

#include <stdlib.h>

enum {
	FIRST_NS = 1 << 20,
	GRID_NS = 128, /* multiples at which slots, and sends before waits, begin */
	LATENCY_NS = 1200,
	MEETING_NS = 1500,
	SEND_STEP_NS = 80,
	RECEIVE_STEP_NS = 60,
	WAIT_NS_MIN = 30,
	STEP_NS = 61, /* from an odd end to an even start */
};

enum { ABOUT_READY, ABOUT_STALL, ABOUT_MEETING, ABOUT_END };

const char *const wait_state_names[WAIT_STATES] = {"late-sender",    "late-receiver", "barrier-wait",
                                                   "late-broadcast", "early-reduce",  "nxn-wait"};

static uint64_t chance(uint32_t rank, uint64_t iteration, uint64_t about)
{
	uint64_t bits = (iteration << 2 | about) * 0x9e3779b97f4a7c15 + rank * 0xd6e8feb86659fd93;

	bits = (bits ^ bits >> 32) * 0xd6e8feb86659fd93;
	bits = (bits ^ bits >> 29) * 0x9e3779b97f4a7c15;
	return bits ^ bits >> 32;
}

static uint64_t even(uint64_t ns)
{
	return ns & ~(uint64_t)1;
}

static uint64_t odd(uint64_t ns)
{
	return ns | 1;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static int64_t wait_until(uint64_t cause, struct span waiting)
{
	return (int64_t)(cause < waiting.end ? cause : waiting.end) - (int64_t)waiting.start;
}

/* A number below `most`, from the upper bits. */
static uint64_t below(uint64_t bits, uint64_t most)
{
	return (bits >> 32) * most >> 32;
}

/* The end of a rank's computation. */
static uint64_t ready(const struct workload *load, uint32_t rank, uint64_t iteration)
{
	uint64_t bits = chance(rank, iteration, ABOUT_READY);
	uint64_t most = bits % 8 ? load->jitter_ns / 8 : load->jitter_ns;

	return FIRST_NS + iteration * load->slot_ns + even(below(bits, most + 1));
}

/* The ring */

static uint64_t ready_on_grid(const struct workload *load, uint32_t rank, uint64_t iteration)
{
	return ready(load, rank, iteration) & ~(uint64_t)(GRID_NS - 1);
}

static struct pass eager_pass(const struct workload *load, uint32_t rank, uint64_t iteration)
{
	uint32_t before = (rank + load->ranks - 1) % load->ranks, next = (rank + 1) % load->ranks;
	uint64_t start = ready_on_grid(load, rank, iteration);
	struct pass pass = {.send = {start, start + 41}, .receive.start = start + 41 + STEP_NS};

	pass.sender_start = ready_on_grid(load, before, iteration);
	pass.posted = ready_on_grid(load, next, iteration) + 41 + STEP_NS;
	pass.receive.end = odd(later(pass.receive.start + WAIT_NS_MIN, pass.sender_start + LATENCY_NS) +
	                       chance(rank, iteration, ABOUT_END) % 16);
	return pass;
}

/* An even rank sends while the next, odd rank receives; this takes until both have arrived. */
static uint64_t first_done(const struct workload *load, uint32_t even_rank, uint64_t iteration)
{
	return LATENCY_NS + later(ready(load, even_rank, iteration), ready(load, even_rank + 1, iteration));
}

static struct span second_half(uint64_t own_first, uint64_t other_first)
{
	struct span span = {.start = odd(own_first) + STEP_NS};

	span.end = odd(later(span.start, odd(other_first) + STEP_NS) + LATENCY_NS);
	return span;
}

static struct pass rendezvous_pass(const struct workload *load, uint32_t rank, uint64_t iteration)
{
	uint32_t own_even = rank & ~1u;
	uint32_t other_even = (rank % 2 ? rank + 1 : rank + load->ranks - 2) % load->ranks;
	uint64_t own = first_done(load, own_even, iteration);
	struct span first = {ready(load, rank, iteration), odd(own)};
	struct span second = second_half(own, first_done(load, other_even, iteration));
	uint64_t first_other = ready(load, rank ^ 1, iteration);
	uint64_t second_other = odd(first_done(load, other_even, iteration)) + STEP_NS;

	if (rank % 2)
		return (struct pass){true, true, second, first, first_other, second_other};
	return (struct pass){true, false, first, second, second_other, first_other};
}

struct pass ring_pass(const struct workload *load, uint32_t rank, uint64_t iteration)
{
	return iteration % 2 ? rendezvous_pass(load, rank, iteration) : eager_pass(load, rank, iteration);
}

/* The halo */

/* The state of a rank in an exchange, which determines all its starts. */
struct course {
	bool sends_first;
	uint64_t ready;
	uint64_t stall; /* between sends and receives, if the sends are first */
};

static struct course course_of(const struct workload *load, uint32_t rank, uint64_t iteration)
{
	struct course course = {.sends_first = iteration % 3 == 1, .ready = ready(load, rank, iteration)};
	uint64_t bits;

	if (!course.sends_first)
		return course;
	bits = chance(rank, iteration, ABOUT_STALL);
	course.stall = bits % 4 ? 0 : even(below(bits, load->jitter_ns + 1));
	return course;
}

static uint64_t send_start(const struct course *course, uint32_t direction)
{
	uint64_t before = course->sends_first ? 0 : DIRECTIONS * RECEIVE_STEP_NS;

	return course->ready + before + direction * SEND_STEP_NS;
}

static uint64_t receive_start(const struct course *course, uint32_t direction)
{
	uint64_t before = course->sends_first ? DIRECTIONS * SEND_STEP_NS + course->stall : 0;

	return course->ready + before + direction * RECEIVE_STEP_NS;
}

uint32_t halo_neighbour(const struct workload *load, uint32_t rank, uint32_t direction)
{
	uint32_t width = load->width, column = rank % width, row = rank - column;

	switch (direction) {
	case 0:
		return row + (column + 1) % width;
	case 1:
		return row + (column + width - 1) % width;
	case 2:
		return (rank + width) % load->ranks;
	default:
		return (rank + load->ranks - width) % load->ranks;
	}
}

/* Its waits. A late receiver counts only if no sender was late. */
static void find_waits(struct exchange *exchange, const uint64_t *sent, const uint64_t *posted)
{
	for (uint32_t d = 0; d < DIRECTIONS; d++) {
		int64_t sender = wait_until(sent[d], exchange->wait);
		int64_t receiver = (int64_t)posted[d] - (int64_t)exchange->wait.start;
		if (sender > exchange->late_sender)
			exchange->late_sender = sender;
		if (posted[d] < exchange->wait.end && receiver > exchange->late_receiver)
			exchange->late_receiver = receiver;
	}
	if (exchange->late_sender > 0)
		exchange->late_receiver = 0;
}

struct exchange halo_exchange(const struct workload *load, uint32_t rank, uint64_t iteration)
{
	struct course own = course_of(load, rank, iteration);
	struct exchange exchange = {.sends_first = own.sends_first,
	                            .is_large = own.sends_first || iteration % 2};
	uint64_t sent[DIRECTIONS], posted[DIRECTIONS];
	uint64_t bits = chance(rank, iteration, ABOUT_END), end;

	exchange.wait.start = own.ready + DIRECTIONS * (SEND_STEP_NS + RECEIVE_STEP_NS) + own.stall;
	end = exchange.wait.start + WAIT_NS_MIN;
	for (uint32_t d = 0; d < DIRECTIONS; d++) {
		struct course other = course_of(load, halo_neighbour(load, rank, d), iteration);
		uint64_t send = send_start(&own, d), receive = receive_start(&own, d);
		sent[d] = send_start(&other, opposite(d));
		posted[d] = receive_start(&other, opposite(d));
		end = later(end, sent[d] + LATENCY_NS);
		if (exchange.is_large)
			end = later(end, posted[d] + LATENCY_NS);
		exchange.sends[d] = (struct span){send, odd(send + 41 + (bits >> 8 * d) % 16)};
		exchange.receives[d] = (struct span){receive, odd(receive + 21 + (bits >> (8 * d + 4)) % 16)};
	}
	exchange.wait.end = odd(end + (bits >> 32) % 64);
	find_waits(&exchange, sent, posted);
	return exchange;
}

/* Collective calls */

enum meeting_kind meeting_kind_at(const struct workload *load, uint64_t iteration)
{
	if (load->kind != WORKLOAD_MIXED)
		return MEETING_NONE;
	if (iteration % 10 == 9)
		return MEETING_ALLREDUCE;
	if (iteration % 50 == 7)
		return MEETING_BARRIER;
	if (iteration % 20 == 3)
		return MEETING_BCAST;
	return iteration % 20 == 13 ? MEETING_REDUCE : MEETING_NONE;
}

static uint32_t root_number_at(uint64_t iteration)
{
	return (uint32_t)(iteration / 20 % ROOTS);
}

uint32_t meeting_root(const struct workload *load, uint32_t root_number)
{
	return (uint32_t)((uint64_t)load->ranks * root_number / ROOTS);
}

static uint64_t enter_meeting(const struct workload *load, uint32_t rank, uint64_t iteration,
                              const struct exchange *before)
{
	uint64_t bits = chance(rank, iteration, ABOUT_MEETING);

	return before->wait.end + STEP_NS + even(below(bits, load->jitter_ns / 2 + 1));
}

/* The last of all, or of all but the root, or the root alone. */
static bool is_awaited(enum meeting_kind kind, bool is_root)
{
	if (kind == MEETING_BCAST)
		return is_root;
	return kind != MEETING_REDUCE || !is_root;
}

static uint64_t last_awaited(const struct workload *load, uint64_t iteration)
{
	enum meeting_kind kind = meeting_kind_at(load, iteration);
	uint32_t root = meeting_root(load, root_number_at(iteration));
	uint64_t last = 0;

	for (uint32_t rank = 0; rank < load->ranks && kind != MEETING_NONE; rank++) {
		if (!is_awaited(kind, rank == root))
			continue;
		struct exchange before = halo_exchange(load, rank, iteration);
		last = later(last, enter_meeting(load, rank, iteration, &before));
	}
	return last;
}

static const enum wait_state states[] = {
	[MEETING_ALLREDUCE] = NXN_WAIT,
	[MEETING_BARRIER] = BARRIER_WAIT,
	[MEETING_BCAST] = LATE_BROADCAST,
	[MEETING_REDUCE] = EARLY_REDUCE,
};

/* Whether a member cannot leave before the awaited ones have arrived. */
static bool must_wait(enum meeting_kind kind, bool is_root)
{
	if (kind == MEETING_BCAST)
		return !is_root;
	return kind != MEETING_REDUCE || is_root;
}

struct meeting_part meeting_part(const struct workload *load, uint32_t rank, uint64_t iteration,
                                 const struct exchange *before)
{
	struct meeting_part part = {.kind = meeting_kind_at(load, iteration),
	                            .root_number = root_number_at(iteration)};
	bool waits = must_wait(part.kind, rank == meeting_root(load, part.root_number));

	part.waits = states[part.kind];
	part.call.start = enter_meeting(load, rank, iteration, before);
	part.call.end = part.call.start + WAIT_NS_MIN;
	if (waits)
		part.call.end = later(part.call.end, load->awaited[iteration] + MEETING_NS);
	part.call.end = odd(part.call.end + chance(rank, iteration, ABOUT_END) % 32);
	if (waits)
		part.wait_ns = wait_until(load->awaited[iteration], part.call);
	return part;
}

/* The whole */

static uint32_t squarest_width(uint32_t ranks)
{
	uint32_t width = 1;

	for (uint32_t i = 2; i * i <= ranks; i++)
		if (ranks % i == 0)
			width = i;
	return width;
}

void workload_init(struct workload *load)
{
	load->width = squarest_width(load->ranks);
	load->slot_ns = (4 * load->jitter_ns + 8192 + GRID_NS - 1) / GRID_NS * GRID_NS;
	load->awaited = NULL;
	if (load->kind != WORKLOAD_MIXED)
		return;
	load->awaited = memory_new(load->iterations, sizeof *load->awaited);
	for (uint64_t i = 0; i < load->iterations; i++)
		load->awaited[i] = last_awaited(load, i);
}

void workload_release(struct workload *load)
{
	free(load->awaited);
}
