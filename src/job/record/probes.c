#include "job/record/probes.h"

#include "base/files.h"
#include "base/settings.h"
#include "job/mpi/sites.h"
#include "job/record/process.h"
#include "job/record/stream_define.h"
#include "job/record/timer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct probe_link *link_of_wrappers;
static const struct probe_table *table; /* in use; NULL: none */

const struct probe *probe_of(uint32_t id)
{
	return &table->probes[id - SHAPES];
}

/* Libraries that belong to MPI and may have threads of their own. Calls of them are not the program's. */
static bool is_of_mpi(const char *path)
{
	static const char *const names[] = {
		"libmpi",   "mca_",     "libopen-", "libopal",   "libpmi",   "libprrte",   "libevent",
		"libhwloc", "libuc",    "libuct",   "libfabric", "libpsm",   "libibverbs", "librdmacm",
		"libtarry", "libmunge", "libnuma",  "libcxi",    "libxpmem", NULL,
	};
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (const char *const *known = names; *known; known++)
		if (strncmp(name, *known, strlen(*known)) == 0)
			return true;
	return false;
}

/* Each entry is a return address, and the answer in the lowest bit. A single word needs no lock. */
static uint64_t answers[1024];
static uint32_t answers_unloads;

static uint64_t answer_for(uint64_t address)
{
	uint64_t answer;
	stack_t stack;

	/* A signal stack may be too small for the search. */
	if (sigaltstack(NULL, &stack) == 0 && stack.ss_flags & SS_ONSTACK)
		return 0;
	answer = address << 1 | !segment_of(address, is_of_mpi).is_asked_for;
	__atomic_store_n(&answers[address >> 2 & (sizeof answers / sizeof *answers - 1)], answer,
	                 __ATOMIC_RELAXED);
	return answer;
}

static inline bool is_called_by_program(const void *site)
{
	const uint64_t address = (uint64_t)(uintptr_t)site;
	uint64_t answer;

	if (UNLIKELY(answers_unloads != site_unloads)) {
		answers_unloads = site_unloads;
		for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
			__atomic_store_n(&answers[i], 0, __ATOMIC_RELAXED);
	}
	answer = __atomic_load_n(&answers[address >> 2 & (sizeof answers / sizeof *answers - 1)],
	                         __ATOMIC_RELAXED);
	if (UNLIKELY(answer >> 1 != address))
		answer = answer_for(address);
	return answer & 1;
}

static void *begin(struct probe *probe, const void *site)
{
	struct recording_stream *s = stream_self;

	(void)probe;
	if (!is_called_by_program(site))
		return NULL;
	if (UNLIKELY(!s))
		s = stream_begin();
	return RELAXED_LOAD(s->limit) ? NULL : s; /* inside MPI, or recording is off */
}

static uint64_t now(void)
{
	return timer_now();
}

enum { PAGE = 4096 }; /* the smallest page size */

/* The kernel reads the word, then rejects the call, because `how` (~0) is invalid. */
static bool is_readable(const char *word)
{
	const uintptr_t address = (uintptr_t)word & ~(uintptr_t)7;
	const int saved = errno;
	bool readable;

	if (address < PAGE)
		return false;
	readable = syscall(SYS_rt_sigprocmask, ~0, address, NULL, 8) == 0 || errno != EFAULT;
	errno = saved;
	return readable;
}

/* The program's pointer may be invalid. Then its function should crash, not the recorder. */
static int64_t text(const char *text)
{
	const size_t here = PAGE - ((uintptr_t)text & (PAGE - 1));
	size_t length;

	if (!is_readable(text))
		return ABSENT;
	length = strnlen(text, here < RECORDED_TEXT_MAX ? here : RECORDED_TEXT_MAX);
	if (length == here && here < RECORDED_TEXT_MAX && is_readable(text + here))
		length += strnlen(text + here, RECORDED_TEXT_MAX - here);
	return text_number_of(text, length);
}

/* No lock is needed against streams_close(): each of the two writes its word and then reads the other's. */
static bool take_stream(struct recording_stream *s, const void *frame)
{
	uintptr_t before = __atomic_exchange_n(&s->limit, (uintptr_t)frame, __ATOMIC_SEQ_CST);

	if (LIKELY(!before && !__atomic_load_n(&s->idle_limit, __ATOMIC_SEQ_CST)))
		return true;
	RELAXED_STORE(s->limit, before ? before : RELAXED_LOAD(s->idle_limit));
	return false;
}

