/* The output of an export: one file or one folder, created completely or not at all.
 *
 *	TRY(export_open(job, &output));
 *	status = export_close(&output, export_write(&output, &text));
 *
 *	TRY(output_folder_open(&folder, "archive", "traces.otf2", force));
 *	… write into folder.draft …
 *	return output_folder_commit(&folder);   or   output_folder_discard(&folder); */
#ifndef TARRY_OUTPUT_EXCHANGE_EXPORT_OUTPUT_H
#define TARRY_OUTPUT_EXCHANGE_EXPORT_OUTPUT_H

#include "output/exchange/exchange.h"
#include "trace/output.h"

/* Opens job->path, which must be new unless the job allows replacement. */
enum status export_open(const struct export_job *job, struct output *output) MUST_CHECK;
/* Writes the bytes, and clears them. */
enum status export_write(struct output *output, struct text *bytes) MUST_CHECK;
/* Takes the status of all writes, and returns the final status. After a failure nothing is left. */
enum status export_close(struct output *output, enum status written) MUST_CHECK;
bool is_standard_output(const struct output *output);

/* Written under another name, `draft`, and renamed when it is complete. The next export to the same folder
 * removes drafts of killed exports: nobody holds their lock. */
struct output_folder {
	char *path;
	char *draft;
	int lock; /* the open draft, locked while it is written */
};

/* With `replace` an old folder is replaced, but only if it contains the file `mark`:
 * other folders are kept. */
enum status output_folder_open(struct output_folder *folder, const char *path, const char *mark,
                               bool replace) MUST_CHECK;
/* Releases the folder in any case. */
enum status output_folder_commit(struct output_folder *folder) MUST_CHECK;
void output_folder_discard(struct output_folder *folder);

#endif
