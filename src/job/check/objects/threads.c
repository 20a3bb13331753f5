#include "job/check/objects/threads.h"

#include "calls/calls.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/objects/objects.h"
#include "job/check/wire/interrupt.h"
#include "job/check/wire/places.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/program_signals.h"
#include "job/mpi/flavour.h"
#include "job/mpi/host.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>

/* 0: MPI has not begun. Thread levels by their meaning, because their numbers need not be in order. */
enum thread_rule { RULE_NONE, RULE_ONE_THREAD, RULE_ONE_AT_A_TIME, RULE_MULTIPLE };

static enum thread_rule rule;
static int level = MPI_THREAD_SINGLE;
static pthread_t first_thread;

/* The call that initialized MPI. */
static struct {
	enum call_id by;
	uint32_t at;  /* place */
	int required; /* the required level; the provided one if the call has no such parameter */
	bool is_reported;
} begun;

/* The thread that is in a call, under MPI_THREAD_SERIALIZED; 0: none. A call that was left by an exception or
 * a jump never ends: the next call of the same thread ends it. */
static struct {
	uintptr_t thread;
	int64_t place; /* of the call; -1: not known yet */
	enum call_id id;
} serialized = {.place = -1};

enum { COLLECTIVES = 32 };

/* Collective calls in progress, under MPI_THREAD_MULTIPLE. */
static struct {
	pthread_mutex_t lock;
	struct {
		uintptr_t thread; /* 0: free */
		uint64_t comm;
		enum call_id id;
		uint32_t place;
	} under_way[COLLECTIVES];
} collectives = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char *level_name(int of)
{
	return of == MPI_THREAD_MULTIPLE     ? "MPI_THREAD_MULTIPLE"
	       : of == MPI_THREAD_SERIALIZED ? "MPI_THREAD_SERIALIZED"
	       : of == MPI_THREAD_FUNNELED   ? "MPI_THREAD_FUNNELED"
	                                     : "MPI_THREAD_SINGLE";
}

static struct finding_draft draft_of_begin(enum check check)
{
	struct finding_draft draft = finding_draft(check, NULL);

	begun.is_reported = true;
	finding_draft_call(&draft, begun.by, begun.at, NOTE_HERE);
	return draft;
}

/* True if the program itself started the thread, or a threading runtime for it. Threads of other libraries may
 * exist under MPI_THREAD_SINGLE. */
static bool is_of_program(const void *site)
{
	static const char *const runtimes[] = {"libgomp.", "libgomp-", "libomp.", "libiomp5.", "libstdc++."};
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): an address in our own memory */
	const void *entry = (const void *)(uintptr_t)getauxval(AT_ENTRY);
	Dl_info file, program;
	const char *name;

	if (!dladdr(site, &file) || !dladdr(entry, &program))
		return false;
	name = strrchr(file.dli_fname, '/');
	name = name ? name + 1 : file.dli_fname;
	for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++)
		if (strncmp(name, runtimes[i], strlen(runtimes[i])) == 0)
			return true;
	return file.dli_fbase == program.dli_fbase;
}

static void thread_begins(const void *site)
{
	struct interrupted_stack stack;
	const int saved = errno;

	if (begun.is_reported || agent_is_off() || checked.phase != AGENT_IN_MPI || !agent_self ||
	    agent_self->current || !is_of_program(site))
		return;
	struct finding_draft draft = draft_of_begin(CHECK_THREAD_SINGLE);
	interrupted_stack_take(&stack, (uintptr_t)site);
	finding_draft_call(&draft, begun.by, place_of_addresses(stack.addresses, stack.count, stack.is_whole),
	                   NOTE_STARTED);
	finding_report(&draft);
	errno = saved;
}

