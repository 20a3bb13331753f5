/* Where calls come from, as the recorder sees it: an address in a file that is loaded now. */
#ifndef TARRY_RECORD_SITES_H
#define TARRY_RECORD_SITES_H

#include <stdint.h>

/* Module and offset of a return address. */
void site_locate(uint64_t address, uint64_t *module, uint64_t *offset);

/* Counts how often files with call sites in them were unloaded: the same address may be another place now. */
extern uint32_t site_unloads __attribute__((visibility("hidden")));

/* For the preloaded library, which sees every dlclose(). */
__attribute__((visibility("default"))) void tarry_unloaded(void);

#endif
