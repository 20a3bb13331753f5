/* The files of a live job: which there are, of whom, and whether they can be read from here. */
#ifndef TARRY_ANALYSIS_LIVE_LIVE_PARTS_H
#define TARRY_ANALYSIS_LIVE_LIVE_PARTS_H

#include "analysis/live/live_job.h"

struct live_part {
	uint64_t inode; /* its name changes when the process has finished */
	const char *name;
	const char *host;
	int pid;
	bool is_done;
	bool was_there;                 /* the process, on this machine */
	bool is_gone;                   /* the process has ended before it was done */
	bool was_silent;                /* nothing was in it, at the last look */
	struct followed_part *followed; /* NULL: it cannot be read from here */
};

/* The meaning of a part's name. False: not a part. */
struct part_name {
	char host[65];
	int pid;
	bool is_done;
};
bool part_name_parse(const char *name, struct part_name *parsed);

/* Whether only processes of this machine can write there. */
bool live_folder_is_local(const char *folder);

/* Notes which parts there are. */
void live_parts_list(struct live_job *job);
/* Reads what was added to them. */
void live_parts_read(struct live_job *job);

#endif
