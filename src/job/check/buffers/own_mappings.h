/* Pages that are guarded repeatedly keep their own mapping. Protecting pages in the middle of a mapping splits
 * it, and opening them joins the parts again, which is most of the cost: both together take 10 us, but 4 us if
 * the pages have their own mapping. The kernel does not join mappings with different advice, so these pages get
 * the advice MADV_RANDOM. For anonymous memory, this only turns off read-ahead from swap space.
 *
 *	own_mapping_use(first, end);              before the pages are protected
 *	own_mappings_join(first, end);            before the program moves them, because mremap() needs a single mapping
 *
 * Functions need the lock. */
#ifndef TARRY_JOB_CHECK_BUFFERS_OWN_MAPPINGS_H
#define TARRY_JOB_CHECK_BUFFERS_OWN_MAPPINGS_H

#include <stdint.h>

void own_mapping_use(uintptr_t first, uintptr_t end);
void own_mappings_join(uintptr_t first, uintptr_t end);

#endif
