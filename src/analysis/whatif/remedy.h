/* Changes of a run after which a finding would not occur, as a scenario (whatif.h).
 *
 *	struct remedy remedy;
 *	remedy_find(analysis, findings, count, 0, &remedy);
 *	scenario.changes = remedy.changes.items;
 *	remedy_release(&remedy);
 *
 * Rules name the remedy of a problem. A wait for a process that computes longer than others: it computes as long as the mean of the others. A wait
 * for anything else: it is gone. A finding without a partner: the calls take less time. */
#ifndef TARRY_ANALYSIS_WHATIF_REMEDY_H
#define TARRY_ANALYSIS_WHATIF_REMEDY_H

#include "analysis/engine/analysis.h"
#include "analysis/whatif/whatif.h"
#include "base/array.h"

/* "the late rank computes no longer than the others" */
extern const char *const remedy_texts[REMEDIES_END];

struct remedy {
	enum remedy_kind kind; /* of its first changes, which are those of the finding that costs most */
	ARRAY(struct whatif_change) changes;
};

/* Of findings of one problem at one place, on any process. `sharers`: so many processes share computing that one does alone; 0: it stays as it is, and
 * its process calls in time. */
void remedy_find(const struct analysis *analysis, const struct finding *const *findings, size_t count,
                 uint32_t sharers, struct remedy *remedy);
/* Work that others take over: they have no more time for it than they wait (`ns`, of all of them). */
double remedy_left_of_shared(int64_t alone_ns, int64_t waits_ns, uint32_t sharers);
void remedy_add(struct remedy *remedy, const struct whatif_change *change);
bool remedy_is_same(const struct remedy *a, const struct remedy *b);
void remedy_release(struct remedy *remedy);

#endif
