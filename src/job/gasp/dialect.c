/* The dialect, built from the data of tarry_upc.upc. The UPC threads of a process share it: the first thread builds it, the others wait. */
#include "job/gasp/gasp.h"

#include <tarry_upc_calls.h>

#include <sched.h>
#include <string.h>

#define EVENT_NAME(name, at_start, at_end) #name,
static const char *const event_names[] = {UPC_EVENTS(EVENT_NAME)};

static uint32_t event_of(const char *name)
{
	for (uint32_t event = 0; event < UPC_EVENT_COUNT; event++)
		if (strcmp(event_names[event], name) == 0)
			return event;
	return UPC_EVENT_UNKNOWN;
}

static size_t read_numbers(struct upc_number *numbers)
{
	size_t count = 0;
	const char *name;
	unsigned tag;

	while (count < UPC_EVENT_COUNT && tarry_upc_number((int)count, &tag, &name))
		numbers[count++] = (struct upc_number){tag, event_of(name)};
	return count;
}

static uint64_t address_of(const void *pointer)
{
	return tarry_upc_address_of(pointer);
}

static struct upc_number numbers[UPC_EVENT_COUNT];
static uint64_t passages[UPC_PASSAGES];
static struct upc_dialect dialect;

const struct upc_dialect *tarry_upc_dialect(void)
{
	enum { NOT_YET, SOON, MADE };
	static int state = NOT_YET;
	int expected = NOT_YET;

	if (__atomic_compare_exchange_n(&state, &expected, SOON, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
		dialect = (struct upc_dialect){
			.version = UPC_LINK_VERSION,
			.implementation = tarry_upc_implementation(),
			.gasp_upc_version = tarry_upc_gasp_version(),
			.user_first = tarry_upc_user_first(),
			.user_last = tarry_upc_user_last(),
			.numbers = numbers,
			.number_count = read_numbers(numbers),
			.my_thread = tarry_upc_my_thread,
			.threads = tarry_upc_threads,
			.thread_of = tarry_upc_thread_of,
			.address_of = address_of,
			.sync = tarry_upc_flags,
			.operation = tarry_upc_operation,
			.passages = passages,
			.passage_count = tarry_upc_passages(passages),
		};
		__atomic_store_n(&state, MADE, __ATOMIC_RELEASE);
	}
	while (__atomic_load_n(&state, __ATOMIC_ACQUIRE) != MADE)
		sched_yield();
	return &dialect;
}