void threads_start(const struct agent_call *call)
{
	struct page_hooks *hooks = program_signal_hooks();
	const bool is_asked = all_calls[call->id].arguments == ARGUMENTS_THREAD_LEVEL;

	level = MPI_THREAD_MULTIPLE;
	if (PMPI_Query_thread(&level) != MPI_SUCCESS)
		return;
	first_thread = pthread_self();
	begun.by = call->id;
	begun.at = agent_place(call);
	begun.required = is_asked ? (int)call_argument(call, KIND_number) : level;
	rule = level == MPI_THREAD_MULTIPLE     ? RULE_MULTIPLE
	       : level == MPI_THREAD_SERIALIZED ? RULE_ONE_AT_A_TIME
	                                        : RULE_ONE_THREAD;
	if (hooks && level == MPI_THREAD_SINGLE)
		__atomic_store_n(&hooks->thread_begins, thread_begins, __ATOMIC_RELEASE);
}

/* Another thread calls MPI, although MPI provides less than the program required. */
static void check_provided(struct agent_call *call)
{
	if (LIKELY(begun.required <= level) || begun.is_reported ||
	    pthread_equal(pthread_self(), first_thread))
		return;
	struct finding_draft draft = draft_of_begin(CHECK_THREAD_PROVIDED);
	finding_draft_value(&draft, "required", "%s", level_name(begun.required));
	finding_draft_value(&draft, "level", "%s", level_name(level));
	finding_draft_call(&draft, call->id, agent_place(call), NOTE_OTHER);
	finding_report(&draft);
}

static void report_level(struct agent_call *call, enum call_id other, int64_t other_place)
{
	struct finding_draft draft = finding_draft(CHECK_THREAD_LEVEL, call);

	finding_draft_value(&draft, "level", "%s", level_name(level));
	if (other_place >= 0)
		finding_draft_call(&draft, other, (uint32_t)other_place, NOTE_OTHER);
	finding_report(&draft);
}

static bool is_free_of_levels(enum call_id id)
{
	return all_calls[id].anytime || all_calls[id].any_thread;
}

static bool is_collective(enum call_id id)
{
	return all_calls[id].class == CLASS_COLLECTIVE || all_calls[id].class == CLASS_NEIGHBOURHOOD;
}

static void report_collectives(struct agent_call *call, uint64_t comm, enum call_id other,
                               uint32_t other_place)
{
	const struct checked_object *object = object_find(OBJECT_COMM, comm);
	char text[VALUE_TEXT];

	if (!object)
		return;
	struct finding_draft draft = finding_draft(CHECK_THREAD_CONCURRENT_COLLECTIVE, call);
	finding_draft_value(&draft, "comm", "%s", object_text(object, text));
	finding_draft_call(&draft, other, other_place, NOTE_OTHER);
	finding_report(&draft);
}

static uintptr_t own_thread(void)
{
	return (uintptr_t)pthread_self();
}

static void enter_collective(struct agent_call *call)
{
	const int parameter = call_parameter(call->id, KIND_comm);
	const uint64_t comm = (uint64_t)call->arguments[parameter];
	const uint32_t place = agent_place(call);
	const uintptr_t self = own_thread();
	uint32_t other_place = 0;
	int slot = -1, other = -1;
	enum call_id other_id = 0;

	pthread_mutex_lock(&collectives.lock);
	for (int i = 0; i < COLLECTIVES; i++)
		if (!collectives.under_way[i].thread || collectives.under_way[i].thread == self)
			slot = i;
		else if (collectives.under_way[i].comm == comm)
			other = i, other_id = collectives.under_way[i].id,
			other_place = collectives.under_way[i].place;
	if (slot >= 0) {
		collectives.under_way[slot].thread = self;
		collectives.under_way[slot].comm = comm;
		collectives.under_way[slot].id = call->id;
		collectives.under_way[slot].place = place;
	}
	pthread_mutex_unlock(&collectives.lock);
	if (UNLIKELY(other >= 0))
		report_collectives(call, comm, other_id, other_place);
}

static void leave_collective(void)
{
	const uintptr_t self = own_thread();

	pthread_mutex_lock(&collectives.lock);
	for (int i = 0; i < COLLECTIVES; i++)
		if (collectives.under_way[i].thread == self)
			collectives.under_way[i].thread = 0;
	pthread_mutex_unlock(&collectives.lock);
}

