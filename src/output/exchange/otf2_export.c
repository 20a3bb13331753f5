#include "analysis/model/processes.h"
#include "output/exchange/export_output.h"
#include "output/exchange/otf2_exporter.h"

/* Times */

/* Room for times before the first comparison of a clock: a process may have entered MPI_Init long before it compared its own, and
 * numbers from 0 cost the same as any others. */
#define ROOM_NS ((uint64_t)OTF2_TICKS_PER_SECOND * 24 * 60 * 60)

/* Only a hostile trace has later times. */
#define TIME_MAX ((uint64_t)1 << 62)

uint64_t otf2_line_tick(const struct otf2_line *line, uint64_t time)
{
	__int128 elapsed = (__int128)time - line->time;
	__int128 ticks = (__int128)line->last_tick - line->tick,
		 length = (__int128)line->last_time - line->time;

	/* 2^62 at the most, so that the product has room. */
	if (length <= 0 || length > (__int128)TIME_MAX || ticks < 0 || ticks > (__int128)TIME_MAX)
		return line->tick;
	return (uint64_t)(line->tick + (elapsed * ticks + (elapsed < 0 ? -length : length) / 2) / length);
}

/* A clock without a date among others that have one counts from its own zero. */
static bool has_date(const struct otf2_times *times, size_t process)
{
	const struct clocks *clocks = times->corrected->clocks;

	return clocks->lines[clocks->line_of[process]].base_ns > 0;
}

uint64_t otf2_time(const struct otf2_times *times, size_t process, uint64_t tick)
{
	int64_t ns = corrected_ns(times->corrected, (uint32_t)process, tick);

	if (has_date(times, process))
		ns -= (int64_t)times->start_ns;
	return ns < 0 ? 0 : (uint64_t)ns < TIME_MAX ? (uint64_t)ns : TIME_MAX;
}

struct otf2_line otf2_line_between(const struct otf2_times *times, size_t process, uint64_t first,
                                   uint64_t last)
{
	return (struct otf2_line){first, otf2_time(times, process, first), last,
	                          otf2_time(times, process, last)};
}

/* The earliest date that a clock was compared with, less some room; 0 if none was. */
static uint64_t earliest_ns(const struct otf2_times *times, const struct reader *reader)
{
	uint64_t earliest = UINT64_MAX;

	for (size_t i = 0; i < reader->process_count; i++) {
		const struct process *process = &reader->processes[i];
		int64_t ns;
		if (!has_date(times, i) || !process->clock_count || !process->clocks[0].point_count)
			continue;
		ns = corrected_ns(times->corrected, (uint32_t)i, process->clocks[0].points[0].tick);
		if (ns >= 0 && (uint64_t)ns < earliest)
			earliest = (uint64_t)ns;
	}
	return earliest == UINT64_MAX || earliest < ROOM_NS ? 0 : earliest - ROOM_NS;
}

static void otf2_times_init(struct otf2_times *times, const struct export_job *job)
{
	*times = (struct otf2_times){.corrected = job->session->time, .first = UINT64_MAX};
	times->start_ns = earliest_ns(times, job->reader);
}

/* The archive */

static OTF2_ErrorCode keep_silent(void *context, const char *file, uint64_t line, const char *function,
                                  OTF2_ErrorCode code, const char *format, va_list args)
{
	(void)context, (void)file, (void)line, (void)function, (void)format, (void)args;
	return code;
}

void otf2_drop_messages(void)
{
	OTF2_Error_RegisterCallback(keep_silent, NULL);
}

static OTF2_FlushType before_flush(void *context, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                                   bool final)
{
	(void)context, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {.otf2_pre_flush = before_flush};

static enum status status_of(OTF2_ErrorCode code)
{
	return code == OTF2_SUCCESS ? OK
	                            : fail("cannot write the archive: %s", OTF2_Error_GetDescription(code));
}

static enum status exporter_open(struct exporter *ex, const char *folder)
{
	otf2_drop_messages();
	ex->archive = OTF2_Archive_Open(folder, OTF2_ARCHIVE, OTF2_FILEMODE_WRITE,
	                                OTF2_CHUNK_SIZE_EVENTS_DEFAULT, OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT,
	                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!ex->archive)
		return fail("cannot create an archive in '%s'", folder);
	wrote(ex, OTF2_Archive_SetFlushCallbacks(ex->archive, &flush_callbacks, NULL));
	wrote(ex, OTF2_Archive_SetSerialCollectiveCallbacks(ex->archive));
	wrote(ex, OTF2_Archive_SetCreator(ex->archive, "tarry"));
	wrote(ex, OTF2_Archive_OpenEvtFiles(ex->archive));
	wrote(ex, OTF2_Archive_OpenDefFiles(ex->archive));
	ex->defs = OTF2_Archive_GetGlobalDefWriter(ex->archive);
	return ex->defs ? status_of(ex->failed) : fail("cannot write definitions into '%s'", folder);
}

static enum status exporter_close(struct exporter *ex)
{
	if (!ex->archive)
		return OK;
	wrote(ex, OTF2_Archive_CloseEvtFiles(ex->archive));
	wrote(ex, OTF2_Archive_CloseDefFiles(ex->archive));
	wrote(ex, OTF2_Archive_CloseGlobalDefWriter(ex->archive, ex->defs));
	wrote(ex, OTF2_Archive_Close(ex->archive));
	return status_of(ex->failed);
}

static void write_archive(struct exporter *ex)
{
	define_paradigms(ex);
	known_comms_collect(&ex->comms, ex->reader, &ex->arena);
	define_system(ex);
	define_objects(ex);
	for (size_t i = 0; i < ex->reader->process_count; i++) {
		if (ex->job->session->progress)
			ex->job->session->progress((double)i / (double)ex->reader->process_count);
		export_process(ex, i);
	}
	write_definitions(ex);
	define_clock(ex);
}

static enum status write_into(const struct export_job *job, const char *folder)
{
	bool is_upc = paradigm_of(job->reader) == PARADIGM_UPC;
	struct exporter ex = {.job = job,
	                      .reader = job->reader,
	                      .paradigm = is_upc ? OTF2_PARADIGM_UPC : OTF2_PARADIGM_MPI};
	enum status opened, closed;

	ex.strings.arena = ex.object_keys.arena = ex.group_keys.arena = ex.regions.arena = ex.places.arena =
		&ex.arena;
	otf2_times_init(&ex.times, job);
	opened = exporter_open(&ex, folder);
	if (opened == OK)
		write_archive(&ex);
	closed = exporter_close(&ex);
	arena_release(&ex.arena);
	return opened == OK ? closed : opened;
}

enum status otf2_export(const struct export_job *job)
{
	struct output_folder folder;

	TRY(output_folder_open(&folder, job->path, OTF2_ANCHOR, job->force));
	if (write_into(job, folder.draft) != OK) {
		output_folder_discard(&folder);
		return because("writing '%s'", job->path);
	}
	return output_folder_commit(&folder);
}