static void end(struct probe *probe, void *begun, const void *site, uint64_t start, uint64_t end,
                int64_t *key)
{
	struct recording_stream *s = stream_self;

	if (s != begun || !take_stream(s, __builtin_frame_address(0)))
		return;
	if (UNLIKELY(s->generation != RELAXED_LOAD(object_generation)))
		stream_renew_caches(s);
	if (UNLIKELY(!RELAXED_LOAD(probe->is_seen)))
		RELAXED_STORE(probe->is_seen, 1);
	key[KEY_SITE] = (int64_t)(uintptr_t)site;
	key[KEY_WHAT] = KEY_CALL(SHAPES + probe->number, 0);
	stream_record(s, key, KEY_VALUES + probe->parameter_count, start, end);
	stream_leave(s);
}

_Static_assert((int)KEY_VALUES == (int)PROBE_KEY_WORDS, "the wrappers have room for our words");

__attribute__((visibility("default"))) void tarry_probes_link(struct probe_link *link)
{
	link_of_wrappers = link;
}

static bool is_sane(const struct probe_table *made)
{
	uint32_t names = 0;

	if (made->version != PROBE_VERSION || made->count > PROBES_MAX)
		return false;
	for (uint32_t i = 0; i < made->count; i++) {
		const struct probe *probe = &made->probes[i];
		if (probe->number != i || probe->first_name != names ||
		    probe->parameter_count > PROBE_VALUES_MAX)
			return false;
		names += probe->parameter_count;
	}
	return names <= PROBE_NAMES_MAX;
}

void probes_start(void)
{
	struct probe_link *link = link_of_wrappers;

	if (!link || !link->table)
		return;
	if (!is_sane(link->table)) {
		process_note(
			"process %u traces no functions of rules: another version of Tarry made their wrappers",
			process.rank);
		return;
	}
	table = link->table;
	for (uint32_t i = 0; i < table->count; i++)
		process_property("traced", table->probes[i].function);
	link->text = text;
	link->now = now;
	link->end = end;
	__atomic_store_n(&link->begin, begin, __ATOMIC_RELEASE);
}

/* Creates an empty file, which shows `tarry run` that this function was seen. */
static void leave_mark(const char *what, const struct probe *probe)
{
	char name[256];
	int fd;

	if (snprintf(name, sizeof name, "%s%s", what, probe->function) >= (int)sizeof name)
		return;
	fd = private_file_open(part_folder(), name, O_WRONLY);
	if (fd >= 0)
		close(fd);
}

void probes_stop(void)
{
	if (!table)
		return;
	__atomic_store_n(&link_of_wrappers->begin, NULL, __ATOMIC_RELEASE);
	for (uint32_t i = 0; i < table->count && process.run; i++) {
		if (RELAXED_LOAD(table->probes[i].is_seen))
			leave_mark(PROBE_SEEN_PREFIX, &table->probes[i]);
		else if (table->probes[i].real)
			leave_mark(PROBE_FOUND_PREFIX, &table->probes[i]);
	}
}

void probes_abandon(void)
{
	if (link_of_wrappers)
		link_of_wrappers->begin = NULL;
}

/* The other end of include/tarry.h: regions, phases and marks of the user's own code. */
static void record_event(enum user_event event, const char *name, const void *site, const void *frame)
{
	struct recording_stream *s = name ? stream_enter(frame) : NULL;
	uint64_t now = timer_now();

	if (!s)
		return;
	const int64_t key[] = {(int64_t)(uintptr_t)site, KEY_CALL(event, 0), text_number(name)};
	stream_record(s, key, sizeof key / sizeof *key, now, now);
	stream_leave(s);
}

#define HOOK(name, event) \
	__attribute__((visibility("default"))) void tarry_hook_##name(const char *text); \
	void tarry_hook_##name(const char *text) \
	{ \
		record_event(event, text, __builtin_return_address(0), __builtin_frame_address(0)); \
	}

HOOK(region_begin, USER_REGION_BEGIN)
HOOK(region_end, USER_REGION_END)
HOOK(phase, USER_PHASE)
HOOK(mark, USER_MARK)
