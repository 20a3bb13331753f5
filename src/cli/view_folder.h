/* The traces, reports and histories of a folder, for a page that lists them. The page requests them one after
 * the other. Each answer is the output of another `tarry` process, so a damaged file cannot end the server.
 *
 *	struct view_folder folder = {.path = "runs", .rules = &choice.rules, .sources = &choice.sources};
 *	TRY(view_folder_read(&folder));
 *	view_folder_page(&folder, &page);
 *	found = view_folder_answer(&folder, request, &out, &type);      in several threads
 *	view_folder_release(&folder);                                   ends running analyses */
#ifndef TARRY_CLI_VIEW_FOLDER_H
#define TARRY_CLI_VIEW_FOLDER_H

#include "base/arena.h"
#include "base/array.h"
#include "base/text.h"
#include "cli/trace_analysis.h"

#include <pthread.h>

struct view_request;

enum folder_file_kind { FOLDER_TRACE, FOLDER_REPORT, FOLDER_HISTORY, FOLDER_FILE_KINDS };

struct folder_file {
	const char *name, *path; /* the path is absolute */
	enum folder_file_kind kind;
	int64_t modified_s; /* since 1970; 0: the file cannot be read */
};

struct view_folder {
	const char *path;
	/* Options for these other processes. */
	const struct rule_choice *rules;
	const char *symbols;
	const struct string_list *sources;
	int64_t jobs;

	const char *absolute;            /* path */
	ARRAY(struct folder_file) files; /* by name */
	size_t left_out;
	struct arena arena;
	pthread_mutex_t lock; /* of the rest */
	ARRAY(pid_t) children;
	bool is_ending;
};

/* Finds the files. Subfolders are not searched. */
enum status view_folder_read(struct view_folder *folder) MUST_CHECK;
void view_folder_page(const struct view_folder *folder, struct text *out);
/* False: unknown file or request. */
bool view_folder_answer(struct view_folder *folder, const struct view_request *request, struct text *out,
                        const char **type);
/* Ends the other processes, so that no request waits for them. */
void view_folder_stop(struct view_folder *folder);
void view_folder_release(struct view_folder *folder);

#endif
