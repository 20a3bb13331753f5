/* A template with its values: "rank 3 sends 64 KiB". */
#ifndef TARRY_ENGINE_ADVICE_H
#define TARRY_ENGINE_ADVICE_H

#include "base/text.h"
#include "engine/ground.h"

void advice_add(struct text *text, const struct ground *ground, const struct template *template,
                const union word *values);

#endif
