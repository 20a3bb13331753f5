/* Traces in the formats of other tools. Each output format is one function of the same type, and one line in
 * the table of cli/cmd_export.c. docs/exchange.md describes the mapping of each record. */
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
	const struct event_filter *filter; /* the wanted part of it; NULL: all */
	const char *path;                  /* of the output: a file or a folder, depending on the format */
	bool force;                        /* replaces existing output */
	FILE *standard_output;             /* for the path "-", in formats with one file */
	unsigned jobs; /* threads, at least 1: the reader was read through, and the filter is thread-safe */
};

/* One line per event, values separated by commas, as in RFC 4180 but with plain newlines.
 * docs/man/tarry-export.1 explains the columns; new ones are added at the end. */
enum status csv_export(const struct export_job *job) MUST_CHECK;

/* A table like this of messages: a line for each received message, with the calls that sent it, posted its receive and received it, in the order in which
 * the replay completes them. The filter selects messages that wanted calls sent or received. */
enum status messages_export(const struct export_job *job) MUST_CHECK;

/* For the Perfetto UI, in Perfetto's own format: a sequence of TracePackets as protocol buffers. A call is a
 * slice on its thread's track. A message is a flow from the call that sent it to the moment when it was
 * received. Memory is needed for a replay (analysis/model/replay.h) and for distinct calls. */
enum status perfetto_export(const struct export_job *job) MUST_CHECK;

/* The Open Trace Format 2: the folder job->path with the archive "traces.otf2", created
 * completely or not at all. */
enum status otf2_export(const struct export_job *job) MUST_CHECK;

struct import_job {
	const char *path;    /* of the input */
	const char *output;  /* the new trace, created completely or not at all */
	bool plain;          /* ignores Tarry's own data in the archive, like other tools */
	void (*alive)(void); /* called occasionally to show progress; may be NULL */
};

struct import_report {
	uint64_t processes, threads, events;
	ARRAY(char *) notes; /* unsupported content, one sentence per kind */
};

/* `job->path` is the archive's .otf2 file, or a folder that contains one. Supports archives of Score-P,
 * EZTrace and Tarry itself; nothing in them is trusted. */
enum status otf2_import(const struct import_job *job, struct import_report *report) MUST_CHECK;
void import_report_release(struct import_report *report);

#endif
