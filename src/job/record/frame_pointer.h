/* Which register points to a function's frame record, where that is kept: its caller's frame record, then the return address. The
 * numbers are those of DWARF. Where the ABI has it so that the register points to a record at all times, that is what is left of functions
 * without tables for unwinding, which early versions of Clang made for AArch64; elsewhere it may hold anything. */
#ifndef TARRY_JOB_RECORD_FRAME_POINTER_H
#define TARRY_JOB_RECORD_FRAME_POINTER_H

#include <stdbool.h>

#if defined __aarch64__
enum { FRAME_POINTER = 29, ALWAYS_HAS_RECORD = true };
#elif defined __x86_64__
enum { FRAME_POINTER = 6, ALWAYS_HAS_RECORD = false };
#endif

#endif
