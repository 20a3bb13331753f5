/* The register that points to a function's frame record: the address of the caller's frame record, then the return address. Registers have
 * their DWARF numbers. On AArch64 it is used to unwind functions without unwind tables, which early versions of Clang generated. Code
 * compiled with -fomit-frame-pointer may use x29 for anything: then callers may be missing or wrong, but nothing outside the stack is read.
 * On x86-64 the register may hold anything, so records are not followed. */
#ifndef TARRY_JOB_RECORD_FRAME_POINTER_H
#define TARRY_JOB_RECORD_FRAME_POINTER_H

#include <stdbool.h>

#if defined __aarch64__
enum { FRAME_POINTER = 29, USUALLY_HAS_RECORD = true };
#elif defined __x86_64__
enum { FRAME_POINTER = 6, USUALLY_HAS_RECORD = false };
#endif

#endif
