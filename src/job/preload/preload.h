/* libtarry-preload.so is loaded into every process of a job, whatever it is: shells, interpreters, MPI programs. It
 * has the entry points of all MPI functions, and passes each call on to the recorder for the MPI library that the
 * process has really loaded. So nobody has to guess beforehand which MPI a script will start or a
 * Python program import. A process without MPI is left alone. */
#ifndef TARRY_JOB_PRELOAD_PRELOAD_H
#define TARRY_JOB_PRELOAD_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Generated: the names of the entry points and who serves each, by number. */
extern void *preload_slots[];
extern const char *const preload_names[];
extern const size_t preload_count;
/* Functions that the MPI library has, but that of ours none wraps; their slots stay empty until they are called. */
extern bool preload_unknown[];
/* Functions of C that return an error code: all libraries of ours wrap them. */
extern const bool preload_returns_error[];

/* Calls of an entry point without a server come here: an MPI library must be there by now. Never NULL. */
void *preload_find_server(uint32_t slot, const void *site);

/* In assembler, 16 bytes for each slot: ways to preload_find_server with GATE in the number (tool_calls.h). */
extern const char preload_gates[] __attribute__((visibility("hidden")));

#endif
