/* What processes of a job have chosen for collective operations, put together for people and for programs.
 *
 *	struct coll_summary summary = {0};
 *	coll_summary_read(&summary, folder);
 *	coll_summary_text(&summary, has_failed, &text);
 *	coll_summary_release(&summary); */
#ifndef TARRY_CLI_COLL_SUMMARY_H
#define TARRY_CLI_COLL_SUMMARY_H

#include "base/text.h"
#include "coll/choice/outcome.h"

#include <stddef.h>

/* An outcome, with the process that wrote it. */
struct coll_summary_item {
	struct coll_outcome outcome;
	size_t writer;
};

struct coll_summary {
	struct coll_summary_item *items;
	size_t count, room;
};

/* Adds all that is in the folder; what is damaged is left out. */
void coll_summary_read(struct coll_summary *summary, const char *folder);
void coll_summary_release(struct coll_summary *summary);

/* At most 15 lines. A job that has failed may have chosen what it had no time to write. */
void coll_summary_text(struct coll_summary *summary, bool has_failed, struct text *out);
void coll_summary_json(const struct coll_summary *summary, struct text *out);

#endif
