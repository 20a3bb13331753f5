#include "job/check/shmem/shmem_events.h"

#include "base/hash.h"
#include "job/check/events/call_table.h"
#include "job/check/shmem/shmem_accesses.h"
#include "job/check/shmem/symmetric_memory.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/unsent_events.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Sets and locks that are used first; others are not reported. */
enum {
	SETS_MAX = 256,
	LOCKS_MAX = 1024,
	DETAIL_MAX = 512,
	SET = 0x736574,
	LOCK = 0x6c6f636b,
	COLLECTIVE_KEY = 78,
	LOCK_KEY = 79
};

static struct {
	struct shmem_set set;
	struct announced_comm *comm;
} sets[SETS_MAX];
static uint32_t set_count;

static struct {
	const volatile void *lock;
	struct announced_comm *window;
} locks[LOCKS_MAX];
static uint32_t lock_count;

struct announced_comm *shmem_comm_new(uint64_t identity, int rank, int size, const char *name)
{
	struct announced_comm *comm = host_table(1, sizeof *comm);

	if (!comm)
		return NULL;
	comm->refs = 1;
	comm->comm = (struct checked_comm){
		.identity = identity, .rank = (uint32_t)rank, .size = (uint32_t)size, .name = strdup(name)};
	announced_calls_make_room();
	push_comm(comm);
	return comm;
}

/* The communicator of an active set. NULL: it is not reported. */
static struct announced_comm *find_set(const struct shmem_set *set)
{
	const int64_t words[] = {SET, set->first, set->log_stride, set->count};
	char name[80];
	uint32_t i = 0;

	while (i < set_count && memcmp(&sets[i].set, set, sizeof *set) != 0)
		i++;
	if (i < set_count || set_count == SETS_MAX)
		return i < set_count ? sets[i].comm : NULL;
	snprintf(name, sizeof name, "PE_start=%d, logPE_stride=%d, PE_size=%d", set->first, set->log_stride,
	         set->count);
	sets[i].set = *set;
	sets[i].comm = shmem_comm_new(hash_words(words, sizeof words / sizeof *words, checked.world),
	                              (checked_shmem.pe - set->first) >> set->log_stride, set->count, name);
	set_count++;
	return sets[i].comm;
}

/* Collective calls */

struct detail {
	char text[DETAIL_MAX];
	size_t size;
};

static void add(struct detail *detail, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct detail *detail, const char *format, ...)
{
	va_list args;
	int length;

	if (detail->size && detail->size + sizeof ", " < sizeof detail->text)
		detail->size += (size_t)snprintf(detail->text + detail->size,
		                                 sizeof detail->text - detail->size, ", ");
	va_start(args, format);
	length = vsnprintf(detail->text + detail->size, sizeof detail->text - detail->size, format, args);
	va_end(args);
	if (length > 0 && detail->size + (size_t)length < sizeof detail->text)
		detail->size += (size_t)length;
}

static void add_object(struct detail *detail, const char *name, const volatile void *address)
{
	char text[SYMMETRIC_TEXT];

	if (address)
		add(detail, "%s=%s", name, symmetric_text(address, text));
}

/* What all PEs must pass alike. */
static void write_detail(struct detail *detail, const struct shmem_call *c)
{
	const struct shmem_values *values = c->values;
	const enum call_id id = c->call.id;
	const bool is_moving = shmem_is_collective(id);

	if (values->operation)
		add(detail, "operation=%s", values->operation);
	else if (is_moving)
		add(detail, "sizeof(element)=%" PRIu32, values->element_bytes);
	if (is_moving && id != CALL_shmem_collect)
		add(detail, "%s=%" PRIu64, id == CALL_shmem_reduce ? "nreduce" : "nelems", values->elements);
	if (id == CALL_shmem_broadcast)
		add(detail, "PE_root=%d", values->pe);
	if (id == CALL_shmem_alltoalls)
		add(detail, "dst=%td, sst=%td", values->stride, values->source_stride);
	if (is_moving) {
		add_object(detail, "dest", values->object);
		add_object(detail, "source", values->source);
		add_object(detail, "pWrk", values->work);
	} else if (all_calls[id].pgas == PGAS_MEMORY) {
		if (id != CALL_shmem_free)
			add(detail, "size=%" PRIu64, values->bytes);
		add_object(detail, "ptr", values->source);
	}
	add_object(detail, "pSync", values->sync);
}

