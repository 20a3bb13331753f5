/* What a thread was doing when a page fault interrupted it, from the registers that the kernel saved. One file for each
 * processor: fault_PROCESSOR.c. */
#ifndef TARRY_JOB_CHECK_FAULT_ACCESS_H
#define TARRY_JOB_CHECK_FAULT_ACCESS_H

enum access_kind { ACCESS_READS, ACCESS_WRITES, ACCESS_UNKNOWN };

#pragma GCC visibility push(hidden)

/* `context`: the third argument of a signal handler. */
enum access_kind fault_access(const void *context);

#pragma GCC visibility pop

#endif
