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

/* Powers of two: as many as there can be, with the nearest callers only, and where the buffer is small. */
enum { PLACES_MAX = 1 << 15, PLACES_NEAR = 1 << 12, PLACES_MIN = 1 << 11 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct path_node *places;
static uint32_t *slots; /* twice as many: number + 1; 0: free */
static uint32_t limit;
static uint32_t count;
static bool is_full;

static bool is_same(const struct path_node *a, const struct path_node *b)
{
	return a->caller == b->caller && a->module == b->module && a->offset == b->offset;
}

static uint32_t hash_place(const struct path_node *place)
{
	uint64_t where = place->offset ^ place->module << 40 ^ (uint64_t)place->caller << 20;

	return hash_fold(hash_word(0, where)) & (2 * limit - 1);
}

static void give_up(void)
{
	if (!is_full)
		host_note(
			"process %u has more than %d places or no memory for them: later calls show only where "
			"they were made, not how the program got there",
			host_rank(), (int)limit);
	is_full = true;
}

static void claim_table(void)
{
	for (limit = host_path_depth() || python_is_here() ? PLACES_MAX : PLACES_NEAR;
	     limit >= PLACES_MIN && !places; limit /= 2)
		places = host_claim(limit * (sizeof *places + 2 * sizeof *slots));
	if (!places)
		return;
	limit *= 2; /* as it was when there was room */
	slots = (uint32_t *)(places + limit);
}

/* The caller holds the lock. */
static uint32_t find_or_add(const struct path_node *place)
{
	uint32_t at;

	if (!places && !is_full)
		claim_table();
	if (!places) {
		give_up();
		return NO_PLACE;
	}
	for (at = hash_place(place); slots[at]; at = (at + 1) & (2 * limit - 1))
		if (is_same(&places[slots[at] - 1], place))
			return slots[at] - 1;
	if (count == limit) {
		give_up();
		return NO_PLACE;
	}
	places[count] = *place;
	slots[at] = count + 1;
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
	return places[number];
}

enum { FOREIGN_ENTRIES = 64 };

struct origins {
	struct call_paths *paths; /* NULL: not wanted */
	bool has_python;
	/* Return addresses, and whether they lie in what runs Python. */
	struct {
		int64_t address;
		bool is_python;
	} known[FOREIGN_ENTRIES];
};

struct origins *origins_new(void)
{
	bool has_python = python_is_here();
	struct origins *origins;

	if (!has_python && !host_path_depth())
		return NULL;
	origins = host_claim(sizeof *origins);
	if (!origins)
		return NULL;
	origins->has_python = has_python;
	if (host_path_depth())
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
