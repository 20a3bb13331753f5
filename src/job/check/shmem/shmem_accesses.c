#include "job/check/shmem/shmem_accesses.h"

#include "base/hash.h"
#include "job/check/events/call_table.h"
#include "job/check/objects/types.h"
#include "job/check/shmem/symmetric_memory.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/unsent_events.h"
#include "job/mpi/flavour.h"
#include "job/mpi/handles.h"

enum {
	RUNS_MAX = 1024,
	ACCESS_KEY = 80,
	SYNC_KEY = 81,
	MEMORY_FACTS = 4,
	KIND_DYNAMIC = 3,
	HEAP = 0x68656170
};

/* Operators are odd (check/protocol/messages.h). All atomic operations are atomic with each other. */
enum { ATOMIC_OPERATOR = 1 };

static struct announced_comm *window;
static bool is_shared; /* the program may load and store in the memory of other PEs */
static uint64_t access_count;

/* Synchronisation of the window */

static void push_sync(const struct shmem_call *c, enum window_operation operation, uint32_t flags,
                      uint64_t number)
{
	const int64_t key[] = {(int64_t)((uint64_t)c->call.id << 32 | (uint64_t)operation << 16 | flags),
	                       agent_place(&c->call), c->values->pe};
	const bool has_peer = operation == WINDOW_GET_COMPLETE;
	struct announced_call *announced;
	bool is_new;

	if (!window)
		return;
	announced = announced_call_get(&c->call, key, sizeof key / sizeof *key, SYNC_KEY, &is_new);
	if (announced && is_new) {
		announced->call.operation = OPERATION_WINDOW;
		announced->call.window = operation;
		announced->call.flags = flags;
		announced->call.comm = window->comm.identity;
		announced->call.peer = has_peer ? c->values->pe : -1;
		if (operation == WINDOW_MEMORY &&
		    (announced->call.ranks = host_table(MEMORY_FACTS, sizeof *announced->call.ranks))) {
			announced->call.rank_count = MEMORY_FACTS;
			announced->call.ranks[1] = 1;
			announced->call.ranks[2] = KIND_DYNAMIC;
		}
		announced->comm = window;
		announced_call_hold(announced);
	}
	if (announced)
		push_window(announced, number);
}

void shmem_accesses_start(struct shmem_call *c)
{
	window = shmem_comm_new(hash_word(checked.world, HEAP), checked_shmem.pe, checked_shmem.pe_count,
	                        "symmetric memory");
	push_sync(c, WINDOW_MEMORY, 0, 0);
	push_sync(c, WINDOW_LOCK_ALL, CHECK_CALL_SHARED, 0);
	push_sync(c, WINDOW_LOCKED, CHECK_CALL_SHARED, 0);
	call_left();
}

/* Accesses */

static bool is_fetching(enum call_id id)
{
	return id == CALL_shmem_atomic_fetch || id == CALL_shmem_atomic_swap ||
	       id == CALL_shmem_atomic_compare_swap || id == CALL_shmem_atomic_fetch_add ||
	       id == CALL_shmem_atomic_fetch_inc || id == CALL_shmem_atomic_fetch_and ||
	       id == CALL_shmem_atomic_fetch_or || id == CALL_shmem_atomic_fetch_xor;
}

static enum window_operation operation_of(enum call_id id)
{
	if (all_calls[id].pgas == PGAS_ATOMIC)
		return is_fetching(id) ? WINDOW_FETCH : WINDOW_ACCUMULATE;
	return shmem_is_get(id) ? WINDOW_GET : WINDOW_PUT;
}

/* Its data has arrived when it returns. */
static bool is_complete(enum call_id id)
{
	return is_fetching(id) || (shmem_is_get(id) && id != CALL_shmem_get_nbi);
}

static bool is_strided(const struct shmem_values *values)
{
	return values->stride > 1 && values->elements > 1;
}

static void fill_runs(struct distinct_check_call *call, const struct shmem_values *values)
{
	const uint64_t runs = is_strided(values) ? values->elements : 1;
	const int64_t bytes = (int64_t)(is_strided(values) ? values->element_bytes
	                                                   : values->elements * values->element_bytes);

	if (!(call->ranks = host_table(2 * runs, sizeof *call->ranks)))
		return;
	call->rank_count = (uint32_t)(2 * runs);
	for (uint64_t i = 0; i < runs; i++) {
		call->ranks[2 * i] = (int64_t)i * values->stride * values->element_bytes;
		call->ranks[2 * i + 1] = bytes;
	}
}

