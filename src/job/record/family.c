#include "job/record/family.h"

#include "base/notes.h"
#include "base/settings.h"
#include "job/record/eager_parts.h"
#include "job/record/hash.h"
#include "job/record/members.h"
#include "job/record/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE_MS = 500 };

/* Names in the parts folder: spawned-CHILDREN-PARENTS-WORLD, then adopted-SPAWN-WORLD. */
#define SPAWNED MEETING_PREFIX "spawned-%d-%d-"
#define ADOPTED MEETING_PREFIX "adopted-%016llx-"

uint64_t family_origin(uint64_t child_world)
{
	return hash_words(&(int64_t){(int64_t)child_world}, 1, ORIGIN_SPAWN);
}

void family_announce(int world_size, int parents)
{
	char folder[PATH_MAX], path[PATH_MAX];
	int fd;

	if (!getenv(SETTING_RUN) || !parts_folder(process.output, folder))
		return;
	if (snprintf(path, sizeof path, "%s/" SPAWNED "%016llx", folder, world_size, parents,
	             (unsigned long long)process.world) >= PATH_MAX)
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
}

/* The world behind the first name that begins like this. */
static bool find_name(const char *folder, const char *prefix, char *name, uint64_t *world)
{
	DIR *listing = opendir(folder);
	struct dirent *entry;
	bool found = false;

	while (listing && !found && (entry = readdir(listing)))
		if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0) {
			snprintf(name, NAME_MAX + 1, "%s", entry->d_name);
			*world = strtoull(entry->d_name + strlen(prefix), NULL, 16);
			found = true;
		}
	if (listing)
		closedir(listing);
	return found;
}

/* Two spawns of the same shape at the same time may take each other's children; a name can be taken only once. */
static bool adopt(const char *folder, const char *spawned, const char *adopted, uint64_t *world)
{
	char name[NAME_MAX + 1], from[PATH_MAX + NAME_MAX + 2], to[PATH_MAX + NAME_MAX + 2];

	if (!find_name(folder, spawned, name, world))
		return false;
	snprintf(from, sizeof from, "%s/%s", folder, name);
	snprintf(to, sizeof to, "%s/%s%016llx", folder, adopted, (unsigned long long)*world);
	return rename(from, to) == 0;
}

bool family_find(uint64_t spawn, bool is_root, int children, int parents, uint64_t *origin)
{
	char folder[PATH_MAX], spawned[64], adopted[64], name[NAME_MAX + 1];
	uint64_t world = 0;
	bool found = false;

	if (!getenv(SETTING_RUN) || !parts_folder(process.output, folder))
		return false;
	snprintf(spawned, sizeof spawned, SPAWNED, children, parents);
	snprintf(adopted, sizeof adopted, ADOPTED, (unsigned long long)spawn);
	for (int ms = 0; ms < PATIENCE_MS && !found; ms++) {
		found = is_root ? adopt(folder, spawned, adopted, &world)
		                : find_name(folder, adopted, name, &world);
		if (!found)
			eager_pause_us(1000);
	}
	if (found)
		*origin = family_origin(world);
	return found;
}
