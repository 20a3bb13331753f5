#include "base/unfinished.h"

#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PLACES = 8, DEPTH_MAX = 8, LISTING_BYTES = 4096 };

static struct {
	char path[PATH_MAX];
	volatile sig_atomic_t is_taken;
} places[PLACES];

void unfinished_add(const char *path)
{
	for (size_t i = 0; i < PLACES && strlen(path) < PATH_MAX; i++) {
		if (places[i].is_taken)
			continue;
		snprintf(places[i].path, PATH_MAX, "%s", path);
		places[i].is_taken = 1;
		return;
	}
}

void unfinished_forget(const char *path)
{
	for (size_t i = 0; i < PLACES; i++)
		if (places[i].is_taken && strcmp(places[i].path, path) == 0)
			places[i].is_taken = 0;
}

/* The kernel's format: a signal handler may not call opendir(). */
struct listed {
	uint64_t inode;
	int64_t offset;
	unsigned short size;
	unsigned char type;
	char name[];
};

static void remove_at(int folder, const char *name, int depth);

/* False: the folder is empty. */
static bool remove_some(int folder, int depth)
{
	_Alignas(struct listed) char listing[LISTING_BYTES];
	long size = syscall(SYS_getdents64, folder, listing, sizeof listing);
	bool found = false;

	for (long at = 0; at < size;) {
		const struct listed *entry = (const struct listed *)(const void *)(listing + at);

		at += entry->size;
		if (strcmp(entry->name, ".") == 0 || strcmp(entry->name, "..") == 0)
			continue;
		remove_at(folder, entry->name, depth);
		found = true;
	}
	return found;
}

/* Positions in a listing change as files are removed, so it starts anew each time. It ends when nothing
 * more can be removed. */
static void remove_at(int folder, const char *name, int depth)
{
	enum { ATTEMPTS = 10000 };
	int inside;

	if (unlinkat(folder, name, 0) == 0 || !depth)
		return;
	inside = open_uncounted(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
	for (int i = 0; inside >= 0 && i < ATTEMPTS && remove_some(inside, depth - 1); i++)
		lseek(inside, 0, SEEK_SET);
	if (inside >= 0)
		close(inside);
	unlinkat(folder, name, AT_REMOVEDIR);
}

void unfinished_remove(void)
{
	int error = errno;

	for (size_t i = 0; i < PLACES; i++)
		if (places[i].is_taken)
			remove_at(AT_FDCWD, places[i].path, DEPTH_MAX);
	errno = error;
}
