/* Counters of the processor that a recording can have, by name. */
#ifndef TARRY_BASE_COUNTERS_H
#define TARRY_BASE_COUNTERS_H

#include <stdint.h>

enum counter { COUNTER_CYCLES, COUNTER_INSTRUCTIONS, COUNTER_TASK_CLOCK, COUNTERS };

/* "cycles", "instructions", "task-clock" (nanoseconds with a CPU) */
extern const char *const counter_names[COUNTERS];

/* Counters in a list with commas, as bits. 0: one of the names is unknown, or there is none. */
uint32_t counters_parse(const char *list);

#endif
