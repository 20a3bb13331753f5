#include "job/check/buffers/program_memory.h"

#include "job/check/buffers/guarded_pages.h"
#include "job/check/buffers/memory_maps.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

enum { REGIONS = 32 };

struct memory_region {
	uintptr_t first, end;
};

static struct known_regions {
	struct memory_region regions[REGIONS];
	uint32_t count; /* found so far */
} known[MEMORY_KINDS];

/* State while the lines of the file are read. */
struct region_search {
	uintptr_t first, end; /* the memory to be found */
	enum memory_kind kind;
	struct memory_region run; /* suitable regions without gaps between them */
	uintptr_t last_end;       /* of the previous line */
	bool after_barrier; /* the previous region is inaccessible, like the one below a thread's stack */
	bool run_is_stack;
	bool found;
};

static void take_region(struct region_search *search, const struct mapped_region *region)
{
	const uintptr_t first = region->first, end = region->end;
	const char *const permissions = region->permissions, *const name = region->name;
	const bool is_ours = guards_have(first), is_writable = strncmp(permissions, "rw", 2) == 0,
		   is_own = permissions[3] == 'p' && !region->inode &&
	                    (!*name || strncmp(name, "[anon", 5) == 0 || strcmp(name, "[heap]") == 0),
		   is_barrier = strncmp(permissions, "---", 3) == 0 && !is_ours,
		   is_wanted = search->kind == MEMORY_WRITABLE || is_own ||
	                       (search->kind == MEMORY_SHARED && permissions[3] == 's'),
		   is_readable = search->kind == MEMORY_READABLE && *permissions == 'r',
		   is_good = is_ours || is_readable || (is_writable && is_wanted);

	if (is_good && first == search->run.end) {
		search->run.end = end;
	} else if (is_good) {
		search->run = (struct memory_region){first, end};
		search->run_is_stack = search->after_barrier && first == search->last_end &&
		                       search->kind < MEMORY_WRITABLE;
	}
	search->after_barrier = is_barrier;
	search->last_end = end;
	search->found |= is_good && !search->run_is_stack && search->first >= search->run.first &&
	                 search->end <= search->run.end;
}

static bool take(const struct mapped_region *region, void *context)
{
	struct region_search *search = context;

	take_region(search, region);
	return !search->found;
}

bool is_own_stack(uintptr_t first, uintptr_t end)
{
	static _Thread_local struct memory_region own __attribute__((tls_model("initial-exec")));
	pthread_attr_t attributes;

	if (!own.end && pthread_getattr_np(pthread_self(), &attributes) == 0) {
		void *low = NULL;
		size_t bytes = 0;

		pthread_attr_getstack(&attributes, &low, &bytes);
		own = (struct memory_region){.first = (uintptr_t)low, .end = (uintptr_t)low + bytes};
		pthread_attr_destroy(&attributes);
	}
	return first < own.end && end > own.first;
}

bool is_program_memory(uintptr_t first, uintptr_t end, enum memory_kind kind)
{
	struct region_search search = {.first = first, .end = end, .kind = kind};
	struct known_regions *of_kind = &known[kind];
	const int saved = errno;

	/* Memory that was something else before may now be the stack of a new thread. */
	if (kind < MEMORY_WRITABLE && is_own_stack(first, end))
		return false;
	for (uint32_t i = 0; i < REGIONS && i < of_kind->count; i++)
		if (first >= of_kind->regions[i].first && end <= of_kind->regions[i].end)
			return true;
	memory_maps_read(take, &search);
	if (search.found)
		of_kind->regions[of_kind->count++ % REGIONS] = search.run;
	errno = saved;
	return search.found;
}
