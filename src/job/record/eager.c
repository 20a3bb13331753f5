#include "job/record/eager.h"

#include "base/notes.h"
#include "base/settings.h"
#include "job/record/comms.h"
#include "job/record/describe.h"
#include "job/record/eager_parts.h"

#include <dirent.h>
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
 * folder. Either the partner takes it back, or process 0 takes it; then either process 0 gives it up again, or the
 * partner says that it is coming, and from then on both are bound. Each step is the renaming of one file, which
 * succeeds only once, and nobody believes in a step because a file is gone: the new name has to be there.
 *
 *	offer ──process 0──▸ taken ──partner──▸ coming
 *	  └──partner──▸ withdrawn  └──process 0──▸ refused */

enum { OFFER_MS = 400, ASK_MS = 200, PAIR_TAG = 1 };

/* The names that one offer can have. */
struct meeting {
	char offer[PATH_MAX], withdrawn[PATH_MAX], taken[PATH_MAX], refused[PATH_MAX], coming[PATH_MAX];
};

struct limits {
	bool known[DISTANCES];
	long bytes[DISTANCES];
};

static bool path_in_parts(const char *state, int rank, const char *node, char *path)
{
	return snprintf(path, PATH_MAX, "%s" PARTS_SUFFIX "/" MEETING_PREFIX "eager-%016llx-%s-%d%s%s",
	                process.output, (unsigned long long)process.world, state, rank, *node ? "-" : "",
	                node) < PATH_MAX;
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

static bool name_meeting(int rank, const char *node, struct meeting *meeting)
{
	return path_in_parts("offer", rank, node, meeting->offer) &&
	       path_in_parts("withdrawn", rank, "", meeting->withdrawn) &&
	       path_in_parts("taken", rank, "", meeting->taken) &&
	       path_in_parts("refused", rank, "", meeting->refused) &&
	       path_in_parts("coming", rank, "", meeting->coming);
}

static bool is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

/* The reply to a renaming over a network may be lost: what counts is the new name. */
static bool step(const char *from, const char *to)
{
	return rename(from, to) == 0 || is_there(to);
}

static bool is_wanted(const struct meeting *meeting)
{
	for (int ms = 0; ms < OFFER_MS && is_there(meeting->offer); ms++)
		eager_pause_us(1000);
	if (step(meeting->offer, meeting->withdrawn)) {
		unlink(meeting->withdrawn);
		return false;
	}
	unlink(meeting->refused);
	return step(meeting->taken, meeting->coming);
}

static void offer(int rank, const char *node)
{
	struct meeting *meeting = process_table(1, sizeof *meeting);
	char *buffer = process_table(1, EAGER_MAX);

	if (meeting && buffer && name_meeting(rank, node, meeting) && touch(meeting->offer) &&
	    is_wanted(meeting))
		take_part(rank, buffer);
	free(buffer);
	free(meeting);
}

/* The offer of a partner, if it is there, and the node that it names. */
static bool find_offer(int rank, char *path, char *node)
{
	char folder[PATH_MAX], prefix[64];
	DIR *listing = snprintf(folder, sizeof folder, "%s" PARTS_SUFFIX, process.output) < PATH_MAX
	                       ? opendir(folder)
	                       : NULL;
	struct dirent *entry;
	bool found = false;

	snprintf(prefix, sizeof prefix, MEETING_PREFIX "eager-%016llx-offer-%d-",
	         (unsigned long long)process.world, rank);
	while (listing && !found && (entry = readdir(listing)))
		if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0) {
			found = snprintf(path, PATH_MAX, "%s/%s", folder, entry->d_name) < PATH_MAX;
			snprintf(node, HOST_NAME_MAX + 1, "%s", entry->d_name + strlen(prefix));
		}
	if (listing)
		closedir(listing);
	return found;
}

/* The partner decides within its own time, or finds the offer refused. */
static bool is_coming(const struct meeting *meeting)
{
	for (int ms = 0; ms < ASK_MS && !is_there(meeting->coming); ms++)
		eager_pause_us(1000);
	for (int ms = 0; ms < 2 * OFFER_MS && !is_there(meeting->coming); ms++) {
		if (step(meeting->taken, meeting->refused))
			return false;
		eager_pause_us(1000);
	}
	return is_there(meeting->coming);
}

static void measure_with(int rank, const struct meeting *meeting, enum distance distance,
                         struct limits *limits)
{
	char *buffer = process_table(1, EAGER_MAX);

	if (buffer && step(meeting->offer, meeting->taken) && is_coming(meeting)) {
		MPI_Comm pair = pair_with(rank);
		limits->bytes[distance] = eager_search(pair, buffer);
		limits->known[distance] = true;
		PMPI_Comm_free(&pair);
		unlink(meeting->coming);
		eager_write_cache(distance, limits->bytes[distance]);
	}
	free(buffer);
}

static bool wait_for_offer(int rank, char *path, char *node)
{
	bool offered = find_offer(rank, path, node);

	for (int ms = 0; ms < ASK_MS && !offered; ms++) {
		eager_pause_us(1000);
		offered = find_offer(rank, path, node);
	}
	return offered;
}

static void ask(int rank, const char *own_node, struct limits *limits)
{
	struct meeting *meeting = process_table(1, sizeof *meeting);
	char node[HOST_NAME_MAX + 1] = "", found[PATH_MAX];

	if (meeting && wait_for_offer(rank, found, node) && name_meeting(rank, node, meeting)) {
		enum distance distance = strcmp(node, own_node) == 0 ? NEAR : FAR;
		if (!limits->known[distance])
			measure_with(rank, meeting, distance, limits);
		else
			step(meeting->offer, meeting->refused);
	}
	free(meeting);
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
	char node[HOST_NAME_MAX + 1];
	int rank = (int)process.rank, last = (int)process.size - 1;
	bool complete;

	if (last < 1)
		return;
	for (int d = 0; d < DISTANCES; d++)
		limits.known[d] = eager_read_cache(d, &limits.bytes[d]);
	complete = limits.known[NEAR] && (limits.known[FAR] || on_one_node());
	describe_own_node(node, sizeof node);
	if (!complete && rank == 0) {
		ask(1, node, &limits);
		if (last > 1 && !on_one_node())
			ask(last, node, &limits);
	} else if (!complete && (rank == 1 || (rank == last && !on_one_node()))) {
		offer(rank, node);
	}
	if (rank == 0)
		write_limits(&limits);
}
