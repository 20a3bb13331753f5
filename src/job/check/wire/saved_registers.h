/* The system call or memory access that a signal interrupted, from the registers that the kernel saved. One
 * file per processor: saved_registers_PROCESSOR.c. */
#ifndef TARRY_JOB_CHECK_WIRE_SAVED_REGISTERS_H
#define TARRY_JOB_CHECK_WIRE_SAVED_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

enum access_kind { ACCESS_READS, ACCESS_WRITES, ACCESS_UNKNOWN };

/* `context` is the third argument of a signal handler. */

/* The access of a page fault. */
enum access_kind fault_access(const void *context);

/* True if a thread that hits a watchpoint has already executed the instruction. */
extern const bool trap_follows_access;

/* The access of a watchpoint; `changed`: the watched bytes have changed since the watchpoint was set. */
enum access_kind trapped_access(const void *context, bool changed);

/* After a watchpoint: which of the following accesses is the next new one (1: the first). */
uint32_t next_trapped_access(void);

/* True: the thread was in a system call, which fails with EINTR because of the signal. */
bool system_call_was_cut_short(const void *context);

#endif
