/* What an event of UPC means: which call of the trace it is, and the values of its fields. */
#ifndef TARRY_JOB_RECORD_UPC_CALLS_H
#define TARRY_JOB_RECORD_UPC_CALLS_H

#include "job/record/upc_thread.h"

/* Whose arguments were read: those of our own wrappers come so, others are made so. */
struct upc_facts {
	struct upc_values values;
	const char *text;
	uint64_t mutex;
	int ints[2];
	uint64_t sizes[2];
};

enum upc_manner {
	UPC_PASSED_OVER, /* is not recorded */
	UPC_CALL,
	UPC_REGION,
	UPC_STRANGER, /* nobody knows what it is: it is recorded as far as it hides nothing */
};

extern const uint8_t upc_manners[UPC_EVENT_COUNT] __attribute__((visibility("hidden")));

static inline enum upc_manner upc_manner_of(uint32_t event)
{
	return (enum upc_manner)upc_manners[event];
}

/* The call that an event is mostly recorded as. */
extern const uint16_t upc_calls[UPC_EVENT_COUNT] __attribute__((visibility("hidden")));

static inline uint32_t upc_call_of(uint32_t event)
{
	return upc_calls[event];
}

/* Reads the arguments of an event that is over. */
void upc_read_arguments(const struct upc_thread *thread, uint32_t event, struct upc_arguments *arguments,
                        struct upc_facts *facts);

/* The words of a key but for its site; how many there are. `tag` is what an unknown event has instead of facts. */
enum { UPC_KEY_MAX = 16 };
uint32_t upc_make_key(struct upc_thread *thread, uint32_t event, unsigned tag, const struct upc_facts *facts,
                      int64_t key[UPC_KEY_MAX]);

/* The arguments of frequent events, read straight into a key. All others go the general way, which gives the same for these.
 * NULL: there is no such reader for this event. */
upc_key_reader *upc_key_reader_of(uint32_t event);

#endif
