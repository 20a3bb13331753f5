#include "cli/installation.h"

#include "base/paths.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Relative to the program's folder. The second is the folder where this build would install them, if it is
 * different. */
static const char *const library_folders[] = {"../lib", TARRY_LIB_FROM_BIN, NULL};
static const char *const manual_folders[] = {"../share/man/man1", TARRY_MAN_FROM_BIN, NULL};
static const char *const rule_folders[] = {"../share/tarry/rules", TARRY_RULES_FROM_BIN, NULL};

static const char *const upc_folders[] = {"../share/tarry/upc", TARRY_UPC_FROM_BIN, NULL};

static enum status own_folder(char folder[PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);

	if (length < 0)
		return fail("cannot read '/proc/self/exe': %s", strerror(errno));
	folder[length] = 0;
	*strrchr(folder, '/') = 0;
	return OK;
}

/* The first of `folders` that has a file of this name, or the last. */
static enum status find_folder(const char *const *folders, const char *file, struct arena *arena,
                               const char **folder)
{
	char own[PATH_MAX], resolved[PATH_MAX];

	TRY(own_folder(own));
	for (; *folders; folders++) {
		const char *found = path_join(own, *folders, arena);
		if (realpath(found, resolved))
			found = arena_text(arena, resolved);
		*folder = found;
		if (access(path_join(found, file, arena), R_OK) == 0)
			return OK;
	}
	return OK;
}

enum status installation_programs(struct arena *arena, const char **folder)
{
	char own[PATH_MAX];

	TRY(own_folder(own));
	*folder = arena_text(arena, own);
	return OK;
}

enum status installation_libraries(struct arena *arena, const char **folder)
{
	return find_folder(library_folders, PRELOAD_LIBRARY, arena, folder);
}

enum status installation_manual(const char *page, struct arena *arena, const char **path)
{
	TRY(find_folder(manual_folders, page, arena, path));
	*path = path_join(*path, page, arena);
	return OK;
}

enum status installation_rules(struct arena *arena, const char **folder)
{
	return find_folder(rule_folders, "mpi.rules", arena, folder);
}

enum status installation_upc(struct arena *arena, const char **folder)
{
	return find_folder(upc_folders, "tarry_upc.upc", arena, folder);
}

const char *recorder_name(const char *mpi, struct arena *arena)
{
	return arena_format(arena, "libtarry-record-%s.so", mpi);
}

const char *checker_name(const char *mpi, struct arena *arena)
{
	return arena_format(arena, "libtarry-check-%s.so", mpi);
}

const struct served_mpi served_mpis[] = {
	{"openmpi", "Open MPI", {"libmpi.so.40"}, true},
	{"mpich", "MPICH", {"libmpich.so.12", "libmpi.so.12"}, true},
	{"abi", "MPI 5.0 ABI", {"libmpi_abi.so.1", "libmpi_abi.so.12", "libmpi_abi.so.0"}, false},
	{NULL, NULL, {NULL}, false},
};

bool installation_serves(const char *folder, const char *mpi)
{
	struct arena arena = {0};
	const char *path = path_join(folder, recorder_name(mpi, &arena), &arena);
	bool serves = access(path, R_OK) == 0;

	arena_release(&arena);
	return serves;
}
