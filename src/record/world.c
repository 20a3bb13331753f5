#include "record/world.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { TEXT = 4096 };

static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (uint8_t)bytes[i]) * 0x100000001b3u;
	return hash;
}

/* PMIx, which Open MPI and newer Slurm use, names every job, also those that were spawned. */
static int from_pmix(char *text)
{
	const char *name = getenv("PMIX_NAMESPACE");

	return name ? snprintf(text, TEXT, "pmix %s", name) : 0;
}

static int from_slurm(char *text)
{
	const char *job = getenv("SLURM_JOB_ID"), *step = getenv("SLURM_STEP_ID");

	return job && step ? snprintf(text, TEXT, "slurm %s.%s", job, step) : 0;
}

/* Hydra says nothing to the processes, but the proxy above them was told where mpiexec listens and which process
 * group this is; both stand in its command line. */
static int from_hydra(char *text)
{
	char path[64], arguments[TEXT];
	const char *port = NULL, *group = "0";
	ssize_t size;
	int fd;

	if (!getenv("PMI_FD") && !getenv("PMI_PORT"))
		return 0;
	snprintf(path, sizeof path, "/proc/%d/cmdline", (int)getppid());
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	size = read(fd, arguments, sizeof arguments - 1);
	close(fd);
	if (size <= 0)
		return 0;
	arguments[size] = '\0';
	for (const char *at = arguments; at < arguments + size; at += strlen(at) + 1) {
		const char *next = at + strlen(at) + 1;
		if (next < arguments + size && strcmp(at, "--control-port") == 0)
			port = next;
		if (next < arguments + size && strcmp(at, "--pgid") == 0)
			group = next;
	}
	return port ? snprintf(text, TEXT, "hydra %s %s", port, group) : 0;
}

uint64_t world_identity(uint64_t run, int *common)
{
	static int (*const sources[])(char *) = {from_pmix, from_hydra, from_slurm};
	uint64_t identity = 0;
	char text[TEXT];

	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
		int length = sources[i](text);
		if (length > 0) {
			*common = 1;
			identity = hash_bytes(run ^ 0xcbf29ce484222325u, text, strnlen(text, TEXT));
			return identity ? identity : 1;
		}
	}
	*common = 0;
	if (getrandom(&identity, sizeof identity, GRND_NONBLOCK) != sizeof identity)
		identity = (uint64_t)getpid();
	return identity ? identity : 1;
}
