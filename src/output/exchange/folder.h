/* A folder that appears whole or not at all: filled under another name beside it, renamed when it is complete.
 *
 *	TRY(folder_open(&folder, "archive", "traces.otf2", force));
 *	… write into folder.draft …
 *	return folder_commit(&folder);   or   folder_discard(&folder); */
#ifndef TARRY_OUTPUT_EXCHANGE_FOLDER_H
#define TARRY_OUTPUT_EXCHANGE_FOLDER_H

#include "base/status.h"

#include <stdbool.h>

struct folder {
	char *path;
	char *draft;
};

/* With `replace` an older folder makes room, but only if it holds the file `mark`: what is not ours stays. */
enum status folder_open(struct folder *folder, const char *path, const char *mark, bool replace) MUST_CHECK;
/* Whatever it returns, the folder is released. */
enum status folder_commit(struct folder *folder) MUST_CHECK;
void folder_discard(struct folder *folder);

#endif
