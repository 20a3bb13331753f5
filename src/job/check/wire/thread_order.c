#include "job/check/wire/thread_order.h"

#include "base/access_hooks.h"
#include "base/hash.h"
#include "base/thread_hooks.h"
#include "job/check/wire/process_state.h"
#include "job/mpi/host.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

/* THREADS_MAX: the maximum of concurrent threads that are followed. */
enum { THREADS_MAX = 64, OBJECTS = 1024, RECENT = 128, FOREIGN_MAX = 64 };

struct ordered_thread {
	bool is_taken;
	bool is_locked; /* `recent` */
	uint32_t number;
	uint32_t known[THREADS_MAX]; /* the clock; its own component counts its published events */
	struct recent_access recent[RECENT];
};

static struct ordered_thread *threads; /* NULL: nothing is followed */
static uint32_t thread_count;          /* threads so far */
static uint32_t (*objects)[THREADS_MAX];
static struct thread_hooks *hooks;
static bool is_locked; /* the lock of clocks and of the list of threads */
bool thread_order_has_threads;
static bool has_lost;
static access_seen *on_access;
static const char mpi_calls; /* the object of all calls */
static pthread_key_t thread_end;

static _Thread_local struct ordered_thread *self __attribute__((tls_model("initial-exec")));
/* The thread holds a lock, which a signal handler in it must not wait for. */
static _Thread_local bool is_busy __attribute__((tls_model("initial-exec")));

/* A variable that the thread may be polling: it will have read it before its next event. */
static _Thread_local const void *awaited __attribute__((tls_model("initial-exec")));

static void take_lock(bool *lock)
{
	while (__atomic_test_and_set(lock, __ATOMIC_ACQUIRE))
		sched_yield();
}

static void leave_lock(bool *lock)
{
	__atomic_clear(lock, __ATOMIC_RELEASE);
}

static void join(uint32_t *clock, const uint32_t *other)
{
	for (int i = 0; i < THREADS_MAX; i++)
		clock[i] = clock[i] > other[i] ? clock[i] : other[i];
}

/* Another thread may get this thread's stack. */
static void forget_stack(void)
{
	pthread_attr_t attributes;
	void *stack;
	size_t bytes;

	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return;
	if (pthread_attr_getstack(&attributes, &stack, &bytes) == 0)
		thread_order_forget((uintptr_t)stack, (uintptr_t)stack + bytes);
	pthread_attr_destroy(&attributes);
}

/* The accesses of the thread are remembered until another thread takes its place. */
static void end_thread(void *argument)
{
	struct ordered_thread *thread = argument;

	forget_stack();
	is_busy = true;
	take_lock(&is_locked);
	thread->is_taken = false;
	leave_lock(&is_locked);
	self = NULL;
	is_busy = false;
}

static void follow_accesses(void)
{
	thread_order_has_threads = true;
	__atomic_store_n(&access_hooks_place()->each, on_access, __ATOMIC_RELEASE);
}

/* Needs the lock. If the start of a thread was not seen, it is ordered after everything so far. */
static void take_thread(bool is_begun)
{
	uint32_t number = thread_count;

	if (number < THREADS_MAX)
		thread_count++;
	else
		for (number = 0; number < THREADS_MAX && threads[number].is_taken;)
			number++;
	if (number == THREADS_MAX) {
		has_lost = true;
		return;
	}
	self = &threads[number];
	self->is_taken = true;
	self->number = number;
	for (uint32_t i = 0; i < THREADS_MAX && !is_begun; i++)
		if (threads[i].known[i] > self->known[i])
			self->known[i] = threads[i].known[i];
	self->known[number]++;
	pthread_setspecific(thread_end, self);
	if (number)
		follow_accesses();
}

static uint32_t *clock_of(const void *object)
{
	return objects[hash_word(0, (uint64_t)(uintptr_t)object) % OBJECTS];
}

static bool begin(bool is_begun)
{
	if (!threads || is_busy)
		return false;
	is_busy = true;
	take_lock(&is_locked);
	if (UNLIKELY(!self))
		take_thread(is_begun);
	if (UNLIKELY(awaited != NULL) && self)
		join(self->known, clock_of(awaited));
	awaited = NULL;
	return true;
}

static void end(void)
{
	leave_lock(&is_locked);
	is_busy = false;
}

static void do_publish(const void *object)
{
	if (!begin(false))
		return;
	if (self) {
		join(clock_of(object), self->known);
		self->known[self->number]++;
	}
	end();
}

static void do_learn(const void *object)
{
	if (!begin(false))
		return;
	if (self)
		join(self->known, clock_of(object));
	end();
}

/* Locks of libraries below MPI do not order threads of the program, even if they call functions of the C library. */

static struct module_range {
	uintptr_t first, end;
} foreign[FOREIGN_MAX];
static uint32_t foreign_count;

static int add_foreign(struct dl_phdr_info *info, size_t size, void *unused)
{
	static const char *const names[] = {"/libuc",    "/libmpi", "/libopen-",   "/libpmix",
	                                    "/libmca",   "/mca_",   "/libfabric",  "/libevent",
	                                    "/libhwloc", "/libpsm", "/libibverbs", "/libtarry"};
	struct module_range range = {UINTPTR_MAX, 0};
	bool is_foreign = false;

	(void)size, (void)unused;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		is_foreign |= strstr(info->dlpi_name, names[i]) != NULL;
	for (int i = 0; i < info->dlpi_phnum && is_foreign; i++) {
		const uintptr_t first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
				end = first + info->dlpi_phdr[i].p_memsz;
		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		range.first = first < range.first ? first : range.first;
		range.end = end > range.end ? end : range.end;
	}
	if (range.end && foreign_count < FOREIGN_MAX)
		foreign[foreign_count++] = range;
	return 0;
}

