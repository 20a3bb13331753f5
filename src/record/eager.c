#include "record/eager.h"

#include "base/notes.h"
#include "base/settings.h"
#include "record/comms.h"
#include "record/eager_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two distances are told apart: within a node and across the network. Process 0 measures, with one partner for each;
 * process 1 and the last one offer themselves, since one of them is mostly near and one far.
 *
 * They come together without waiting for anyone who may not be there: a partner leaves an offer in the parts
 * folder. Process 0 renames it, and from then on the partner is bound to take part; or the partner takes it back
 * by renaming it first. A file can be renamed away only once, so both always know which it was. */

enum { OFFER_MS = 400, ASK_MS = 200, PAIR_TAG = 1 };

struct limits {
	bool known[DISTANCES];
	long bytes[DISTANCES];
};

static bool path_in_parts(const char *state, int rank, const char *host, char *path)
{
	char folder[PATH_MAX];

	return parts_folder(process.output, folder) &&
	       snprintf(path, PATH_MAX, "%s/" MEETING_PREFIX "eager-%016llx-%s-%d%s%s", folder,
	                (unsigned long long)process.world, state, rank, *host ? "-" : "", host) < PATH_MAX;
}

static bool touch(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	return fd >= 0 && close(fd) == 0;
}

/* A communicator of two, made by these two alone. */
static MPI_Comm pair_with(int partner)
{
	int ranks[2] = {0, partner};
	MPI_Comm pair = MPI_COMM_NULL;
	MPI_Group all, two;

	PMPI_Comm_group(MPI_COMM_WORLD, &all);
	PMPI_Group_incl(all, 2, ranks, &two);
	PMPI_Comm_create_group(MPI_COMM_WORLD, two, PAIR_TAG, &pair);
	PMPI_Group_free(&two);
	PMPI_Group_free(&all);
	return pair;
}

static void take_part(int rank, char *buffer)
{
	MPI_Comm pair = pair_with(rank);

	eager_answer(pair, buffer);
	PMPI_Comm_free(&pair);
}

static void offer(int rank, const char *host)
{
	char open_offer[PATH_MAX], withdrawn[PATH_MAX], refused[PATH_MAX];
	char *buffer = malloc(EAGER_MAX);

	if (buffer && path_in_parts("offer", rank, host, open_offer) &&
	    path_in_parts("withdrawn", rank, "", withdrawn) && path_in_parts("refused", rank, "", refused) &&
	    touch(open_offer)) {
		for (int ms = 0; ms < OFFER_MS && access(open_offer, F_OK) == 0; ms++)
			eager_pause_us(1000);
		if (rename(open_offer, withdrawn) == 0)
			unlink(withdrawn);
		else if (errno == ENOENT && unlink(refused))
			take_part(rank, buffer);
	}
	free(buffer);
}

/* The offer of a partner, if it is there, and the host that it names. */
static bool find_offer(int rank, char *path, char *host)
{
	char folder[PATH_MAX], prefix[64];
	DIR *listing = parts_folder(process.output, folder) ? opendir(folder) : NULL;
	struct dirent *entry;
	bool found = false;

	snprintf(prefix, sizeof prefix, MEETING_PREFIX "eager-%016llx-offer-%d-",
	         (unsigned long long)process.world, rank);
	while (listing && !found && (entry = readdir(listing)))
		if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0) {
			found = snprintf(path, PATH_MAX, "%s/%s", folder, entry->d_name) < PATH_MAX;
			snprintf(host, HOST_NAME_MAX + 1, "%s", entry->d_name + strlen(prefix));
		}
	if (listing)
		closedir(listing);
	return found;
}

static void measure_with(int rank, const char *open_offer, enum distance distance, struct limits *limits)
{
	char taken[PATH_MAX];
	char *buffer = calloc(1, EAGER_MAX);

	if (buffer && path_in_parts("taken", rank, "", taken) && rename(open_offer, taken) == 0) {
		MPI_Comm pair = pair_with(rank);
		limits->bytes[distance] = eager_search(pair, buffer);
		limits->known[distance] = true;
		PMPI_Comm_free(&pair);
		unlink(taken);
		eager_write_cache(distance, limits->bytes[distance]);
	}
	free(buffer);
}

static void ask(int rank, const char *own_host, struct limits *limits)
{
	char open_offer[PATH_MAX], refused[PATH_MAX], host[HOST_NAME_MAX + 1] = "";
	bool offered = find_offer(rank, open_offer, host);
	enum distance distance;

	for (int ms = 0; ms < ASK_MS && !offered; ms++) {
		eager_pause_us(1000);
		offered = find_offer(rank, open_offer, host);
	}
	if (!offered)
		return;
	distance = strcmp(host, own_host) == 0 ? NEAR : FAR;
	if (!limits->known[distance])
		measure_with(rank, open_offer, distance, limits);
	else if (path_in_parts("refused", rank, "", refused) && rename(open_offer, refused))
		return; /* it was withdrawn in the meantime */
}

static void write_limits(const struct limits *limits)
{
	for (int d = 0; d < DISTANCES; d++) {
		uint8_t body[VARINT_MAX + 16], *at;
		if (!limits->known[d])
			continue;
		at = put_varint(body, (uint64_t)limits->bytes[d]);
		at = put_bytes(at, distance_names[d], strlen(distance_names[d]));
		process_write(RECORD_EAGER, body, (size_t)(at - body));
	}
}

/* Whether all processes are on this node, as far as the launcher tells. */
static bool on_one_node(void)
{
	static const char *const variables[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
	                                        "SLURM_STEP_TASKS_PER_NODE"};

	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		const char *value = getenv(variables[i]);
		if (value)
			return strtoul(value, NULL, 10) == process.size;
	}
	return false;
}

void eager_find(void)
{
	struct limits limits = {0};
	char host[HOST_NAME_MAX + 1] = "";
	int rank = (int)process.rank, last = (int)process.size - 1;
	bool complete;

	if (last < 1)
		return;
	for (int d = 0; d < DISTANCES; d++)
		limits.known[d] = eager_read_cache(d, &limits.bytes[d]);
	complete = limits.known[NEAR] && (limits.known[FAR] || on_one_node());
	gethostname(host, sizeof host - 1);
	if (!complete && rank == 0) {
		ask(1, host, &limits);
		if (last > 1 && !on_one_node())
			ask(last, host, &limits);
	} else if (!complete && (rank == 1 || (rank == last && !on_one_node()))) {
		offer(rank, host);
	}
	if (rank == 0)
		write_limits(&limits);
}
