#include "cli/installation.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* From the program's folder. The second is where this build would install them, if that is another. */
static const char *const candidates[] = {"../lib", TARRY_LIB_FROM_BIN, NULL};

static enum status own_folder(char folder[PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);

	if (length < 0)
		return fail("cannot read '/proc/self/exe': %s", strerror(errno));
	folder[length] = 0;
	*strrchr(folder, '/') = 0;
	return OK;
}

enum status installation_libraries(struct arena *arena, const char **folder)
{
	char own[PATH_MAX], resolved[PATH_MAX];

	TRY(own_folder(own));
	for (const char *const *candidate = candidates; *candidate; candidate++) {
		const char *found = arena_format(arena, "%s/%s", own, *candidate);
		if (realpath(found, resolved))
			found = arena_text(arena, resolved);
		*folder = found;
		if (access(arena_format(arena, "%s/" PRELOAD_LIBRARY, found), R_OK) == 0)
			return OK;
	}
	return OK;
}

const char *recorder_name(const char *mpi, struct arena *arena)
{
	return arena_format(arena, "libtarry-record-%s.so", mpi);
}

bool installation_serves(const char *folder, const char *mpi)
{
	struct arena arena = {0};
	const char *path = arena_format(&arena, "%s/%s", folder, recorder_name(mpi, &arena));
	bool serves = access(path, R_OK) == 0;

	arena_release(&arena);
	return serves;
}
