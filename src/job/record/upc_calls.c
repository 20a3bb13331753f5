#include "job/record/upc_calls.h"

#include "base/hash.h"
#include "calls/calls.h"
#include "job/record/stream_define.h"

#include <limits.h>
#include <string.h>

static int64_t rank_value(const struct upc_thread *thread, int32_t rank)
{
	return rank >= 0 && rank < thread->threads ? rank : ABSENT;
}

/* ABSENT: the product is too large. */
static int64_t product(uint64_t a, uint64_t b)
{
	uint64_t bytes;

	return __builtin_mul_overflow(a, b, &bytes) || bytes > INT64_MAX ? ABSENT : (int64_t)bytes;
}

/* Handles without an operation of their own: it was complete at once, or is implicit. */
#define UPC_HANDLE_NONE 0
#define UPC_HANDLE_IMPLICIT UINT64_MAX

enum { WORD_BITS = 64 };

static int64_t take_lowest(struct upc_handles *handles)
{
	for (uint32_t word = 0; word < UPC_HANDLE_WORDS; word++) {
		uint64_t free = ~handles->taken[word];
		if (free) {
			handles->taken[word] |= free & -free;
			return word * WORD_BITS + __builtin_ctzll(free);
		}
	}
	return ABSENT;
}

static void give_back(struct upc_handles *handles, int64_t number)
{
	handles->taken[number / WORD_BITS] &= ~(1ull << number % WORD_BITS);
}

static bool is_trivial(uint64_t handle)
{
	return handle == UPC_HANDLE_NONE || handle == UPC_HANDLE_IMPLICIT;
}

/* The number of an operation that ends; ABSENT: it is unknown. */
static int64_t upc_handle_remove(struct upc_handles *handles, uint64_t handle)
{
	uintptr_t found;

	if (is_trivial(handle))
		return ABSENT;
	found = (uintptr_t)handles_remove(&handles->numbers, handle);
	if (!found)
		return ABSENT;
	give_back(handles, (int64_t)found - 1);
	return (int64_t)found - 1;
}

/* The number of a new operation; ABSENT: it is not tracked. The map stores number + 1, because NULL means none. */
static int64_t upc_handle_add(struct upc_handles *handles, uint64_t handle)
{
	int64_t number;

	if (is_trivial(handle))
		return ABSENT;
	upc_handle_remove(handles, handle); /* an older operation whose end was not seen */
	number = take_lowest(handles);
	if (number != ABSENT &&
	    !handles_set(&handles->numbers, handle, (void *)(uintptr_t)(number + 1))) { /* NOLINT */
		give_back(handles, number);
		return ABSENT;
	}
	return number;
}

/* The number of this thread's elements in a blocked array whose first block begins with the first element. */
static uint64_t own_elements(const struct upc_thread *thread, const struct upc_values *values)
{
	uint64_t count = (uint64_t)thread->threads, round, before, rest;
	int32_t first = rank_value(thread, values->source) == ABSENT ? 0 : values->source;
	uint64_t place = ((uint64_t)thread->me + count - (uint64_t)first) % count;

	if (!values->block || values->block >= values->elements ||
	    __builtin_mul_overflow(values->block, count, &round))
		return place ? 0 : values->elements;
	before = place * values->block;
	rest = values->elements % round;
	rest = rest < before ? 0 : rest - before;
	return values->elements / round * values->block + (rest < values->block ? rest : values->block);
}

/* The call of an event, and the bytes that this thread sends and receives. */
struct kind {
	uint16_t call, implicit; /* `implicit` is the call without a handle of its own */
	enum amount {
		NOTHING,
		BLOCK,
		BLOCKS,
		OWN
	} sent,
		received; /* BLOCKS: one for each thread; OWN: this thread's elements */
	/* The owner of src or dst is the root, unless the call names another one. It sends and receives these amounts. */
	enum { NO_ROOT, OWNS_SOURCE, OWNS_TARGET } root;
	enum amount root_sent, root_received;
};

