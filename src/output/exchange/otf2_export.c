#include "analysis/model/paradigm.h"
#include "output/exchange/folder.h"
#include "output/exchange/otf2.h"
#include "output/exchange/otf2_exporter.h"

static void write_archive(struct exporter *ex)
{
	define_attributes(ex);
	define_parameters(ex);
	known_comms_collect(&ex->comms, ex->reader, &ex->arena);
	define_system(ex);
	define_objects(ex);
	for (size_t i = 0; i < ex->reader->process_count; i++) {
		if (ex->job->progress)
			ex->job->progress((double)i / (double)ex->reader->process_count);
		export_process(ex, i);
	}
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
	otf2_times_init(&ex.times, job->reader, job->progress);
	opened = exporter_open(&ex, folder);
	if (opened == OK)
		write_archive(&ex);
	closed = exporter_close(&ex);
	otf2_times_release(&ex.times);
	arena_release(&ex.arena);
	return opened == OK ? closed : opened;
}

enum status otf2_export(const struct export_job *job)
{
	struct folder folder;

	TRY(folder_open(&folder, job->path, OTF2_ANCHOR, job->force));
	if (write_into(job, folder.draft) != OK) {
		folder_discard(&folder);
		return because("writing '%s'", job->path);
	}
	return folder_commit(&folder);
}
