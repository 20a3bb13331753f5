#include "base/memory.h"
#include "base/paths.h"
#include "output/exchange/otf2_importer.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ALIVE_RECORDS = 1 << 12 };

static void count_record(struct importer *im)
{
	if (im->job->alive && im->records++ % ALIVE_RECORDS == 0)
		im->job->alive();
}

void put_line(struct importer *im, const char *line)
{
	count_record(im);
	if (im->status == OK)
		im->status = assembler_add(im->assembler, line, strlen(line));
}

void put_event(struct importer *im, const struct draft_event *event)
{
	count_record(im);
	im->events++;
	if (im->status == OK)
		im->status = trace_writer_event(&im->out, event);
}

/* The number of archives in a folder, and the last of them. EZTrace creates a folder in a folder. */
static size_t find_anchors(const char *folder, unsigned depth, struct text *anchor)
{
	DIR *listing = opendir(folder);
	struct dirent *entry;
	size_t found = 0;

	while (listing && (entry = readdir(listing))) {
		scoped_text path = {0};
		text_add(&path, "%s/%s", folder, entry->d_name);
		if (entry->d_name[0] != '.' && text_ends(entry->d_name, ".otf2") &&
		    !path_is_folder(text_get(&path))) {
			text_clear(anchor);
			text_add(anchor, "%s", text_get(&path));
			found++;
		} else if (entry->d_name[0] != '.' && depth && path_is_folder(text_get(&path))) {
			found += find_anchors(text_get(&path), depth - 1, anchor);
		}
	}
	if (listing)
		closedir(listing);
	return found;
}

static enum status find_anchor(const char *path, struct text *anchor)
{
	size_t found;

	if (!path_is_folder(path)) {
		text_add(anchor, "%s", path);
		return OK;
	}
	found = find_anchors(path, 1, anchor);
	if (found == 1)
		return OK;
	return found ? fail("'%s' holds %zu archives: name one of its .otf2 files", path, found)
	             : fail("'%s' holds no OTF2 archive, which is a file NAME.otf2", path);
}

/* Attributes have different numbers in each archive. */
static void find_attributes(struct importer *im)
{
	static const char *const names[] = {
#define ATTRIBUTE(id, NAME, name, TYPE, description) [id] = name,
		OTF2_ATTRIBUTES(ATTRIBUTE)
#undef ATTRIBUTE
	};
	struct definition_table *attributes = &im->contents.attributes;

	for (int i = 0; i < OTF2_ATTRIBUTE_COUNT; i++)
		im->attributes[i] = OTF2_UNDEFINED_ATTRIBUTE;
	for (size_t i = 0; i < table_count(attributes); i++) {
		const struct attribute_item *item = table_at(attributes, struct attribute_item, i);
		for (int j = 0; j < OTF2_ATTRIBUTE_COUNT; j++)
			if (item->name && strcmp(item->name, names[j]) == 0)
				im->attributes[j] = (OTF2_AttributeRef)item->id;
	}
}

struct local_definitions {
	struct importer *im;
	struct location_item *location;
};

static OTF2_CallbackCode on_clock_offset(void *context, OTF2_TimeStamp time, int64_t offset, double deviation)
{
	struct local_definitions *local = context;

	array_add_in(&local->im->contents.arena, &local->location->offsets,
	             (struct clock_offset){time, offset, deviation});
	return OTF2_CALLBACK_SUCCESS;
}

static enum status read_archive(struct importer *im)
{
	uint64_t id = 0;
	struct definition_table *locations;
	OTF2_DefReaderCallbacks *callbacks;

