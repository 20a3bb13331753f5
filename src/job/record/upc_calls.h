/* Converts UPC events to calls of the trace and their field values. */
#ifndef TARRY_JOB_RECORD_UPC_CALLS_H
#define TARRY_JOB_RECORD_UPC_CALLS_H

#include "job/record/upc_thread.h"

/* The arguments of an event. Our own wrappers pass them in this form. */
struct upc_facts {
	struct upc_values values;
	const char *text;
	uint64_t mutex;
	int ints[2];
	uint64_t sizes[2];
};

enum upc_manner {
	UPC_PASSED_OVER, /* not recorded */
	UPC_CALL,
	UPC_REGION,
	UPC_STRANGER, /* an unknown event: it is recorded, and so are calls inside it */
};

extern const uint8_t upc_manners[UPC_EVENT_COUNT] __attribute__((visibility("hidden")));

static inline enum upc_manner upc_manner_of(uint32_t event)
{
	return (enum upc_manner)upc_manners[event];
}

/* The usual call of an event. */
extern const uint16_t upc_calls[UPC_EVENT_COUNT] __attribute__((visibility("hidden")));

static inline uint32_t upc_call_of(uint32_t event)
{
	return upc_calls[event];
}

/* Reads the arguments of an event that has ended. */
void upc_read_arguments(const struct upc_thread *thread, uint32_t event, struct upc_arguments *arguments,
                        struct upc_facts *facts);

/* Writes the words of a key without its site, and returns their number. Unknown events have a `tag` instead of facts. */
enum { UPC_KEY_MAX = 16 };
uint32_t upc_make_key(struct upc_thread *thread, uint32_t event, unsigned tag, const struct upc_facts *facts,
                      int64_t key[UPC_KEY_MAX]);

/* Reads the arguments of a frequent event directly into a key, with the same result as the general functions. NULL: the event has no such
 * reader. */
upc_key_reader *upc_key_reader_of(uint32_t event);

#endif
