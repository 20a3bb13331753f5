#include "job/coll/settings.h"

#include "base/hash.h"
#include "base/own_folder.h"
#include "base/settings.h"
#include "coll/choice/override.h"
#include "job/coll/states.h"
#include "job/mpi/world.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Do all processes of MPI_COMM_WORLD run this library in the same version?
 *
 * A process may run without it: another node lacks the file, a launcher dropped LD_PRELOAD, or only some programs of
 * a job are started by `tarry exec`. Such a process would never answer our messages, and we would mistake its
 * messages for ours. So no process sends one before the answer is known. The answer comes from files in the folder
 * of the run, which all nodes share: each process registers its rank, process 0 counts, and the decision is a
 * symbolic link. Only one process can make that link, so all processes read the same decision. */

struct coll_agreement {
	int folder; /* -1: none */
	int rank, size;
	uint64_t world;
};

/* Process 0 waits as long as others arrive; the others wait for its decision. */
enum { QUIET_MS = 10000, DECISION_MS = 25000, LOOK_MS = 1, LOOK_MS_MAX = 500 };

enum { NAME = 64 };
static const char YES[] = "yes", NO[] = "no";

static void decision_name(const struct coll_agreement *agreement, char name[NAME])
{
	snprintf(name, NAME, MEETING_PREFIX "agreed-%016llx", (unsigned long long)agreement->world);
}

/* Waits longer each time. */
static void rest(const struct coll_agreement *agreement, int *look_ms)
{
	struct timespec moment;

	*look_ms = *look_ms * 2 < LOOK_MS_MAX ? *look_ms * 2 : LOOK_MS_MAX;
	moment = (struct timespec){.tv_nsec = *look_ms * 1000000L};
	nanosleep(&moment, NULL);
	/* NFS may show changes by other nodes up to 30 s late, unless this node changes the folder too. */
	char name[NAME];
	snprintf(name, sizeof name, MEETING_PREFIX "look-%016llx-%d", (unsigned long long)agreement->world,
	         agreement->rank);
	if (symlinkat(YES, agreement->folder, name) == 0)
		unlinkat(agreement->folder, name, 0);
}

/* State while the registrations are listed. */
struct registration_count {
	const struct coll_agreement *agreement;
	uint8_t *seen; /* by rank */
	int count;
};

static void each_registration(struct registration_count *registrations,
                              void (*visit)(struct registration_count *registrations, const char *name,
                                            const char *rank))
{
	const struct coll_agreement *agreement = registrations->agreement;
	DIR *listing = folder_list(agreement->folder);
	char prefix[NAME];
	size_t length;

	world_claim_prefix(agreement->world, prefix, sizeof prefix);
	length = strlen(prefix);
	for (struct dirent *entry; listing && (entry = readdir(listing));)
		if (strncmp(entry->d_name, prefix, length) == 0)
			visit(registrations, entry->d_name, entry->d_name + length);
	if (listing)
		closedir(listing);
}

/* A folder that changes during the listing may show a name twice. */
static void count_registration(struct registration_count *registrations, const char *name, const char *rank)
{
	const long number = strtol(rank, NULL, 10);

	(void)name;
	if (number < 0 || number >= registrations->agreement->size || registrations->seen[number])
		return;
	registrations->seen[number] = true;
	registrations->count++;
}

/* The number of registrations; 0 if out of memory, so that all calls use MPI. */
static int wait_for_all(const struct coll_agreement *agreement)
{
	struct registration_count registrations = {.agreement = agreement,
	                                           .seen = calloc((size_t)agreement->size, 1)};
	int look_ms = LOOK_MS, quiet_ms = 0;

	if (!registrations.seen)
		return 0;
	each_registration(&registrations, count_registration);
	while (registrations.count < agreement->size && quiet_ms < QUIET_MS) {
		const int before = registrations.count;
		rest(agreement, &look_ms);
		each_registration(&registrations, count_registration);
		quiet_ms = registrations.count > before ? 0 : quiet_ms + look_ms;
	}
	free(registrations.seen);
	return registrations.count;
}

