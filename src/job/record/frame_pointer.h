/* Which register points to a function's frame record, where that is kept: its caller's frame record, then the return address. The
 * numbers are those of DWARF. On AArch64 it usually points to a record: that is what is left of functions without tables for unwinding,
 * which early versions of Clang made there. But code compiled with -fomit-frame-pointer may use x29 freely: then callers may be missing or
 * wrong, but nothing is read outside of the stack. On x86-64 it may hold anything, and records are not followed. */
#ifndef TARRY_JOB_RECORD_FRAME_POINTER_H
#define TARRY_JOB_RECORD_FRAME_POINTER_H

#include <stdbool.h>

#if defined __aarch64__
enum { FRAME_POINTER = 29, USUALLY_HAS_RECORD = true };
#elif defined __x86_64__
enum { FRAME_POINTER = 6, USUALLY_HAS_RECORD = false };
#endif

#endif
