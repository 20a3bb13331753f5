#include "job/record/lifecycle.h"

#include "calls/ids.h"
#include "job/mpi/flavour.h"
#include "job/mpi/members.h"
#include "job/record/arguments.h"
#include "job/record/comms.h"
#include "job/record/in_job.h"
#include "job/record/other_threads.h"
#include "job/record/probes.h"
#include "job/record/process.h"
#include "job/record/recording_session.h"
#include "job/record/shmem.h"
#include "job/record/timer.h"
#include "job/record/upc.h"
#include "job/record/wrap.h"

#include <stdio.h>
#include <string.h>

/* The eager limit: the largest standard send that completes without its receiver. Some MPI libraries have control variables for it
 * (MPI_T), which are only read. If there is none, the trace says so, and the analysis infers a lower bound from the messages
 * (analysis/model/eager.h). */

enum distance { NODE, NETWORK, DISTANCES };

/* Their names in the trace. */
static const char *const distance_names[DISTANCES] = {"node", "network"};

/* A control variable with a limit. For each distance, the first variable that the library has counts. */
struct eager_variable {
	const char *name;
	enum distance distance;
	int header_bytes;           /* bytes of the header, which the library includes in the limit */
	const char *needs_variable; /* valid only together with this variable; NULL: always */
	const char *needs_version;  /* valid only if the library's version text has this; NULL: always */
};

static const struct eager_variable variables[] = {EAGER_VARIABLES};

static bool find_variable(const char *name, int *index)
{
	return PMPI_T_cvar_get_index(name, index) == MPI_SUCCESS;
}

static bool is_valid(const struct eager_variable *variable, const char *version)
{
	int index;

	return (!variable->needs_variable || find_variable(variable->needs_variable, &index)) &&
	       (!variable->needs_version || strstr(version, variable->needs_version));
}

static MPI_Datatype type_of(int index)
{
	int name_room = 0, text_room = 0, verbosity, bind, scope;
	MPI_Datatype type = MPI_DATATYPE_NULL;
	MPI_T_enum names;

	if (PMPI_T_cvar_get_info(index, NULL, &name_room, &verbosity, &type, &names, NULL, &text_room, &bind,
	                         &scope) != MPI_SUCCESS)
		return MPI_DATATYPE_NULL;
	return type;
}

/* The value of a variable that is one number; negative if it is anything else. */
static long long read_variable(int index)
{
	union {
		int number;
		unsigned unsigned_number;
		unsigned long size;
		unsigned long long long_size;
	} value = {.long_size = 0};
	MPI_Datatype type = type_of(index);
	MPI_T_cvar_handle handle;
	long long bytes = -1;
	int count = 0;

	if (PMPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS)
		return -1;
	if (count == 1 &&
	    (type == MPI_INT || type == MPI_UNSIGNED || type == MPI_UNSIGNED_LONG ||
	     type == MPI_UNSIGNED_LONG_LONG) &&
	    PMPI_T_cvar_read(handle, &value) == MPI_SUCCESS)
		bytes = type == MPI_INT             ? value.number
		        : type == MPI_UNSIGNED      ? (long long)value.unsigned_number
		        : type == MPI_UNSIGNED_LONG ? (long long)value.size
		                                    : (long long)value.long_size;
	PMPI_T_cvar_handle_free(&handle);
	return bytes;
}

/* Writes the limits into the trace, in the first process of a world. Called before MPI_Finalize: after MPI_Init all other processes would wait
 * for it, and it takes 0.2 s in Open MPI. */
static void eager_find(void)
{
	int level = MPI_THREAD_SINGLE, given;

	if (process.rank != 0 || process.size < 2)
		return;
	PMPI_Query_thread(&level);
	if (PMPI_T_init_thread(level, &given) != MPI_SUCCESS)
		return;
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	bool known[DISTANCES] = {false};
	int length = 0, index;
	PMPI_Get_library_version(version, &length);
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		const struct eager_variable *variable = &variables[i];
		const char *distance = distance_names[variable->distance];
		char source[128];
		long long value;
		if (known[variable->distance] || !is_valid(variable, version) ||
		    !find_variable(variable->name, &index))
			continue;
		value = read_variable(index);
		if (value < variable->header_bytes)
			continue; /* the library chooses the limit itself */
		process_write(RECORD_EAGER,
		              &(struct eager){(uint64_t)(value - variable->header_bytes), distance});
		snprintf(source, sizeof source, "%s: %s = %lld", distance, variable->name, value);
		process_property("eager", source);
		known[variable->distance] = true;
	}
	for (int i = 0; i < DISTANCES; i++) {
		char sentence[32];
		snprintf(sentence, sizeof sentence, "%s: not told", distance_names[i]);
		if (!known[i])
			process_property("eager", sentence);
	}
	PMPI_T_finalize();
}

