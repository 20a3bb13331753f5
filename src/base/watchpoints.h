/* The processor's watchpoints: they stop a thread that touches up to eight given bytes, wherever those are. A handler of SIGTRAP learns of it. There are
 * a handful of them, and none where the kernel, a container or a debugger denies them.
 *
 *	if (watchpoints_open() > 0)
 *		watchpoint_set(0, address, 4, true);
 *	…
 *	watchpoint_clear(0);
 *
 * They see the thread that opened them and threads that it created since then, but no system calls. In other threads than the first a watchpoint cannot be
 * set again: the kernel does not hand on its period. */
#ifndef TARRY_BASE_WATCHPOINTS_H
#define TARRY_BASE_WATCHPOINTS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

enum { WATCHPOINTS_MAX = 4, WATCHED_BYTES_MAX = 8 };

#pragma GCC visibility push(hidden)

/* How many there are. */
uint32_t watchpoints_open(void);
/* The first bytes of a range that one watchpoint can see. */
uint32_t watchpoint_bytes(uintptr_t first, uintptr_t end);
/* False: the kernel denies it. */
bool watchpoint_set(uint32_t number, uintptr_t address, uint32_t bytes, bool writes_only);
/* In its signal handler, once it is cleared: sets it again; the access with this number from now on is seen. */
void watchpoint_set_again(uint32_t number, uint64_t next);
/* May be called in a signal handler. */
void watchpoint_clear(uint32_t number);
/* The watchpoint that a signal is about; WATCHPOINTS_MAX: none. */
uint32_t watchpoint_of(const siginfo_t *info);
/* The signal was delivered too late to say where the thread was. */
bool watchpoint_is_late(const siginfo_t *info);
/* In this thread it can be set again. */
bool watchpoints_are_own(void);
/* In the child of a fork: they are the parent's. */
void watchpoints_forget(void);

#pragma GCC visibility pop

#endif
