#include "job/record/shmem.h"

#include "base/hash.h"
#include "base/shmem_hooks.h"
#include "calls/calls.h"
#include "job/mpi/world.h"
#include "job/record/openmp.h"
#include "job/record/probes.h"
#include "job/record/process.h"
#include "job/record/recording_session.h"
#include "job/record/stream.h"
#include "job/record/stream_define.h"
#include "job/record/timer.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { SETS = 64, TEAM_ORIGIN = 0x73686d };

/* A set of PEs that makes collective calls. */
struct pe_set {
	struct shmem_set of;
	int64_t team; /* the object's number */
};

static struct {
	int pe, pe_count;  /* 0: shmem_init() has not ended */
	int64_t team;      /* of all PEs: the object's number */
	uint64_t identity; /* of that team */
	const char *heap;  /* the first symmetric allocation: an offset from it is the same in all PEs */
	struct pe_set sets[SETS];
	uint32_t set_count;
} shmem;

bool shmem_is_under_way(void)
{
	return shmem.pe_count;
}

/* Sets of PEs */

static bool is_same_set(const struct shmem_set *a, const struct shmem_set *b)
{
	return a->first == b->first && a->log_stride == b->log_stride && a->count == b->count;
}

static bool is_whole(const struct shmem_set *set)
{
	return !set->count || (set->first == 0 && set->log_stride == 0 && set->count == shmem.pe_count);
}

/* Each member describes itself as a member. */
static int64_t describe_team(uint64_t identity, int number, int count, const char *name)
{
	int64_t team = object_add(identity);

	process_write(RECORD_COMM, &(struct comm){.identity = identity,
	                                          .kind = COMM_SHMEM,
	                                          .rank = (uint64_t)number,
	                                          .size = (uint64_t)count,
	                                          .name = name});
	return team;
}

static int64_t add_set(const struct shmem_set *set)
{
	const int64_t words[] = {set->first, set->log_stride, set->count};
	char name[64];
	int64_t team;

	if (shmem.set_count == SETS || set->log_stride < 0 || set->log_stride > 30)
		return ABSENT;
	snprintf(name, sizeof name, "%d PEs from %d, stride %d", set->count, set->first,
	         1 << set->log_stride);
	team = describe_team(hash_words(words, 3, shmem.identity), (shmem.pe - set->first) >> set->log_stride,
	                     set->count, name);
	shmem.sets[shmem.set_count] = (struct pe_set){*set, team};
	__atomic_store_n(&shmem.set_count, shmem.set_count + 1, __ATOMIC_RELEASE);
	return team;
}

static int64_t find_set(const struct shmem_set *set)
{
	uint32_t count = __atomic_load_n(&shmem.set_count, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < count; i++)
		if (is_same_set(&shmem.sets[i].of, set))
			return shmem.sets[i].team;
	return ABSENT;
}

static int64_t team_of(const struct shmem_set *set)
{
	int64_t team;

	if (LIKELY(is_whole(set)))
		return shmem.team;
	team = find_set(set);
	if (UNLIKELY(team == ABSENT)) {
		process_lock();
		team = find_set(set);
		team = team == ABSENT ? add_set(set) : team;
		process_unlock();
	}
	return team;
}

/* Calls */

/* The same in all PEs for a symmetric object: its offset in its file, or from the first allocation on the symmetric heap. */
static int64_t symmetric_identity(const volatile void *object)
{
	const char *address = (const char *)(uintptr_t)object;
	Dl_info file;
	int64_t words[2] = {0, address - shmem.heap};

	if (!object)
		return ABSENT;
	if (dladdr(address, &file) && file.dli_fbase && file.dli_fname) {
		words[0] = (int64_t)hash_bytes(file.dli_fname, strlen(file.dli_fname));
		words[1] = address - (const char *)file.dli_fbase;
	} else if (!shmem.heap) {
		return ABSENT;
	}
	return (int64_t)(hash_words(words, 2, shmem.identity) | 1);
}

static int64_t rank_value(int pe, const struct shmem_set *set)
{
	return pe >= 0 && pe < (is_whole(set) ? shmem.pe_count : set->count) ? pe : ABSENT;
}

static int64_t times(uint64_t bytes, int count)
{
	uint64_t product;

	return __builtin_mul_overflow(bytes, (uint64_t)count, &product) || product > INT64_MAX
	               ? ABSENT
	               : (int64_t)product;
}

/* For collective calls: the bytes that this PE contributes and gets. */
static int64_t amount(uint32_t call, const struct shmem_values *values, bool is_received)
{
	const int count = is_whole(&values->set) ? shmem.pe_count : values->set.count;
	const int number = is_whole(&values->set) ? shmem.pe
	                                          : (shmem.pe - values->set.first) >> values->set.log_stride;

	switch (call) {
	case CALL_shmem_broadcast:
		return (number == values->pe) == is_received ? ABSENT : times(values->bytes, 1);
	case CALL_shmem_fcollect:
		return times(values->bytes, is_received ? count : 1);
	case CALL_shmem_collect: /* contributions differ */
		return is_received ? ABSENT : times(values->bytes, 1);
	case CALL_shmem_alltoall:
	case CALL_shmem_alltoalls:
		return times(values->bytes, count);
	default:
		return times(values->bytes, 1);
	}
}