static int64_t amount_value(const struct upc_thread *thread, enum amount amount,
                            const struct upc_values *values)
{
	if (amount == NOTHING)
		return ABSENT;
	return product(values->bytes, amount == BLOCKS ? (uint64_t)thread->threads
	                              : amount == OWN  ? own_elements(thread, values)
	                                               : 1);
}

static int64_t field_value(struct upc_thread *thread, const struct kind *kind, const struct upc_facts *facts,
                           uint8_t field)
{
	const struct upc_values *values = &facts->values;
	const int32_t root = values->root != UPC_NOBODY  ? values->root
	                     : kind->root == OWNS_SOURCE ? values->source
	                                                 : values->target;
	const bool is_root = kind->root && root == thread->me, gets = kind->received && !kind->sent;

	switch (field) {
	case FIELD_COMM:
		return thread->team;
	case FIELD_TAG:
		return facts->ints[0] && facts->ints[1] != INT_MIN ? facts->ints[1] : ABSENT;
	case FIELD_ROOM:
		return product(facts->sizes[0], facts->sizes[1]);
	case FIELD_MUTEX:
		return facts->mutex ? (int64_t)facts->mutex : ABSENT;
	case FIELD_ROOT:
		return rank_value(thread, root);
	case FIELD_TARGET:
		return rank_value(thread, gets ? values->source : values->target);
	case FIELD_SOURCE:
		return rank_value(thread, values->source);
	case FIELD_SENT:
		return amount_value(thread, is_root ? kind->root_sent : kind->sent, values);
	case FIELD_RECEIVED:
		return amount_value(thread, is_root ? kind->root_received : kind->received, values);
	case FIELD_SYNC:
		return values->sync ? values->sync : ABSENT;
	case FIELD_OP:
		return values->op == UPC_NO_OPERATION ? ABSENT : values->op;
	case FIELD_FLAG:
		return values->flag == UPC_NO_FLAG ? ABSENT : values->flag != 0;
	case FIELD_REQUEST:
		return upc_handle_add(&thread->handles, values->handle);
	case FIELD_DONE: /* a failed attempt completes nothing */
		return kind->call == CALL_upc_sync_attempt && values->flag <= 0
		               ? ABSENT
		               : upc_handle_remove(&thread->handles, values->handle);
	default:
		return ABSENT;
	}
}

