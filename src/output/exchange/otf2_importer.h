/* The import of an archive. Internal to otf2_*.c.
 *
 * Records of other tools become records of the trace. What Tarry itself exported is there as lines of text
 * (docs/trace-format.md, "As text"), which the assembler checks and writes; the text of a call is parsed once. */
#ifndef TARRY_OUTPUT_EXCHANGE_OTF2_IMPORTER_H
#define TARRY_OUTPUT_EXCHANGE_OTF2_IMPORTER_H

#include "base/text.h"
#include "output/exchange/exchange.h"
#include "output/exchange/otf2_common.h"
#include "output/exchange/otf2_import_definitions.h"
#include "trace/text.h"

/* NOTE(NAME, "sentence"): things that are counted and reported at the end, behind their number. */
#define IMPORT_NOTES(NOTE) \
	NOTE(REPEATED, "definitions repeat others and were ignored") \
	NOTE(STRANGE_LOCATIONS, "locations are not threads of processes and were ignored") \
	NOTE(UNREADABLE, "locations could not be read completely") \
	NOTE(UNPAIRED, "leave records have no enter record and were ignored") \
	NOTE(UNFINISHED, "regions have no leave record: they end with the last event of their thread") \
	NOTE(NO_COMPLETION, "requests have no completion record") \
	NOTE(NO_REQUEST, "completions belong to no request and were ignored") \
	NOTE(BACKWARDS, "events end before they begin: their duration was set to 0") \
	NOTE(NO_SUCH, "records refer to communicators, windows or files that are not defined") \
	NOTE(METRICS, "metric values were ignored") \
	NOTE(THREADS, "records of thread teams and tasks were ignored") \
	NOTE(SAMPLES, "samples were ignored") \
	NOTE(OTHERS, "other records have no counterpart in a trace and were ignored")

enum import_note {
#define NOTE(NAME, sentence) NOTE_##NAME,
	IMPORT_NOTES(NOTE)
#undef NOTE
		IMPORT_NOTE_COUNT,
};

/* A source file, or a function in one. */
struct source_function {
	const char *file;
	const char *function; /* "": not known */
};

struct import_process {
	struct process_item *item;
	uint64_t world;
	uint32_t rank;            /* PROCESS_UNKNOWN */
	ARRAY(struct comm) comms; /* that it is a member of */
	ARRAY(struct object) objects;
	size_t first_location;
};

struct importer {
	const struct import_job *job;
	OTF2_Reader *reader;
	struct contents contents;
	bool own; /* Tarry wrote the archive, and it is read as that */
	struct trace_writer out;
	struct assembler *assembler; /* of what Tarry itself exported */
	enum status status;          /* of the first record that failed */
	uint64_t records;            /* so far */
	uint64_t world;
	ARRAY(struct import_process) processes;
	struct import_process **by_rank; /* NULL: not there */
	size_t *next_location;           /* of the same process; by place in contents.locations */
	struct interner
		source_keys; /* source files, and functions in them; number + 1 is that in the trace */
	ARRAY(struct source_function) sources;
	OTF2_AttributeRef attributes[OTF2_ATTRIBUTE_COUNT]; /* numbers in this archive */
	uint64_t counts[IMPORT_NOTE_COUNT];
	uint64_t threads, events;
};

#define NO_LOCATION SIZE_MAX

/* Each keeps the status, and does nothing once one has failed. */
void put_line(struct importer *im, const char *line);
void put_event(struct importer *im, const struct draft_event *event);
/* Identities, which must differ from one another. */
uint64_t comm_identity(const struct importer *im, const struct import_process *process, OTF2_CommRef ref);
uint64_t window_identity(OTF2_RmaWinRef ref);
uint64_t file_identity(OTF2_IoHandleRef ref);

/* otf2_import_processes.c */
/* Whether the communicator is one of MPI or UPC, and not that of threads, or of streams of an accelerator. */
bool comm_is_of_processes(const struct importer *im, OTF2_CommRef ref);
void find_own(struct importer *im);
void find_processes(struct importer *im);
void put_process(struct importer *im, struct import_process *process);

/* otf2_import_events.c: the events of a process. */
void put_threads(struct importer *im, struct import_process *process);

#endif