/* True if a call from this site orders threads of the program. */
static bool counts(const void *site)
{
	const struct agent_thread *thread = agent_self;

	if (thread && RELAXED_LOAD(thread->current))
		return false;
	for (uint32_t i = 0; i < foreign_count; i++)
		if ((uintptr_t)site - foreign[i].first < foreign[i].end - foreign[i].first)
			return false;
	return true;
}

static void publish(const void *object, const void *site)
{
	if (counts(site))
		do_publish(object);
}

static void learn(const void *object, const void *site)
{
	if (counts(site))
		do_learn(object);
}

/* The creating thread may call MPI before the new one runs. */
static void create_thread(const void *object)
{
	if (!threads)
		return;
	follow_accesses();
	do_publish(object);
}

static void begin_thread(const void *object)
{
	if (begin(true))
		end();
	do_learn(object);
}

void thread_order_synchronises(uintptr_t address, bool may_write)
{
	const void *object = (const void *)address; /* NOLINT(performance-no-int-to-ptr) */

	if (!threads)
		return;
	if (may_write)
		do_publish(object);
	awaited = object;
}

void thread_order_start(access_seen *each)
{
	hooks = dlsym(RTLD_DEFAULT, THREAD_HOOKS_SYMBOL);
	if (!hooks || threads || pthread_key_create(&thread_end, end_thread) != 0 ||
	    !(objects = host_table(OBJECTS, sizeof *objects)) ||
	    !(threads = host_table(THREADS_MAX, sizeof *threads)))
		return;
	on_access = each;
	dl_iterate_phdr(add_foreign, NULL);
	do_learn(&mpi_calls);
	hooks->create = create_thread;
	hooks->begin = begin_thread;
	hooks->learn = learn;
	__atomic_store_n(&hooks->publish, publish, __ATOMIC_RELEASE);
}

/* LLVM's OpenMP runtime starts when the program first uses it, so this is checked late. */
static bool has_unseen_tasks(void)
{
	static int uses_libomp = -1;

	if (uses_libomp < 0)
		uses_libomp = dlsym(RTLD_DEFAULT, "__kmpc_fork_call") != NULL;
	return uses_libomp && !hooks->sees_tasks;
}

bool thread_order_is_seen(void)
{
	return thread_order_has_threads && !has_lost && !hooks->is_unseen &&
	       !access_hooks_place()->has_inline && !has_unseen_tasks();
}

struct thread_moment thread_order_now(void)
{
	return self ? (struct thread_moment){self->number, self->known[self->number]}
	            : (struct thread_moment){0};
}

/* No lock is needed, because only the thread itself changes its clock. */
bool thread_order_knows(const struct thread_moment *moment)
{
	return !self || self->number == moment->thread || self->known[moment->thread] >= moment->count;
}

void thread_order_enters(void)
{
	if (UNLIKELY(thread_order_has_threads))
		do_publish(&mpi_calls);
}

void thread_order_leaves(void)
{
	if (UNLIKELY(thread_order_has_threads))
		do_learn(&mpi_calls);
}

/* Accesses */

void thread_order_accesses(uintptr_t address, size_t bytes, bool is_write, const void *site)
{
	struct recent_access *recent;
	uint32_t now;

	if (is_busy)
		return;
	if (UNLIKELY(!self || awaited)) {
		if (begin(false))
			end();
		if (!self)
			return;
	}
	now = self->known[self->number];
	recent = &self->recent[(uintptr_t)site / 4 % RECENT];
	if (recent->site == site && recent->count == now && recent->is_write == is_write &&
	    address >= recent->first && address + bytes <= recent->end)
		return;
	is_busy = true;
	take_lock(&self->is_locked);
	if (recent->site == site && recent->count == now && recent->is_write == is_write &&
	    address <= recent->end && address + bytes >= recent->first) {
		recent->first = address < recent->first ? address : recent->first;
		recent->end = address + bytes > recent->end ? address + bytes : recent->end;
	} else {
		*recent = (struct recent_access){site, address, address + bytes, now, is_write};
	}
	leave_lock(&self->is_locked);
	is_busy = false;
}

static bool overlaps(const struct recent_access *recent, uintptr_t first, uintptr_t end)
{
	return recent->site && recent->first < end && recent->end > first;
}

void thread_order_forget(uintptr_t first, uintptr_t end_of_it)
{
	if (!thread_order_has_threads || is_busy)
		return;
	is_busy = true;
	for (uint32_t i = 0; i < thread_count; i++) {
		take_lock(&threads[i].is_locked);
		for (uint32_t j = 0; j < RECENT; j++)
			if (overlaps(&threads[i].recent[j], first, end_of_it))
				threads[i].recent[j].site = NULL;
		leave_lock(&threads[i].is_locked);
	}
	is_busy = false;
}

bool thread_order_find(uintptr_t first, uintptr_t end_of_it, bool only_writes, struct recent_access *found)
{
	bool is_found = false;

	if (!self || is_busy || !thread_order_is_seen())
		return false;
	is_busy = true;
	for (uint32_t i = 0; i < thread_count && !is_found; i++) {
		if (&threads[i] == self)
			continue;
		take_lock(&threads[i].is_locked);
		for (uint32_t j = 0; j < RECENT && !is_found; j++) {
			const struct recent_access *recent = &threads[i].recent[j];

			is_found = overlaps(recent, first, end_of_it) && (recent->is_write || !only_writes) &&
			           !thread_order_knows(&(struct thread_moment){i, recent->count});
			if (is_found)
				*found = *recent;
		}
		leave_lock(&threads[i].is_locked);
	}
	is_busy = false;
	return is_found;
}
