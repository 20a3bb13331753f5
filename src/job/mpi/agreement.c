#include "job/mpi/agreement.h"

#include "base/own_folder.h"
#include "base/settings.h"
#include "job/mpi/world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Process 0 waits until no further process arrives; the others wait for its decision. */
enum { QUIET_MS = 10000, DECISION_MS = 25000, LOOK_MS = 1, LOOK_MS_MAX = 500 };

enum { NAME = 64 };
static const char YES[] = "yes", NO[] = "no";

static void decision_name(const struct agreement *agreement, char name[NAME])
{
	snprintf(name, NAME, MEETING_PREFIX "agreed-%016llx", (unsigned long long)agreement->world);
}

/* Waits longer each time. */
static void rest(const struct agreement *agreement, int *look_ms)
{
	struct timespec moment;

	*look_ms = *look_ms * 2 < LOOK_MS_MAX ? *look_ms * 2 : LOOK_MS_MAX;
	moment = (struct timespec){.tv_nsec = *look_ms * 1000000L};
	nanosleep(&moment, NULL);
	/* NFS may show changes of other nodes up to 30 s late, unless this node changes the folder too. */
	char name[NAME];
	snprintf(name, sizeof name, MEETING_PREFIX "look-%016llx-%d", (unsigned long long)agreement->world,
	         agreement->rank);
	if (symlinkat(YES, agreement->folder, name) == 0)
		unlinkat(agreement->folder, name, 0);
}

/* State while the registrations are listed. */
struct registration_count {
	const struct agreement *agreement;
	uint8_t *seen; /* by rank */
	int count;
};

static void each_registration(struct registration_count *registrations,
                              void (*visit)(struct registration_count *registrations, const char *name,
                                            const char *rank))
{
	const struct agreement *agreement = registrations->agreement;
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
static int wait_for_all(const struct agreement *agreement)
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

/* NULL: no decision yet. */
static const char *read_decision(const struct agreement *agreement)
{
	char name[NAME], text[sizeof YES] = "";

	decision_name(agreement, name);
	if (readlinkat(agreement->folder, name, text, sizeof text - 1) <= 0)
		return NULL;
	return strcmp(text, YES) == 0 ? YES : NO;
}

/* The first decision counts. If no link can be made, the decision is no. */
static bool decide(const struct agreement *agreement, const char *decision)
{
	char name[NAME];
	const char *found;

	decision_name(agreement, name);
	if (symlinkat(decision, agreement->folder, name) == 0)
		return decision == YES;
	found = errno == EEXIST ? read_decision(agreement) : NULL;
	return found == YES;
}

#define ADVICE "; install the same Tarry on all nodes, and start the job in a folder that they share"
#define OBSTACLE(agreement, ...) snprintf((agreement)->obstacle, sizeof(agreement)->obstacle, __VA_ARGS__)

static bool decide_for_all(struct agreement *agreement, bool is_able)
{
	int count;

	if (!is_able)
		return decide(agreement, NO);
	count = wait_for_all(agreement);
	if (decide(agreement, count == agreement->size ? YES : NO))
		return true;
	if (count == agreement->size)
		OBSTACLE(agreement, "a process waited too long for process 0 in MPI_Init");
	else
		OBSTACLE(agreement, "only %d of %d processes run with this version of %s" ADVICE, count,
		         agreement->size, agreement->library);
	return false;
}

static bool wait_for_decision(struct agreement *agreement)
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
	OBSTACLE(agreement, "process 0 does not run with this version of %s" ADVICE, agreement->library);
	return false;
}

bool agreement_reach(struct agreement *agreement, bool is_able)
{
	agreement->obstacle[0] = '\0';
	if (agreement->folder < 0)
		return false;
	agreement->world = world_claim(agreement->folder, agreement->world, agreement->rank);
	return agreement->rank == 0 ? decide_for_all(agreement, is_able) : wait_for_decision(agreement);
}

static void remove_registration(struct registration_count *registrations, const char *name, const char *rank)
{
	(void)rank;
	unlinkat(registrations->agreement->folder, name, 0);
}

void agreement_forget(const struct agreement *agreement)
{
	struct registration_count registrations = {.agreement = agreement};
	char name[NAME];

	each_registration(&registrations, remove_registration);
	decision_name(agreement, name);
	unlinkat(agreement->folder, name, 0);
}
