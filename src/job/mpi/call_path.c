#include "job/mpi/call_path.h"

#include "base/settings.h"
#include "job/mpi/host.h"
#include "job/mpi/places.h"
#include "job/mpi/sites.h"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <pthread.h>
#include <string.h>
#include <unwind.h>

enum {
	SETS = 64,
	WAYS = 8, /* remembered paths to the same site at the same stack depth; ScaLAPACK has 5 */
	ENTRIES = SETS * WAYS,
	MORE_SLOTS = 16,  /* for stack words that happen to equal a return address */
	SCAN_WORDS = 512, /* searched at each end of a frame for its return address */
	EDGE_FRAMES = 3,  /* outside main(): the C library and _start */
};

#define ADDRESS_BITS 0xffffffffffffu /* the upper bits may hold a return-address signature */

/* A stack word and its expected value. */
struct path_slot {
	const uintptr_t *at;
	uintptr_t value;
};

/* The end of a path. All keys of a set are in two cache lines. */
struct path_key {
	int64_t site; /* 0: none */
	uintptr_t frame;
};

struct known_path {
	int64_t word;
	uint32_t slot_count;
	struct path_slot slots[];
};

struct call_paths {
	size_t bytes;
	size_t entry_bytes;
	uint32_t depth;
	uint32_t slot_room;
	uint32_t next_victim; /* in each set of entries */
	uint64_t libc;        /* the C library's module; 0: not known yet */
	struct path_key keys[ENTRIES];
	uint8_t entries[];
};

/* A function on the path, innermost first: the return address in it, and its stack pointer at the call. */
struct frame {
	uintptr_t ip;
	uintptr_t sp;
};

struct path_walk {
	uintptr_t site;
	uint32_t room;
	uint32_t count;
	struct frame frames[CALLPATH_MAX + EDGE_FRAMES];
};

static _Unwind_Reason_Code (*backtrace)(_Unwind_Trace_Fn, void *);
static _Unwind_Word (*read_ip)(struct _Unwind_Context *);
static _Unwind_Word (*read_sp)(struct _Unwind_Context *);

/* Loads the compiler's runtime library, which C++ and Fortran programs already have. */
static void load_unwinder(void)
{
	void *library = dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return;
	*(void **)&read_ip = dlsym(library, "_Unwind_GetIP");
	*(void **)&read_sp = dlsym(library, "_Unwind_GetCFA");
	if (read_ip && read_sp)
		*(void **)&backtrace = dlsym(library, "_Unwind_Backtrace");
}

static struct known_path *entry_at(struct call_paths *paths, size_t number)
{
	return (struct known_path *)(paths->entries + number * paths->entry_bytes);
}

struct call_paths *call_paths_new(uint32_t depth)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	uint32_t slot_room = depth + MORE_SLOTS;
	size_t entry_bytes = sizeof(struct known_path) + slot_room * sizeof(struct path_slot);
	size_t bytes = sizeof(struct call_paths) + ENTRIES * entry_bytes;
	struct call_paths *paths;

	pthread_once(&once, load_unwinder);
	if (!backtrace) {
		host_note("call paths are not recorded: 'libgcc_s.so.1' cannot be loaded; install it");
		return NULL;
	}
	paths = host_claim(bytes);
	if (!paths) {
		host_note("call paths of a thread are not recorded: out of memory; give a larger --buffer");
		return NULL;
	}
	paths->bytes = bytes;
	paths->entry_bytes = entry_bytes;
	paths->depth = depth;
	paths->slot_room = slot_room;
	return paths;
}

void call_paths_free(struct call_paths *paths)
{
	host_give_back(paths, paths->bytes);
}

void call_paths_forget(struct call_paths *paths)
{
	memset(paths->keys, 0, sizeof paths->keys);
}

static _Unwind_Reason_Code take_frame(struct _Unwind_Context *context, void *argument)
{
	struct path_walk *walk = argument;
	struct frame frame = {(uintptr_t)read_ip(context), (uintptr_t)read_sp(context)};

	if (!frame.ip || walk->count == walk->room)
		return _URC_END_OF_STACK;
	if (walk->count || frame.ip == walk->site)
		walk->frames[walk->count++] = frame;
	return _URC_NO_REASON;
}

static void locate(const struct frame *frame, struct path_node *place)
{
	site_locate(frame->ip, &place->module, &place->offset);
}

