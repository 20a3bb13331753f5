/* Of those who meet in a collective call of UPC, who was in it while nobody else was: sets `alone` of all participants. */
#ifndef TARRY_MODEL_ALONE_H
#define TARRY_MODEL_ALONE_H

#include "model/relations.h"

void note_alone(struct participant *participants, uint32_t count);

#endif
