#include "job/record/openmp.h"

#include "base/openmp_hooks.h"
#include "calls/ids.h"
#include "job/record/process.h"
#include "job/record/stream.h"
#include "job/record/timer.h"

#define FRAME __builtin_frame_address(0)

enum {
	TEAMS = 8192,           /* in the process */
	TEAMS_OF_THREAD = 1024, /* a power of two */
	THREADS_IN_TAG = 1 << 16,
	NEW_THREADS =
		256, /* the maximum recorded only because they are in a team: short-lived threads must not fill the trace */
	NOT_ENTERED = -1,
};

/* Stands for all executions of a parallel region that one thread encounters. The tag of an event has this struct's number and the number of
 * threads: events with equal tags belong to the same barriers, with as many members. */
struct openmp_team {
	const void *site;
	uint32_t level;
	bool has_unseen_tasks; /* its threads execute them while they wait: the waits are unknown */
};

static struct openmp_team teams[TEAMS];
static uint32_t team_count, new_threads;
static struct openmp_link *link_of_calls;

static struct openmp_team *new_team(const void *site, uint32_t level)
{
	const uint32_t number = __atomic_load_n(&team_count, __ATOMIC_RELAXED) < TEAMS
	                                ? __atomic_fetch_add(&team_count, 1, __ATOMIC_RELAXED)
	                                : TEAMS;

	if (number >= TEAMS)
		return NULL;
	teams[number] = (struct openmp_team){.site = site, .level = level};
	return &teams[number];
}

/* NULL: there are too many teams. */
static struct openmp_team *find_team(struct recording_stream *s, const void *site)
{
	const uint32_t level = s->openmp.level;
	uint32_t at = (uint32_t)((uintptr_t)site >> 2) * 31 + level;

	if (!s->openmp.teams)
		s->openmp.teams = process_claim(TEAMS_OF_THREAD * sizeof(struct openmp_team *));
	for (uint32_t i = 0; i < 16 && s->openmp.teams; i++, at++) {
		struct openmp_team **team = &s->openmp.teams[at % TEAMS_OF_THREAD];
		if (!*team)
			*team = new_team(site, level);
		if (!*team || ((*team)->site == site && (*team)->level == level))
			return *team;
	}
	return NULL;
}

void openmp_release(struct recording_stream *s)
{
	if (s->openmp.teams)
		process_give_back(s->openmp.teams, TEAMS_OF_THREAD * sizeof(struct openmp_team *));
}

static bool has_unseen_tasks(const struct openmp_team *team)
{
	return __atomic_load_n(&team->has_unseen_tasks, __ATOMIC_RELAXED);
}

/* Shorter waits for locks and tasks are not recorded. */
enum { WAIT_US_MIN = 2 };

static bool is_short(uint64_t since, uint64_t now)
{
	return now - since < timer.rate / 1000000 * WAIT_US_MIN;
}

enum { VALUES_MAX = 3 };

/* An event that was not predicted. */
static __attribute__((noinline)) void put_new(struct recording_stream *s, enum call_id id, int64_t *key,
                                              uint32_t words, uint64_t start, uint64_t end)
{
	key[KEY_WHAT] = KEY_CALL(id, 0);
	stream_record(s, key, words, start, end);
	key[KEY_WHAT] = RAW_WHAT(s, id);
	stream_remember_raw(s, key, words, NULL, 0);
}

/* Adds an event with up to three values. Inlined, so that the compiler knows their number. */
static inline __attribute__((always_inline)) void put(struct recording_stream *s, enum call_id id,
                                                      const void *site, const int64_t *values, uint32_t count,
                                                      uint64_t start, uint64_t end)
{
	int64_t key[KEY_VALUES + VALUES_MAX];

	start = start < stream_last_end(s) ? stream_last_end(s) : start;
	end = end < start ? start : end;
	key[0] = (int64_t)(uintptr_t)site;
	key[KEY_WHAT] = RAW_WHAT(s, id);
	for (uint32_t i = 0; i < count; i++)
		key[KEY_VALUES + i] = values[i];
	if (!stream_expects(s, key, KEY_VALUES + count) || !stream_repeat(s, start, end))
		put_new(s, id, key, KEY_VALUES + count, start, end);
}

static void end_wait(struct recording_stream *s, uint64_t now)
{
	const struct openmp_wait wait = s->openmp.wait;
	const int64_t values[] = {(wait.team - teams) * THREADS_IN_TAG + wait.threads, wait.threads,
	                          wait.member};

	s->openmp.wait.team = NULL;
	s->openmp.depth = wait.depth;
	if (!has_unseen_tasks(wait.team))
		put(s, CALL_omp_barrier, wait.site, values, 3, wait.since, now);
}

void openmp_end_wait(struct recording_stream *s)
{
	if (s->openmp.wait.team)
		end_wait(s, timer_now());
}

