/* Redundant reads of windows. If a process reads the same bytes again, and has neither synchronised nor
 * written to this window in between, both reads have the same position in the order of all processes: an
 * access that conflicts with one of them conflicts with the other. Such reads, and flushes that complete
 * nothing else, are held back:
 *
 *	read the same bytes        the first two reads are events, the others are held
 *	write elsewhere            held reads that are complete are dropped, because the first reads stand for them
 *	write to this window       its next reads count as new
 *	any other event            held reads become events before it
 *
* So a program that repeatedly reads blocks of a matrix, and accumulates its results, has few events. */
#ifndef TARRY_JOB_CHECK_WINDOWS_REPEATED_READS_H
#define TARRY_JOB_CHECK_WINDOWS_REPEATED_READS_H

#include "job/check/windows/window_epochs.h"
#include "job/check/wire/announced.h"

/* A call on the window becomes an event, or is held. False: it has not become an event. Accesses that become
 * events are counted in the window. */
bool repeated_reads_push(struct checked_window *window, struct announced_call *call, uint64_t first);

#endif
