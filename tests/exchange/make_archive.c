/* Makes archives as other tools write them, for the import to read:
 *
 *	make_archive KIND FOLDER      makes FOLDER/traces.otf2
 *
 * A process has the location group of its rank, and rank * THREADS is the location of its first thread. Times are in microseconds. */
#include <otf2/otf2.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, TICKS_PER_SECOND = 1000000000, TICKS = 1000, RANKS_MOST = 4, STRINGS_MOST = 200 };

enum region {
	MAIN,
	WORK,
	INIT,
	FINALIZE,
	BARRIER,
	SPLIT,
	SEND,
	RECV,
	ISEND,
	IRECV,
	WAIT,
	WAITALL,
	PARALLEL,
	PARALLEL_2,
	LOOP_END,
	EXPLICIT_BARRIER,
	CRITICAL,
	CRITICAL_BLOCK,
	SET_LOCK,
	UNSET_LOCK,
	REGIONS,
};

static const struct {
	const char *name;
	OTF2_RegionRole role;
	OTF2_Paradigm paradigm;
	const char *file;
	uint32_t line;
} regions[REGIONS] = {
	[MAIN] = {"main", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, "solve.c", 40},
	[WORK] = {"exchange", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, "solve.c", 12},
	[INIT] = {"MPI_Init", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, "MPI", 0},
	[FINALIZE] = {"MPI_Finalize", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, "MPI", 0},
	[BARRIER] = {"MPI_Barrier", OTF2_REGION_ROLE_BARRIER, OTF2_PARADIGM_MPI, "MPI", 0},
	[SPLIT] = {"MPI_Comm_split", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, "MPI", 0},
	[SEND] = {"MPI_Send", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, "MPI", 0},
	[RECV] = {"MPI_Recv", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, "MPI", 0},
	[ISEND] = {"MPI_Isend", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, "MPI", 0},
	[IRECV] = {"MPI_Irecv", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, "MPI", 0},
	[WAITALL] = {"MPI_Waitall", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, "MPI", 0},
	[WAIT] = {"MPI_Wait", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, "MPI", 0},
	[PARALLEL] = {"!$omp parallel @solve.c:20", OTF2_REGION_ROLE_PARALLEL, OTF2_PARADIGM_OPENMP,
                      "solve.c", 20},
	[PARALLEL_2] = {"!$omp parallel @solve.c:30", OTF2_REGION_ROLE_PARALLEL, OTF2_PARADIGM_OPENMP,
                        "solve.c", 30},
	[LOOP_END] = {"!$omp implicit barrier @solve.c:24", OTF2_REGION_ROLE_IMPLICIT_BARRIER,
                      OTF2_PARADIGM_OPENMP, "solve.c", 24},
	[EXPLICIT_BARRIER] = {"!$omp barrier @solve.c:26", OTF2_REGION_ROLE_BARRIER, OTF2_PARADIGM_OPENMP,
                              "solve.c", 26},
	[CRITICAL] = {"!$omp critical @solve.c:31", OTF2_REGION_ROLE_CRITICAL, OTF2_PARADIGM_OPENMP,
                      "solve.c", 31},
	[CRITICAL_BLOCK] = {"!$omp critical sblock @solve.c:31", OTF2_REGION_ROLE_CRITICAL_SBLOCK,
                            OTF2_PARADIGM_OPENMP, "solve.c", 31},
	[SET_LOCK] = {"omp_set_lock", OTF2_REGION_ROLE_WRAPPER, OTF2_PARADIGM_OPENMP, "OMP", 0},
	[UNSET_LOCK] = {"omp_unset_lock", OTF2_REGION_ROLE_WRAPPER, OTF2_PARADIGM_OPENMP, "OMP", 0},
};

/* Communicators, each with the group of the same number + 1 of its kind: groups of other paradigms have members as MPI's do. */
enum { WORLD, HALF, TEAM, STREAMS, FIRST_OF_TEAMS };

