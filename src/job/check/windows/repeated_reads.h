/* Reads of windows that tell analysers nothing new. A process that reads the same bytes again, and has neither synchronised nor written to this window in between, reads
 * at the same moment of the order of all processes: who conflicts with the one conflicts with the other. Such reads, and the flushes that complete nothing else, are held:
 *
 *	read the same bytes        the first two are events, the others are held
 *	write elsewhere            reads that are complete are dropped: the process may have told others about them, as about the first ones
 *	write to this window       its reads are new from now on
 *	any other event            reads that are held become events before it
 *
 * So a program that reads blocks of a matrix again and again, and adds its results, has few events. */
#ifndef TARRY_JOB_CHECK_WINDOWS_REPEATED_READS_H
#define TARRY_JOB_CHECK_WINDOWS_REPEATED_READS_H

#include "job/check/windows/window_epochs.h"
#include "job/check/wire/announced.h"

/* A call of the window becomes an event, or is held. False: it is no event now. Accesses that are events are counted in the window. */
bool repeated_reads_push(struct checked_window *window, struct announced_call *call, uint64_t first);

#endif
