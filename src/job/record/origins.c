#include "job/record/origins.h"

#include "base/settings.h"
#include "job/record/call_path.h"
#include "job/record/places.h"
#include "job/record/process.h"
#include "job/record/python.h"
#include "job/record/sites.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

uint32_t origins_depth(void)
{
	static int depth = -1;
	const char *setting;

	if (depth < 0) {
		setting = getenv(SETTING_CALLPATH);
		long wanted = setting ? strtol(setting, NULL, 10) : 0;
		depth = wanted < 0 ? 0 : wanted > CALLPATH_MAX ? CALLPATH_MAX : (int)wanted;
	}
	return (uint32_t)depth;
}

struct origins *origins_new(void)
{
	bool has_python = python_is_here();
	struct origins *origins;

	if (!has_python && !origins_depth())
		return NULL;
	origins = process_claim(sizeof *origins);
	if (!origins)
		return NULL;
	origins->has_python = has_python;
	if (origins_depth())
		origins->paths = call_paths_new(origins_depth());
	return origins;
}

void origins_free(struct origins *origins)
{
	if (origins->paths)
		call_paths_free(origins->paths);
	process_give_back(origins, sizeof *origins);
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

int64_t origin_of(struct stream *s, int64_t site)
{
	struct origins *origins = s->origins;
	int64_t found = site;
	int error = errno;

	if (site <= 0)
		return site;
	if (origins->has_python && is_python(origins, site))
		found = python_origin(site, origins_depth() ? origins_depth() : 1);
	else if (origins->paths)
		found = call_path_find(origins->paths, site, RELAXED_LOAD(s->limit));
	errno = error;
	return found;
}