static int sessions_only;

__attribute__((constructor)) static void note_mpi(void)
{
	process.has_mpi = true;
}

static void begin(int rank, int size)
{
	static const char *const levels[] = {"single", "funneled", "serialized", "multiple"};
	char text[MPI_MAX_LIBRARY_VERSION_STRING] = "", standard[16];
	int length = 0, version = 0, subversion = 0, level = MPI_THREAD_SINGLE;

	recording_begin(rank, size);
	other_threads_of_mpi();
	PMPI_Get_library_version(text, &length);
	text[strcspn(text, "\n")] = '\0';
	PMPI_Get_version(&version, &subversion);
	snprintf(standard, sizeof standard, "%d.%d", version, subversion);
	process_property("mpi", FLAVOUR);
	process_property("mpi_version", text);
	process_property("mpi_standard", standard);
	PMPI_Query_thread(&level);
	if (thread_level_value(level) != ABSENT)
		process_property("thread_level", levels[thread_level_value(level)]);
	/* Each session has its own thread level, which may be the highest. */
	process_is_multithreaded = sessions_only || level == MPI_THREAD_MULTIPLE;
	probes_start();
	openmp_start();
	arguments_describe();
}

/* The running call of MPI_Finalize. */
static struct {
	bool is_open; /* it is not recorded yet */
	struct recording_stream *s;
	const void *site;
	uint64_t start;
} finalize;

static void record_finalize(int rc)
{
	struct recording_stream *s = finalize.s;
	const int64_t key[] = {(int64_t)(uintptr_t)finalize.site, KEY_CALL(CALL_Finalize, rc)};
	uint64_t end = timer_now();

	finalize.is_open = false;
	if (s) {
		stream_record(s, key, 2, finalize.start, end);
		stream_leave(s);
	}
	process.has_mpi = false;
	if (!upc_is_under_way() && !shmem_is_under_way())
		recording_end();
}

/* Records MPI_Finalize early, for an analysis inside it. */
static int end_early(void)
{
	if (!finalize.is_open || !finalize.s || upc_is_under_way() || shmem_is_under_way())
		return false;
	record_finalize(MPI_SUCCESS);
	return true;
}

void lifecycle_initialized(struct recording_stream *s)
{
	int rank = 0, size = 1;
	MPI_Group world;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &size);
	timer_mpi_begins(PMPI_Wtime);
	begin(rank, size);
	PMPI_Comm_group(MPI_COMM_WORLD, &world);
	members_start(world);
	comms_start();
	comm_to_parents();
	in_job_begin(end_early);
	s->overhead_cause = "start";
}

#if HAS_SESSIONS
void lifecycle_session(MPI_Session session)
{
	MPI_Group world;
	int rank = 0, size = 1;

	if (process.identified || PMPI_Group_from_session_pset(session, "mpi://WORLD", &world) != MPI_SUCCESS)
		return;
	PMPI_Group_rank(world, &rank);
	PMPI_Group_size(world, &size);
	sessions_only = 1;
	begin(rank, size);
	members_start(world);
}
#endif

int lifecycle_finalize(struct recording_stream *s, const void *site, int (*call)(void))
{
	const int64_t open_key[] = {(int64_t)(uintptr_t)site, KEY_CALL(CALL_Finalize, 0)};
	uint64_t start = s ? stream_start(s) : timer_now();
	int rc;

	if (s)
		start = stream_open(s, open_key, 2, start);
	finalize.s = s;
	finalize.site = site;
	finalize.start = start;
	finalize.is_open = true;
	timer_mpi_ends();
	eager_find();
	openmp_stop();
	other_threads_conclude();
	rc = call();
	if (finalize.is_open)
		record_finalize(rc);
	return rc;
}
