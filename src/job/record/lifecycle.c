#include "job/record/lifecycle.h"

#include "calls/ids.h"
#include "job/mpi/members.h"
#include "job/record/arguments.h"
#include "job/record/comms.h"
#include "job/record/eager.h"
#include "job/record/probes.h"
#include "job/record/recording_session.h"
#include "job/record/timer.h"
#include "job/record/upc.h"

#include <stdio.h>
#include <string.h>

static int sessions_only;

__attribute__((constructor)) static void note_mpi(void)
{
	process.has_mpi = true;
}

static void begin(int rank, int size)
{
	static const char *const levels[] = {"single", "funneled", "serialized", "multiple"};
	static const int codes[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
	                            MPI_THREAD_MULTIPLE};
	char text[MPI_MAX_LIBRARY_VERSION_STRING] = "", standard[16];
	int length = 0, version = 0, subversion = 0, level = MPI_THREAD_SINGLE;

	recording_begin(rank, size);
	PMPI_Get_library_version(text, &length);
	text[strcspn(text, "\n")] = '\0';
	PMPI_Get_version(&version, &subversion);
	snprintf(standard, sizeof standard, "%d.%d", version, subversion);
	process_property("mpi", FLAVOUR);
	process_property("mpi_version", text);
	process_property("mpi_standard", standard);
	PMPI_Query_thread(&level);
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (level == codes[i])
			process_property("thread_level", levels[i]);
	/* Each session has its own level, which may be the highest. */
	process_is_multithreaded = sessions_only || level == MPI_THREAD_MULTIPLE;
	probes_start();
	arguments_describe();
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
	uint64_t start = s ? stream_start(s) : timer_now(), end;
	int rc;

	const int64_t open_key[] = {(int64_t)(uintptr_t)site, KEY_CALL(CALL_Finalize, 0)};

	if (s)
		start = stream_open(s, open_key, 2, start);
	timer_mpi_ends();
	eager_find();
	rc = call();
	end = timer_now();

	const int64_t key[] = {(int64_t)(uintptr_t)site, KEY_CALL(CALL_Finalize, rc)};

	if (s) {
		stream_record(s, key, 2, start, end);
		stream_leave(s);
	}
	process.has_mpi = false;
	if (!upc_is_under_way())
		recording_end();
	return rc;
}
