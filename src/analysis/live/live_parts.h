/* The files of a live job: which exist, their processes, and whether they can be read from here. */
#ifndef TARRY_ANALYSIS_LIVE_LIVE_PARTS_H
#define TARRY_ANALYSIS_LIVE_LIVE_PARTS_H

#include "analysis/live/live_job.h"

struct live_part {
	const char *name;
	const char *host;
	bool was_silent; /* nothing was in it, at the last look */
	struct followed_part *followed;
	bool is_hidden; /* it cannot be read from here, except its table */
};

enum { PART_HOST_ROOM = 65 };

/* The host in the name of a part. False: not a part. */
bool part_name_parse(const char *name, char host[PART_HOST_ROOM]);

/* True if only processes of this machine can write there. */
bool live_folder_is_local(const char *folder);

/* Lists the parts. */
void live_parts_list(struct live_job *job);
/* Reads new data. */
void live_parts_read(struct live_job *job);

#endif
