#include "job/record/near_callers.h"

#include "job/mpi/host.h"
#include "job/mpi/places.h"
#include "job/mpi/python.h"
#include "job/mpi/sites.h"
#include "job/record/frame_pointer.h"
#include "job/record/process.h"

#include <dlfcn.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

enum {
	RULES = 1024, /* this and the next two: powers of two */
	PATHS = 512,
	LATEST = 256,
	PROBES = 8,            /* places of a table in which an entry may be */
	UNWINDS_MAX = 1 << 14, /* for a thread; further paths are not recorded */
	CHANGES_MAX = 16,      /* of a frame's size; then it counts as unknown */
	SCAN_WORDS = 512,      /* words of a frame that are searched for its return address */
	REACH_MAX = 1 << 20,   /* the largest supported frame */
	PART_OF_BUFFER = 8,    /* the tables' share of the recorder's memory: 1/8 */
	EDGE_FRAMES = 3,       /* outside main(): the C library and _start */
	FRAMES = FAR_CALLERS + 2 + EDGE_FRAMES,
};

#define ADDRESS_BITS 0xffffffffffffu /* the other bits may hold a signature */
#define STACK_MAX ((uintptr_t)1 << 40)
#define NO_SLOT UINT32_MAX
#define FIRST_STEP 1u /* flag in the address of a rule: the step from the wrapper's frame */

/* The step from a return address to the next one. Distances count from the stack pointer at the call. */
struct frame_rule {
	uintptr_t address; /* 0: none */
	uint32_t size;     /* to the caller's stack pointer */
	uint32_t slot;     /* to the word with the caller's return address */
	uint8_t changes;
	bool is_last;    /* its caller is outside the program, or unknown */
	bool in_program; /* the address is in the program, not in a library */
};

/* Callers, innermost first, and the places of their return addresses on the stack. */
struct near_path {
	int64_t site; /* 0: none */
	int64_t word;
	uint32_t count;
	uint32_t reach; /* the number of bytes, from the frame, that are read */
	uint32_t offsets[FAR_CALLERS];
	uintptr_t callers[FAR_CALLERS];
	struct near_path *next; /* the path that followed last time */
};

struct near_callers {
	uintptr_t low, high;    /* of the thread's stack */
	uint64_t libc, program; /* their modules */
	struct near_path *last;
	struct near_path *latest[LATEST]; /* by site and frame */
	uint32_t unwinds;
	uint32_t victim; /* the next entry to be replaced */
	struct frame_rule rules[RULES];
	struct near_path paths[PATHS];
};

bool near_callers_are_wanted(void)
{
	return !host_path_depth();
}

static bool find_main_stack(struct near_callers *near)
{
	const uintptr_t *end = dlsym(RTLD_DEFAULT, "__libc_stack_end");
	struct rlimit limit;
	uintptr_t bytes;

	if (!end || getrlimit(RLIMIT_STACK, &limit) != 0)
		return false;
	bytes = limit.rlim_cur < STACK_MAX ? (uintptr_t)limit.rlim_cur : STACK_MAX;
	near->high = *end & ~(uintptr_t)(sizeof(uintptr_t) - 1);
	near->low = near->high > bytes ? near->high - bytes : 1;
	return true;
}

static bool find_thread_stack(struct near_callers *near)
{
	pthread_attr_t attributes;
	size_t bytes = 0;
	void *low = NULL;
	bool found;

	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return false;
	found = pthread_attr_getstack(&attributes, &low, &bytes) == 0;
	pthread_attr_destroy(&attributes);
	near->low = (uintptr_t)low;
	near->high = near->low + bytes;
	return found;
}

struct near_callers *near_callers_new(void)
{
	const bool is_main = (pid_t)syscall(SYS_gettid) == getpid();
	struct near_callers *near;

	if (!near_callers_are_wanted() || python_is_here() ||
	    process.buffer_bytes / PART_OF_BUFFER < sizeof *near)
		return NULL;
	near = host_claim(sizeof *near);
	if (!near)
		return NULL;
	if (!(is_main ? find_main_stack(near) : find_thread_stack(near))) {
		host_give_back(near, sizeof *near);
		return NULL;
	}
	near->last = near->paths;
	return near;
}