static void enter_serialized(struct agent_call *call)
{
	const uintptr_t self = own_thread();
	uintptr_t other = 0;

	if (UNLIKELY(!__atomic_compare_exchange_n(&serialized.thread, &other, self, false, __ATOMIC_ACQ_REL,
	                                          __ATOMIC_ACQUIRE)) &&
	    other != self) {
		const int64_t place = __atomic_load_n(&serialized.place, __ATOMIC_ACQUIRE);

		report_level(call, serialized.id, place);
		return;
	}
	__atomic_store_n(&serialized.id, call->id, __ATOMIC_RELAXED);
	__atomic_store_n(&serialized.place, agent_place(call), __ATOMIC_RELEASE);
}

static void leave_serialized(void)
{
	if (__atomic_load_n(&serialized.thread, __ATOMIC_RELAXED) != own_thread())
		return;
	__atomic_store_n(&serialized.place, -1, __ATOMIC_RELAXED);
	__atomic_store_n(&serialized.thread, 0, __ATOMIC_RELEASE);
}

/* Finds another thread that is in MPI, and its call. Its stack stays valid while the lock is held. */
static bool find_other(enum call_id *id, uint32_t *place)
{
	bool found = false;

	host_lock();
	for (const struct agent_thread *thread = checked.threads; thread && !found; thread = thread->next) {
		const struct agent_call *current = __atomic_load_n(&thread->current, __ATOMIC_ACQUIRE);

		if (thread == agent_self || !current || is_free_of_levels(RELAXED_LOAD(current->id)))
			continue;
		*id = RELAXED_LOAD(current->id);
		*place = RELAXED_LOAD(current->place_known) ? RELAXED_LOAD(current->place)
		                                            : place_of_site(RELAXED_LOAD(current->site));
		found = true;
	}
	host_unlock();
	return found;
}

/* MPI_Finalize must be called by the thread that initialized MPI, after all other threads have left MPI. Lower
 * levels require all calls to be made by that thread. */
static void check_finalize(struct agent_call *call)
{
	enum call_id other = call->id;
	uint32_t place = NO_PLACE;

	if (rule != RULE_MULTIPLE && rule != RULE_ONE_AT_A_TIME)
		return;
	if (rule == RULE_MULTIPLE && find_other(&other, &place)) {
		struct finding_draft draft = finding_draft(CHECK_THREAD_DURING_FINALIZE, call);
		finding_draft_call(&draft, other, place, NOTE_OTHER);
		finding_report(&draft);
	} else if (!pthread_equal(pthread_self(), first_thread)) {
		struct finding_draft draft = finding_draft(CHECK_THREAD_FINALIZE, call);
		finding_report(&draft);
	}
}

void threads_before(struct agent_call *call)
{
	if (UNLIKELY(call->id == CALL_Finalize))
		check_finalize(call);
	switch (rule) {
	case RULE_ONE_THREAD:
		if (UNLIKELY(!pthread_equal(pthread_self(), first_thread)) && !is_free_of_levels(call->id))
			check_provided(call), report_level(call, call->id, -1);
		break;
	case RULE_ONE_AT_A_TIME:
		if (!is_free_of_levels(call->id))
			check_provided(call), enter_serialized(call);
		break;
	case RULE_MULTIPLE:
		if (is_collective(call->id))
			enter_collective(call);
		break;
	default:
		break;
	}
}

void threads_after(const struct agent_call *call)
{
	if (rule == RULE_ONE_AT_A_TIME)
		leave_serialized();
	else if (rule == RULE_MULTIPLE && is_collective(call->id))
		leave_collective();
}

void threads_report_request(struct agent_call *call, enum call_id created_by, uint32_t created_at)
{
	if (rule != RULE_MULTIPLE)
		return; /* the other call was left by an exception or a jump */
	struct finding_draft draft = finding_draft(CHECK_THREAD_CONCURRENT_REQUEST, call);
	finding_draft_call(&draft, created_by, created_at, NOTE_CREATED);
	finding_report(&draft);
}