static int64_t value_of(uint32_t call, const struct shmem_values *values, uint8_t field)
{
	switch (field) {
	case FIELD_COMM:
		return team_of(&values->set);
	case FIELD_TARGET:
	case FIELD_ROOT:
		return rank_value(values->pe, &values->set);
	case FIELD_SENT:
	case FIELD_RECEIVED:
		return amount(call, values, field == FIELD_RECEIVED);
	case FIELD_ROOM:
		return times(values->bytes, 1);
	case FIELD_MUTEX:
		return symmetric_identity(values->object);
	case FIELD_FLAG:
		return values->flag == SHMEM_NO_FLAG ? ABSENT : values->flag;
	default:
		return ABSENT;
	}
}

/* Calls that may wait long are visible while they are open. */
static bool is_shown_open(const struct call_info *info)
{
	return info->collective || info->pgas == PGAS_SYNC || info->pgas == PGAS_LOCK ||
	       info->pgas == PGAS_WAIT;
}

static bool begin(struct shmem_span *span, uint32_t call, const void *site, const void *frame)
{
	struct recording_stream *s = shmem.pe_count ? stream_enter(frame) : NULL;

	if (!s)
		return false;
	RELAXED_STORE(s->limit, STREAM_INSIDE); /* the library's own calls are nested */
	span->stream = s;
	span->call = call;
	span->site = (int64_t)(uintptr_t)stream_site(s, site, frame);
	span->start = stream_start(s);
	if (is_shown_open(&all_calls[call])) {
		const int64_t key[] = {span->site, KEY_CALL(call, 0), shmem.team};
		stream_open_defined(s, key, sizeof key / sizeof *key, span->start);
	}
	return true;
}

static __attribute__((noinline)) void record_anew(struct recording_stream *s, uint32_t call, int64_t *key,
                                                  uint32_t words, uint64_t start, uint64_t end)
{
	const int saved = errno;

	key[KEY_WHAT] = KEY_CALL(call, 0);
	stream_record(s, key, words, start, end);
	key[KEY_WHAT] = RAW_WHAT(s, call);
	stream_remember_raw(s, key, words, NULL, 0);
	errno = saved;
}

static void end(const struct shmem_span *span, const struct shmem_values *values)
{
	const uint64_t now = timer_now();
	struct recording_stream *s = span->stream;
	const uint32_t call = span->call;
	int64_t key[KEY_VALUES + sizeof call_shapes->fields];
	uint32_t words = KEY_VALUES;

	if (UNLIKELY(all_calls[call].pgas == PGAS_MEMORY && !shmem.heap && values->object))
		shmem.heap = (const char *)(uintptr_t)values->object;
	key[KEY_SITE] = span->site;
	key[KEY_WHAT] = RAW_WHAT(s, call);
	for (const uint8_t *field = call_shapes[call].fields; *field; field++)
		key[words++] = value_of(call, values, *field);
	if (!stream_expects(s, key, words) || !stream_repeat(s, span->start, now))
		record_anew(s, call, key, words, span->start, now);
	stream_leave(s);
}

/* Start and end */

static void describe_library(const struct shmem_start *start)
{
	char text[320];

	snprintf(text, sizeof text, "%s%sOpenSHMEM %d.%d", start->library, *start->library ? ", " : "",
	         start->major, start->minor);
	process_property("shmem", text);
}

/* The same in all PEs: derived from the world. */
static void identify_team(const struct shmem_start *start)
{
	shmem.pe = start->pe;
	shmem.identity = hash_words(&(int64_t){start->pe_count}, 1, process.world ^ TEAM_ORIGIN);
	shmem.team = describe_team(shmem.identity, start->pe, start->pe_count, "all PEs");
	shmem.pe_count = start->pe_count;
}

static void start(const struct shmem_start *start, const void *site, const void *frame)
{
	struct recording_stream *s;
	uint64_t now;

	if (shmem.pe_count || start->pe_count <= 0 || start->pe < 0 || start->pe >= start->pe_count ||
	    !process_start())
		return;
	process_lock();
	if (!process.identified) {
		process.has_mpi = false; /* loaded, but not initialised by the program */
		process_is_multithreaded = start->is_multithreaded;
		recording_begin(start->pe, start->pe_count);
		probes_start();
		openmp_start();
	}
	describe_library(start);
	identify_team(start);
	process_unlock();
	s = stream_enter(frame);
	if (!s)
		return;
	now = stream_start(s);
	const int64_t key[] = {(int64_t)(uintptr_t)stream_site(s, site, frame), KEY_CALL(CALL_shmem_init, 0),
	                       shmem.team};
	stream_record(s, key, sizeof key / sizeof *key, now, now);
	stream_leave(s);
}

static void finish(void)
{
	if (!shmem.pe_count)
		return;
	shmem_stop();
	if (!process.has_mpi)
		recording_end();
}

static const struct shmem_hooks hooks = {.start = start, .begin = begin, .end = end, .finish = finish};

void shmem_stop(void)
{
	shmem.pe_count = 0;
}

__attribute__((visibility("default"))) void tarry_shmem_link(struct shmem_link *link)
{
	__atomic_store_n(&link->hooks, &hooks, __ATOMIC_RELEASE);
}