void near_callers_free(struct near_callers *near)
{
	host_give_back(near, sizeof *near);
}

void near_callers_forget(struct near_callers *near)
{
	memset(near->rules, 0, sizeof near->rules);
	memset(near->paths, 0, sizeof near->paths);
	memset(near->latest, 0, sizeof near->latest);
	near->last = near->paths;
	near->libc = near->program = 0;
}

/* True if these bytes of a frame are on the thread's stack. */
static inline bool is_in_stack(const struct near_callers *near, uintptr_t frame, uintptr_t bytes)
{
	return frame >= near->low && frame < near->high && bytes <= near->high - frame;
}

static inline __attribute__((no_sanitize_address)) uintptr_t word_at(uintptr_t address)
{
	return *(const uintptr_t *)address & ADDRESS_BITS; /* NOLINT: on our own stack */
}

static inline bool path_holds(const struct near_callers *near, const struct near_path *path, int64_t site,
                              uintptr_t frame)
{
	uintptr_t differs = 0;

	if (path->site != site || !is_in_stack(near, frame, path->reach))
		return false;
	for (uint32_t i = 0; i < path->count; i++)
		differs |= word_at(frame + path->offsets[i]) ^ path->callers[i];
	return !differs;
}

/* The entry of this address; NULL: none. */
static struct frame_rule *find_rule(struct near_callers *near, uintptr_t address)
{
	const uintptr_t first = address >> 2 ^ address >> 11;

	for (uintptr_t i = 0; i < PROBES; i++) {
		struct frame_rule *rule = &near->rules[(first + i) & (RULES - 1)];
		if (rule->address == address)
			return rule;
	}
	return NULL;
}

/* The entry of this address, or one to be filled. */
static struct frame_rule *make_rule(struct near_callers *near, uintptr_t address)
{
	const uintptr_t first = address >> 2 ^ address >> 11;
	struct frame_rule *rule = find_rule(near, address);

	for (uintptr_t i = 0; i < PROBES && !rule; i++)
		if (!near->rules[(first + i) & (RULES - 1)].address)
			rule = &near->rules[(first + i) & (RULES - 1)];
	return rule ? rule : &near->rules[(first + near->victim++ % PROBES) & (RULES - 1)];
}

/* Finds the path by remembered frame sizes. False: one of them is unknown. */
static bool walk(struct near_callers *near, int64_t site, uintptr_t frame, struct near_path *path)
{
	const struct frame_rule *rule = find_rule(near, (uintptr_t)site | FIRST_STEP);

	*path = (struct near_path){.site = site};
	while (rule && !rule->is_last && (path->count < NEAR_CALLERS || !rule->in_program) &&
	       path->count != FAR_CALLERS) {
		uintptr_t address;
		if (!is_in_stack(near, frame, path->reach + rule->size))
			return false;
		path->offsets[path->count] = path->reach + rule->slot;
		address = word_at(frame + path->reach + rule->slot);
		path->callers[path->count++] = address;
		path->reach += rule->size;
		rule = find_rule(near, address);
	}
	return rule;
}

static size_t hash_path(const struct near_path *path)
{
	uint64_t hash = (uint64_t)path->site * 0x9e3779b97f4a7c15u;

	for (uint32_t i = 0; i < path->count; i++)
		hash = (hash ^ path->callers[i]) * 0x9e3779b97f4a7c15u;
	return hash >> 32;
}

/* The entry of this path; NULL: none. */
static struct near_path *find_path(struct near_callers *near, const struct near_path *path)
{
	const size_t first = hash_path(path);

	for (size_t i = 0; i < PROBES; i++) {
		struct near_path *known = &near->paths[(first + i) & (PATHS - 1)];
		if (known->site == path->site && known->count == path->count &&
		    memcmp(known->callers, path->callers, path->count * sizeof *path->callers) == 0)
			return known;
	}
	return NULL;
}

static struct near_path *make_path(struct near_callers *near, const struct near_path *path)
{
	const size_t first = hash_path(path);
	struct near_path *known = find_path(near, path);

	for (size_t i = 0; i < PROBES && !known; i++)
		if (!near->paths[(first + i) & (PATHS - 1)].site)
			known = &near->paths[(first + i) & (PATHS - 1)];
	return known ? known : &near->paths[(first + near->victim++ % PROBES) & (PATHS - 1)];
}

