/* A minimal tracer with the OTF2 library: enter, message and leave for each call of the few functions that the
 * benchmark's programs use. It shows the cost of recording in OTF2 without anything else: no call sites, no
 * communicators, no matching of requests.
 *
 *	OTF2_WRITER_FOLDER=/tmp/archive LD_PRELOAD=libotf2_writer.so ./send */
#include <mpi.h>
#include <otf2/OTF2_MPI_Collectives.h>
#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum region { REGION_SEND, REGION_RECV, REGION_ISEND, REGION_IRECV, REGION_WAITALL, REGIONS };
enum { CHUNK_BYTES = 1 << 20, WORLD_COMM = 0, ROOM = 64 };

static const char *const region_names[REGIONS] = {"MPI_Send", "MPI_Recv", "MPI_Isend", "MPI_Irecv",
                                                  "MPI_Waitall"};

static OTF2_Archive *archive;
static OTF2_EvtWriter *writer;
static uint64_t requests;
static int rank, size;

static uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static OTF2_FlushType may_flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                                bool final)
{
	(void)user, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

static OTF2_TimeStamp flushed(void *user, OTF2_FileType type, OTF2_LocationRef location)
{
	(void)user, (void)type, (void)location;
	return clock_ns();
}

static const OTF2_FlushCallbacks flushing = {.otf2_pre_flush = may_flush, .otf2_post_flush = flushed};

static void enter(enum region region)
{
	OTF2_EvtWriter_Enter(writer, NULL, clock_ns(), (OTF2_RegionRef)region);
}

static void leave(enum region region)
{
	OTF2_EvtWriter_Leave(writer, NULL, clock_ns(), (OTF2_RegionRef)region);
}

static uint64_t bytes_of(int count, MPI_Datatype type)
{
	int bytes;

	PMPI_Type_size(type, &bytes);
	return (uint64_t)count * (uint64_t)bytes;
}

static void open_archive(void)
{
	const char *folder = getenv("OTF2_WRITER_FOLDER");

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &size);
	archive = OTF2_Archive_Open(folder ? folder : "otf2", "trace", OTF2_FILEMODE_WRITE, CHUNK_BYTES,
	                            CHUNK_BYTES, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	OTF2_Archive_SetFlushCallbacks(archive, &flushing, NULL);
	OTF2_MPI_Archive_SetCollectiveCallbacks(archive, MPI_COMM_WORLD, MPI_COMM_NULL);
	OTF2_Archive_OpenEvtFiles(archive);
	writer = OTF2_Archive_GetEvtWriter(archive, (OTF2_LocationRef)rank);
}

int MPI_Init(int *argc, char ***argv)
{
	int result = PMPI_Init(argc, argv);

	open_archive();
	return result;
}

static void define_locations(OTF2_GlobalDefWriter *definitions, uint64_t events)
{
	OTF2_GlobalDefWriter_WriteString(definitions, REGIONS, "process");
	OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, 0, REGIONS, REGIONS,
	                                         OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (int i = 0; i < size; i++) {
		OTF2_GlobalDefWriter_WriteLocationGroup(definitions, (OTF2_LocationGroupRef)i, REGIONS,
		                                        OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
		                                        OTF2_UNDEFINED_LOCATION_GROUP);
		OTF2_GlobalDefWriter_WriteLocation(definitions, (OTF2_LocationRef)i, REGIONS,
		                                   OTF2_LOCATION_TYPE_CPU_THREAD, events,
		                                   (OTF2_LocationGroupRef)i);
	}
}

static void define_regions(OTF2_GlobalDefWriter *definitions)
{
	for (uint32_t i = 0; i < REGIONS; i++) {
		OTF2_GlobalDefWriter_WriteString(definitions, i, region_names[i]);
		OTF2_GlobalDefWriter_WriteRegion(definitions, i, i, i, i, OTF2_REGION_ROLE_POINT2POINT,
		                                 OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, i, 0, 0);
	}
}

static void write_definitions(uint64_t events)
{
	OTF2_GlobalDefWriter *definitions = OTF2_Archive_GetGlobalDefWriter(archive);

	OTF2_GlobalDefWriter_WriteClockProperties(definitions, 1000000000u, 0, UINT64_MAX,
	                                          OTF2_UNDEFINED_TIMESTAMP);
	define_regions(definitions);
	define_locations(definitions, events);
	OTF2_Archive_CloseGlobalDefWriter(archive, definitions);
}

int MPI_Finalize(void)
{
	uint64_t events = 0;

	OTF2_EvtWriter_GetNumberOfEvents(writer, &events);
	OTF2_Archive_CloseEvtWriter(archive, writer);
	OTF2_Archive_CloseEvtFiles(archive);
	if (rank == 0)
		write_definitions(events);
	PMPI_Barrier(MPI_COMM_WORLD);
	OTF2_Archive_Close(archive);
	return PMPI_Finalize();
}

int MPI_Send(const void *data, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
	int result;

	enter(REGION_SEND);
	OTF2_EvtWriter_MpiSend(writer, NULL, clock_ns(), (uint32_t)dest, WORLD_COMM, (uint32_t)tag,
	                       bytes_of(count, type));
	result = PMPI_Send(data, count, type, dest, tag, comm);
	leave(REGION_SEND);
	return result;
}

int MPI_Recv(void *data, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	int result;

	enter(REGION_RECV);
	result = PMPI_Recv(data, count, type, source, tag, comm, status);
	OTF2_EvtWriter_MpiRecv(writer, NULL, clock_ns(), (uint32_t)source, WORLD_COMM, (uint32_t)tag,
	                       bytes_of(count, type));
	leave(REGION_RECV);
	return result;
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
              MPI_Request *request)
{
	int result;

	enter(REGION_ISEND);
	OTF2_EvtWriter_MpiIsend(writer, NULL, clock_ns(), (uint32_t)dest, WORLD_COMM, (uint32_t)tag,
	                        bytes_of(count, type), requests++);
	result = PMPI_Isend(data, count, type, dest, tag, comm, request);
	leave(REGION_ISEND);
	return result;
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request *request)
{
	int result;

	enter(REGION_IRECV);
	OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, clock_ns(), requests++);
	result = PMPI_Irecv(data, count, type, source, tag, comm, request);
	leave(REGION_IRECV);
	return result;
}

/* The programs wait for as many receives as sends, the receives first. */
int MPI_Waitall(int count, MPI_Request request[], MPI_Status *statuses)
{
	MPI_Status own[ROOM];
	MPI_Status *status = statuses == MPI_STATUSES_IGNORE && count <= ROOM ? own : statuses;
	int result;

	enter(REGION_WAITALL);
	result = PMPI_Waitall(count, request, status);
	for (int i = 0; i < count / 2; i++)
		OTF2_EvtWriter_MpiIrecv(writer, NULL, clock_ns(), (uint32_t)status[i].MPI_SOURCE, WORLD_COMM,
		                        (uint32_t)status[i].MPI_TAG, 8, requests - (uint64_t)(count - i));
	for (int i = count / 2; i < count; i++)
		OTF2_EvtWriter_MpiIsendComplete(writer, NULL, clock_ns(), requests - (uint64_t)(count - i));
	leave(REGION_WAITALL);
	return result;
}
