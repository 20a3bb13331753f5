/* The register that points to a function's frame record: the caller's frame record, then the return address. The numbers are those of
 * DWARF. On AArch64 it is used to unwind functions without unwind tables, which early versions of Clang made. Code compiled with
 * -fomit-frame-pointer may use x29 freely; callers may then be missing or wrong, but nothing outside of the stack is read. On x86-64 the
 * register may hold anything, and records are not followed. */
#ifndef TARRY_JOB_RECORD_FRAME_POINTER_H
#define TARRY_JOB_RECORD_FRAME_POINTER_H

#include <stdbool.h>

#if defined __aarch64__
enum { FRAME_POINTER = 29, USUALLY_HAS_RECORD = true };
#elif defined __x86_64__
enum { FRAME_POINTER = 6, USUALLY_HAS_RECORD = false };
#endif

#endif