static bool is_in_libc(struct call_paths *paths, const struct frame *frame)
{
	struct path_node place;

	if (!paths->libc) {
		site_locate((uint64_t)(uintptr_t)dlsym(RTLD_DEFAULT, "gnu_get_libc_version"), &place.module,
		            &place.offset);
		paths->libc = place.module;
	}
	locate(frame, &place);
	return place.module == paths->libc;
}

/* The number of frames up to main() or a thread's function; the callers of these are not part of the program. */
static uint32_t without_edge(struct call_paths *paths, const struct path_walk *walk)
{
	uint32_t count = walk->count;

	if (count < walk->room) {
		if (count > 2 && is_in_libc(paths, &walk->frames[count - 2]) &&
		    !is_in_libc(paths, &walk->frames[count - 1]))
			count--;
		while (count > 1 && is_in_libc(paths, &walk->frames[count - 1]))
			count--;
	}
	return count < paths->depth ? count : paths->depth;
}

static bool note_words(struct known_path *known, uint32_t room, const uintptr_t *from, const uintptr_t *to,
                       uintptr_t address)
{
	for (; from < to; from++) {
		if ((*from & ADDRESS_BITS) != address)
			continue;
		if (known->slot_count == room)
			return false;
		known->slots[known->slot_count++] = (struct path_slot){from, *from};
	}
	return true;
}

/* Collects the words of the frame that may hold the return address, which is near one end of the frame.
 * False: there are none or too many. */
static bool note_slots(struct known_path *known, uint32_t room, const struct frame *inner,
                       const struct frame *outer)
{
	const uintptr_t *from = (const uintptr_t *)inner->sp, *to = (const uintptr_t *)outer->sp;
	uint32_t before = known->slot_count;

	if (to <= from)
		return false;
	if (to - from <= 2 * SCAN_WORDS)
		return note_words(known, room, from, to, outer->ip) && known->slot_count > before;
	return note_words(known, room, from, from + SCAN_WORDS, outer->ip) &&
	       note_words(known, room, to - SCAN_WORDS, to, outer->ip) && known->slot_count > before;
}

/* Stores how to recognise the path. False: it cannot be recognised. */
static bool remember(const struct call_paths *paths, struct known_path *known, const struct path_walk *walk,
                     uint32_t count)
{
	known->slot_count = 0;
	for (uint32_t i = 0; i + 1 < count; i++)
		if (!note_slots(known, paths->slot_room, &walk->frames[i], &walk->frames[i + 1]))
			return false;
	return true;
}

static int64_t make_place(const struct path_walk *walk, uint32_t count)
{
	uint32_t number = NO_PLACE;

	for (uint32_t i = count; i-- > 0;) {
		struct path_node place;
		locate(&walk->frames[i], &place);
		number = place_add(number, place.module, place.offset);
		if (number == NO_PLACE)
			return (int64_t)walk->site;
	}
	return place_word(number);
}

/* All slots are above the wrapper's frame, in the used part of the stack. */
static bool still_holds(const struct known_path *known)
{
	uintptr_t differs = 0;

	for (uint32_t i = 0; i < known->slot_count; i++)
		differs |= *known->slots[i].at ^ known->slots[i].value;
	return !differs;
}

static __attribute__((noinline)) int64_t unwind(struct call_paths *paths, size_t number, int64_t site,
                                                uintptr_t frame)
{
	struct known_path *known = entry_at(paths, number);
	struct path_walk walk;
	uint32_t count;

	walk.site = (uintptr_t)site;
	walk.room = paths->depth + EDGE_FRAMES;
	walk.count = 0;
	backtrace(take_frame, &walk);
	if (!walk.count)
		return site;
	count = without_edge(paths, &walk);
	known->word = make_place(&walk, count);
	paths->keys[number] = (struct path_key){remember(paths, known, &walk, count) ? site : 0, frame};
	return known->word;
}

int64_t call_path_find(struct call_paths *paths, int64_t site, uintptr_t frame)
{
	uint64_t hash = ((uint64_t)site ^ (uint64_t)frame << 7) * 0x9e3779b97f4a7c15u;
	size_t first = (hash >> 56 & (SETS - 1)) * WAYS;

	for (size_t i = first; i < first + WAYS; i++)
		if (paths->keys[i].site == site && paths->keys[i].frame == frame &&
		    still_holds(entry_at(paths, i)))
			return entry_at(paths, i)->word;
	return unwind(paths, first + paths->next_victim++ % WAYS, site, frame);
}
