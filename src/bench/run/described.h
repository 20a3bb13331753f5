/* Values of a setting whose names stand in its description alone. */
#ifndef TARRY_BENCH_RUN_DESCRIBED_H
#define TARRY_BENCH_RUN_DESCRIBED_H

/* The description lists values in their order, from 0 on, as "name - what it does", perhaps without anything between the end of one
 * and the name of the next. -1: it has no such name. */
int described_value(const char *description, const char *name);

#endif
