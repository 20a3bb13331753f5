/* The files of a run (model/file_usage.h), in reports.
 *
 *	add_files(&sheet, &shown);           a table
 *	json_files(&json, &shown);           the member `files`
 *	describe_file_work(&sheet, cause, false, &text);      "rank 0 writes out.dat, 1.20 GiB in pieces of 4 KiB" */
#ifndef TARRY_OUTPUT_REPORT_FILES_H
#define TARRY_OUTPUT_REPORT_FILES_H

#include "analysis/model/file_usage.h"
#include "output/report/parts.h"

/* Files in a table that is not complete. */
enum { FILES_SHOWN = 8 };

struct sheet;

/* Without the program's folder. */
const char *file_name_for(const struct shown_figures *shown, const struct used_file *file);
/* "0-3,7" */
void add_file_ranks(const struct reader *reader, const struct used_file *file, size_t runs, struct text *out);

/* The reads or writes of the only process of a cause, if it spends most of its time there in them: "rank 0 writes out.dat, 1.20 GiB in
 * pieces of 4 KiB", or only the file. False: it does not, or files were not recorded. */
bool describe_file_work(const struct sheet *sheet, const struct report_cause *cause, bool is_short,
                        struct text *out);

void json_files(struct json *json, const struct shown_figures *shown);
/* Nothing if files were not recorded. `most`: files in the table. */
void add_files(const struct sheet *sheet, const struct shown_figures *shown, size_t most);

#endif
