/* The last process to finish merges all parts of its world into the trace. Processes do not communicate: each leaves at most one mark in
 * the parts folder, and only the last one lists the folder. The name of a finished part shows that it is finished. If all parts of the
 * world are finished and the process gets the lock, it makes the trace. */
#ifndef TARRY_JOB_RECORD_MERGE_H
#define TARRY_JOB_RECORD_MERGE_H

#include <stdint.h>

/* Called when this process's part has its final name in this folder. Does nothing if other processes still run, or if the front end
 * merges. On failure the parts stay: every command can read them. */
void merge_if_last(const char *output, int folder, uint64_t world, uint32_t size);

#endif
