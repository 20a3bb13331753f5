#include "job/mpi/places.h"

#include "base/hash.h"
#include "job/mpi/call_path.h"
#include "job/mpi/host.h"
#include "job/mpi/python.h"
#include "job/mpi/sites.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Powers of two. The table grows in segments, so that places keep their addresses, and that it leaves room
 * for calls in small buffers. */
enum { PLACES_MAX = 1 << 15, SEGMENT_PLACES = 1 << 11 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct path_node *segments[PLACES_MAX / SEGMENT_PLACES];
static uint32_t *slots; /* number + 1; 0: free */
static uint32_t slot_count;
static uint32_t count;
static bool is_full;

static bool is_same(const struct path_node *a, const struct path_node *b)
{
	return a->caller == b->caller && a->module == b->module && a->offset == b->offset;
}

static const struct path_node *get_node(uint32_t number)
{
	return &segments[number / SEGMENT_PLACES][number % SEGMENT_PLACES];
}

/* The slot of a place, or the free slot for it. */
static uint32_t *find_slot(const struct path_node *place)
{
	uint64_t where = place->offset ^ place->module << 40 ^ (uint64_t)place->caller << 20;
	uint32_t at = hash_fold(hash_word(0, where)) & (slot_count - 1);

	while (slots[at] && !is_same(get_node(slots[at] - 1), place))
		at = (at + 1) & (slot_count - 1);
	return &slots[at];
}

static void give_up(void)
{
	if (!is_full)
		host_note(
			"process %u has more than %u places or is out of memory for them: later calls show only their call site, not the call path",
			host_rank(), count);
	is_full = true;
}

/* At most half of the slots are used. */
static bool grow_slots(uint32_t wanted)
{
	uint32_t *old = slots;
	uint32_t old_count = slot_count;
	uint32_t *new = host_claim(wanted * sizeof *slots);

	if (!new)
		return false;
	slots = new;
	slot_count = wanted;
	for (uint32_t i = 0; i < count; i++)
		*find_slot(get_node(i)) = i + 1;
	if (old)
		host_give_back(old, old_count * sizeof *slots);
	return true;
}

/* Makes room for one more place. */
static bool grow(void)
{
	struct path_node **segment = &segments[count / SEGMENT_PLACES];

	if (count == PLACES_MAX)
		return false;
	if ((!slots || 2 * count >= slot_count) && !grow_slots(slots ? 2 * slot_count : 2 * SEGMENT_PLACES))
		return false;
	if (!*segment)
		*segment = host_claim(SEGMENT_PLACES * sizeof **segment);
	return *segment;
}

/* The caller holds the lock. */
static uint32_t find_or_add(const struct path_node *place)
{
	uint32_t *slot = slots ? find_slot(place) : NULL;

	if (slot && *slot)
		return *slot - 1;
	if (is_full || !grow() || !slots) {
		give_up();
		return NO_PLACE;
	}
	segments[count / SEGMENT_PLACES][count % SEGMENT_PLACES] = *place;
	*find_slot(place) = count + 1;
	return count++;
}

uint32_t place_add(uint32_t caller, uint64_t module, uint64_t offset)
{
	const struct path_node place = {caller, module, offset};
	uint32_t number;

	pthread_mutex_lock(&lock);
	number = find_or_add(&place);
	pthread_mutex_unlock(&lock);
	return number;
}

struct path_node place_get(uint32_t number)
{
	return *get_node(number);
}

enum { FOREIGN_ENTRIES = 64 };

struct origins {
	struct call_paths *paths; /* NULL: disabled */
	bool has_python;
	/* Return addresses, and whether they are in a Python interpreter. */
	struct {
		int64_t address;
		bool is_python;
	} known[FOREIGN_ENTRIES];
};

struct origins *origins_new(void)
{
	bool has_python = python_is_here();
	struct origins *origins;

	if (!has_python && host_path_depth() <= 1)
		return NULL; /* the return address is the whole path */
	origins = host_claim(sizeof *origins);
	if (!origins)
		return NULL;
	origins->has_python = has_python;
	if (host_path_depth() > 1)
		origins->paths = call_paths_new(host_path_depth());
	return origins;
}

void origins_free(struct origins *origins)
{
	if (origins->paths)
		call_paths_free(origins->paths);
	host_give_back(origins, sizeof *origins);
}

void origins_forget(struct origins *origins)
{
	memset(origins->known, 0, sizeof origins->known);
	if (origins->paths)
		call_paths_forget(origins->paths);
}

static bool is_python(struct origins *origins, int64_t site)
{
	size_t at = (uint64_t)site >> 2 & (FOREIGN_ENTRIES - 1);

	if (origins->known[at].address != site) {
		origins->known[at].address = site;
		origins->known[at].is_python = site_is_in((uint64_t)site, python_runs_in);
	}
	return origins->known[at].is_python;
}

int64_t origin_of(struct origins *origins, int64_t site, uintptr_t frame)
{
	int64_t found = site;
	int error = errno;

	if (site <= 0)
		return site;
	if (origins->has_python && is_python(origins, site))
		found = python_origin(site, host_path_depth() ? host_path_depth() : 1);
	else if (origins->paths)
		found = call_path_find(origins->paths, site, frame);
	errno = error;
	return found;
}
