/* Partitioned sends: from the start of the request to the calls that made its partitions ready. Told when the request is started
 * again or freed, or at the end.
 *
 *	struct partitions *partitions = partitions_new(process_count, teller);
 *	if (partitions_want(partitions, role))           each distinct call
 *		partitions_call(partitions, &call);      each call of it
 *	partitions_finish(partitions);
 *
 * Costs nothing in processes that make no such request. */
#ifndef TARRY_ANALYSIS_MODEL_PARTITIONS_H
#define TARRY_ANALYSIS_MODEL_PARTITIONS_H

#include "analysis/model/relations.h"

struct partitions;

struct partitions *partitions_new(size_t process_count, const struct teller *teller);
bool partitions_want(struct partitions *partitions, const struct role *role);
void partitions_call(struct partitions *partitions, const struct occurrence *call);
/* Calls of the process may be missing from here on. */
void partitions_blind(struct partitions *partitions, uint32_t process);
void partitions_finish(struct partitions *partitions);

#endif
