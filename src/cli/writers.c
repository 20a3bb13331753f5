#include "cli/writers.h"

#include "base/settings.h"
#include "base/text.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* HOST-PID-RANDOM.part; 0: it has another form, or is finished. */
static long writer_of(const char *name)
{
	char copy[NAME_MAX + 1], *dash;

	if (!text_ends(name, PART_SUFFIX) || text_ends(name, DONE_SUFFIX))
		return 0;
	snprintf(copy, sizeof copy, "%s", name);
	if (!(dash = strrchr(copy, '-')))
		return 0;
	*dash = '\0';
	dash = strrchr(copy, '-');
	return dash ? strtol(dash + 1, NULL, 10) : 0;
}

/* The number may be that of another process by now. */
static bool has_open(long pid, const char *path)
{
	char real[PATH_MAX], folder[64], link[PATH_MAX], target[PATH_MAX];
	bool found = false;
	DIR *listing;

	snprintf(folder, sizeof folder, "/proc/%ld/fd", pid);
	listing = realpath(path, real) ? opendir(folder) : NULL;
	for (struct dirent *entry; listing && !found && (entry = readdir(listing));) {
		ssize_t length;

		snprintf(link, sizeof link, "%s/%s", folder, entry->d_name);
		length = readlink(link, target, sizeof target - 1);
		target[length > 0 ? length : 0] = '\0';
		found = strcmp(target, real) == 0;
	}
	if (listing)
		closedir(listing);
	return found;
}

long writers_find(const char *parts)
{
	DIR *listing = opendir(parts);
	char path[PATH_MAX];
	long found = 0;

	for (struct dirent *entry; listing && !found && (entry = readdir(listing));) {
		long pid = writer_of(entry->d_name);

		if (pid > 0 && snprintf(path, sizeof path, "%s/%s", parts, entry->d_name) < PATH_MAX &&
		    has_open(pid, path))
			found = pid;
	}
	if (listing)
		closedir(listing);
	return found;
}