static OTF2_Archive *archive;
static OTF2_GlobalDefWriter *defs;
static uint32_t ranks = 2, threads = 1;

static void must(OTF2_ErrorCode code)
{
	if (code != OTF2_SUCCESS) {
		fprintf(stderr, "make_archive: %s\n", OTF2_Error_GetDescription(code));
		exit(1);
	}
}

static OTF2_StringRef text(const char *words)
{
	static const char *known[STRINGS_MOST];
	OTF2_StringRef self = 0;

	while (known[self] && strcmp(known[self], words) != 0)
		self++;
	if (!known[self]) {
		known[self] = words;
		must(OTF2_GlobalDefWriter_WriteString(defs, self, words));
	}
	return self;
}

/* Events of one location, in the order of time. */

struct location {
	OTF2_LocationRef self;
	OTF2_EvtWriter *events;
};

static struct location begin(uint32_t rank, uint32_t thread)
{
	OTF2_LocationRef self = (OTF2_LocationRef)rank * THREADS + thread;

	return (struct location){self, OTF2_Archive_GetEvtWriter(archive, self)};
}

static void enter(const struct location *at, uint64_t us, enum region region)
{
	must(OTF2_EvtWriter_Enter(at->events, NULL, us * TICKS, region));
}

static void leave(const struct location *at, uint64_t us, enum region region)
{
	must(OTF2_EvtWriter_Leave(at->events, NULL, us * TICKS, region));
}

static void call(const struct location *at, uint64_t from, uint64_t to, enum region region)
{
	enter(at, from, region);
	leave(at, to, region);
}

static void barrier(const struct location *at, uint64_t from, uint64_t to, OTF2_CommRef comm)
{
	enter(at, from, BARRIER);
	must(OTF2_EvtWriter_MpiCollectiveBegin(at->events, NULL, from * TICKS));
	must(OTF2_EvtWriter_MpiCollectiveEnd(at->events, NULL, to * TICKS, OTF2_COLLECTIVE_OP_BARRIER, comm,
	                                     OTF2_COLLECTIVE_ROOT_NONE, 0, 0));
	leave(at, to, BARRIER);
}

static void send(const struct location *at, uint64_t from, uint64_t to, uint32_t dest, uint64_t bytes)
{
	enter(at, from, SEND);
	must(OTF2_EvtWriter_MpiSend(at->events, NULL, from * TICKS, dest, WORLD, 0, bytes));
	leave(at, to, SEND);
}

static void receive(const struct location *at, uint64_t from, uint64_t to, uint32_t source, uint64_t bytes)
{
	enter(at, from, RECV);
	must(OTF2_EvtWriter_MpiRecv(at->events, NULL, to * TICKS, source, WORLD, 0, bytes));
	leave(at, to, RECV);
}

static void isend(const struct location *at, uint64_t from, uint64_t to, uint32_t dest, uint64_t bytes,
                  uint64_t id)
{
	enter(at, from, ISEND);
	must(OTF2_EvtWriter_MpiIsend(at->events, NULL, from * TICKS, dest, WORLD, 0, bytes, id));
	leave(at, to, ISEND);
}

static void irecv(const struct location *at, uint64_t from, uint64_t to, uint64_t id)
{
	enter(at, from, IRECV);
	must(OTF2_EvtWriter_MpiIrecvRequest(at->events, NULL, from * TICKS, id));
	leave(at, to, IRECV);
}

/* For a message that was sent, and one from `source`. */
static void wait_for_both(const struct location *at, uint64_t from, uint64_t to, uint64_t sent,
                          uint64_t received, uint32_t source, uint64_t bytes)
{
	enter(at, from, WAITALL);
	must(OTF2_EvtWriter_MpiIsendComplete(at->events, NULL, to * TICKS, sent));
	must(OTF2_EvtWriter_MpiIrecv(at->events, NULL, to * TICKS, source, WORLD, 0, bytes, received));
	leave(at, to, WAITALL);
}

