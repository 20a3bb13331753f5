#include "job/record/in_job.h"

#include "base/hash.h"
#include "base/in_job.h"
#include "base/message_pieces.h"
#include "base/settings.h"
#include "job/mpi/agreement.h"
#include "job/mpi/flavour.h"
#include "job/mpi/helper_process.h"
#include "job/record/part.h"
#include "job/record/process.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK_TAG = 1 };
/* The pause between two tests of the messages. */
enum { REST_NS_MIN = 10000, REST_NS_MAX = 1000000 };

static struct {
	MPI_Comm comm;
	int (*end_recording)(void);
} job;

struct helpers {
	MPI_Comm comm;
	int rank, count;
	bool is_single;       /* only the first process starts a helper */
	cpu_set_t processors; /* of all processes on this node */
	pid_t pid;            /* 0: none */
	bool is_over;         /* the helper has ended, or is about to */
	int socket;           /* to the helper of this process; -1: none */
	uint64_t *sent_bytes, *received_bytes;
	char **sent, **received;
};

/* Sleeps between tests, because helpers share the processors with the processes that wait here. */
static bool complete(MPI_Request *requests, int count)
{
	struct timespec moment = {.tv_nsec = REST_NS_MIN};
	int is_done = 0;

	while (PMPI_Testall(count, requests, &is_done, MPI_STATUSES_IGNORE) == MPI_SUCCESS) {
		if (is_done)
			return true;
		nanosleep(&moment, NULL);
		moment.tv_nsec = moment.tv_nsec * 2 < REST_NS_MAX ? moment.tv_nsec * 2 : REST_NS_MAX;
	}
	return false;
}

/* True in all processes or in none. */
static bool all_agree(const struct helpers *helpers, bool is_fine)
{
	int mine = is_fine, all = 0;
	MPI_Request request;

	return PMPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_MIN, helpers->comm, &request) == MPI_SUCCESS &&
	       complete(&request, 1) && all;
}

/* Blocks from and to the helper. The socket is a stream. */

static bool give(int socket, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size) {
		ssize_t given = send(socket, at, size, MSG_NOSIGNAL);
		if (given < 0 && errno != EINTR)
			return false;
		at += given > 0 ? given : 0;
		size -= given > 0 ? (size_t)given : 0;
	}
	return true;
}

static bool take(int socket, void *bytes, size_t size)
{
	char *at = bytes;

	while (size) {
		ssize_t taken = recv(socket, at, size, 0);
		if (taken == 0 || (taken < 0 && errno != EINTR))
			return false;
		at += taken > 0 ? taken : 0;
		size -= taken > 0 ? (size_t)taken : 0;
	}
	return true;
}

static void forget_blocks(char **blocks, int count)
{
	for (int i = 0; i < count; i++) {
		free(blocks[i]);
		blocks[i] = NULL;
	}
}

static bool make_blocks(char **blocks, const uint64_t *bytes, int count)
{
	bool is_whole = true;

	for (int i = 0; i < count; i++) {
		blocks[i] = bytes[i] ? malloc(bytes[i]) : NULL;
		is_whole &= blocks[i] || !bytes[i];
	}
	return is_whole;
}

enum helper_state { HELPER_GOES_ON, HELPER_ENDED, HELPER_FAILED };

static enum helper_state take_blocks(const struct helpers *helpers)
{
	const size_t first = sizeof *helpers->sent_bytes;

	if (!take(helpers->socket, helpers->sent_bytes, first))
		return HELPER_FAILED;
	if (helpers->sent_bytes[0] == IN_JOB_END)
		return HELPER_ENDED;
	if (!take(helpers->socket, helpers->sent_bytes + 1, first * ((size_t)helpers->count - 1)) ||
	    !make_blocks(helpers->sent, helpers->sent_bytes, helpers->count))
		return HELPER_FAILED;
	for (int i = 0; i < helpers->count; i++)
		if (!take(helpers->socket, helpers->sent[i], helpers->sent_bytes[i]))
			return HELPER_FAILED;
	return HELPER_GOES_ON;
}

static bool give_blocks(const struct helpers *helpers)
{
	bool is_given = give(helpers->socket, helpers->received_bytes,
	                     (size_t)helpers->count * sizeof *helpers->received_bytes);

	for (int i = 0; i < helpers->count && is_given; i++)
		is_given = give(helpers->socket, helpers->received[i], helpers->received_bytes[i]);
	return is_given;
}

/* Messages between the processes */

