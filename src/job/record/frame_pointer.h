/* Which register points to a function's frame record, where that is kept: its caller's frame record, then the return address. The
 * numbers are those of DWARF. */
#ifndef TARRY_JOB_RECORD_FRAME_POINTER_H
#define TARRY_JOB_RECORD_FRAME_POINTER_H

#if defined __aarch64__
enum { FRAME_POINTER = 29 };
#elif defined __x86_64__
enum { FRAME_POINTER = 6 };
#endif

#endif
