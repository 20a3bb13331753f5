/* The last process to finish merges all parts of its world into the trace. Processes do not communicate: the last process of each part leaves
 * marks in the parts folder, and only the last process of the world lists the folder. If all ranks of the world are finished and the process
 * gets the lock, it writes the trace. */
#ifndef TARRY_JOB_RECORD_MERGE_H
#define TARRY_JOB_RECORD_MERGE_H

/* Called by the last process of the part with this name, which is closed. Does nothing if processes on other nodes still run. On failure, the
 * parts remain, and every command can read them. */
void merge_if_last(const char *output, int folder, const char *part);

#endif