static void wait_for(const struct location *at, uint64_t from, uint64_t to, uint64_t id)
{
	enter(at, from, WAIT);
	must(OTF2_EvtWriter_MpiIsendComplete(at->events, NULL, to * TICKS, id));
	leave(at, to, WAIT);
}

static void end(struct location *at, const double *deviations)
{
	OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(archive, at->self);

	for (int i = 0; deviations && i < 2; i++)
		must(OTF2_DefWriter_WriteClockOffset(local, i ? 1000 * TICKS : 0, 0, deviations[i]));
	must(OTF2_Archive_CloseDefWriter(archive, local));
	must(OTF2_Archive_CloseEvtWriter(archive, at->events));
}

/* Kinds */

/* Each process computes for 100 of 300 us and waits for the rest of them in a barrier. Meanwhile its other threads are in a parallel
 * region, a stream of CUDA has a window and copies, and MPI_Comm_split made a communicator, without a collective record. */
static void hybrid(void)
{
	threads = THREADS;
	for (uint32_t rank = 0; rank < ranks; rank++) {
		struct location at = begin(rank, 0);
		enter(&at, 0, MAIN);
		call(&at, 10, 100, INIT);
		must(OTF2_EvtWriter_RmaWinCreate(at.events, NULL, 105 * TICKS, 0));
		enter(&at, 110, SPLIT);
		must(OTF2_EvtWriter_CommCreate(at.events, NULL, 110 * TICKS, HALF));
		leave(&at, 110, SPLIT);
		must(OTF2_EvtWriter_RmaPut(at.events, NULL, 120 * TICKS, 0, 1, 4096, 7));
		must(OTF2_EvtWriter_RmaOpCompleteBlocking(at.events, NULL, 130 * TICKS, 0, 7));
		enter(&at, 140, PARALLEL);
		leave(&at, 180, PARALLEL);
		enter(&at, 190, WORK);
		barrier(&at, 200, 400, WORLD);
		leave(&at, 400, WORK);
		must(OTF2_EvtWriter_RmaWinDestroy(at.events, NULL, 400 * TICKS, 0));
		call(&at, 400, 410, FINALIZE);
		leave(&at, 420, MAIN);
		end(&at, NULL);
		for (uint32_t thread = 1; thread < THREADS; thread++) {
			at = begin(rank, thread);
			enter(&at, 140, PARALLEL);
			leave(&at, 180, PARALLEL);
			end(&at, NULL);
		}
	}
}

/* A message of 1000 bytes is complete before it is received: then one of 500 does not wait for its receiver either, which comes last;
 * what the same call waits for is the message of a late sender. One of 50000 bytes waits for its receiver. */
static void small_sends(void)
{
	struct location at = begin(0, 0);

	enter(&at, 0, MAIN);
	call(&at, 1, 10, INIT);
	isend(&at, 20, 21, 1, 1000, 1);
	wait_for(&at, 22, 22, 1);
	irecv(&at, 90, 91, 4);
	isend(&at, 100, 101, 1, 500, 2);
	wait_for_both(&at, 102, 302, 2, 4, 1, 8);
	isend(&at, 400, 401, 1, 50000, 3);
	wait_for(&at, 402, 602, 3);
	call(&at, 700, 710, FINALIZE);
	leave(&at, 720, MAIN);
	end(&at, NULL);
	at = begin(1, 0);
	enter(&at, 0, MAIN);
	call(&at, 1, 10, INIT);
	receive(&at, 50, 51, 0, 1000);
	send(&at, 250, 251, 0, 8);
	receive(&at, 300, 301, 0, 500);
	receive(&at, 600, 601, 0, 50000);
	call(&at, 700, 710, FINALIZE);
	leave(&at, 720, MAIN);
	end(&at, NULL);
}

