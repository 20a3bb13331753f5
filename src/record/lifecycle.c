#include "record/lifecycle.h"

#include "base/settings.h"
#include "calls/ids.h"
#include "record/clocks.h"
#include "record/comms.h"
#include "record/describe.h"
#include "record/eager.h"
#include "record/members.h"
#include "record/merge.h"
#include "record/probes.h"
#include "record/timer.h"
#include "record/world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sessions_only;

static void describe_mpi(void)
{
	static const char *const levels[] = {"single", "funneled", "serialized", "multiple"};
	static const int codes[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
	                            MPI_THREAD_MULTIPLE};
	char text[MPI_MAX_LIBRARY_VERSION_STRING] = "", standard[16];
	int length = 0, version = 0, subversion = 0, level = MPI_THREAD_SINGLE;

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
	/* Each session has a level of its own, which may be the highest. */
	process.multithreaded = sessions_only || level == MPI_THREAD_MULTIPLE;
}

static void identify(int rank, int size)
{
	int common = 0;
	uint64_t world = world_identity(process.run, size, &common);

	if (!common && size > 1 && process.run)
		process_note("the launcher is not known, or not to be seen from where the processes run: all "
		             "%d that say so are taken for one world",
		             size);
	else if (!common && size > 1)
		process_note(
			"process %d cannot tell which others belong to its world: the launcher is not known",
			rank);
	process_identify(world_claim(world, rank), (uint32_t)rank, (uint32_t)size);
}

static void begin(int rank, int size)
{
	identify(rank, size);
	clocks_begin();
	describe_process();
	describe_mpi();
	probes_start();
}

void lifecycle_initialized(struct stream *s)
{
	int rank = 0, size = 1;
	MPI_Group world;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &size);
	timer_mpi_begins();
	begin(rank, size);
	PMPI_Comm_group(MPI_COMM_WORLD, &world);
	members_start(world);
	comms_start();
	comm_to_parents();
	eager_find();
	(void)s;
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

/* Who analyses need not read all events to know. */
static void tell_stolen(void)
{
	char us[24];

	snprintf(us, sizeof us, "%llu",
	         (unsigned long long)__atomic_load_n(&stolen_total_us, __ATOMIC_RELAXED));
	process_property("stolen", us);
}

static void finish(void)
{
	bool finished;

	probes_stop();
	tell_stolen();
	process_lock(); /* other threads may still want a chunk */
	clocks_end();
	streams_close();
	process_close();
	finished = part_finish(process.world, process.rank);
	process_unlock();
	if (!finished)
		process_note("process %u could not finish its part: %s; run 'tarry recover %s'", process.rank,
		             strerror(errno), process.output);
	else if (!getenv(SETTING_RUN))
		merge_if_last(process.output, part_folder(), process.world, process.size);
	part_close();
}

int lifecycle_finalize(struct stream *s, const void *site, int (*call)(void))
{
	uint64_t start = s ? stream_start(s) : timer_now(), end;
	int rc;

	timer_mpi_ends();
	rc = call();
	end = timer_now();

	const int64_t key[] = {(int64_t)(uintptr_t)site, KEY_CALL(CALL_Finalize, rc)};

	if (s) {
		stream_record(s, key, 2, start, end);
		stream_leave(s);
	}
	if (process.identified && process.output && part_is_open())
		finish();
	return rc;
}

/* Programs that use sessions alone never call MPI_Finalize, and others may exit without it. */
__attribute__((destructor)) static void finish_at_exit(void)
{
	if (!process.identified || !process.output || !part_is_open() || !process_lock_in_time())
		return;
	finish();
	process_unlock();
}
