#include "base/disclosure.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Recorded names; a star matches any end. */
static const char *const recorded[] = {
	/* MPI libraries and their transports */
	"OMPI_*", "OPAL_*", "MPICH_*", "MPIR_*", "I_MPI_*", "MV2_*", "MVP_*", "MPI_*", "FI_*", "UCX_*",
	"UCC_*", "HCOLL_*", "SHARP_*", "PSM_*", "PSM2_*", "PSM3_*", "GASNET_*", "UPC_*",
	/* launchers */
	"PMI_*", "PMI2_*", "PMIX_*", "PRTE_*", "ORTE_*", "MPIEXEC_*", "HYDRA_*", "PALS_*", "ALPS_*",
	/* batch systems: which job, which processes, which processors */
	"SLURM_JOB_ID", "SLURM_JOBID", "SLURM_JOB_NAME", "SLURM_JOB_PARTITION", "SLURM_JOB_NODELIST",
	"SLURM_JOB_NUM_NODES", "SLURM_JOB_CPUS_PER_NODE", "SLURM_CLUSTER_NAME", "SLURM_STEP_*",
	"SLURM_STEPID", "SLURM_NTASKS*", "SLURM_NPROCS", "SLURM_NNODES", "SLURM_NODEID", "SLURM_NODELIST",
	"SLURMD_NODENAME", "SLURM_PROCID", "SLURM_LOCALID", "SLURM_TASKS_PER_NODE", "SLURM_CPU*",
	"SLURM_MEM_*", "SLURM_GPU*", "SLURM_DISTRIBUTION", "SLURM_THREADS_PER_CORE", "SLURM_HINT",
	"SLURM_MPI_TYPE", "SLURM_OVERCOMMIT", "PBS_JOBID", "PBS_JOBNAME", "PBS_QUEUE", "PBS_NODENUM",
	"PBS_TASKNUM", "PBS_NUM_*", "PBS_NP", "LSB_JOBID", "LSB_JOBNAME", "LSB_QUEUE", "LSB_MCPU_HOSTS",
	"LSB_DJOB_NUMPROC", "FLUX_JOB_ID", "FLUX_JOB_SIZE", "FLUX_JOB_NNODES", "FLUX_TASK_*",
	/* threads, accelerators */
	"OMP_*", "GOMP_*", "KMP_*", "LIBOMP_*", "MKL_*", "OPENBLAS_*", "BLIS_*", "CUDA_VISIBLE_DEVICES",
	"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK",
	/* the loader, the C library */
	"LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", "LD_BIND_NOW", "GLIBC_TUNABLES", "MALLOC_*",
	/* Tarry itself */
	"TARRY_*"};

/* A variable whose name contains one of these may be a secret. TARRY_CLOCK contains a key, OMPI_ARGV the
 * arguments of the program, and precondition_transports the key of a job of Open MPI or PRRTE. A URI, a
 * port or a UUID lets anybody try to join the job. */
static const char *const secret_variables[] = {
	"KEY",     "TOKEN",       "SECRET",    "PASS",         "CREDENTIAL", "AUTH", "COOKIE",
	"PRIVATE", "TARRY_CLOCK", "OMPI_ARGV", "PRECONDITION", "_URI",       "UUID", "PMI_PORT",
};

/* An option whose name contains one of these is followed by a secret. */
static const char *const secret_options[] = {"password", "passwd",      "passphrase", "token",
                                             "secret",   "credential",  "cookie",     "api-key",
                                             "apikey",   "private-key", "access-key"};

enum { RECORDED = sizeof recorded / sizeof *recorded };
enum { SECRET_VARIABLES = sizeof secret_variables / sizeof *secret_variables };
enum { SECRET_OPTIONS = sizeof secret_options / sizeof *secret_options };

static bool is_recorded(const char *name, size_t length)
{
	for (size_t i = 0; i < RECORDED; i++) {
		size_t size = strcspn(recorded[i], "*");
		bool is_open = recorded[i][size] == '*';

		if ((is_open ? length >= size : length == size) && memcmp(name, recorded[i], size) == 0)
			return true;
	}
	return false;
}

/* Compares capital letters and underscores of `name` as small letters and hyphens. */
static bool begins_alike(const char *name, const char *word, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		int letter = tolower((unsigned char)name[i]), wanted = tolower((unsigned char)word[i]);

		if ((letter == '_' ? '-' : letter) != (wanted == '_' ? '-' : wanted))
			return false;
	}
	return true;
}

static bool holds(const char *name, size_t length, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t size = strlen(words[i]);

		for (size_t at = 0; at + size <= length; at++)
			if (begins_alike(name + at, words[i], size))
				return true;
	}
	return false;
}

enum disclosure variable_disclosure(const char *name, size_t length)
{
	if (!is_recorded(name, length))
		return DISCLOSE_NOTHING;
	return holds(name, length, secret_variables, SECRET_VARIABLES) ? DISCLOSE_NAME : DISCLOSE_ALL;
}

const char *argument_disclose(const char *argument, bool *is_secret, char *masked, size_t room)
{
	size_t name = strcspn(argument, "=");
	bool is_option = argument[0] == '-', has_value = argument[name] == '=', was_secret = *is_secret;
	bool names_secret = (is_option || has_value) && holds(argument, name, secret_options, SECRET_OPTIONS);

	*is_secret = !was_secret && names_secret && !has_value;
	if (was_secret)
		return DISCLOSURE_MASK;
	if (!names_secret || !has_value)
		return argument;
	snprintf(masked, room, "%.*s=" DISCLOSURE_MASK, (int)name, argument);
	return masked;
}