/* NULL: none yet. */
static const char *read_decision(const struct coll_agreement *agreement)
{
	char name[NAME], text[sizeof YES] = "";

	decision_name(agreement, name);
	if (readlinkat(agreement->folder, name, text, sizeof text - 1) <= 0)
		return NULL;
	return strcmp(text, YES) == 0 ? YES : NO;
}

/* The first decision counts. If no link can be made, the decision is no. */
static bool decide(const struct coll_agreement *agreement, const char *decision)
{
	char name[NAME];
	const char *found;

	decision_name(agreement, name);
	if (symlinkat(decision, agreement->folder, name) == 0)
		return decision == YES;
	found = errno == EEXIST ? read_decision(agreement) : NULL;
	return found == YES;
}

#define LEFT_TO_MPI "collectives are left to MPI: "
#define ADVICE "; install the same Tarry on all nodes, and start the job in a folder that they share"

static bool decide_for_all(const struct coll_agreement *agreement, bool is_able)
{
	int count;

	if (!is_able)
		return decide(agreement, NO);
	count = wait_for_all(agreement);
	if (decide(agreement, count == agreement->size ? YES : NO))
		return true;
	if (count == agreement->size)
		coll_note(LEFT_TO_MPI "a process waited too long for process 0 in MPI_Init");
	else
		coll_note(LEFT_TO_MPI "only %d of %d processes run with this version of libtarry-coll" ADVICE,
		          count, agreement->size);
	return false;
}

static bool wait_for_decision(const struct coll_agreement *agreement)
{
	const char *decision = read_decision(agreement);
	int look_ms = LOOK_MS;

	for (int waited_ms = 0; !decision && waited_ms < DECISION_MS; waited_ms += look_ms) {
		rest(agreement, &look_ms);
		decision = read_decision(agreement);
	}
	if (decision)
		return decision == YES;
	if (decide(agreement, NO))
		return true;
	coll_note(LEFT_TO_MPI "process 0 does not run with this version of libtarry-coll" ADVICE);
	return false;
}

/* `version`: processes with another one count as missing. `is_able`: whether this process, if it has rank 0, can take part.
 * Returns true on all processes or on none; true means that all messages between them are safe. Otherwise a message says why not. */
static bool agreement_reach(struct coll_agreement *agreement, uint64_t version, bool is_able)
{
	const char *folder = setting_get(SETTING_COLL);
	int common;

	agreement->folder = folder ? private_folder_find(folder) : -1;
	if (agreement->folder < 0)
		return false;
	agreement->world = hash_word(
		world_identity(hash_bytes(folder, strlen(folder)), agreement->size, &common), version);
	agreement->world = world_claim(agreement->folder, agreement->world, agreement->rank);
	return agreement->rank == 0 ? decide_for_all(agreement, is_able) : wait_for_decision(agreement);
}

static void remove_registration(struct registration_count *registrations, const char *name, const char *rank)
{
	(void)rank;
	unlinkat(registrations->agreement->folder, name, 0);
}

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

/* Processes with another table would use another algorithm for the same number. */
static uint64_t own_version(void)
{
	uint64_t version = hash_bytes(TARRY_VERSION, strlen(TARRY_VERSION));

	version = hash_word(version, sizeof coll_settings);
	for (int i = 0; i < coll_algorithm_count; i++)
		version = hash_word(version,
		                    hash_bytes(coll_algorithms[i].name, strlen(coll_algorithms[i].name)));
	return version;
}

/* Errors of MPI are ours here, not the program's. After the barrier all processes have read the decision. */
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

void coll_initialized(void)
{
	static bool is_begun; /* MPI_Init of Fortran may call that of C */
	struct coll_agreement agreement = {.folder = -1, .size = 1};
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
	is_shared = agreement_reach(&agreement, own_version(), is_able) && share_settings();
	if (is_shared && !coll_settings.is_off)
		states_begin();
	/* Now all processes have returned from agreement_reach(), so process 0 removes the files. If the settings are not
	 * shared, a process may still read them. */
	struct registration_count registrations = {.agreement = &agreement};
	char name[NAME];
	if (agreement.folder < 0)
		return;
	if (agreement.rank == 0 && is_shared) {
		each_registration(&registrations, remove_registration);
		decision_name(&agreement, name);
		unlinkat(agreement.folder, name, 0);
	}
	close(agreement.folder);
	agreement.folder = -1;
}
