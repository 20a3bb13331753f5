#include "job/coll/settings.h"

#include "base/hash.h"
#include "base/own_folder.h"
#include "base/settings.h"
#include "coll/choice/override.h"
#include "job/coll/states.h"
#include "job/mpi/agreement.h"
#include "job/mpi/world.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

struct coll_settings coll_settings;

static int operation_of(const char *name)
{
	int operation = 0;

	while (operation < COLL_OPERATIONS && strcmp(coll_operation_names[operation], name) != 0)
		operation++;
	return operation;
}

static void force(struct coll_settings *settings, const struct coll_override *override)
{
	const int operation = operation_of(override->operation);
	const struct coll_algorithm *algorithm;

	if (operation == COLL_OPERATIONS) {
		coll_note("unknown collective operation '%s' is ignored", override->operation);
		return;
	}
	algorithm = coll_algorithm_find(operation, override->algorithm);
	if (algorithm)
		settings->forced[operation] = (int16_t)(algorithm - coll_algorithms);
	else
		settings->forced[operation] = MPI_ITSELF;
	if (!algorithm && strcmp(override->algorithm, OVERRIDE_MPI) != 0)
		coll_note("unknown algorithm '%s' for %s: the MPI library's algorithm is used",
		          override->algorithm, override->operation);
}

/* The settings of this process. False: damaged. */
static bool read_settings(struct coll_settings *settings)
{
	const char *levels = setting_get(SETTING_COLL_LEVELS);
	struct coll_override override;

	*settings = (struct coll_settings){.levels = COLL_LEVELS_DEFAULT};
	for (int i = 0; i < COLL_OPERATIONS; i++)
		settings->forced[i] = FREE_CHOICE;
	if (levels && *levels && !coll_levels_parse(levels, &settings->levels)) {
		coll_note(
			"collectives are left to MPI: '%s' are not latencies and bandwidths; run 'tarry coll calibrate'",
			levels);
		return false;
	}
	const char *wanted = setting_get(SETTING_COLL_ALGORITHM);
	if (!wanted)
		return true;
	settings->is_off = strcmp(wanted, COLL_OFF) == 0;
	if (settings->is_off)
		return true;
	if (!coll_overrides_are_valid(wanted)) {
		coll_note(
			"collectives are left to MPI: '%s' is not a list of algorithms; start the job again with --algorithm",
			wanted);
		return false;
	}
	while (coll_override_next(&wanted, &override))
		force(settings, &override);
	return true;
}

/* A process with another table would use another algorithm for the same number. */
static uint64_t own_version(void)
{
	uint64_t version = hash_bytes(TARRY_VERSION, strlen(TARRY_VERSION));

	version = hash_word(version, sizeof coll_settings);
	for (int i = 0; i < coll_algorithm_count; i++)
		version = hash_word(version,
		                    hash_bytes(coll_algorithms[i].name, strlen(coll_algorithms[i].name)));
	return version;
}

/* Errors of these MPI calls must not reach the program. After the barrier, all processes have read the decision. */
static bool share_settings(void)
{
	MPI_Errhandler handler;
	bool is_shared;

	if (PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler) != MPI_SUCCESS)
		return false;
	PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	is_shared = PMPI_Bcast(&coll_settings, sizeof coll_settings, MPI_BYTE, 0, MPI_COMM_WORLD) ==
	                    MPI_SUCCESS &&
	            PMPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS;
	PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	PMPI_Errhandler_free(&handler);
	return is_shared;
}

/* Processes whose table differs count as missing. */
static bool reach_agreement(struct agreement *agreement, bool is_able)
{
	const char *folder = setting_get(SETTING_COLL);
	int common;

	agreement->folder = folder ? private_folder_find(folder) : -1;
	if (agreement->folder < 0)
		return false;
	agreement->world = hash_word(
		world_identity(hash_bytes(folder, strlen(folder)), agreement->size, &common), own_version());
	if (agreement_reach(agreement, is_able))
		return true;
	if (*agreement->obstacle)
		coll_note("collectives are left to MPI: %s", agreement->obstacle);
	return false;
}

void coll_initialized(void)
{
	static bool is_begun; /* Fortran's MPI_Init may call the one for C */
	struct agreement agreement = {.folder = -1, .size = 1, .library = "libtarry-coll"};
	bool is_able = true, is_shared;

	if (is_begun)
		return;
	is_begun = true;
	PMPI_Comm_rank(MPI_COMM_WORLD, &agreement.rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &agreement.size);
	if (agreement.size == 1)
		return;
	if (agreement.rank == 0)
		is_able = read_settings(&coll_settings);
	is_shared = reach_agreement(&agreement, is_able) && share_settings();
	if (is_shared && !coll_settings.is_off)
		states_begin();
	if (agreement.folder < 0)
		return;
	/* After share_settings() all processes have returned from agreement_reach(). If it failed, one may still read the files. */
	if (agreement.rank == 0 && is_shared)
		agreement_forget(&agreement);
	close(agreement.folder);
}
