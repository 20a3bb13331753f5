#include "coll/choice/outcome.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

int coll_outcome_print(const struct coll_outcome *o, char *line)
{
	const int length = snprintf(
		line, OUTCOME_LINE,
		"outcome comm=%" PRId64
		" processes=%d nodes=%d levels=%d operation=%s class=%d bytes=%" PRIu64 "-%" PRIu64
		" calls=%" PRIu64 " decided=%d forced=%d library=%d chosen=%s library_s=%.6g rival_s=%.6g\n",
		o->comm, (int)o->processes, (int)o->nodes, (int)o->levels, o->operation, (int)o->size_class,
		o->bytes_min, o->bytes_max, o->calls, o->is_decided, o->is_forced, o->is_library, o->chosen,
		o->library_s, o->rival_s);

	return length < OUTCOME_LINE ? length : 0;
}

bool coll_outcome_parse(const char *line, struct coll_outcome *outcome)
{
	struct coll_outcome o = {0};
	int decided, forced, library, processes, nodes, levels, class, end = 0;

	if (sscanf(line,
	           "outcome comm=%" SCNd64
	           " processes=%d nodes=%d levels=%d operation=%39[a-z_] class=%d bytes=%" SCNu64 "-%" SCNu64
	           " calls=%" SCNu64
	           " decided=%d forced=%d library=%d chosen=%39[a-z0-9_-] library_s=%lf rival_s=%lf%n",
	           &o.comm, &processes, &nodes, &levels, o.operation, &class, &o.bytes_min, &o.bytes_max,
	           &o.calls, &decided, &forced, &library, o.chosen, &o.library_s, &o.rival_s, &end) != 15 ||
	    (line[end] != '\n' && line[end]))
		return false;
	if (processes < 1 || nodes < 1 || levels < 1 || class < 0 || !isfinite(o.library_s) ||
	    !isfinite(o.rival_s) || o.library_s < 0 || o.rival_s < 0)
		return false;
	o.processes = processes;
	o.nodes = nodes;
	o.levels = levels;
	o.size_class = class;
	o.is_decided = decided;
	o.is_forced = forced;
	o.is_library = library;
	*outcome = o;
	return true;
}
