/* Extracts the critical path from the tree of all paths, and finds its parts. Internal to the causes.
 *
 *	struct critical_path *path = path_follow(&tree, reader, run, start_ns);       NULL: none
 *	path_add_parts(path, logs, time, start_ns);
 *
 * The second function reads events again, but only chunks on the path. */
#ifndef TARRY_ANALYSIS_CAUSES_PATH_FOLLOW_H
#define TARRY_ANALYSIS_CAUSES_PATH_FOLLOW_H

#include "analysis/causes/call_log.h"
#include "analysis/causes/critical_path.h"
#include "analysis/causes/path_tree.h"
#include "analysis/model/run_spans.h"

struct critical_path *path_follow(struct path_tree *tree, const struct reader *reader,
                                  const struct run_spans *run, int64_t start_ns);
void path_add_parts(struct critical_path *path, struct call_logs *logs, const struct corrected_time *time,
                    int64_t start_ns);

#endif