/* Calls with the same site and frame usually have the same path. */
static inline struct near_path **latest_from(struct near_callers *near, int64_t site, uintptr_t frame)
{
	return &near->latest[((uint64_t)site / 4 ^ frame / 16) % LATEST];
}

/* Remembers the path as successor of the last one. */
static int64_t follow_path(struct near_callers *near, struct near_path *path, uintptr_t frame)
{
	near->last->next = path;
	near->last = path;
	*latest_from(near, path->site, frame) = path;
	return path->word;
}

/* A function on the stack: the return address in it, the stack pointer at its call, and its frame record, which may be invalid. Innermost
 * first. */
struct near_frame {
	uintptr_t address;
	uintptr_t stack;
	uintptr_t record;
	uint64_t module, offset;
};

struct near_walk {
	uintptr_t site;
	uint32_t count;
	bool is_whole; /* up to the start of the thread */
	struct near_frame frames[FRAMES];
};

static _Unwind_Reason_Code take_near_frame(struct _Unwind_Context *context, void *argument)
{
	struct near_walk *walk = argument;
	struct near_frame frame = {.address = (uintptr_t)_Unwind_GetIP(context),
	                           .stack = (uintptr_t)_Unwind_GetCFA(context),
	                           .record = (uintptr_t)_Unwind_GetGR(context, FRAME_POINTER)};

	if (!frame.address)
		return _URC_END_OF_STACK;
	if (walk->count == FRAMES) {
		walk->is_whole = false;
		return _URC_END_OF_STACK;
	}
	if (walk->count || frame.address == walk->site)
		walk->frames[walk->count++] = frame;
	return _URC_NO_REASON;
}

static uint64_t module_of(uintptr_t address)
{
	uint64_t module, offset;

	site_locate(address, &module, &offset);
	return module;
}

/* Continues from a function without unwind tables. Its stack pointer is unknown, and the end of its frame record is used instead: only
 * distances count. */
static void follow_records(const struct near_callers *near, struct near_walk *walk)
{
	enum { RECORD_BYTES = 2 * sizeof(uintptr_t) };

	while (USUALLY_HAS_RECORD && walk->count && walk->count < FRAMES) {
		const struct near_frame *inner = &walk->frames[walk->count - 1];
		const uintptr_t record = inner->record;
		struct near_frame outer = {.stack = record + RECORD_BYTES};
		if (record < inner->stack || record % sizeof(uintptr_t) ||
		    !is_in_stack(near, record, RECORD_BYTES))
			return;
		outer.record = word_at(record);
		outer.address = word_at(record + sizeof(uintptr_t));
		if (!module_of(outer.address))
			return;
		walk->frames[walk->count++] = outer;
		walk->is_whole = walk->count < FRAMES;
	}
}

/* Finds the return address between two places of the stack. It is in the frame record, at the end, or anywhere, depending on the processor.
 * The record is tried first, because other words may be uninitialised. */
static uint32_t find_slot(uintptr_t from, uintptr_t to, uintptr_t record, uintptr_t address)
{
	const uintptr_t last = to - sizeof(uintptr_t), second = record + sizeof(uintptr_t);
	uintptr_t end = to - from > SCAN_WORDS * sizeof(uintptr_t) ? from + SCAN_WORDS * sizeof(uintptr_t)
	                                                           : to;

	if (second >= from && second <= last && !(second % sizeof(uintptr_t)) && word_at(second) == address)
		return (uint32_t)(second - from);
	if (word_at(last) == address)
		return (uint32_t)(last - from);
	for (uintptr_t at = from; at < end; at += sizeof(uintptr_t))
		if (word_at(at) == address)
			return (uint32_t)(at - from);
	return NO_SLOT;
}

/* The number of the path's place, after its sites were located. */
static int64_t make_place(const struct near_walk *walk, const struct near_path *path)
{
	uint32_t number = NO_PLACE;

	for (uint32_t i = path->count + 1; i-- > 0;) {
		number = place_add(number, walk->frames[i].module, walk->frames[i].offset);
		if (number == NO_PLACE)
			return path->site;
	}
	return place_word(number);
}