/* Clocks that were compared at both ends of the run: that of rank 1 to 3 and 5 us. */
static void offsets(void)
{
	static const double deviations[2][2] = {{0, 0}, {3 * TICKS, 5 * TICKS}};

	for (uint32_t rank = 0; rank < ranks; rank++) {
		struct location at = begin(rank, 0);
		call(&at, 1, 10, INIT);
		barrier(&at, 100 + 50 * (uint64_t)rank, 160, WORLD);
		call(&at, 900, 910, FINALIZE);
		end(&at, deviations[rank]);
	}
}

/* Two threads of each of two processes, as Score-P records them. What each case plants is a difference between them: with none, no thread
 * waits. Everything except the regions themselves is in the team of the process. */
struct plan {
	uint64_t loop_end[2];      /* when thread 0 and thread 1 reach it */
	uint64_t barrier[2];       /* the same */
	uint64_t serial;           /* between two parallel regions */
	uint64_t critical;         /* that thread 0 stays in it, while thread 1 wants it */
	uint64_t lock;             /* the same */
	bool has_teams, has_forks; /* records of these */
};

static void take_critical(const struct location *at, uint64_t from, uint64_t got, uint64_t until)
{
	enter(at, from, CRITICAL);
	must(OTF2_EvtWriter_ThreadAcquireLock(at->events, NULL, got * TICKS, OTF2_PARADIGM_OPENMP, 1, 1));
	enter(at, got, CRITICAL_BLOCK);
	leave(at, until, CRITICAL_BLOCK);
	must(OTF2_EvtWriter_ThreadReleaseLock(at->events, NULL, until * TICKS, OTF2_PARADIGM_OPENMP, 1, 1));
	leave(at, until, CRITICAL);
}

static void take_lock(const struct location *at, uint64_t from, uint64_t got, uint64_t until)
{
	enter(at, from, SET_LOCK);
	must(OTF2_EvtWriter_ThreadAcquireLock(at->events, NULL, got * TICKS, OTF2_PARADIGM_OPENMP, 2, 1));
	leave(at, got, SET_LOCK);
	enter(at, until, UNSET_LOCK);
	must(OTF2_EvtWriter_ThreadReleaseLock(at->events, NULL, until * TICKS, OTF2_PARADIGM_OPENMP, 2, 1));
	leave(at, until, UNSET_LOCK);
}

static void begin_team(const struct location *at, uint64_t us, enum region region, uint32_t rank,
                       uint32_t thread, const struct plan *plan)
{
	if (!thread)
		enter(at, us, region);
	if (!thread && plan->has_forks)
		must(OTF2_EvtWriter_ThreadFork(at->events, NULL, us * TICKS, OTF2_PARADIGM_OPENMP, 2));
	if (plan->has_teams)
		must(OTF2_EvtWriter_ThreadTeamBegin(at->events, NULL, us * TICKS, FIRST_OF_TEAMS + rank));
}

static void end_team(const struct location *at, uint64_t us, enum region region, uint32_t rank,
                     uint32_t thread, const struct plan *plan)
{
	if (plan->has_teams)
		must(OTF2_EvtWriter_ThreadTeamEnd(at->events, NULL, us * TICKS, FIRST_OF_TEAMS + rank));
	if (!thread && plan->has_forks)
		must(OTF2_EvtWriter_ThreadJoin(at->events, NULL, us * TICKS, OTF2_PARADIGM_OPENMP));
	if (!thread)
		leave(at, us, region);
}

static uint64_t later(const uint64_t times[2])
{
	return times[0] > times[1] ? times[0] : times[1];
}

