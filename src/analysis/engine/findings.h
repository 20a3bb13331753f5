/* From what was added up to findings. */
#ifndef TARRY_ANALYSIS_ENGINE_FINDINGS_H
#define TARRY_ANALYSIS_ENGINE_FINDINGS_H

#include "analysis/engine/analysis.h"
#include "analysis/engine/ground.h"
#include "analysis/engine/parts.h"

void findings_take(const struct parts *parts, const struct ground *ground, struct analysis *analysis);

#endif