static bool agrees(const struct near_walk *walk, const struct near_path *path)
{
	if (path->count >= walk->count)
		return false;
	for (uint32_t i = 0; i < path->count; i++)
		if (walk->frames[i + 1].address != path->callers[i])
			return false;
	return true;
}

static void learn_all(struct near_callers *near, const struct near_walk *walk, uintptr_t frame)
{
	for (uint32_t i = 0; i < walk->count - !walk->is_whole; i++) {
		/* Remembers the step from one frame to the next one, `outer`, which may be NULL. */
		uintptr_t address = i ? walk->frames[i].address : walk->site | FIRST_STEP;
		uintptr_t from = i ? walk->frames[i].stack : frame;
		const struct near_frame *outer = i + 1 < walk->count ? &walk->frames[i + 1] : NULL;
		struct frame_rule *rule = make_rule(near, address),
				  learnt = {.address = address, .slot = NO_SLOT};
		bool is_known = rule->address == address;
		learnt.in_program = walk->frames[i].module == near->program;
		if (outer && outer->stack > from && outer->stack - from < REACH_MAX &&
		    is_in_stack(near, from, outer->stack - from) &&
		    !((from | outer->stack) % sizeof(uintptr_t))) {
			learnt.size = (uint32_t)(outer->stack - from);
			learnt.slot = find_slot(from, outer->stack, walk->frames[i].record, outer->address);
		}
		learnt.is_last = learnt.slot == NO_SLOT;
		if (is_known)
			learnt.changes = rule->changes +
			                 (rule->size != learnt.size || rule->slot != learnt.slot);
		if (learnt.changes > CHANGES_MAX) {
			learnt.changes = CHANGES_MAX;
			learnt.is_last = true;
		}
		*rule = learnt;
	}
}

static __attribute__((noinline)) int64_t unwind(struct near_callers *near, int64_t site, uintptr_t frame)
{
	struct near_walk found = {.site = (uintptr_t)site, .is_whole = true};
	struct near_path path, *kept;
	const int error = errno;

	if (near->unwinds == UNWINDS_MAX)
		return site;
	near->unwinds++;
	_Unwind_Backtrace(take_near_frame, &found);
	errno = error;
	if (!found.count || found.frames[0].stack < frame || found.frames[0].stack - frame > REACH_MAX)
		return site;
	follow_records(near, &found);
	if (!near->libc) {
		near->libc = module_of((uintptr_t)dlsym(RTLD_DEFAULT, "gnu_get_libc_version"));
		near->program = module_of((uintptr_t)getauxval(AT_ENTRY));
	}
	for (uint32_t i = 0; i < found.count; i++)
		site_locate(found.frames[i].address, &found.frames[i].module, &found.frames[i].offset);
	/* Drops the callers of main() or of a thread's function. */
	uint32_t count = found.count;
	if (found.is_whole) {
		if (count > 2 && found.frames[count - 2].module == near->libc &&
		    found.frames[count - 1].module != near->libc)
			count--;
		while (count > 1 && found.frames[count - 1].module == near->libc)
			count--;
		found.count = count;
	}
	learn_all(near, &found, frame);
	errno = error;
	if (!walk(near, site, frame, &path) || !agrees(&found, &path))
		return site;
	kept = make_path(near, &path);
	path.word = make_place(&found, &path);
	*kept = path;
	return follow_path(near, kept, frame);
}

static __attribute__((noinline)) int64_t search(struct near_callers *near, int64_t site, uintptr_t frame)
{
	struct near_path path, *known;

	if (!is_in_stack(near, frame, sizeof(uintptr_t)))
		return site; /* on a stack that the program made, or a signal stack */
	if (!walk(near, site, frame, &path))
		return unwind(near, site, frame);
	known = find_path(near, &path);
	if (!known)
		return unwind(near, site, frame);
	memcpy(known->offsets, path.offsets, sizeof path.offsets);
	known->reach = path.reach;
	return follow_path(near, known, frame);
}

HOT int64_t near_callers_find(struct near_callers *near, int64_t site, uintptr_t frame)
{
	struct near_path *known = *latest_from(near, site, frame);

	if (!LIKELY(known && path_holds(near, known, site, frame))) {
		known = near->last->next;
		if (!known || !path_holds(near, known, site, frame))
			return search(near, site, frame);
	}
	near->last = known;
	return known->word;
}