/* Atomic operations with elements of one size are atomic with each other. */
static void fill_type(struct announced_call *announced, const struct shmem_call *c)
{
	const bool is_atomic = all_calls[c->call.id].pgas == PGAS_ATOMIC;
	const uint32_t bytes = c->values->element_bytes;
	const MPI_Datatype type = !is_atomic                 ? MPI_BYTE
	                          : bytes == sizeof(int64_t) ? MPI_INT64_T
	                                                     : MPI_INT32_T;

	announced->receive.type = type_announced(HANDLE(type), true);
	announced->receive.count = is_atomic ? 1 : c->values->elements * bytes;
	if (is_atomic)
		announced->call.operator= c->call.id == CALL_shmem_atomic_fetch ? WINDOW_OPERATOR_NONE
										: ATOMIC_OPERATOR;
}

static struct announced_call *find_access(const struct shmem_call *c)
{
	const struct shmem_values *values = c->values;
	const int64_t key[] = {c->call.id,
	                       agent_place(&c->call),
	                       values->pe,
	                       (int64_t)values->elements,
	                       values->element_bytes,
	                       is_strided(values) ? values->stride : 0};
	bool is_new;
	struct announced_call *announced = announced_call_get(&c->call, key, sizeof key / sizeof *key,
	                                                      ACCESS_KEY, &is_new);

	if (!announced || !is_new)
		return announced;
	announced->call.operation = OPERATION_WINDOW;
	announced->call.window = operation_of(c->call.id);
	announced->call.comm = window->comm.identity;
	announced->call.peer = values->pe;
	fill_type(announced, c);
	fill_runs(&announced->call, values);
	announced->comm = window;
	announced_call_hold(announced);
	return announced;
}

/* 16 bits; 0: unknown. */
static uint64_t content_of(const struct shmem_call *c)
{
	const struct shmem_values *values = c->values;
	uint64_t hash;

	if (operation_of(c->call.id) != WINDOW_PUT || is_strided(values) || !values->local)
		return 0;
	hash = hash_bytes(values->local, values->elements * values->element_bytes);
	hash = (hash ^ hash >> 16 ^ hash >> 32 ^ hash >> 48) & 0xffff;
	return hash ? hash : 1;
}

static bool is_reported(const struct shmem_values *values)
{
	return window && !is_shared && values->elements && values->stride >= 0 &&
	       (!is_strided(values) || values->elements <= RUNS_MAX);
}

static void push_access(struct shmem_call *c)
{
	const uint64_t place = symmetric_place(c->values->object);
	struct announced_call *announced = place && is_reported(c->values) ? find_access(c) : NULL;

	if (announced && push_window(announced, place | content_of(c) << SHMEM_PLACE_BITS))
		c->access = ++access_count;
}

static bool completes_accesses(enum call_id id)
{
	return id == CALL_shmem_quiet || id == CALL_shmem_fence || id == CALL_shmem_barrier ||
	       id == CALL_shmem_barrier_all || id == CALL_shmem_clear_lock || id == CALL_shmem_finalize ||
	       all_calls[id].pgas == PGAS_MEMORY;
}

void shmem_accesses_before(struct shmem_call *c)
{
	const enum call_id id = c->call.id;

	if (shmem_is_access(id))
		push_access(c);
	if (completes_accesses(id))
		push_sync(c, WINDOW_FLUSH, CHECK_CALL_SHARED, 0);
	if (id == CALL_shmem_clear_lock)
		push_sync(c, WINDOW_SYNC, 0, 0);
	if (id == CALL_shmem_finalize)
		push_sync(c, WINDOW_UNLOCK_ALL, CHECK_CALL_SHARED, 0);
}

void shmem_accesses_after(struct shmem_call *c)
{
	const enum call_id id = c->call.id;
	const bool has_learned = id == CALL_shmem_wait_until || id == CALL_shmem_set_lock ||
	                         ((id == CALL_shmem_test || id == CALL_shmem_test_lock) &&
	                          c->values->flag == 1);

	if (c->access && is_complete(id))
		push_sync(c, WINDOW_GET_COMPLETE, 0, c->access);
	if (has_learned)
		push_sync(c, WINDOW_SYNC, 0, 0);
}

void shmem_accesses_shared(void)
{
	is_shared = true;
}