/* The call of each event in the trace. Other events are not recorded. */
#define KINDS(KIND) \
	KIND(UNKNOWN, STRANGER, CALL_upc_unknown, 0) \
	KIND(USER, REGION, 0, 0) \
	KIND(C_FUNC, REGION, 0, 0) \
	KIND(FORALL, REGION, 0, 0) \
	KIND(COLLECTIVE_EXIT, CALL, CALL_upc_exit, 0) \
	KIND(NONCOLLECTIVE_EXIT, CALL, CALL_upc_global_exit, 0) \
	KIND(NOTIFY, CALL, CALL_upc_notify, 0) \
	KIND(WAIT, CALL, CALL_upc_wait, 0) \
	KIND(BARRIER, CALL, CALL_upc_barrier, 0) \
	KIND(FENCE, CALL, CALL_upc_fence, 0) \
	KIND(GLOBAL_ALLOC, CALL, CALL_upc_global_alloc, 0) \
	KIND(ALL_ALLOC, CALL, CALL_upc_all_alloc, 0) \
	KIND(ALLOC, CALL, CALL_upc_alloc, 0) \
	KIND(FREE, CALL, CALL_upc_free, 0) \
	KIND(ALL_FREE, CALL, CALL_upc_all_free, 0) \
	KIND(GLOBAL_LOCK_ALLOC, CALL, CALL_upc_global_lock_alloc, 0) \
	KIND(ALL_LOCK_ALLOC, CALL, CALL_upc_all_lock_alloc, 0) \
	KIND(LOCK_FREE, CALL, CALL_upc_lock_free, 0) \
	KIND(LOCK, CALL, CALL_upc_lock, 0) \
	KIND(LOCK_ATTEMPT, CALL, CALL_upc_lock_attempt, 0) \
	KIND(UNLOCK, CALL, CALL_upc_unlock, 0) \
	KIND(MEMCPY, CALL, CALL_upc_memcpy, 0, BLOCK, BLOCK) \
	KIND(MEMGET, CALL, CALL_upc_memget, 0, NOTHING, BLOCK) \
	KIND(MEMPUT, CALL, CALL_upc_memput, 0, BLOCK, NOTHING) \
	KIND(MEMSET, CALL, CALL_upc_memset, 0, BLOCK, NOTHING) \
	KIND(GET, CALL, CALL_upc_get, 0, NOTHING, BLOCK) \
	KIND(PUT, CALL, CALL_upc_put, 0, BLOCK, NOTHING) \
	KIND(NB_GET_INIT, CALL, CALL_upc_memget_nb, CALL_upc_memget_nbi, NOTHING, BLOCK) \
	KIND(NB_PUT_INIT, CALL, CALL_upc_memput_nb, CALL_upc_memput_nbi, BLOCK, NOTHING) \
	KIND(NB_MEMGET_INIT, CALL, CALL_upc_memget_nb, CALL_upc_memget_nbi, NOTHING, BLOCK) \
	KIND(NB_MEMPUT_INIT, CALL, CALL_upc_memput_nb, CALL_upc_memput_nbi, BLOCK, NOTHING) \
	KIND(NB_MEMCPY_INIT, CALL, CALL_upc_memcpy_nb, CALL_upc_memcpy_nbi, BLOCK, BLOCK) \
	KIND(NB_SYNC, CALL, CALL_upc_sync, CALL_upc_synci) \
	KIND(NB_TRYSYNC, CALL, CALL_upc_sync_attempt, CALL_upc_synci_attempt) \
	KIND(ALL_BROADCAST, CALL, CALL_upc_all_broadcast, 0, NOTHING, BLOCK, OWNS_SOURCE, BLOCK, NOTHING) \
	KIND(ALL_SCATTER, CALL, CALL_upc_all_scatter, 0, NOTHING, BLOCK, OWNS_SOURCE, BLOCKS, BLOCK) \
	KIND(ALL_GATHER, CALL, CALL_upc_all_gather, 0, BLOCK, NOTHING, OWNS_TARGET, BLOCK, BLOCKS) \
	KIND(ALL_GATHER_ALL, CALL, CALL_upc_all_gather_all, 0, BLOCK, BLOCKS) \
	KIND(ALL_EXCHANGE, CALL, CALL_upc_all_exchange, 0, BLOCKS, BLOCKS) \
	KIND(ALL_PERMUTE, CALL, CALL_upc_all_permute, 0, BLOCK, BLOCK) \
	KIND(ALL_REDUCE, CALL, CALL_upc_all_reduce, 0, OWN, NOTHING, OWNS_TARGET, OWN, BLOCK) \
	KIND(ALL_PREFIX_REDUCE, CALL, CALL_upc_all_prefix_reduce, 0, OWN, OWN) \
	KIND(ATOMIC, CALL, CALL_upc_atomic, 0)

#define KIND(name, manner, ...) [UPC_EVENT_##name] = {__VA_ARGS__},
static const struct kind kinds[UPC_EVENT_COUNT] = {KINDS(KIND)};
#undef KIND

#define KIND(name, manner, call, ...) [UPC_EVENT_##name] = (call),
const uint16_t upc_calls[UPC_EVENT_COUNT] = {KINDS(KIND)};
#undef KIND

#define KIND(name, manner, ...) [UPC_EVENT_##name] = UPC_##manner,
const uint8_t upc_manners[UPC_EVENT_COUNT] = {KINDS(KIND)};
#undef KIND

#define LETTERS(name, at_start, at_end) [UPC_EVENT_##name] = at_start at_end,
static const char *const letters[UPC_EVENT_COUNT] = {UPC_EVENTS(LETTERS)};
#undef LETTERS

static int32_t thread_of(const struct upc_thread *thread, const void *pointer)
{
	return pointer ? thread->dialect->thread_of(pointer) : UPC_NOBODY;
}

