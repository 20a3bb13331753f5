#include "job/check/buffers/guarded_pages.h"

#include "base/hash.h"
#include "base/notes.h"
#include "base/page_hooks.h"
#include "base/watchpoints.h"
#include "job/check/buffers/own_mappings.h"
#include "job/check/buffers/program_memory.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/program_signals.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The owner takes a guard under the lock; it is RECORDING until its pages are protected. The thread that
 * changes the state from GUARDED opens the pages: the owner, or a thread that accessed them, which owns the
 * struct until the state is OPEN. The first guards are watchpoints: their bytes are watched, not protected. */
enum guard_state { GUARD_FREE, GUARD_GUARDED, GUARD_RECORDING, GUARD_OPEN };

struct page_guard {
	uint32_t state;
	uintptr_t first, end;
	bool writes_only;
	bool touched;
	bool is_shared;
	uint32_t reads;     /* accesses to watched bytes, so far without a store */
	uint32_t ignored;   /* accesses to watched bytes inside MPI */
	uint32_t companion; /* number of a watchpoint for further bytes, which may have a companion itself */
	uint32_t extra_of;  /* the guard that uses this watchpoint only because it was free */
	uint64_t content;   /* content of watched bytes */
	uint64_t initial;   /* their content before they were watched */
	struct page_access access;
};

/* WATCHED_ALWAYS, WATCHED_RARELY: setting a watchpoint takes a microsecond, so after WATCHED_ALWAYS at one
 * address, only one in WATCHED_RARELY is set. */
enum {
	PAGES_FROM = WATCHPOINTS_MAX,
	WATCHED_ALWAYS = 64,
	WATCHED_ADDRESSES = 256,
	WATCHED_RARELY = 16,
	REPEATED_READS = 4,
	IGNORED_MAX = 64
};

static struct page_guard guards[PAGES_FROM + GUARDS_MAX];
static uint32_t guard_limit = PAGES_FROM; /* guards from here on have never been taken */
static uint32_t guard_count;
uint32_t guards_touches, guards_opened, guarded_windows;
int64_t guarded_windows_first, guarded_windows_end;
static uintptr_t page_bytes;

static struct page_hooks *hooks; /* NULL: nothing can be guarded */

/* After a fault on a page that another thread has just opened, the access is tried again, but only a few times
 * if nothing changes. */
enum { RETRIES = 3 };
static uint32_t changes; /* number of changes of protections */
static _Thread_local struct {
	uintptr_t address;
	uint32_t changes;
	uint32_t times;
} retried __attribute__((tls_model("initial-exec")));

static bool is_watch(const struct page_guard *guard)
{
	return guard < &guards[PAGES_FROM];
}

static void open_guard(const struct page_guard *guard)
{
	if (is_watch(guard))
		watchpoint_clear((uint32_t)(guard - guards));
	else
		mprotect((void *)guard->first, guard->end - guard->first, PROT_READ | PROT_WRITE);
	__atomic_add_fetch(&changes, 1, __ATOMIC_RELEASE);
	if (guard->is_shared)
		__atomic_add_fetch(&guards_opened, 1, __ATOMIC_RELEASE);
}

static bool is_in_call(void)
{
	return agent_self && agent_self->current;
}

static void record(struct page_guard *guard, uintptr_t address, enum access_kind kind, const void *site)
{
	struct page_access *access = &guard->access;

	access->address = address;
	access->kind = kind;
	access->in_call = is_in_call();
	access->is_known_thread = agent_self != NULL;
	access->is_changed = is_watch(guard) && guard->content != guard->initial;
	interrupted_stack_take(&access->stack, (uintptr_t)site);
	/* The first frame is already after the instruction, like a return address. */
	if (is_watch(guard) && !site && trap_follows_access && access->stack.count)
		access->stack.addresses[0]--;
	guard->touched = true;
}

static bool take(struct page_guard *guard, uint32_t state)
{
	return __atomic_compare_exchange_n(&guard->state, &state, GUARD_RECORDING, false, __ATOMIC_ACQ_REL,
	                                   __ATOMIC_ACQUIRE);
}