static void fork_team(struct openmp_region *region)
{
	struct recording_stream *s = stream_enter(FRAME);

	region->team = NULL;
	if (!s)
		return;
	region->is_outermost = !s->openmp.level;
	region->team = find_team(s, region->site);
	region->forked = stream_start(s);
	stream_leave(s);
}

static void join_team(struct openmp_region *region)
{
	struct recording_stream *s;

	if (!region->is_parallel)
		return;
	s = stream_enter(FRAME);
	if (!s)
		return;
	if (s->openmp.wait.team)
		end_wait(s, timer_now());
	if (region->is_outermost) {
		const uint64_t now = stream_last_end(s);
		put(s, CALL_omp_join, region->site, (int64_t[]){region->is_parallel}, 1, now, now);
	}
	stream_leave(s);
}

/* A thread of the runtime is recorded from its first region on. NULL: the thread is not recorded. */
static struct recording_stream *enter_thread(const void *frame)
{
	if (!stream_self && __atomic_fetch_add(&new_threads, 1, __ATOMIC_RELAXED) >= NEW_THREADS)
		return NULL;
	return stream_enter(frame);
}

static void enter_region(struct openmp_region *region, int member, int threads, struct openmp_around *around)
{
	struct recording_stream *s = enter_thread(FRAME);

	around->member = NOT_ENTERED;
	if (!s)
		return;
	*around = (struct openmp_around){s->openmp.team, s->openmp.threads, (int)s->openmp.member};
	if (s->openmp.wait.team)
		end_wait(s, timer_now());
	s->openmp.level++;
	s->openmp.team = threads > 1 && threads < THREADS_IN_TAG ? region->team : NULL;
	s->openmp.threads = (uint32_t)threads;
	s->openmp.member = (uint32_t)member;
	if (member == 0 && s->openmp.team) {
		region->is_parallel = threads;
		if (region->is_outermost)
			put(s, CALL_omp_fork, region->site, (int64_t[]){threads}, 1, region->forked,
			    timer_now());
	}
	stream_leave(s);
}

static void leave_region(const struct openmp_around *around)
{
	struct recording_stream *s = around->member == NOT_ENTERED ? NULL : stream_enter(FRAME);

	if (!s)
		return;
	s->openmp.level--;
	s->openmp.team = around->team;
	s->openmp.threads = around->threads;
	s->openmp.member = (uint32_t)around->member;
	stream_leave(s);
}

static void wait(const void *site)
{
	struct recording_stream *s = stream_self;

	if (!s || !s->openmp.team || has_unseen_tasks(s->openmp.team) || RELAXED_LOAD(s->limit))
		return;
	s = stream_enter(FRAME);
	if (!s)
		return;
	s->openmp.wait = (struct openmp_wait){.team = s->openmp.team,
	                                      .threads = s->openmp.threads,
	                                      .member = s->openmp.member,
	                                      .since = stream_start(s),
	                                      .site = site,
	                                      .depth = s->openmp.depth};
	stream_leave(s);
}

static void go(void)
{
	struct recording_stream *s = stream_self;

	if (!s || !s->openmp.wait.team)
		return;
	s = stream_enter(FRAME);
	if (!s)
		return;
	end_wait(s, timer_now());
	stream_leave(s);
}

/* A loop may contain other events, so its begin and its end are two events. */
static inline void mark(enum call_id id, const void *site)
{
	struct recording_stream *s = stream_self;
	uint64_t now;

	if (!s || !s->openmp.team)
		return;
	s = stream_enter(FRAME);
	if (!s)
		return;
	now = stream_start(s);
	put(s, id, site, NULL, 0, now, now);
	stream_leave(s);
}

static void begin_loop(const void *site)
{
	mark(CALL_omp_loop, site);
}

static void end_loop(const void *site)
{
	mark(CALL_omp_loop_end, site);
}

/* Most sections and locks are free when they are taken: then no clock is read. If one is in use, the times of the waiting thread and of the
 * release are read, and the wait is recorded if it is long. */
enum { MUTEXES = 1024, CACHE_LINE = 64 };
static struct {
	_Alignas(CACHE_LINE) int users; /* threads that have it or wait for it */
} mutexes[MUTEXES];                     /* by a hash of their addresses */

static int *users_of(const void *mutex)
{
	return &mutexes[((uintptr_t)mutex >> 3 ^ (uintptr_t)mutex >> 13) % MUTEXES].users;
}

static uint64_t ask(const void *mutex)
{
	const bool is_free = !__atomic_fetch_add(users_of(mutex), 1, __ATOMIC_RELAXED);
	struct recording_stream *s = stream_self;

	return is_free || !s || !s->openmp.team || RELAXED_LOAD(s->limit) ? 0 : stream_start(s);
}

static void take(uint64_t asked, const void *mutex, const void *site, bool is_critical)
{
	const uint64_t now = timer_now();
	struct recording_stream *s;

	if (is_short(asked, now))
		return;
	s = stream_enter(FRAME);
	if (!s)
		return;
	put(s, is_critical ? CALL_omp_critical : CALL_omp_lock, site,
	    (int64_t[]){(int64_t)(uintptr_t)mutex, s->openmp.threads}, 2, asked, now);
	stream_leave(s);
}