static bool exchange_sizes(const struct helpers *helpers)
{
	MPI_Request request;

	return PMPI_Ialltoall(helpers->sent_bytes, 1, MPI_UINT64_T, helpers->received_bytes, 1, MPI_UINT64_T,
	                      helpers->comm, &request) == MPI_SUCCESS &&
	       complete(&request, 1);
}

static bool exchange_messages(const struct helpers *helpers, MPI_Request *requests)
{
	int started = 0;

	for (int i = 0; i < helpers->count; i++)
		for (int j = 0; j < pieces_of(helpers->received_bytes[i]); j++)
			if (PMPI_Irecv(helpers->received[i] + (size_t)j * PIECE_BYTES,
			               piece_bytes(helpers->received_bytes[i], j), MPI_BYTE, i, BLOCK_TAG,
			               helpers->comm, &requests[started++]) != MPI_SUCCESS)
				return false;
	/* Each process begins with itself, so that not all send to the same process at once. */
	for (int i = 0; i < helpers->count; i++) {
		const int to = (helpers->rank + i) % helpers->count;
		for (int j = 0; j < pieces_of(helpers->sent_bytes[to]); j++)
			if (PMPI_Isend(helpers->sent[to] + (size_t)j * PIECE_BYTES,
			               piece_bytes(helpers->sent_bytes[to], j), MPI_BYTE, to, BLOCK_TAG,
			               helpers->comm, &requests[started++]) != MPI_SUCCESS)
				return false;
	}
	return complete(requests, started);
}

/* All processes have allocated their memory before the first message is sent. */
static bool exchange_blocks(const struct helpers *helpers)
{
	MPI_Request *requests;
	size_t pieces = 0;
	bool is_whole;

	if (!exchange_sizes(helpers))
		return false;
	for (int i = 0; i < helpers->count; i++)
		pieces += (size_t)pieces_of(helpers->sent_bytes[i]) +
		          (size_t)pieces_of(helpers->received_bytes[i]);
	requests = malloc((pieces + 1) * sizeof *requests);
	is_whole = make_blocks(helpers->received, helpers->received_bytes, helpers->count) && requests;
	is_whole = all_agree(helpers, is_whole) && exchange_messages(helpers, requests);
	free(requests);
	return is_whole;
}

/* All helpers exchange blocks equally often. After the last exchange only the first one continues; the others wait until it has ended. */
static void serve(struct helpers *helpers)
{
	bool goes_on = true;

	while (goes_on) {
		const enum helper_state state = helpers->pid ? take_blocks(helpers) : HELPER_ENDED;

		helpers->is_over = state != HELPER_GOES_ON;
		goes_on = !all_agree(helpers, state == HELPER_ENDED) &&
		          all_agree(helpers, state == HELPER_GOES_ON) && exchange_blocks(helpers) &&
		          all_agree(helpers, give_blocks(helpers));
		forget_blocks(helpers->sent, helpers->count);
		forget_blocks(helpers->received, helpers->count);
	}
}

/* The helper */

/* If processes share processors, the trace has scheduling delays, whose analysis cannot be divided: further helpers would only compete for CPUs. */
static bool find_processors(struct helpers *helpers)
{
	cpu_set_t own;
	MPI_Comm node;
	int size = 0;
	bool is_found;

	CPU_ZERO(&own);
	sched_getaffinity(0, sizeof own, &own);
	if (PMPI_Comm_split_type(helpers->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node) != MPI_SUCCESS)
		return false;
	is_found = PMPI_Allreduce(&own, &helpers->processors, sizeof own, MPI_BYTE, MPI_BOR, node) ==
	                   MPI_SUCCESS &&
	           PMPI_Comm_size(node, &size) == MPI_SUCCESS;
	PMPI_Comm_free(&node);
	helpers->is_single = size == helpers->count && CPU_COUNT(&helpers->processors) < size;
	return is_found;
}

/* The first helper may use all processors, because it determines causes alone while all processes sleep. */
static int start_on_all(struct helpers *helpers, char *const *arguments, int socket)
{
	cpu_set_t own;
	bool is_widened = helpers->rank == 0 && sched_getaffinity(0, sizeof own, &own) == 0 &&
	                  sched_setaffinity(0, sizeof own, &helpers->processors) == 0;
	int failure = helper_start(&helpers->pid, arguments, socket);

	if (is_widened)
		sched_setaffinity(0, sizeof own, &own);
	return failure;
}

