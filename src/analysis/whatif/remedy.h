/* What would have to change in a run so that a finding does not occur: the changes of a scenario (whatif.h).
 *
 *	struct remedy remedy;
 *	remedy_find(analysis, finding, &remedy);
 *	scenario.changes = remedy.changes;
 *	remedy_release(&remedy);
 *
 * A wait for a process that computes longer than others: it computes as long as the mean of the others. A wait for anything else: it is gone. A
 * finding without a partner: the calls take less time. Some problems have a remedy of their own, in a table. */
#ifndef TARRY_ANALYSIS_WHATIF_REMEDY_H
#define TARRY_ANALYSIS_WHATIF_REMEDY_H

#include "analysis/engine/analysis.h"
#include "analysis/whatif/whatif.h"
#include "base/array.h"

enum remedy_kind {
	REMEDY_WORK,    /* less computing of the late process */
	REMEDY_NO_WAIT, /* the late call comes in time */
	REMEDY_HIDE,    /* transfers overlap with computing */
	REMEDY_REMOVE,  /* the calls are gone */
	REMEDY_SERVE,   /* work after each request of a queue is done by two */
	REMEDY_SHORTEN, /* the calls take less time */
	REMEDIES_END
};

/* "the late rank computes no longer than the others" */
extern const char *const remedy_texts[REMEDIES_END];
extern const char *const remedy_names[REMEDIES_END];

struct remedy {
	enum remedy_kind kind; /* of most of its changes */
	ARRAY(struct whatif_change) changes;
};

/* Of all findings of this problem at these places, on any process. */
void remedy_find(const struct analysis *analysis, const struct finding *finding, struct symbols *source,
                 struct remedy *remedy);
void remedy_add(struct remedy *remedy, const struct whatif_change *change);
void remedy_release(struct remedy *remedy);

#endif
