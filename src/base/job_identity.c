#include "base/job_identity.h"

#include "base/files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { GENERATIONS = 16 };

/* A job that Slurm requeues keeps its numbers. srun gives all processes of a step the same number of
 * restarts; other launchers may not. */
#define SLURM_NAMESPACE "slurm.pmix."

static const char *restarts(void)
{
	static char text[32];
	const char *count = getenv("SLURM_RESTART_COUNT");

	snprintf(text, sizeof text, "%s%s", count ? " restart " : "", count ? count : "");
	return text;
}

/* PMIx, used by Open MPI and newer Slurm, names every job, including spawned ones. */
static int from_pmix(char *text)
{
	const char *name = getenv("PMIX_NAMESPACE");

	return name ? snprintf(text, JOB_IDENTITY_MAX, "pmix %s%s", name,
	                       strncmp(name, SLURM_NAMESPACE, strlen(SLURM_NAMESPACE)) == 0 ? restarts() : "")
	            : 0;
}

static int from_slurm(char *text)
{
	const char *job = getenv("SLURM_JOB_ID"), *step = getenv("SLURM_STEP_ID");

	return job && step ? snprintf(text, JOB_IDENTITY_MAX, "slurm %s.%s%s", job, step, restarts()) : 0;
}

/* The value of an option in a command line whose words end with zero bytes; NULL: not found. */
static const char *find_operand(const char *words, ssize_t size, const char *option)
{
	for (const char *at = words; at < words + size; at += strlen(at) + 1)
		if (strcmp(at, option) == 0 && at + strlen(at) + 1 < words + size)
			return at + strlen(at) + 1;
	return NULL;
}

static int parent_of(int pid)
{
	struct process_status status;

	return read_process_status(pid, &status) ? status.parent : 0;
}

/* Hydra does not identify the job to its processes. But the command line of the proxy above them (perhaps
 * with a shell between) contains the address of mpiexec and the process group. A proxy of MPICH 5 has the
 * first group, 0, and also serves those that are spawned later: these have an identity for each size, and
 * world_claim() separates equal ones. */
static int from_hydra(char *text)
{
	char path[64], words[JOB_IDENTITY_MAX];
	int pid = getppid();

	if (!getenv("PMI_FD") && !getenv("PMI_PORT"))
		return 0;
	for (int generation = 0; generation < GENERATIONS && pid > 1; generation++, pid = parent_of(pid)) {
		snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
		ssize_t size = read_small_file(AT_FDCWD, path, words, JOB_IDENTITY_MAX);
		const char *port = find_operand(words, size, "--control-port"),
			   *group = find_operand(words, size, "--pgid"), *ranks = getenv("PMI_SIZE");
		if (port && getenv("PMI_SPAWNED") && (!group || strcmp(group, "0") == 0))
			return snprintf(text, JOB_IDENTITY_MAX, "hydra %s spawned %s", port,
			                ranks ? ranks : "");
		if (port)
			return snprintf(text, JOB_IDENTITY_MAX, "hydra %s %s", port, group ? group : "0");
	}
	return 0;
}

size_t job_identity(char *text)
{
	static int (*const sources[])(char *) = {from_pmix, from_hydra, from_slurm};

	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
		if (sources[i](text) > 0)
			return strnlen(text, JOB_IDENTITY_MAX);
	return 0;
}

/* "1234 (name) S 1233 …". The name may contain anything, even parentheses; only numbers follow it. */
bool read_process_status(int pid, struct process_status *status)
{
	char path[64], text[512];
	const char *name_end;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	read_small_file(AT_FDCWD, path, text, sizeof text);
	name_end = strrchr(text, ')');
	return name_end &&
	       sscanf(name_end,
	              ") %c %d %d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
	              &status->state, &status->parent, &status->group, &status->start) == 4;
}
