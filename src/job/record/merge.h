/* The last process to finish brings all parts of its world together into the trace. Processes do not talk to each other: each
 * leaves one mark in the parts folder at most, and only the last one lists the folder. A finished part has a name that says so;
 * if there are as many as the world is large, and the process gets hold of the lock, it makes the trace. */
#ifndef TARRY_JOB_RECORD_MERGE_H
#define TARRY_JOB_RECORD_MERGE_H

#include <stdint.h>

/* Called after this process's part has got its final name in this folder. Does nothing if others are still at work, or if the
 * front end will do it. A failure leaves the parts where they are: every command reads them too. */
void merge_if_last(const char *output, int folder, uint64_t world, uint32_t size);

#endif
