#include "job/record/eager_parts.h"
#include "job/record/hash.h"
#include "job/record/members.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const distance_names[DISTANCES] = {"node", "network"};

/* Settings that choose a transport or its limits. */
static const char *const transport_prefixes[] = {"OMPI_MCA_", "MPIR_CVAR_", "MPICH_", "UCX_",
                                                 "FI_",       "PSM",        "I_MPI_"};
/* Those among them that the launcher sets anew for every job. */
static const char *const fleeting_prefixes[] = {"OMPI_MCA_orte_",        "OMPI_MCA_ess",
                                                "OMPI_MCA_initial_wdir", "OMPI_MCA_pmix",
                                                "OMPI_MCA_shmem",        "OMPI_MCA_mpi_oversubscribe",
                                                "OMPI_MCA_mca_base_env", "MPIR_CVAR_CH3_INTERFACE_HOSTNAME"};

static bool begins_with_any(const char *text, const char *const *prefixes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strncmp(text, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

/* A sum, so that the order of variables does not matter. */
static uint64_t hash_settings(void)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int length = 0;
	uint64_t hash;

	PMPI_Get_library_version(version, &length);
	hash = hash_text(version, strlen(version));
	for (char **variable = environ; variable && *variable; variable++)
		if (begins_with_any(*variable, transport_prefixes,
		                    sizeof transport_prefixes / sizeof *transport_prefixes) &&
		    !begins_with_any(*variable, fleeting_prefixes,
		                     sizeof fleeting_prefixes / sizeof *fleeting_prefixes))
			hash += hash_text(*variable, strlen(*variable));
	return hash;
}

static void make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	mkdir(path, 0700);
}

static bool cache_path(enum distance distance, char *path)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char folder[PATH_MAX - 64];
	int length = cache && *cache ? snprintf(folder, sizeof folder, "%s/tarry", cache)
	             : home && *home ? snprintf(folder, sizeof folder, "%s/.cache/tarry", home)
	                             : 0;

	if (length <= 0 || (size_t)length >= sizeof folder)
		return false;
	make_folders(folder);
	snprintf(path, PATH_MAX, "%s/eager-%016llx-%s", folder, (unsigned long long)hash_settings(),
	         distance_names[distance]);
	return true;
}

bool eager_read_cache(enum distance distance, long *bytes)
{
	char path[PATH_MAX], text[32] = "";
	ssize_t size = 0;
	int fd;

	if (!cache_path(distance, path) || (fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return false;
	size = read(fd, text, sizeof text - 1);
	close(fd);
	if (size <= 0)
		return false;
	*bytes = strtol(text, NULL, 10);
	return true;
}

void eager_write_cache(enum distance distance, long bytes)
{
	char path[PATH_MAX], draft[PATH_MAX + 16], text[32];
	int fd, length = snprintf(text, sizeof text, "%ld\n", bytes);

	if (!cache_path(distance, path))
		return;
	snprintf(draft, sizeof draft, "%s.%d", path, (int)getpid());
	fd = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (write(fd, text, (size_t)length) != length || rename(draft, path))
		unlink(draft);
	close(fd);
}
