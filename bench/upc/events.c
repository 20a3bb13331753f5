/* Imitates the runtime of Berkeley UPC and reports calls that do nothing to a tool, repeatedly, to measure the tool. A
 * pointer-to-shared is a word with the thread in its upper half, as in real runtimes.
 *
 *	events MEMPUTS BARRIERS */
#include "../timed.h"

#include <stdarg.h>

#include <tarry_upc_calls.h>

enum { START, END };
enum { MEMPUT = 1031, NOTIFY = 1100, WAIT = 1101, COLLECTIVE_EXIT = 1210 };

typedef struct context *context;

context gasp_init(int model, int *argc, char ***argv);
void gasp_event_notify(context context, unsigned tag, int type, const char *file, int line, int column, ...);

const char *tarry_upc_implementation(void)
{
	return "berkeley";
}

unsigned tarry_upc_gasp_version(void)
{
	return 0x020311;
}

unsigned tarry_upc_user_first(void)
{
	return 100;
}

unsigned tarry_upc_user_last(void)
{
	return 999;
}

int tarry_upc_number(int index, unsigned *tag, const char **event)
{
	static const struct {
		unsigned tag;
		const char *event;
	} numbers[] = {
		{MEMPUT, "MEMPUT"}, {NOTIFY, "NOTIFY"}, {WAIT, "WAIT"}, {COLLECTIVE_EXIT, "COLLECTIVE_EXIT"}};

	if (index >= (int)(sizeof numbers / sizeof *numbers))
		return 0;
	*tag = numbers[index].tag;
	*event = numbers[index].event;
	return 1;
}

int tarry_upc_my_thread(void)
{
	return 0;
}

int tarry_upc_threads(void)
{
	return 1;
}

int tarry_upc_thread_of(const void *pointer)
{
	return (int)(*(const uint64_t *)pointer >> 32);
}

unsigned long tarry_upc_address_of(const void *pointer)
{
	return (unsigned long)(*(const uint64_t *)pointer & UINT32_MAX);
}

unsigned tarry_upc_flags(int flags)
{
	return (unsigned)flags;
}

int tarry_upc_operation(int operation)
{
	return operation;
}

static void memputs(context tool, long count)
{
	uint64_t to = 0x1000, from = 0;

	for (long i = 0; i < count; i++) {
		gasp_event_notify(tool, MEMPUT, START, "events.upc", 10, 0, &to, &from, sizeof from);
		gasp_event_notify(tool, MEMPUT, END, "events.upc", 10, 0, &to, &from, sizeof from);
	}
}

/* upc_barrier is reported as two pairs of events. */
static void barriers(context tool, long count)
{
	for (long i = 0; i < count; i++) {
		gasp_event_notify(tool, NOTIFY, START, "events.upc", 20, 0, 0, 0);
		gasp_event_notify(tool, NOTIFY, END, "events.upc", 20, 0, 0, 0);
		gasp_event_notify(tool, WAIT, START, "events.upc", 20, 0, 0, 0);
		gasp_event_notify(tool, WAIT, END, "events.upc", 20, 0, 0, 0);
	}
}

static double ns_of_one(context tool, void (*events)(context tool, long count), long rounds)
{
	struct timing timing;

	begin(&timing);
	for (int lap = 0; lap < LAPS; lap++) {
		events(tool, rounds / LAPS);
		end_lap(&timing);
	}
	return (double)median_lap(&timing) / (double)(rounds / LAPS);
}

int main(int argc, char **argv)
{
	long memput_rounds = argument(argc, argv, 1, 2000000),
	     barrier_rounds = argument(argc, argv, 2, 1000000);
	context tool = gasp_init(0, &argc, &argv);
	double memput_ns = ns_of_one(tool, memputs, memput_rounds),
	       barrier_ns = ns_of_one(tool, barriers, barrier_rounds);

	gasp_event_notify(tool, COLLECTIVE_EXIT, START, NULL, 0, 0, 0);
	gasp_event_notify(tool, COLLECTIVE_EXIT, END, NULL, 0, 0, 0);
	printf("{\"memput\": %.2f, \"barrier\": %.2f, \"hwm_kib\": %ld}\n", memput_ns, barrier_ns,
	       memory_kib("VmHWM"));
	return 0;
}