/* Thread 0 has critical section and lock first. */
static void team_thread(const struct location *at, uint32_t rank, uint32_t thread, const struct plan *plan)
{
	const uint64_t second = 700 + plan->serial, wanted = second + 50, locked = wanted + 400;

	begin_team(at, 100, PARALLEL, rank, thread, plan);
	call(at, plan->loop_end[thread], later(plan->loop_end), LOOP_END);
	call(at, plan->barrier[thread], later(plan->barrier), EXPLICIT_BARRIER);
	end_team(at, 700, PARALLEL, rank, thread, plan);
	begin_team(at, second, PARALLEL_2, rank, thread, plan);
	take_critical(at, wanted, wanted + thread * plan->critical, wanted + (thread + 1) * plan->critical);
	take_lock(at, locked, locked + thread * plan->lock, locked + (thread + 1) * plan->lock);
	call(at, locked + 400, locked + 400, LOOP_END);
	end_team(at, locked + 400, PARALLEL_2, rank, thread, plan);
}

static void team_processes(const struct plan *plan)
{
	threads = 2;
	for (uint32_t rank = 0; rank < ranks; rank++)
		for (uint32_t thread = 0; thread < threads; thread++) {
			struct location at = begin(rank, thread);
			if (!thread)
				call(&at, 1, 10, INIT);
			team_thread(&at, rank, thread, plan);
			if (!thread)
				call(&at, 4000, 4010, FINALIZE);
			end(&at, NULL);
		}
}

static void late_thread(void)
{
	team_processes(&(struct plan){{200, 300}, {550, 350}, .has_teams = true, .has_forks = true});
}

static void contended(void)
{
	team_processes(&(struct plan){
		{200, 200}, {300, 300}, .critical = 100, .lock = 50, .has_teams = true, .has_forks = true});
}

static void serial_work(void)
{
	team_processes(
		&(struct plan){{200, 200}, {300, 300}, .serial = 2000, .has_teams = true, .has_forks = true});
}

static void even_team(void)
{
	team_processes(&(struct plan){{200, 200}, {300, 300}, .has_teams = true, .has_forks = true});
}

/* Regions, without information about teams. */
static void without_teams(void)
{
	team_processes(&(struct plan){{200, 300}, {550, 350}, .serial = 2000});
}

static const struct kind {
	const char *name;
	void (*write)(void);
} kinds[] = {{"hybrid", hybrid},           {"small_sends", small_sends},    {"offsets", offsets},
             {"late_thread", late_thread}, {"contended", contended},        {"serial_work", serial_work},
             {"even_team", even_team},     {"without_teams", without_teams}};

/* Definitions */