static void prepare(struct page_guard *guard, uintptr_t first, uintptr_t end, unsigned kind, uint64_t owner)
{
	RELAXED_STORE(guard->first, first);
	RELAXED_STORE(guard->end, end);
	guard->writes_only = kind & GUARD_WRITES;
	guard->is_shared = kind & GUARD_SHARED;
	guard->touched = false;
	guard->reads = guard->ignored = guard->companion = guard->extra_of = 0;
	guard->access.owner = owner;
}

/* Reads only the watched bytes, which the program may read as well. */
static uint64_t watched_content(const struct page_guard *guard)
{
	uint64_t content = 0;

	memcpy(&content, (const void *)guard->first, guard->end - guard->first);
	return content;
}

/* Addresses with the same hash count as one. */
static bool is_worth_watching(uintptr_t address)
{
	static uint32_t watched[WATCHED_ADDRESSES];
	uint32_t *const times = &watched[hash_fold(hash_word(0, address)) % WATCHED_ADDRESSES];

	return (*times)++ < WATCHED_ALWAYS || *times % WATCHED_RARELY == 0;
}

/* Async-signal-safe. 0: no watchpoint is free. */
static uint32_t watch(uintptr_t first, uintptr_t end, unsigned kind, uint64_t owner)
{
	const uint32_t available = watchpoints_open();
	struct page_guard *guard = guards;
	uint32_t bytes;

	if (first >= end)
		return 0;
	while (guard < &guards[available] && !take(guard, GUARD_FREE))
		guard++;
	if (guard == &guards[available])
		return 0;
	bytes = watchpoint_bytes(first, end);
	prepare(guard, first, first + bytes, kind, owner);
	guard->content = guard->initial = watched_content(guard);
	if (!watchpoint_set((uint32_t)(guard - guards), first, bytes, guard->writes_only)) {
		__atomic_store_n(&guard->state, GUARD_FREE, __ATOMIC_RELEASE);
		return 0;
	}
	__atomic_store_n(&guard->state, GUARD_GUARDED, __ATOMIC_RELEASE);
	return (uint32_t)(guard - guards) + 1;
}

/* Records an access to a guard that was taken. Further accesses to watched bytes show whether the program polls
 * them or also writes them; in threads other than the first, this stays unknown. */
static void keep_access(struct page_guard *guard, uintptr_t address, enum access_kind kind, const void *site)
{
	const bool is_own = is_watch(guard) && watchpoints_are_own(),
		   stays = is_own && kind != ACCESS_WRITES && ++guard->reads < REPEATED_READS;

	open_guard(guard);
	if (!guard->touched || kind == ACCESS_WRITES)
		record(guard, address, kind, site);
	guard->access.is_repeated = kind != ACCESS_WRITES && is_watch(guard) &&
	                            (!is_own || guard->reads == REPEATED_READS);
	if (guard->is_shared && !is_watch(guard) && kind != ACCESS_WRITES && !guard->companion &&
	    is_worth_watching(address))
		guard->companion = watch(address, address + 1, GUARD_ALL | GUARD_SHARED, 0);
	if (stays)
		watchpoint_set_again((uint32_t)(guard - guards), next_trapped_access());
	__atomic_store_n(&guard->state, stays ? GUARD_GUARDED : GUARD_OPEN, __ATOMIC_RELEASE);
	__atomic_add_fetch(&guards_touches, 1, __ATOMIC_RELEASE);
}

/* False: another thread has opened the guard, or is about to. */
static bool touch(struct page_guard *guard, uintptr_t address, enum access_kind kind, const void *site)
{
	if (!take(guard, GUARD_GUARDED))
		return false;
	keep_access(guard, address, kind, site);
	return true;
}

static bool has_address(const struct page_guard *guard, uintptr_t address)
{
	return address >= RELAXED_LOAD(guard->first) && address < RELAXED_LOAD(guard->end);
}

/* True: the page is open, or will be; the access can be repeated. */
static bool is_ours(uintptr_t address, const void *context)
{
	const uint32_t limit = __atomic_load_n(&guard_limit, __ATOMIC_ACQUIRE);
	const uint32_t changed = __atomic_load_n(&changes, __ATOMIC_ACQUIRE);
	bool was_ours = false;

	for (uint32_t i = PAGES_FROM; i < limit; i++) {
		struct page_guard *guard = &guards[i];
		const uint32_t state = __atomic_load_n(&guard->state, __ATOMIC_ACQUIRE);

		if (!has_address(guard, address))
			continue;
		if (state == GUARD_RECORDING ||
		    (state == GUARD_GUARDED && touch(guard, address, fault_access(context), NULL)))
			return true;
		was_ours = true;
	}
	if (!was_ours)
		return false;
	retried.times = retried.address == address && retried.changes == changed ? retried.times + 1 : 0;
	retried.address = address;
	retried.changes = changed;
	return retried.times < RETRIES;
}