static void read_lock(const struct upc_thread *thread, const void *lock, struct upc_facts *facts)
{
	int64_t words[2];

	if (!lock)
		return;
	facts->values.target = thread_of(thread, lock);
	words[0] = facts->values.target;
	words[1] = (int64_t)thread->dialect->address_of(lock);
	facts->mutex = hash_words(words, 2, thread->team_identity) | 1;
}

/* The types of gasp_upc_reduction_t: C UC S US I UI L UL F D LD. */
static uint64_t element_bytes(int type)
{
	static const uint8_t bytes[] = {
		sizeof(char), sizeof(char), sizeof(short), sizeof(short),  sizeof(int),         sizeof(int),
		sizeof(long), sizeof(long), sizeof(float), sizeof(double), sizeof(long double),
	};

	return type >= 0 && type < (int)sizeof bytes ? bytes[type] : 0;
}

/* NOLINTBEGIN(clang-analyzer-valist.Uninitialized): the caller has initialised it */
void upc_read_arguments(const struct upc_thread *thread, uint32_t event, struct upc_arguments *arguments,
                        struct upc_facts *facts)
{
	const struct upc_dialect *dialect = thread->dialect;
	uint32_t ints = 0, sizes = 0;

	for (const char *letter = letters[event]; *letter; letter++)
		switch (*letter) {
		case 'I':
			facts->ints[ints++ & 1] = va_arg(arguments->list, int);
			break;
		case 'z':
			facts->sizes[sizes++ & 1] = va_arg(arguments->list, size_t);
			facts->values.bytes = facts->sizes[0];
			break;
		case 'D':
			facts->values.target = thread_of(thread, va_arg(arguments->list, const void *));
			break;
		case 'S':
			facts->values.source = thread_of(thread, va_arg(arguments->list, const void *));
			break;
		case 'K':
			read_lock(thread, va_arg(arguments->list, const void *), facts);
			break;
		case 'H':
			facts->values.handle = va_arg(arguments->list, uintptr_t);
			break;
		case 'F':
			facts->values.sync = dialect->sync(va_arg(arguments->list, int));
			break;
		case 'O':
			facts->values.op = dialect->operation(va_arg(arguments->list, int));
			break;
		case 'R':
			facts->values.bytes = element_bytes(va_arg(arguments->list, int));
			facts->values.elements = facts->sizes[0];
			facts->values.block = facts->sizes[1];
			break;
		case 's':
			facts->text = va_arg(arguments->list, const char *);
			break;
		default:
			(void)va_arg(arguments->list, void *);
		}
	if (event == UPC_EVENT_LOCK_ATTEMPT || event == UPC_EVENT_NB_TRYSYNC)
		facts->values.flag = facts->ints[0] != 0;
}
/* NOLINTEND(clang-analyzer-valist.Uninitialized) */

static uint32_t choose_call(struct upc_thread *thread, const struct kind *kind, const struct upc_facts *facts)
{
	if (UNLIKELY(facts->values.name)) {
		/* Our wrappers name functions by constants, so the address is enough. */
		struct upc_name *known = &thread->names[(uintptr_t)facts->values.name >> 3 & (UPC_NAMES - 1)];
		const struct call_info *found;
		if (known->name == facts->values.name)
			return known->call;
		found = call_find(facts->values.name);
		known->name = facts->values.name;
		known->call = found && found - all_calls >= MPI_CALLS ? (uint32_t)(found - all_calls)
		                                                      : kind->call;
		return known->call;
	}
	return UNLIKELY(kind->implicit) && facts->values.handle == UPC_HANDLE_IMPLICIT ? kind->implicit
	                                                                               : kind->call;
}

uint32_t upc_make_key(struct upc_thread *thread, uint32_t event, unsigned tag, const struct upc_facts *facts,
                      int64_t key[UPC_KEY_MAX])
{
	const struct kind *kind = &kinds[event];
	const uint32_t call = choose_call(thread, kind, facts);
	uint32_t words = KEY_VALUES;

	key[KEY_WHAT] = KEY_CALL(call, 0);
	for (const uint8_t *field = call_shapes[call].fields; *field; field++)
		key[words++] = UNLIKELY(upc_manner_of(event) == UPC_STRANGER) && *field == FIELD_TAG
		                       ? tag
		                       : field_value(thread, kind, facts, *field);
	return words;
}

