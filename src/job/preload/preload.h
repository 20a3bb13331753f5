/* libtarry-preload.so is loaded into every process of a job: shells, interpreters, MPI programs. It has
 * the entry points of all MPI functions and forwards each call to the recorder for the MPI library that
 * the process has loaded. So the MPI library need not be known before a script starts a program or a
 * Python program imports mpi4py. Processes without MPI are left alone. */
#ifndef TARRY_JOB_PRELOAD_PRELOAD_H
#define TARRY_JOB_PRELOAD_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Generated, by slot: the entry points and their servers. */
struct preload_entry {
	const char *name;
	uint16_t
		function; /* the same for MPI_Send, MPI_Send_c, mpi_send__ and mpi_send_f08_; PRELOAD_NO_FUNCTION: outside MPI */
	bool returns_error;   /* a C function with an error code: all our libraries wrap it */
	bool always_recorded; /* call_info.always_recorded */
};
enum { PRELOAD_NO_FUNCTION = UINT16_MAX };
extern const struct preload_entry preload_entries[];
extern void *preload_slots[];
extern const size_t preload_count;
/* Functions of the MPI library that our libraries do not wrap; their slots are empty until the first call. */
extern bool preload_unknown[];

/* Called for entry points without a server: an MPI library must be loaded by now. Never NULL. */
void *preload_find_server(uint32_t slot, const void *site);

/* In assembler, 16 bytes per slot: jumps to preload_find_server with GATE in the slot number
 * (tool_calls.h). */
extern const char preload_gates[] __attribute__((visibility("hidden")));

#endif
