/* What an export makes: one file or one folder, which appears whole or not at all.
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

/* Opens job->path, which has to be new unless the job says that it may be replaced. */
enum status export_open(const struct export_job *job, struct output *output) MUST_CHECK;
/* Writes the bytes, and clears them. */
enum status export_write(struct output *output, struct text *bytes) MUST_CHECK;
/* Takes the status of all the writing, and returns that of the whole. A failure leaves nothing behind. */
enum status export_close(struct output *output, enum status written) MUST_CHECK;
bool is_standard_output(const struct output *output);

/* Filled under another name, `draft`, and renamed when it is complete. Drafts of exports that were killed are removed by the next one to the same
 * folder: nobody holds their lock. */
struct output_folder {
	char *path;
	char *draft;
	int lock; /* the open draft, locked as long as it is written */
};

/* With `replace` an older folder makes room, but only if it holds the file `mark`: what is not ours stays. */
enum status output_folder_open(struct output_folder *folder, const char *path, const char *mark,
                               bool replace) MUST_CHECK;
/* Whatever it returns, the folder is released. */
enum status output_folder_commit(struct output_folder *folder) MUST_CHECK;
void output_folder_discard(struct output_folder *folder);

#endif