static void open_all(void)
{
	const uint32_t limit = __atomic_load_n(&guard_limit, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < limit; i++) {
		uint32_t expected = GUARD_GUARDED;

		if (__atomic_compare_exchange_n(&guards[i].state, &expected, GUARD_RECORDING, false,
		                                __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			open_guard(&guards[i]);
			__atomic_store_n(&guards[i].state, GUARD_OPEN, __ATOMIC_RELEASE);
		}
	}
}

void guards_after_fork(void)
{
	watchpoints_forget();
}

static bool claim_fault(siginfo_t *info, void *context)
{
	return info->si_code > 0 && is_ours((uintptr_t)info->si_addr, context);
}

/* The content tells loads from stores, except in shared memory, which other processes may write. */
static enum access_kind watched_access(struct page_guard *guard, const void *context)
{
	const uint64_t content = watched_content(guard);
	const bool changed = !guard->is_shared && content != guard->content;

	guard->content = content;
	return guard->writes_only ? ACCESS_WRITES : trapped_access(context, changed);
}

/* The processor stops before the access, which is then repeated, or after it. The watchpoint must be cleared
 * first, because the handler itself could hit it. */
static bool claim_watchpoint(siginfo_t *info, void *context)
{
	const uint32_t watchpoint = watchpoint_of(info);
	struct page_guard *guard = &guards[watchpoint];

	if (watchpoint == WATCHPOINTS_MAX)
		return false;
	watchpoint_clear(watchpoint);
	if (!watchpoint_is_late(info) && take(guard, GUARD_GUARDED)) {
		const bool is_stale = (uintptr_t)info->si_addr != guard->first;

		if (!is_stale && !is_in_call()) {
			keep_access(guard, guard->first, watched_access(guard, context), NULL);
		} else {
			guard->content = watched_content(guard);
			if (is_stale || (guard->ignored++ < IGNORED_MAX && watchpoints_are_own()))
				watchpoint_set_again(watchpoint, is_stale ? 1 : next_trapped_access());
			__atomic_store_n(&guard->state, GUARD_GUARDED, __ATOMIC_RELEASE);
		}
	}
	return true;
}

static void system_call(uintptr_t first, uintptr_t end, bool is_write, const void *site)
{
	const uint32_t limit = __atomic_load_n(&guard_limit, __ATOMIC_ACQUIRE);
	const int saved = errno;

	for (uint32_t i = 0; i < limit; i++) {
		struct page_guard *guard = &guards[i];

		/* System calls do not trigger watchpoints, so they count here. Those of MPI leave watchpoints set. */
		if (RELAXED_LOAD(guard->state) == GUARD_GUARDED && first < RELAXED_LOAD(guard->end) &&
		    end > RELAXED_LOAD(guard->first) && (is_write || !guard->writes_only) &&
		    !(is_watch(guard) && is_in_call()))
			touch(guard, first > guard->first ? first : guard->first,
			      is_write ? ACCESS_WRITES : ACCESS_READS, site);
	}
	errno = saved;
}

static void program_moves(uintptr_t first, uintptr_t end)
{
	const int saved = errno;

	host_lock();
	own_mappings_join(first, end);
	host_unlock();
	errno = saved;
}

static bool start(void)
{
	static bool tried;

	if (tried)
		return hooks != NULL;
	tried = true;
	if (!program_signal_hooks() || !program_signal_hooks()->has_system_calls)
		return false;
	page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
	/* Loads and resolves everything that the handler will need. */
	interrupted_stack_prepare();
	watchpoints_open();
	program_signals_open_with(open_all);
	if (!program_signal_take(SIGSEGV, claim_fault) || !program_signal_take(SIGTRAP, claim_watchpoint))
		return false;
	hooks = program_signal_hooks();
	hooks->access = system_call;
	__atomic_store_n(&hooks->moves, program_moves, __ATOMIC_RELEASE);
	return true;
}

static struct page_guard *take_guard(uintptr_t first, uintptr_t end)
{
	struct page_guard *found = NULL;

	for (uint32_t i = PAGES_FROM; i < guard_limit; i++) {
		struct page_guard *guard = &guards[i];

		if (guard->state == GUARD_FREE)
			found = found ? found : guard;
		else if (first < guard->end && end > guard->first)
			return NULL; /* a page cannot have two guards */
	}
	return found ? found : guard_limit < PAGES_FROM + GUARDS_MAX ? &guards[guard_limit] : NULL;
}

static void widen_hooks(uintptr_t first, uintptr_t end)
{
	if (!guard_count || first < hooks->low)
		RELAXED_STORE(hooks->low, first);
	if (!guard_count || end > hooks->high)
		RELAXED_STORE(hooks->high, end);
	guard_count++;
}

/* The guard has the pages before they are protected, so that a thread that accesses a protected page finds
 * the guard. A thread opens pages only if they are protected: otherwise a late thread, which accessed an
 * earlier guard of these pages, would open them too early, and they would stay protected. */
static uint32_t protect(struct page_guard *guard, uintptr_t first, uintptr_t end, unsigned kind,
                        uint64_t owner)
{
	const uint32_t number = (uint32_t)(guard - guards) + 1;
	bool is_protected;

	prepare(guard, first, end, kind, owner);
	__atomic_store_n(&guard->state, GUARD_RECORDING, __ATOMIC_RELEASE);
	if (number > guard_limit)
		__atomic_store_n(&guard_limit, number, __ATOMIC_RELEASE);
	if (!(kind & GUARD_SHARED))
		own_mapping_use(first, end);
	is_protected = mprotect((void *)first, end - first, PROT_NONE) == 0;
	__atomic_store_n(&guard->state, GUARD_GUARDED, __ATOMIC_RELEASE);
	if (!is_protected)
		__atomic_store_n(&guard->state, GUARD_FREE, __ATOMIC_RELEASE);
	return is_protected ? number : 0;
}

/* Watches more bytes of a range that has one watchpoint, as long as watchpoints are free: its end, then the
 * bytes after the first ones. */
static void watch_more(uint32_t number, uintptr_t end, unsigned kind, uint64_t owner)
{
	uint32_t last = number;
	uintptr_t next = guards[number - 1].end;
	const uintptr_t tail = (end - 1) & -(uintptr_t)WATCHED_BYTES_MAX;

	for (uint32_t i = 0; i < WATCHPOINTS_MAX && next < end; i++) {
		const bool is_tail = !i && tail > next;
		const uint32_t more = watch(is_tail ? tail : next, end, kind, owner);

		if (!more)
			return;
		guards[more - 1].extra_of = number;
		guards[last - 1].companion = more;
		last = more;
		next = is_tail ? next : guards[more - 1].end;
	}
}

/* True: the guard was intact. Waits some microseconds for a thread that is recording an access. */
static bool end_guarding(struct page_guard *guard)
{
	uint32_t state = GUARD_GUARDED;

	if (__atomic_compare_exchange_n(&guard->state, &state, GUARD_RECORDING, false, __ATOMIC_ACQ_REL,
	                                __ATOMIC_ACQUIRE)) {
		open_guard(guard);
		__atomic_store_n(&guard->state, GUARD_OPEN, __ATOMIC_RELEASE);
		return true;
	}
	while (__atomic_load_n(&guard->state, __ATOMIC_ACQUIRE) == GUARD_RECORDING)
		sched_yield();
	return false;
}

/* Releases an additional watchpoint of any range. False: there is none. */
static bool release_extra(void)
{
	for (uint32_t i = 0; i < PAGES_FROM; i++) {
		struct page_guard *guard = &guards[i];
		uint32_t *link = guard->extra_of ? &guards[guard->extra_of - 1].companion : NULL;

		if (!link || !end_guarding(guard) || guard->touched)
			continue;
		while (*link != i + 1)
			link = &guards[*link - 1].companion;
		*link = guard->companion;
		guard->extra_of = 0;
		__atomic_store_n(&guard->state, GUARD_FREE, __ATOMIC_RELEASE);
		return true;
	}
	return false;
}

/* Watches the first bytes of a range, and more of them if watchpoints are free. */
static uint32_t watch_range(uintptr_t first, uintptr_t end, unsigned kind, uint64_t owner)
{
	uint32_t number = watch(first, end, kind, owner);

	if (!number && release_extra())
		number = watch(first, end, kind, owner);
	if (number)
		watch_more(number, end, kind, owner);
	return number;
}

static void note_denied(void)
{
	static bool noted;

	if (!noted)
		agent_note(UNCHECKED_NOTE
		           "loads of small buffers (the system denies watchpoints; see 'tarry doctor')");
	noted = true;
}

uint32_t guard_begin(int64_t first, int64_t end, unsigned kind, uint64_t owner)
{
	const int saved = errno;
	uint32_t number = 0;

	host_lock();
	if (start()) {
		const uintptr_t low = ((uintptr_t)first + page_bytes - 1) / page_bytes * page_bytes,
				high = (uintptr_t)end / page_bytes * page_bytes;
		const bool watches = kind & GUARD_WORDS && is_worth_watching((uintptr_t)first);
		/* If the program may read, MPI uses the buffer itself: its pages stay unprotected. */
		struct page_guard *guard = low < high && !(kind & GUARD_WRITES) ? take_guard(low, high)
		                                                                : NULL;

		if (guard && is_program_memory(low, high, kind & GUARD_SHARED ? MEMORY_SHARED : MEMORY_OWN))
			number = protect(guard, low, high, kind, owner);
		if (number && (uintptr_t)first < low && watches)
			guards[number - 1].companion = watch((uintptr_t)first, low, kind, owner);
		if (kind & GUARD_WORDS && !watchpoints_open())
			note_denied();
		if (!number && watches)
			number = watch_range((uintptr_t)first, (uintptr_t)end, kind, owner);
		if (number)
			widen_hooks((uintptr_t)first, (uintptr_t)end);
	}
	host_unlock();
	errno = saved;
	return number;
}

/* Joins the accesses of both: a write counts more than a read. */
static void end_companion(struct page_guard *guard)
{
	struct page_guard *companion = &guards[guard->companion - 1];
	const uint64_t owner = guard->access.owner;

	end_guarding(companion);
	if (companion->touched && (!guard->touched || companion->access.kind == ACCESS_WRITES))
		guard->access = companion->access;
	guard->access.owner = owner;
	guard->access.is_repeated |= companion->touched && companion->access.is_repeated;
	guard->touched |= companion->touched;
	guard->companion = companion->companion;
	companion->extra_of = 0;
	__atomic_store_n(&companion->state, GUARD_FREE, __ATOMIC_RELEASE);
}

bool guard_end(uint32_t number, struct page_access *access)
{
	struct page_guard *guard;
	const int saved = errno;
	bool touched;

	if (!number)
		return false;
	guard = &guards[number - 1];
	host_lock();
	end_guarding(guard);
	while (guard->companion)
		end_companion(guard);
	touched = guard->touched;
	if (touched && access)
		*access = guard->access;
	__atomic_store_n(&guard->state, GUARD_FREE, __ATOMIC_RELEASE);
	if (--guard_count == 0)
		RELAXED_STORE(hooks->high, hooks->low);
	host_unlock();
	errno = saved;
	return touched;
}

bool guard_is_touched(uint32_t number)
{
	const struct page_guard *guard = &guards[number - 1];
	const uint32_t state = __atomic_load_n(&guard->state, __ATOMIC_ACQUIRE);

	return (state == GUARD_OPEN || (state == GUARD_GUARDED && is_watch(guard))) && guard->touched;
}

bool guard_is_intact(uint32_t number)
{
	return number && __atomic_load_n(&guards[number - 1].state, __ATOMIC_ACQUIRE) == GUARD_GUARDED &&
	       !guards[number - 1].touched;
}

void guards_open(int64_t first, int64_t end)
{
	const int saved = errno;

	host_lock();
	for (uint32_t i = 0; guard_count && i < guard_limit; i++)
		if (guards[i].state == GUARD_GUARDED && (uintptr_t)first < guards[i].end &&
		    (uintptr_t)end > guards[i].first)
			end_guarding(&guards[i]);
	host_unlock();
	errno = saved;
}

bool guards_have(uintptr_t address)
{
	for (uint32_t i = PAGES_FROM; i < guard_limit; i++)
		if (guards[i].state == GUARD_GUARDED && has_address(&guards[i], address))
			return true;
	return false;
}
