#include "job/record/spawned_worlds.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/own_folder.h"
#include "base/settings.h"
#include "job/mpi/members.h"
#include "job/record/process.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 500 };

/* Names in the parts folder: spawned-CHILDREN-PARENTS-WORLD, then adopted-SPAWN-WORLD. */
#define SPAWNED MEETING_PREFIX "spawned-%d-%d-"
#define ADOPTED MEETING_PREFIX "adopted-%016llx-"

uint64_t spawned_world_origin(uint64_t child_world)
{
	return hash_words(&(int64_t){(int64_t)child_world}, 1, ORIGIN_SPAWN);
}

void spawned_world_announce(int world_size, int parents)
{
	char name[NAME_MAX + 1];
	int folder = part_folder(), fd;

	if (!setting_get(SETTING_RUN) || folder < 0)
		return;
	snprintf(name, sizeof name, SPAWNED "%016llx", world_size, parents,
	         (unsigned long long)process.world);
	fd = private_file_open(folder, name, O_WRONLY);
	if (fd >= 0)
		close(fd);
}

/* The world in the first name with this prefix. */
static bool find_name(int folder, const char *prefix, char *name, uint64_t *world)
{
	DIR *listing = folder_list(folder);
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

/* Two simultaneous spawns of the same size may take each other's children. A name can be taken only once. */
static bool adopt(int folder, const char *spawned, const char *adopted, uint64_t *world)
{
	char from[NAME_MAX + 1], to[NAME_MAX + 1];

	if (!find_name(folder, spawned, from, world))
		return false;
	snprintf(to, sizeof to, "%s%016llx", adopted, (unsigned long long)*world);
	return renameat(folder, from, folder, to) == 0;
}

bool spawned_world_find(uint64_t spawn, bool is_root, int children, int parents, uint64_t *origin)
{
	char spawned[64], adopted[64], name[NAME_MAX + 1];
	int folder = part_folder();
	uint64_t world = 0;
	bool found = false;

	if (!setting_get(SETTING_RUN) || folder < 0)
		return false;
	snprintf(spawned, sizeof spawned, SPAWNED, children, parents);
	snprintf(adopted, sizeof adopted, ADOPTED, (unsigned long long)spawn);
	for (int ms = 0; ms < PATIENCE_MS && !found; ms++) {
		found = is_root ? adopt(folder, spawned, adopted, &world)
		                : find_name(folder, adopted, name, &world);
		if (!found)
			nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
	}
	if (found)
		*origin = spawned_world_origin(world);
	return found;
}