	OTF2_Reader_SetSerialCollectiveCallbacks(im->reader);
	TRY(contents_read(&im->contents, im->reader));
	im->counts[NOTE_REPEATED] = im->contents.repeated;
	OTF2_Reader_GetTraceId(im->reader, &id);
	/* 0 is not a world; further worlds count from this one. */
	im->world = (id >> 1) + 1;
	im->source_keys.arena = &im->contents.arena;
	find_attributes(im);
	find_own(im);
	find_processes(im);
	if (!im->processes.count)
		return fail("there is no process in it");
	/* Local definitions map the numbers that events use, and have the clock offsets. */
	locations = &im->contents.locations;
	callbacks = OTF2_DefReaderCallbacks_New();
	OTF2_DefReaderCallbacks_SetClockOffsetCallback(callbacks, on_clock_offset);
	for (size_t i = 0; i < table_count(locations); i++)
		OTF2_Reader_SelectLocation(im->reader, table_at(locations, struct location_item, i)->id);
	if (OTF2_Reader_OpenDefFiles(im->reader) == OTF2_SUCCESS) {
		for (size_t i = 0; i < table_count(locations); i++) {
			struct location_item *location = table_at(locations, struct location_item, i);
			OTF2_DefReader *definitions = OTF2_Reader_GetDefReader(im->reader, location->id);
			struct local_definitions local = {im, location};
			uint64_t count;

			if (!definitions)
				continue;
			if (OTF2_Reader_RegisterDefCallbacks(im->reader, definitions, callbacks, &local) !=
			            OTF2_SUCCESS ||
			    OTF2_Reader_ReadAllLocalDefinitions(im->reader, definitions, &count) !=
			            OTF2_SUCCESS)
				im->counts[NOTE_UNREADABLE]++;
			OTF2_Reader_CloseDefReader(im->reader, definitions);
		}
		OTF2_Reader_CloseDefFiles(im->reader);
	}
	OTF2_DefReaderCallbacks_Delete(callbacks);
	OTF2_Reader_OpenEvtFiles(im->reader);
	for (size_t i = 0; i < im->processes.count && im->status == OK; i++) {
		put_process(im, &im->processes.items[i]);
		if (im->status == OK)
			put_threads(im, &im->processes.items[i]);
	}
	return im->status;
}

static void make_report(const struct importer *im, struct import_report *report)
{
	static const char *const sentences[] = {
#define NOTE(NAME, sentence) sentence,
		IMPORT_NOTES(NOTE)
#undef NOTE
	};

	*report = (struct import_report){
		.processes = im->processes.count, .threads = im->threads, .events = im->events};
	for (int i = 0; i < IMPORT_NOTE_COUNT; i++) {
		struct text note = {0};
		if (!im->counts[i])
			continue;
		text_add(&note, "%" PRIu64 " %s", im->counts[i], sentences[i]);
		array_add(&report->notes, text_take(&note));
	}
}

void import_report_release(struct import_report *report)
{
	for (size_t i = 0; i < report->notes.count; i++)
		free(report->notes.items[i]);
	array_release(&report->notes);
	*report = (struct import_report){0};
}

static enum status import_anchor(const struct import_job *job, const char *anchor,
                                 struct import_report *report)
{
	struct importer im = {.job = job};
	enum status status;

	otf2_drop_messages();
	im.reader = OTF2_Reader_Open(anchor);
	if (!im.reader)
		return fail("'%s' is not an OTF2 archive, or parts of it are missing", anchor);
	status = trace_writer_open(&im.out, job->output, CHUNK_DEFAULT);
	if (status == OK) {
		im.assembler = assembler_new(job->path, &im.out);
		status = read_archive(&im);
		if (status == OK)
			status = trace_writer_commit(&im.out);
		else
			trace_writer_discard(&im.out);
		assembler_free(im.assembler);
	}
	if (status == OK)
		make_report(&im, report);
	OTF2_Reader_Close(im.reader);
	contents_release(&im.contents);
	return status;
}

enum status otf2_import(const struct import_job *job, struct import_report *report)
{
	scoped_text anchor = {0};
	enum status status = find_anchor(job->path, &anchor);

	if (status == OK && import_anchor(job, text_get(&anchor), report) != OK)
		status = because("reading '%s'", job->path);
	return status;
}
