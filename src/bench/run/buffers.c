#include "bench/run/buffers.h"

#include "base/status.h"
#include "bench/run/system_number.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum {
	PAGE = 4096,              /* distance that keeps prefetching out of the next slot */
	PATTERN_BYTES = 1 << 16,  /* period of the contents */
	HUGE_PAGE = 2 << 20,      /* default, if the kernel gives none */
	CACHE_ASSUMED = 32 << 20, /* default, if hwloc finds none */
	TIMES_CACHE = 2,          /* size of all slots together: more than any part of the cache */
};

/* Bytes of a buffer that begins at `shift`, in whole units. */
static bool round_up(uint64_t bytes, uint64_t shift, uint64_t unit, uint64_t *rounded)
{
	if (__builtin_add_overflow(bytes, shift + unit - 1, rounded))
		return false;
	*rounded -= *rounded % unit;
	return true;
}

uint64_t bytes_to_walk(int sharers)
{
	uint64_t cache = surroundings.cache_bytes ? surroundings.cache_bytes : CACHE_ASSUMED;

	return TIMES_CACHE * cache / (uint64_t)(sharers > 0 ? sharers : 1);
}

bool is_warm(const struct bench_plan *wanted)
{
	return wanted->cache && strcmp(wanted->cache, "warm") == 0;
}

/* If runs use little of their slots, the last slots stay in the cache, because they were written last.
 * Then only the first half is used. */
static size_t slots_used(uint64_t message_bytes, uint64_t stride, size_t count)
{
	return message_bytes < stride / 2 ? (count + 1) / 2 : count;
}

bool slots_plan(const struct bench_plan *wanted, uint64_t send_bytes, uint64_t receive_bytes, int sharers,
                struct slots *slots)
{
	uint64_t alignment = wanted->alignment ? wanted->alignment : PAGE;
	uint64_t unit = alignment > PAGE ? alignment : PAGE, shift = alignment < PAGE ? alignment : 0;
	uint64_t send, receive, stride, total, count;

	if (!round_up(send_bytes, shift, unit, &send) || !round_up(receive_bytes, shift, unit, &receive) ||
	    __builtin_add_overflow(send, receive, &stride))
		return false;
	count = is_warm(wanted) || (!send_bytes && !receive_bytes)
	                ? 1
	                : (bytes_to_walk(sharers) + stride - 1) / stride;
	if (__builtin_mul_overflow(stride, count, &total) || total > (uint64_t)INT64_MAX / 2)
		return false;
	*slots = (struct slots){.receive_at = send,
	                        .stride = stride,
	                        .count = count,
	                        .used = slots_used(send_bytes + receive_bytes, stride, count),
	                        .shift = shift,
	                        .unit = unit};
	return true;
}

uint64_t slots_bytes(const struct slots *slots)
{
	return slots->stride * slots->count + slots->shift + slots->unit;
}

static size_t huge_page_bytes(void)
{
	uint64_t kilobytes;

	return system_number("/proc/meminfo", "Hugepagesize:", &kilobytes) && kilobytes ? kilobytes << 10
	                                                                                : HUGE_PAGE;
}

static bool are_huge_pages_off(void)
{
	FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "re");
	char line[128] = "[never]";
	bool known = file && fgets(line, sizeof line, file);

	if (file)
		fclose(file);
	return !known || strstr(line, "[never]");
}

static bool map(struct buffers *buffers, size_t bytes, int flags)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	if (at == MAP_FAILED)
		return false;
	buffers->mapping = at;
	buffers->mapped_bytes = bytes;
	return true;
}

/* Reserved huge pages, else transparent ones, else normal pages; states which. */
static bool map_huge(struct buffers *buffers, size_t bytes)
{
	size_t page = huge_page_bytes(), whole = (bytes + page - 1) / page * page;

	buffers->pages = "huge pages, reserved ones (MAP_HUGETLB)";
	if (map(buffers, whole, MAP_HUGETLB))
		return true;
	if (!map(buffers, whole + page, 0))
		return false;
	if (madvise(buffers->mapping, buffers->mapped_bytes, MADV_HUGEPAGE) == 0 && !are_huge_pages_off())
		buffers->pages = "huge pages, transparent ones (madvise): not enough are reserved";
	else
		buffers->pages = "normal pages: huge ones are neither reserved nor made by this kernel";
	return true;
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Doubles the filled part until all is filled. */
static void repeat(char *at, size_t filled, size_t bytes)
{
	for (size_t part; filled < bytes; filled += part) {
		part = filled < bytes - filled ? filled : bytes - filled;
		memcpy(at + filled, at, part);
	}
}

/* Also allocates all pages now, and leaves the first slots out of the cache. */
static void fill(struct buffers *buffers, const struct basic *basic, uint64_t seed)
{
	char *at = buffers->region + buffers->slots.shift;
	size_t bytes = buffers->slots.stride * buffers->slots.count, filled = 0;
	uint64_t state = seed * 2 + 0x9e3779b97f4a7c15u;

	for (; filled + basic->size <= bytes && filled < PATTERN_BYTES; filled += basic->size)
		basic->put(at + filled, (int64_t)(next_random(&state) % 4));
	repeat(at, filled, bytes);
}

static void enter_slot(struct buffers *buffers)
{
	buffers->send = buffers->region + buffers->slots.shift + buffers->next * buffers->slots.stride;
	buffers->receive = buffers->send + buffers->slots.receive_at;
}

enum status buffers_init(struct buffers *buffers, const struct slots *slots, const struct bench_plan *wanted,
                         const struct basic *basic)
{
	size_t bytes = slots_bytes(slots);
	struct text size = {0};
	enum status status = OK;

	*buffers = (struct buffers){.slots = *slots, .pages = "normal pages"};
	if (!(wanted->huge_pages ? map_huge(buffers, bytes) : map(buffers, bytes, 0))) {
		text_add_size(&size, bytes);
		status = fail("not enough memory (%s) for buffers: take smaller '--sizes'", text_get(&size));
		text_release(&size);
		return status;
	}
	buffers->region = (char *)(((uintptr_t)buffers->mapping + slots->unit - 1) / slots->unit *
	                           slots->unit);
	fill(buffers, basic, wanted->seed);
	enter_slot(buffers);
	return OK;
}

static void sweep(const struct buffers *buffers)
{
	const volatile char *at = buffers->region;

	for (size_t i = 0; i < buffers->slots.stride * buffers->slots.count; i += 64)
		(void)at[i];
}

void buffers_freshen(struct buffers *buffers, size_t turns)
{
	if (buffers->slots.count == 1 || buffers->next + turns < buffers->slots.used)
		return;
	buffers->next = 0;
	sweep(buffers);
	enter_slot(buffers);
}

void buffers_turn(struct buffers *buffers)
{
	buffers->next = (buffers->next + 1) % buffers->slots.used;
	enter_slot(buffers);
}

void buffers_release(struct buffers *buffers)
{
	if (buffers->mapping)
		munmap(buffers->mapping, buffers->mapped_bytes);
	*buffers = (struct buffers){0};
}