static bool start_helper(struct helpers *helpers)
{
	char path[PATH_MAX], command[] = "report", option[] = "--peer", peer[64];
	char *arguments[] = {path, command, option, peer, process.output, NULL};
	int ends[2];
	bool is_started;

	snprintf(peer, sizeof peer, "%d/%d/%d", helpers->rank, helpers->is_single ? 1 : helpers->count,
	         helpers->count);
	if (!helper_find("tarry", path) || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return false;
	is_started = start_on_all(helpers, arguments, ends[1]) == 0;
	helpers->pid = is_started ? helpers->pid : 0;
	close(ends[1]);
	helpers->socket = ends[0];
	return is_started;
}

static void end_helper(struct helpers *helpers)
{
	if (helpers->socket >= 0)
		close(helpers->socket);
	if (!helpers->pid)
		return;
	/* If the program ignores SIGCHLD, the pid of a helper that has ended may belong to another process by now. */
	if (!helpers->is_over)
		kill(helpers->pid, SIGKILL);
	while (waitpid(helpers->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static void analyze(struct helpers *helpers)
{
	const size_t count = (size_t)helpers->count;
	struct child_signal held;
	bool is_ready;

	hold_child_signal(&held);
	helpers->sent_bytes = calloc(count, sizeof *helpers->sent_bytes);
	helpers->received_bytes = calloc(count, sizeof *helpers->received_bytes);
	helpers->sent = calloc(count, sizeof *helpers->sent);
	helpers->received = calloc(count, sizeof *helpers->received);
	is_ready = find_processors(helpers) && helpers->sent_bytes && helpers->received_bytes &&
	           helpers->sent && helpers->received &&
	           ((helpers->is_single && helpers->rank) || start_helper(helpers));
	if (all_agree(helpers, is_ready))
		serve(helpers);
	end_helper(helpers);
	free(helpers->sent_bytes);
	free(helpers->received_bytes);
	free(helpers->sent);
	free(helpers->received);
	release_child_signal(&held);
}

/* The job */

/* MPI_COMM_WORLD is not duplicated, because that would call callbacks of the program's attributes. */
static bool make_comm(MPI_Comm *comm)
{
	MPI_Group world;
	bool is_made;

	if (PMPI_Comm_group(MPI_COMM_WORLD, &world) != MPI_SUCCESS)
		return false;
	is_made = PMPI_Comm_create(MPI_COMM_WORLD, world, comm) == MPI_SUCCESS;
	PMPI_Group_free(&world);
	if (is_made)
		PMPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN);
	return is_made;
}

static int at_finalize(MPI_Comm self, int key, void *value, void *extra)
{
	struct helpers helpers = {.comm = job.comm, .socket = -1};
	MPI_Request arrival;

	(void)self;
	(void)key;
	(void)value;
	(void)extra;
	PMPI_Comm_rank(helpers.comm, &helpers.rank);
	PMPI_Comm_size(helpers.comm, &helpers.count);
	if (PMPI_Ibarrier(helpers.comm, &arrival) == MPI_SUCCESS && complete(&arrival, 1) &&
	    all_agree(&helpers, job.end_recording()))
		analyze(&helpers);
	PMPI_Comm_free(&job.comm);
	return MPI_SUCCESS;
}

/* True in all processes or in none. */
static bool all_take_part(void)
{
	struct agreement agreement = {
		.folder = part_folder(),
		.rank = (int)process.rank,
		.size = (int)process.size,
		.world = hash_word(process.world, hash_bytes(TARRY_VERSION, strlen(TARRY_VERSION))),
		.library = "the recorder"};

	if (!agreement_reach(&agreement, true)) {
		if (*agreement.obstacle)
			process_note("the job does not analyse itself: %s", agreement.obstacle);
		return false;
	}
	if (!make_comm(&job.comm))
		return false;
	/* A process may return from PMPI_Comm_create() before others have. */
	PMPI_Barrier(job.comm);
	if (agreement.rank == 0)
		agreement_forget(&agreement);
	return true;
}

void in_job_begin(int (*end_recording)(void))
{
	int key;

	if (!setting_get(SETTING_IN_JOB) || !setting_get(SETTING_RUN) || !process.output || !all_take_part())
		return;
	job.end_recording = end_recording;
	/* In the fake library, this function type has no parameters. */
	if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, (MPI_Comm_delete_attr_function *)at_finalize, &key,
	                            NULL) != MPI_SUCCESS)
		return;
	PMPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
	PMPI_Comm_free_keyval(&key);
}
