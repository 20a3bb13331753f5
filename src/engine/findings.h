/* From what was added up to findings. */
#ifndef TARRY_ENGINE_FINDINGS_H
#define TARRY_ENGINE_FINDINGS_H

#include "engine/analysis.h"
#include "engine/ground.h"
#include "engine/parts.h"

void findings_take(const struct parts *parts, const struct ground *ground, struct analysis *analysis);

#endif