/* The accessed thread and the number of bytes. */
static uint32_t access(const struct upc_thread *thread, const void *pointer, size_t bytes, int64_t *key)
{
	key[KEY_VALUES] = thread->team;
	int32_t found = thread_of(thread, pointer);
	key[KEY_VALUES + 1] = LIKELY(found >= 0 && found < thread->threads) ? found : ABSENT;
	key[KEY_VALUES + 2] = LIKELY(bytes <= INT64_MAX) ? (int64_t)bytes : ABSENT;
	return UPC_ACCESS_WORDS;
}

static uint32_t read_memput(const struct upc_thread *thread, struct upc_arguments *arguments, int64_t *key)
{
	const void *to = va_arg(arguments->list, const void *);

	(void)va_arg(arguments->list, const void *);
	return access(thread, to, va_arg(arguments->list, size_t), key);
}

static uint32_t read_put(const struct upc_thread *thread, struct upc_arguments *arguments, int64_t *key)
{
	(void)va_arg(arguments->list, int);
	return read_memput(thread, arguments, key);
}

static uint32_t read_memset(const struct upc_thread *thread, struct upc_arguments *arguments, int64_t *key)
{
	const void *to = va_arg(arguments->list, const void *);

	(void)va_arg(arguments->list, int);
	return access(thread, to, va_arg(arguments->list, size_t), key);
}

static uint32_t read_memget(const struct upc_thread *thread, struct upc_arguments *arguments, int64_t *key)
{
	const void *from;

	(void)va_arg(arguments->list, const void *);
	from = va_arg(arguments->list, const void *);
	return access(thread, from, va_arg(arguments->list, size_t), key);
}

static uint32_t read_get(const struct upc_thread *thread, struct upc_arguments *arguments, int64_t *key)
{
	(void)va_arg(arguments->list, int);
	return read_memget(thread, arguments, key);
}

static uint32_t read_id(const struct upc_thread *thread, struct upc_arguments *arguments, int64_t *key)
{
	int is_named = va_arg(arguments->list, int), id = va_arg(arguments->list, int);

	key[KEY_VALUES] = thread->team;
	key[KEY_VALUES + 1] = is_named && id != INT_MIN ? id : ABSENT;
	return UPC_BARRIER_WORDS;
}

/* Each reader with the fields that it fills. */
static const struct {
	uint32_t event;
	upc_key_reader *read;
	uint8_t fields[4];
} readers[] = {
	{UPC_EVENT_MEMPUT, read_memput, {FIELD_COMM, FIELD_TARGET, FIELD_SENT}},
	{UPC_EVENT_PUT, read_put, {FIELD_COMM, FIELD_TARGET, FIELD_SENT}},
	{UPC_EVENT_MEMSET, read_memset, {FIELD_COMM, FIELD_TARGET, FIELD_SENT}},
	{UPC_EVENT_MEMGET, read_memget, {FIELD_COMM, FIELD_TARGET, FIELD_RECEIVED}},
	{UPC_EVENT_GET, read_get, {FIELD_COMM, FIELD_TARGET, FIELD_RECEIVED}},
	{UPC_EVENT_NOTIFY, read_id, {FIELD_COMM, FIELD_TAG}},
	{UPC_EVENT_WAIT, read_id, {FIELD_COMM, FIELD_TAG}},
	{UPC_EVENT_BARRIER, read_id, {FIELD_COMM, FIELD_TAG}},
};

/* A reader is used only if the table of calls has the same order of fields. Another order is only slower. */
upc_key_reader *upc_key_reader_of(uint32_t event)
{
	for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
		const uint8_t *fields = readers[i].fields;
		if (readers[i].event == event &&
		    memcmp(call_shapes[upc_call_of(event)].fields, fields, strlen((const char *)fields)) == 0)
			return readers[i].read;
	}
	return NULL;
}
