/* The processor's watchpoints: they send SIGTRAP to a thread that accesses up to eight given bytes at any
 * address. There are only a few of them, and none where the kernel, a container or a debugger denies them.
 *
 *	if (watchpoints_open() > 0)
 *		watchpoint_set(0, address, 4, true);
 *	…
 *	watchpoint_clear(0);
 *
 * They cover the thread that opened them and threads that it created since then, but not system calls. Only
 * the first thread can set a watchpoint again: the kernel does not pass its period on to other threads. */
#ifndef TARRY_BASE_WATCHPOINTS_H
#define TARRY_BASE_WATCHPOINTS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

enum { WATCHPOINTS_MAX = 4, WATCHED_BYTES_MAX = 8 };

#pragma GCC visibility push(hidden)

/* Returns their number. */
uint32_t watchpoints_open(void);
/* The number of bytes at the start of a range that one watchpoint can cover. */
uint32_t watchpoint_bytes(uintptr_t first, uintptr_t end);
/* False: the kernel denies it. */
bool watchpoint_set(uint32_t number, uintptr_t address, uint32_t bytes, bool writes_only);
/* In its signal handler, after clearing it: sets it again, to fire at the access with
 * this number from now on. */
void watchpoint_set_again(uint32_t number, uint64_t next);
/* Async-signal-safe. */
void watchpoint_clear(uint32_t number);
/* The watchpoint of a signal; WATCHPOINTS_MAX: none. */
uint32_t watchpoint_of(const siginfo_t *info);
/* The signal arrived too late to say where the thread was. */
bool watchpoint_is_late(const siginfo_t *info);
/* True if this thread can set them again. */
bool watchpoints_are_own(void);
/* In the child of a fork: the watchpoints belong to the parent. */
void watchpoints_forget(void);

#pragma GCC visibility pop

#endif
