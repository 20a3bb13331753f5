/* A template with its values: "rank 3 sends 64 KiB". */
#ifndef TARRY_ANALYSIS_ENGINE_ADVICE_H
#define TARRY_ANALYSIS_ENGINE_ADVICE_H

#include "analysis/engine/ground.h"
#include "base/text.h"

void advice_add(struct text *text, const struct ground *ground, const struct template *template,
                const union word *values);

#endif
