/* The arguments of frequent events, read straight into a key. All others go the general way (upc_calls.h), which gives the
 * same for these. */
#ifndef TARRY_JOB_RECORD_UPC_QUICK_H
#define TARRY_JOB_RECORD_UPC_QUICK_H

#include "base/upc_link.h"

#include <stdint.h>

struct upc_thread;

/* Words of keys that tell of an access or a barrier, the most frequent of all. */
enum { UPC_ACCESS_WORDS = 5, UPC_BARRIER_WORDS = 4 };

/* Fills the key's values; how many words it has then. */
typedef uint32_t upc_quick(const struct upc_thread *thread, struct upc_arguments *arguments, int64_t *key);

/* NULL: there is none for this event. */
upc_quick *upc_quick_of(uint32_t event);

#endif
