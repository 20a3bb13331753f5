/* Where calls come from, an address in a file that is loaded now. */
#ifndef TARRY_JOB_MPI_SITES_H
#define TARRY_JOB_MPI_SITES_H

#include <stdbool.h>
#include <stdint.h>

/* Module and offset of a return address. */
void site_locate(uint64_t address, uint64_t *module, uint64_t *offset);

/* Does this return address lie in a file that the question is answered with yes for? */
bool site_is_in(uint64_t address, bool (*question)(const char *path));

/* Tells the host of the files that are known once more, between the two calls of `around`. */
void sites_tell_again(void (*around)(void *whom, bool begins), void *whom);

/* The number of a module that is no loaded file; 0: there are too many. */
uint64_t site_new_module(void);

/* Counts how often files with call sites in them were unloaded: the same address may be another place now. */
extern uint32_t site_unloads __attribute__((visibility("hidden")));
/* How often anything was. */
extern uint32_t site_dlcloses __attribute__((visibility("hidden")));

/* For the preloaded library, which sees every dlclose(). */
__attribute__((visibility("default"))) void tarry_unloaded(void);

/* The part of a loaded file that an address lies in. */

struct load_segment {
	uintptr_t start, end; /* both 0: the address lies in no loaded file */
	bool is_writable;
	bool is_asked_for; /* what the question was answered with for the file's path */
};

/* `question` may be NULL. */
struct load_segment segment_of(uintptr_t address, bool (*question)(const char *path))
	__attribute__((visibility("hidden")));

#endif
