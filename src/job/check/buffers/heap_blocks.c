#include "job/check/buffers/heap_blocks.h"

#include "job/check/buffers/guarded_pages.h"
#include "job/check/buffers/memory_maps.h"
#include "job/mpi/host.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* A block of glibc's heap: 8 bytes that belong to the previous block while that one is in use, the
 * size with flags, and the bytes. */
enum { SIZE_AT = 8, HEADER = 16, SHARED = 8, SMALLEST = 32, ALIGNMENT = 16 };
enum { BEFORE_IS_IN_USE = 1, IS_MAPPED = 2, IS_ELSEWHERE = 4, FLAGS = 7 };

enum { WINDOW = 4096, BLOCKS_KEPT = 8, FAILURES_MAX = 16 };
#define FARTHEST (UINT64_C(1) << 40) /* from the start of the heap; memory beyond cannot be heap */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uintptr_t heap_first; /* 0: unknown */
static uintptr_t known_end;  /* the end at the last check; the heap usually grows */
static uint32_t failures;    /* proofs that failed */

/* Known blocks, for pointers into their middle. */
static struct {
	uintptr_t first, end;
} kept[BLOCKS_KEPT];
static uint32_t kept_count;

/* The beginning of the heap */

static bool take_heap(const struct mapped_region *region, void *context)
{
	uintptr_t *first = context;

	if (strcmp(region->name, "[heap]") != 0)
		return true;
	*first = region->first;
	return false;
}

/* True if the program uses the C library's own function of this name. */
static bool is_of_c_library(const char *name)
{
	const void *function = dlsym(RTLD_DEFAULT, name),
		   *other = dlsym(RTLD_DEFAULT, "gnu_get_libc_version");
	Dl_info file, library;

	return function && other && dladdr(function, &file) && dladdr(other, &library) &&
	       file.dli_fbase == library.dli_fbase;
}

static void find_heap(void)
{
	uintptr_t first = 0;

	if (is_of_c_library("malloc") && is_of_c_library("malloc_usable_size"))
		memory_maps_read(take_heap, &first);
	RELAXED_STORE(heap_first, first);
}

/* Finds the end of the heap by a system call. */
static uintptr_t find_end(void)
{
	const uintptr_t end = (uintptr_t)sbrk(0);

	RELAXED_STORE(known_end, end);
	return end;
}

bool heap_has(uintptr_t address)
{
	pthread_once(&once, find_heap);
	return heap_first && address >= heap_first && address - heap_first < FARTHEST &&
	       (address < RELAXED_LOAD(known_end) || address < find_end());
}

/* Headers */

struct heap_window {
	uintptr_t first, end;
	uint8_t bytes[WINDOW];
};

/* The bytes must be within one page, because another page may be missing. */
static bool read_heap(void *to, uintptr_t from, size_t bytes)
{
	const struct iovec here = {to, bytes},
			   there = {(void *)from, bytes}; /* NOLINT(performance-no-int-to-ptr) */

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

static bool read_size(struct heap_window *window, uintptr_t block, uint64_t *word)
{
	const uintptr_t at = block + SIZE_AT;

	if (at < window->first || at >= window->end) {
		const uintptr_t end = (at & ~(uintptr_t)(WINDOW - 1)) + WINDOW;

		if (!read_heap(window->bytes, at, end - at))
			return false;
		window->first = at;
		window->end = end;
	}
	memcpy(word, window->bytes + (at - window->first), sizeof *word);
	return true;
}

static bool is_size(uint64_t word, uintptr_t most)
{
	const uint64_t size = word & ~(uint64_t)FLAGS;

	return !(word & (IS_MAPPED | IS_ELSEWHERE)) && size >= SMALLEST && size % ALIGNMENT == 0 &&
	       size <= most;
}

/* A word on a page of this buffer, which MPI is about to use, can be read without a system call
 * unless the page is guarded. */
static bool is_accessible(uintptr_t at, uintptr_t first, uintptr_t end)
{
	const uintptr_t page = at / WINDOW;

	return (page == first / WINDOW || page == (end - 1) / WINDOW) && !guards_have(at);
}

static uint64_t word_at(uintptr_t at)
{
	return *(const uint64_t *)at; /* NOLINT(performance-no-int-to-ptr) */
}

bool heap_block_seems_to_fit(uintptr_t first, uintptr_t end)
{
	const uintptr_t block = first - HEADER, limit = RELAXED_LOAD(known_end);
	uint64_t word = 0;

	for (uint32_t i = 0; i < BLOCKS_KEPT; i++)
		if (first >= RELAXED_LOAD(kept[i].first) && end <= RELAXED_LOAD(kept[i].end))
			return true;
	if (first % ALIGNMENT || block < heap_first)
		return false;
	if (is_accessible(block + SIZE_AT, first, end))
		word = word_at(block + SIZE_AT);
	else if (!read_heap(&word, block + SIZE_AT, sizeof word))
		return false;
	if (!is_size(word, limit - block))
		return false;
	const uintptr_t behind = block + (word & ~(uint64_t)FLAGS);
	if (end > behind + SHARED || behind + HEADER > limit)
		return false;
	/* The next block's flags say whether this one is free. */
	return !is_accessible(behind + SIZE_AT, first, end) || word_at(behind + SIZE_AT) & BEFORE_IS_IN_USE;
}

/* The chain */

static void keep(const struct memory_extent *extent)
{
	const uint32_t slot = __atomic_fetch_add(&kept_count, 1, __ATOMIC_RELAXED) % BLOCKS_KEPT;

	RELAXED_STORE(kept[slot].end, 0);
	RELAXED_STORE(kept[slot].first, extent->first);
	RELAXED_STORE(kept[slot].end, extent->end);
}

/* Follows the whole chain of headers. The last block is unused memory. */
static bool prove(uintptr_t address, struct memory_extent *extent)
{
	struct heap_window window = {.first = 1};
	const uintptr_t limit = find_end();
	uintptr_t block = heap_first, size;
	uint64_t word = 0;
	bool was_met = false;

	extent->owner = OWNER_UNKNOWN;
	for (; block < limit; block += size) {
		if (!read_size(&window, block, &word) || !is_size(word, limit - block))
			return false;
		if (was_met && extent->owner == OWNER_UNKNOWN)
			extent->owner = word & BEFORE_IS_IN_USE ? OWNER_BLOCK : OWNER_NOBODY;
		size = word & ~(uint64_t)FLAGS;
		if (!was_met && address >= block + HEADER && address < block + size + SHARED) {
			extent->first = block + HEADER;
			extent->end = block + size + SHARED;
			was_met = true;
		}
	}
	if (was_met && extent->owner == OWNER_UNKNOWN)
		extent->owner = OWNER_NOBODY;
	return extent->owner != OWNER_UNKNOWN;
}

bool heap_block_find(uintptr_t address, struct memory_extent *extent)
{
	if (RELAXED_LOAD(failures) >= FAILURES_MAX)
		return false;
	if (!prove(address, extent)) {
		__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
		return false;
	}
	if (extent->owner == OWNER_BLOCK)
		keep(extent);
	return true;
}
