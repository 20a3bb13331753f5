/* Why the entries of a report wait: the causes of their findings, and the order of entries by cause. Internal to the report.
 *
 *	struct cause_merge merging = {.report = report, .causes = causes};
 *	merge_causes(&merging, entry, finding);       for each finding of an entry
 *	finish_causes(report, entry);                 when its total is known
 *	cause_merge_release(&merging);
 *	order_by_cause(report);                       of those that are shown
 */
#ifndef TARRY_OUTPUT_REPORT_REPORT_CAUSES_H
#define TARRY_OUTPUT_REPORT_REPORT_CAUSES_H

#include "base/map.h"
#include "output/report/report.h"

struct cause_merge {
	struct report *report;
	struct causes *causes; /* NULL: nobody looked for them */
	struct map numbers;    /* of `places`, by call */
	ARRAY(struct call_place) places;
};

void merge_causes(struct cause_merge *merging, struct report_entry *entry, const struct finding *finding);
/* Where a call stands, worked out once. */
struct call_place cause_place(struct cause_merge *merging, const struct caller *caller);
/* From the parts of a cause to its processes. */
void name_cause_processes(struct arena *arena, struct report_cause *cause);
void finish_causes(struct report *report, struct report_entry *entry);
/* Adds to what the rules advise why the partner is late: its work, or a call. Where several causes share that, the list of them says it. */
void advise_on_cause(struct report *report, struct report_entry *entry);
void cause_merge_release(struct cause_merge *merging);

/* Waits that an imbalance explains stand under it, and those with one cause beside each other; groups by what they cost. */
void order_by_cause(struct report *report);

#endif
