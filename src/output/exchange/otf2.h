/* The Open Trace Format 2, in which tools of this field exchange traces. docs/exchange.md says which record
 * becomes which. */
#ifndef TARRY_OUTPUT_EXCHANGE_OTF2_H
#define TARRY_OUTPUT_EXCHANGE_OTF2_H

#include "output/exchange/export.h"
#include "output/exchange/import.h"

/* Makes the folder job->path with the archive "traces.otf2" in it, whole or not at all. */
enum status otf2_export(const struct export_job *job) MUST_CHECK;

/* `job->path` is the archive's .otf2 file, or a folder that holds one. Archives of Score-P, EZTrace and Tarry itself
 * are understood; nothing in them is trusted. */
enum status otf2_import(const struct import_job *job, struct import_report *report) MUST_CHECK;

#endif
