/* The machine that this process runs on. */
#ifndef TARRY_BASE_MACHINE_H
#define TARRY_BASE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

enum { MACHINE_TEXT = 64 };

/* A text that is the same in all processes of one machine and different on every other machine. Host names
 * are not enough: hosts may share a name, and containers on one machine have several. The boot time is common
 * to all of them. False: unknown. */
bool machine_identity(char text[MACHINE_TEXT]);

/* Processors that are near each other, from the smallest group: the threads of a core, a NUMA node, a socket. */
enum processor_group { GROUP_CORE, GROUP_NUMA, GROUP_SOCKET, PROCESSOR_GROUPS };

/* "core", "numa", "socket": the properties of traces with their lowest processors. */
extern const char *const processor_group_names[PROCESSOR_GROUPS];

/* The lowest processor of the group that has all processors of a list, "0-3,8". -1: they are in several groups,
 * or it is unknown. `devices` is the folder in which Linux describes them: MACHINE_DEVICES. */
#define MACHINE_DEVICES "/sys/devices/system"
int64_t processor_group_of(const char *devices, const char *processors, enum processor_group group);

/* True if the processor's counter is reliable: it runs at a constant rate, and the kernel, which watches it,
 * has not rejected it. */
bool machine_counter_is_sane(void);

/* True if the kernel's clock sources confirm that: the current source, and the list of available
 * sources ("": unknown). */
bool machine_sources_trust_counter(const char *current, const char *available);

#endif
