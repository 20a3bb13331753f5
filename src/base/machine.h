/* The machine that this process runs on. */
#ifndef TARRY_BASE_MACHINE_H
#define TARRY_BASE_MACHINE_H

#include <stdbool.h>

enum { MACHINE_TEXT = 64 };

/* A text that is the same in all processes of one machine and different on every other machine. Host names
 * are not enough: hosts may share a name, and containers on one machine have several. The boot time is common
 * to all of them. False: unknown. */
bool machine_identity(char text[MACHINE_TEXT]);

/* True if the processor's counter is reliable: it runs at a constant rate, and the kernel, which watches it,
 * has not rejected it. */
bool machine_counter_is_sane(void);

/* True if the kernel's clock sources confirm that: the current source, and the list of available
 * sources ("": unknown). */
bool machine_sources_trust_counter(const char *current, const char *available);

#endif