/* A mutex that was taken before recording began has no users. */
static uint64_t before_release(const void *mutex)
{
	int *users = users_of(mutex);

	return __atomic_load_n(users, __ATOMIC_RELAXED) > 0 &&
	                       __atomic_fetch_sub(users, 1, __ATOMIC_RELAXED) > 1
	               ? timer_now()
	               : 0;
}

static void release(uint64_t when, const void *mutex, const void *site)
{
	struct recording_stream *s = stream_enter(FRAME);

	if (!s)
		return;
	if (s->openmp.team)
		put(s, CALL_omp_unlock, site, (int64_t[]){(int64_t)(uintptr_t)mutex}, 1, when, when);
	stream_leave(s);
}

/* Tasks */

static void put_frame(struct recording_stream *s, const struct openmp_frame *frame, uint64_t now)
{
	/* At the end of a region, the thread has left it. */
	const uint32_t threads = s->openmp.team        ? s->openmp.threads
	                         : s->openmp.wait.team ? s->openmp.wait.threads
	                                               : 0;

	if (threads && (frame->is_task || !is_short(frame->since, now)))
		put(s, frame->is_task ? CALL_omp_task : CALL_omp_taskwait, frame->site, (int64_t[]){threads},
		    1, frame->since, now);
}

/* What the thread does, or waits for. NULL: nothing that is recorded. A wait at a barrier is copied. */
static struct openmp_frame *current_frame(struct openmp_thread *thread, struct openmp_frame *barrier)
{
	if (thread->wait.team && thread->wait.depth == thread->depth) {
		*barrier = (struct openmp_frame){.site = thread->wait.site, .since = thread->wait.since};
		return barrier;
	}
	return thread->depth && thread->depth <= OPENMP_FRAMES ? &thread->frames[thread->depth - 1] : NULL;
}

static void begin_frame(const void *site, bool is_task)
{
	struct recording_stream *s = stream_self ? stream_enter(FRAME) : NULL;
	struct openmp_frame barrier;
	const struct openmp_frame *around;
	uint64_t now;

	if (!s)
		return;
	around = current_frame(&s->openmp, &barrier);
	/* Scheduling delays until now belong to what ends here. */
	now = around ? timer_now() : stream_start(s);
	if (around)
		put_frame(s, around, now);
	if (s->openmp.depth++ < OPENMP_FRAMES)
		s->openmp.frames[s->openmp.depth - 1] = (struct openmp_frame){
			.site = site, .since = now, .is_task = is_task};
	stream_leave(s);
}

static void end_frame(void)
{
	struct recording_stream *s = stream_self && stream_self->openmp.depth ? stream_enter(FRAME) : NULL;
	struct openmp_frame barrier, *around;
	uint64_t now;

	if (!s)
		return;
	now = timer_now();
	if (s->openmp.depth <= OPENMP_FRAMES)
		put_frame(s, &s->openmp.frames[s->openmp.depth - 1], now);
	s->openmp.depth--;
	around = current_frame(&s->openmp, &barrier);
	if (around == &barrier)
		s->openmp.wait.since = now;
	else if (around)
		around->since = now;
	stream_leave(s);
}

static void begin_task(const void *site)
{
	begin_frame(site, true);
}

static void wait_for_tasks(const void *site)
{
	begin_frame(site, false);
}

static void note_unseen_task(void)
{
	const struct recording_stream *s = stream_self;

	if (s && s->openmp.team)
		__atomic_store_n(&s->openmp.team->has_unseen_tasks, true, __ATOMIC_RELAXED);
}

static const struct openmp_hooks hooks = {.fork = fork_team,
                                          .join = join_team,
                                          .enter = enter_region,
                                          .leave = leave_region,
                                          .wait = wait,
                                          .go = go,
                                          .begin_loop = begin_loop,
                                          .end_loop = end_loop,
                                          .ask = ask,
                                          .take = take,
                                          .before_release = before_release,
                                          .release = release,
                                          .begin_task = begin_task,
                                          .end_task = end_frame,
                                          .wait_for_tasks = wait_for_tasks,
                                          .end_wait_for_tasks = end_frame,
                                          .unseen_task = note_unseen_task};

__attribute__((visibility("default"))) void tarry_openmp_link(struct openmp_link *link);
__attribute__((visibility("default"))) void tarry_openmp_link(struct openmp_link *link)
{
	link_of_calls = link;
}

void openmp_start(void)
{
	if (link_of_calls && !selection.active)
		__atomic_store_n(&link_of_calls->hooks, &hooks, __ATOMIC_RELEASE);
}

void openmp_stop(void)
{
	if (link_of_calls)
		__atomic_store_n(&link_of_calls->hooks, NULL, __ATOMIC_RELEASE);
}
