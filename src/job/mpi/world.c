#include "job/mpi/world.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { TEXT = 4096, GENERATIONS = 16, CLAIMS_MAX = 1000 };

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

static ssize_t read_file(const char *path, char *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? -1 : read(fd, text, TEXT - 1);

	if (fd >= 0)
		close(fd);
	text[size > 0 ? size : 0] = '\0';
	return size;
}

/* The operand of an option in a command line whose words end with zero bytes; NULL: it is not there. */
static const char *find_operand(const char *words, ssize_t size, const char *option)
{
	for (const char *at = words; at < words + size; at += strlen(at) + 1)
		if (strcmp(at, option) == 0 && at + strlen(at) + 1 < words + size)
			return at + strlen(at) + 1;
	return NULL;
}

static int parent_of(int pid)
{
	char path[64], text[TEXT];
	const char *name_end;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	if (read_file(path, text) <= 0 || !(name_end = strrchr(text, ')')))
		return 0;
	return (int)strtol(name_end + strlen(") S "), NULL, 10);
}

/* Hydra says nothing to the processes, but the proxy above them, perhaps with a shell between, was told where mpiexec
 * listens and which process group this is; both stand in its command line. */
static int from_hydra(char *text)
{
	char path[64], words[TEXT];
	int pid = getppid();

	if (!getenv("PMI_FD") && !getenv("PMI_PORT"))
		return 0;
	for (int generation = 0; generation < GENERATIONS && pid > 1; generation++, pid = parent_of(pid)) {
		snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
		ssize_t size = read_file(path, words);
		const char *port = find_operand(words, size, "--control-port"),
			   *group = find_operand(words, size, "--pgid");
		if (port)
			return snprintf(text, TEXT, "hydra %s %s", port, group ? group : "0");
	}
	return 0;
}

static uint64_t without_launcher(uint64_t run, int size, char *text)
{
	uint64_t identity = 0;

	if (run && size > 1) {
		int length = snprintf(text, TEXT, "world of %d", size);
		return hash_word(run, hash_bytes(text, (size_t)length));
	}
	if (getrandom(&identity, sizeof identity, GRND_NONBLOCK) != sizeof identity)
		identity = (uint64_t)getpid();
	return identity;
}

uint64_t world_identity(uint64_t run, int size, int *common)
{
	static int (*const sources[])(char *) = {from_pmix, from_hydra, from_slurm};
	uint64_t identity = 0;
	char text[TEXT];

	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
		int length = sources[i](text);
		if (length > 0) {
			*common = 1;
			identity = hash_word(run, hash_bytes(text, strnlen(text, TEXT)));
			return identity ? identity : 1;
		}
	}
	*common = 0;
	identity = without_launcher(run, size, text);
	return identity ? identity : 1;
}

uint64_t world_of_group(int size)
{
	char text[TEXT], host[64] = "";
	int length;

	gethostname(host, sizeof host - 1);
	length = snprintf(text, TEXT, "group %d of %d on %s", (int)getpgrp(), size, host);
	return hash_bytes(text, (size_t)length) | 1;
}

static bool claim(int folder, uint64_t world, int rank)
{
	int fd;
	char name[64];

	if (folder < 0)
		return true;
	snprintf(name, sizeof name, MEETING_PREFIX "claim-%016llx-%d", (unsigned long long)world, rank);
	fd = private_file_create(folder, name, 0600);
	if (fd < 0)
		return errno != EEXIST;
	close(fd);
	return true;
}

uint64_t world_claim(int folder, uint64_t world, int rank)
{
	uint64_t claimed = world;

	for (int n = 1; n < CLAIMS_MAX && !claim(folder, claimed, rank); n++)
		claimed = hash_word(world, (uint64_t)n) | 1;
	return claimed;
}
