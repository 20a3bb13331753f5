/* Values of a setting whose names are only in its description. */
#ifndef TARRY_BENCH_RUN_DESCRIBED_H
#define TARRY_BENCH_RUN_DESCRIBED_H

/* The description lists values from 0 as "name - meaning", possibly without a separator between entries.
 * Returns the value of a name; -1: unknown. */
int described_value(const char *description, const char *name);

#endif
