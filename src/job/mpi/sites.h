/* Call sites: an address in a file that is currently loaded. */
#ifndef TARRY_JOB_MPI_SITES_H
#define TARRY_JOB_MPI_SITES_H

#include "job/mpi/host.h"

#include <stdbool.h>
#include <stdint.h>

/* Module and offset of a return address. */
void site_locate(uint64_t address, uint64_t *module, uint64_t *offset);

/* The same without a lock, for a signal handler. It finds only files that are already known. */
void site_peek(uint64_t address, uint64_t *module, uint64_t *offset);

/* Whether the return address is in a file for which `question` is true. */
bool site_is_in(uint64_t address, bool (*question)(const char *path));

/* Describes all known files to the host again, between the two calls of `around`. */
void sites_tell_again(void (*around)(void *whom, bool begins), void *whom);

/* A number for a module that is not a loaded file; 0: too many. */
uint64_t site_new_module(void);

/* Number of unloads of files with call sites. After an unload, the same address may be another place. */
extern HIDDEN uint32_t site_unloads;
/* Number of unloads of any file. */
extern HIDDEN uint32_t site_dlcloses;

/* Called by the preloaded library at every dlclose(). */
__attribute__((visibility("default"))) void tarry_unloaded(void);

/* The segment of a loaded file that contains an address. */

struct load_segment {
	uintptr_t start, end; /* both 0: not in a loaded file */
	bool is_writable;
	bool is_asked_for; /* result of `question` for the file's path */
};

/* `question` may be NULL. */
struct load_segment segment_of(uintptr_t address, bool (*question)(const char *path));

#endif