static void define_processes(void)
{
	static const char *const names[RANKS_MOST] = {"MPI Rank 0", "MPI Rank 1", "MPI Rank 2", "MPI Rank 3"};

	must(OTF2_GlobalDefWriter_WriteSystemTreeNode(defs, 0, text("node1"), text("node"),
	                                              OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	for (uint32_t rank = 0; rank < ranks; rank++)
		must(OTF2_GlobalDefWriter_WriteLocationGroup(defs, rank, text(names[rank]),
		                                             OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
		                                             OTF2_UNDEFINED_LOCATION_GROUP));
	for (uint32_t rank = 0; rank < ranks; rank++)
		for (uint32_t thread = 0; thread < threads; thread++)
			must(OTF2_GlobalDefWriter_WriteLocation(
				defs, (OTF2_LocationRef)rank * THREADS + thread,
				text(thread ? "OMP thread" : "Master thread"), OTF2_LOCATION_TYPE_CPU_THREAD,
				OTF2_UNDEFINED_UINT64, rank));
}

static void define_group(OTF2_GroupRef self, OTF2_GroupType type, OTF2_Paradigm paradigm,
                         const uint64_t *members)
{
	must(OTF2_GlobalDefWriter_WriteGroup(defs, self, text(""), type, paradigm, OTF2_GROUP_FLAG_NONE,
	                                     ranks, members));
}

/* Of each process, with its threads, as numbers in the list of all threads. */
static void define_teams(void)
{
	uint64_t members[THREADS];

	for (uint32_t rank = 0; rank < ranks; rank++) {
		for (uint32_t thread = 0; thread < threads; thread++)
			members[thread] = (uint64_t)rank * threads + thread;
		must(OTF2_GlobalDefWriter_WriteGroup(defs, 5 + rank, text(""), OTF2_GROUP_TYPE_COMM_GROUP,
		                                     OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, threads,
		                                     members));
		must(OTF2_GlobalDefWriter_WriteComm(defs, FIRST_OF_TEAMS + rank, text("team of a process"),
		                                    5 + rank, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
	}
}

static void define_comms(void)
{
	uint64_t locations[RANKS_MOST], members[RANKS_MOST];

	for (uint32_t rank = 0; rank < ranks; rank++) {
		locations[rank] = (uint64_t)rank * THREADS;
		members[rank] = rank;
	}
	define_group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, locations);
	define_group(1, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, members);
	define_group(2, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP, members);
	define_group(3, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_CUDA, locations);
	define_group(4, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_CUDA, members);
	must(OTF2_GlobalDefWriter_WriteComm(defs, WORLD, text("MPI_COMM_WORLD"), 1, OTF2_UNDEFINED_COMM,
	                                    OTF2_COMM_FLAG_NONE));
	must(OTF2_GlobalDefWriter_WriteComm(defs, HALF, text("half"), 1, WORLD, OTF2_COMM_FLAG_NONE));
	must(OTF2_GlobalDefWriter_WriteComm(defs, TEAM, text("OpenMP team"), 2, OTF2_UNDEFINED_COMM,
	                                    OTF2_COMM_FLAG_NONE));
	must(OTF2_GlobalDefWriter_WriteComm(defs, STREAMS, text("CUDA streams"), 4, OTF2_UNDEFINED_COMM,
	                                    OTF2_COMM_FLAG_NONE));
	define_teams();
	must(OTF2_GlobalDefWriter_WriteRmaWin(defs, 0, text("CUDA window"), STREAMS, OTF2_RMA_WIN_FLAG_NONE));
}

static void define_all(void)
{
	must(OTF2_GlobalDefWriter_WriteClockProperties(defs, TICKS_PER_SECOND, 0, 1000 * TICKS,
	                                               OTF2_UNDEFINED_TIMESTAMP));
	define_processes();
	for (uint32_t i = 0; i < REGIONS; i++) {
		OTF2_StringRef name = text(regions[i].name);
		must(OTF2_GlobalDefWriter_WriteRegion(defs, i, name, name, text(""), regions[i].role,
		                                      regions[i].paradigm, OTF2_REGION_FLAG_NONE,
		                                      text(regions[i].file), regions[i].line, 0));
	}
	define_comms();
}

static OTF2_FlushType before_flush(void *context, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                                   bool is_final)
{
	(void)context, (void)type, (void)location, (void)caller, (void)is_final;
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flushing = {.otf2_pre_flush = before_flush};

static void make(const struct kind *kind, const char *folder)
{
	archive = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
	                            OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX,
	                            OTF2_COMPRESSION_NONE);
	if (!archive)
		exit(1);
	must(OTF2_Archive_SetFlushCallbacks(archive, &flushing, NULL));
	must(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
	must(OTF2_Archive_OpenEvtFiles(archive));
	must(OTF2_Archive_OpenDefFiles(archive));
	defs = OTF2_Archive_GetGlobalDefWriter(archive);
	kind->write();
	define_all();
	must(OTF2_Archive_CloseEvtFiles(archive));
	must(OTF2_Archive_CloseDefFiles(archive));
	must(OTF2_Archive_CloseGlobalDefWriter(archive, defs));
	must(OTF2_Archive_Close(archive));
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 3 && i < sizeof kinds / sizeof *kinds; i++) {
		if (strcmp(kinds[i].name, argv[1]) != 0)
			continue;
		make(&kinds[i], argv[2]);
		return 0;
	}
	fprintf(stderr, "usage: make_archive KIND FOLDER\n");
	return 2;
}
