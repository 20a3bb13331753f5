/* From totals to findings. */
#ifndef TARRY_ANALYSIS_ENGINE_FINDINGS_H
#define TARRY_ANALYSIS_ENGINE_FINDINGS_H

#include "analysis/engine/analysis.h"
#include "analysis/engine/partitions.h"
#include "analysis/engine/rule_symbols.h"

void findings_take(const struct rule_partitions *partitions, const struct rule_symbols *symbols,
                   struct analysis *analysis);
/* By total, the largest first. */
void findings_sort(struct analysis *analysis);

#endif