static void push_collective(struct shmem_call *c)
{
	const struct shmem_set set = shmem_set_of(c);
	struct announced_comm *comm = find_set(&set);
	struct announced_call *announced;
	struct detail detail = {.size = 0};
	char *copy;
	bool is_new;

	if (!comm)
		return;
	write_detail(&detail, c);
	const int64_t key[] = {c->call.id, agent_place(&c->call), (int64_t)(uintptr_t)comm,
	                       (int64_t)hash_bytes(detail.text, detail.size)};

	announced = announced_call_get(&c->call, key, sizeof key / sizeof *key, COLLECTIVE_KEY, &is_new);
	if (announced && is_new) {
		copy = strdup(detail.text);
		if (copy) {
			free((char *)(uintptr_t)announced->call.detail);
			announced->call.detail = copy;
		}
		announced->call.operation = OPERATION_COLLECTIVE;
		announced->call.comm = comm->comm.identity;
		announced->call.root = c->call.id == CALL_shmem_broadcast ? c->values->pe : ROOT_NONE;
		announced->comm = comm;
		announced_call_hold(announced);
	}
	if (announced)
		push_event(announced);
}

static bool makes_collective(const struct shmem_call *c)
{
	const enum call_id id = c->call.id;

	return all_calls[id].collective && !(id == CALL_shmem_free && !c->values->source);
}

/* Locks */

static struct announced_comm *find_lock(const volatile void *lock)
{
	const uint64_t identity = symmetric_identity(lock);
	uint32_t i = 0;

	while (i < lock_count && locks[i].lock != lock)
		i++;
	if (i < lock_count || lock_count == LOCKS_MAX || !identity)
		return i < lock_count ? locks[i].window : NULL;
	locks[i].lock = lock;
	locks[i].window = shmem_comm_new(hash_word(identity, LOCK), checked_shmem.pe, checked_shmem.pe_count,
	                                 "lock");
	lock_count++;
	return locks[i].window;
}

static void push_lock(struct shmem_call *c, enum window_operation operation)
{
	struct announced_comm *window = find_lock(c->values->object);
	const int64_t key[] = {(int64_t)((uint64_t)c->call.id << 32 | (uint64_t)operation),
	                       agent_place(&c->call), (int64_t)(uintptr_t)window};
	struct announced_call *announced;
	bool is_new;

	if (!window)
		return;
	announced = announced_call_get(&c->call, key, sizeof key / sizeof *key, LOCK_KEY, &is_new);
	if (announced && is_new) {
		announced->call.operation = OPERATION_WINDOW;
		announced->call.window = operation;
		announced->call.comm = window->comm.identity;
		announced->call.peer = 0;
		announced->comm = window;
		announced_call_hold(announced);
	}
	if (announced)
		push_window(announced, 0);
}

/* All */

void shmem_events_start(struct shmem_call *c)
{
	const struct shmem_set all = {.count = checked_shmem.pe_count};

	find_set(&all);
	shmem_accesses_start(c);
}

static void push_before(struct shmem_call *c)
{
	shmem_accesses_before(c);
	if (makes_collective(c))
		push_collective(c);
	else if (c->call.id == CALL_shmem_set_lock)
		push_lock(c, WINDOW_LOCK);
	else if (c->call.id == CALL_shmem_clear_lock)
		push_lock(c, WINDOW_UNLOCK);
}

void shmem_events_before(struct shmem_call *c)
{
	c->call.postponed = c->call.problems;
	if (!c->call.postponed)
		push_before(c);
}

void shmem_events_after(struct shmem_call *c)
{
	/* The library accepted the call: other PEs may take part in it. */
	if (c->call.postponed && makes_collective(c) && !c->is_set_wrong)
		push_collective(c);
	if (!c->call.problems && c->call.id == CALL_shmem_test_lock && c->values->flag == 1)
		push_lock(c, WINDOW_LOCK);
	if (!c->call.problems && (c->call.id == CALL_shmem_set_lock ||
	                          (c->call.id == CALL_shmem_test_lock && c->values->flag == 1)))
		push_lock(c, WINDOW_LOCKED);
	shmem_accesses_after(c);
	call_left();
}
