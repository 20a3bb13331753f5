/* The machine that this process runs on. */
#ifndef TARRY_BASE_MACHINE_H
#define TARRY_BASE_MACHINE_H

#include <stdbool.h>

enum { MACHINE_TEXT = 64 };

/* What all processes of one machine have in common and no others: hosts may share a name, and containers on one
 * machine have several, but when it was started is known to all of them. False: it cannot be told. */
bool machine_identity(char text[MACHINE_TEXT]);

/* Can the processor's counter be believed? It has to run at one rate whatever the processor does, and the kernel,
 * which watches it, must not have given it up. */
bool machine_counter_is_sane(void);

/* What the kernel's clock sources say of it: the one in use, and the list of those that it could use ("" if it is not known). */
bool machine_sources_trust_counter(const char *current, const char *available);

#endif
