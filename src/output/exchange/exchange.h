/* Traces in the formats of other tools. Each format to write is one function of the same shape, and one line in the
 * table of cli/cmd_export.c. docs/exchange.md says what becomes of each record. */
#ifndef TARRY_OUTPUT_EXCHANGE_EXCHANGE_H
#define TARRY_OUTPUT_EXCHANGE_EXCHANGE_H

#include "analysis/symbols/symbols.h"
#include "base/array.h"
#include "trace/filter.h"

#include <stdio.h>

struct analysis_session;

struct export_job {
	struct analysis_session *session;
	struct reader *reader; /* of the session */
	struct symbols *source;
	const struct event_filter *filter; /* what of it is wanted; NULL: all */
	const char *path;                  /* of what is made: a file or a folder, as the format has it */
	bool force;                        /* what is there already is replaced */
	FILE *standard_output;             /* which the path "-" means, for formats that are one file */
	unsigned
		jobs; /* threads, at least 1: the reader was read through, and the filter may be asked by all */
};

/* One line for each event, values separated by commas, as RFC 4180 has it but with plain newlines.
 * docs/man/tarry-export.1 explains the columns; new ones come last. */
enum status csv_export(const struct export_job *job) MUST_CHECK;

/* For the Perfetto UI, in Perfetto's own format: a sequence of TracePackets as protocol buffers. A call is a slice on its
 * thread's track. A message is a flow from the call that sent it to the moment when it was received. Memory is that of
 * a replay (analysis/model/replay.h) and of the distinct calls. */
enum status perfetto_export(const struct export_job *job) MUST_CHECK;

/* The Open Trace Format 2: the folder job->path with the archive "traces.otf2" in it, whole or not at all. */
enum status otf2_export(const struct export_job *job) MUST_CHECK;

struct import_job {
	const char *path;    /* of what is read */
	const char *output;  /* the trace to make, whole or not at all */
	bool plain;          /* ignore what Tarry itself left in the archive, as other tools do */
	void (*alive)(void); /* called now and then while the import makes progress; may be NULL */
};

struct import_report {
	uint64_t processes, threads, events;
	ARRAY(char *) notes; /* what was not understood, a sentence for each kind */
};

/* `job->path` is the archive's .otf2 file, or a folder that holds one. Archives of Score-P, EZTrace and Tarry itself
 * are understood; nothing in them is trusted. */
enum status otf2_import(const struct import_job *job, struct import_report *report) MUST_CHECK;
void import_report_release(struct import_report *report);

#endif
