/* A recorder that logs its input: SPY_FOLDER/THREAD.txt has a line for each event of a thread. Preloaded, or
 * loaded by libtarry-gasp.a. SPY_VERSION makes it one of another version. */
#include "base/upc_link.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME(name, at_start, at_end) #name,
#define AT_START(name, at_start, at_end) at_start,
#define AT_END(name, at_start, at_end) at_end,
static const char *const names[] = {UPC_EVENTS(NAME)};
static const char *const at_start[] = {UPC_EVENTS(AT_START)};
static const char *const at_end[] = {UPC_EVENTS(AT_END)};
static const char *const types[] = {"start", "end", "atomic"};

struct spied {
	FILE *file;
	const struct upc_dialect *dialect;
	int on;
	unsigned next_user;
};

static uint32_t event_of(const struct upc_dialect *dialect, unsigned tag)
{
	for (size_t i = 0; i < dialect->number_count; i++)
		if (dialect->numbers[i].tag == tag)
			return dialect->numbers[i].event;
	return tag >= dialect->user_first && tag <= dialect->user_last ? UPC_EVENT_USER : UPC_EVENT_UNKNOWN;
}

static void *begin(const struct upc_dialect *dialect)
{
	struct spied *spied = calloc(1, sizeof *spied);
	char path[4096];

	snprintf(path, sizeof path, "%s/%d.txt", getenv("SPY_FOLDER"), dialect->my_thread());
	spied->file = fopen(path, "w");
	spied->dialect = dialect;
	spied->on = 1;
	spied->next_user = dialect->user_first;
	setvbuf(spied->file, NULL, _IOLBF, 0);
	fprintf(spied->file, "%s %#x thread %d of %d\n", dialect->implementation, dialect->gasp_upc_version,
	        dialect->my_thread(), dialect->threads());
	return spied;
}

static void print_place(FILE *file, struct upc_place at)
{
	const char *slash = at.file ? strrchr(at.file, '/') : NULL;

	if (at.file)
		fprintf(file, " %s:%d", slash ? slash + 1 : at.file, at.line);
}

/* Pointers differ from run to run: of those to shared memory the thread is shown. */
static void print_argument(struct spied *spied, char letter, va_list *arguments)
{
	const struct upc_dialect *dialect = spied->dialect;
	const void *pointer;

	switch (letter) {
	case 'I':
		fprintf(spied->file, " %d", va_arg(*arguments, int));
		break;
	case 'z':
		fprintf(spied->file, " %zu", va_arg(*arguments, size_t));
		break;
	case 's':
		fprintf(spied->file, " \"%s\"", va_arg(*arguments, const char *));
		break;
	case 'F':
		fprintf(spied->file, " flags %#x", dialect->sync(va_arg(*arguments, int)));
		break;
	case 'O':
		fprintf(spied->file, " op %d", dialect->operation(va_arg(*arguments, int)));
		break;
	case 'R':
		fprintf(spied->file, " type %d", va_arg(*arguments, int));
		break;
	case 'P':
	case 'D':
	case 'S':
	case 'K':
		pointer = va_arg(*arguments, const void *);
		fprintf(spied->file, " on %d%s", dialect->thread_of(pointer),
		        dialect->address_of(pointer) ? "" : " (null)");
		break;
	default:
		pointer = va_arg(*arguments, const void *);
	}
}

static void notify(void *thread, unsigned tag, int type, struct upc_place at, struct upc_arguments *arguments)
{
	struct spied *spied = thread;
	uint32_t event = event_of(spied->dialect, tag);

	fprintf(spied->file, "%s %s", names[event], types[type]);
	print_place(spied->file, at);
	for (const char *letter = at_start[event]; *letter; letter++)
		print_argument(spied, *letter, &arguments->list);
	for (const char *letter = type == UPC_END ? at_end[event] : ""; *letter; letter++)
		print_argument(spied, *letter, &arguments->list);
	fprintf(spied->file, "\n");
}

static void wrapped(void *thread, uint32_t event, int type, struct upc_place at, const struct upc_values *v)
{
	struct spied *spied = thread;

	fprintf(spied->file, "wrapped %s %s", names[event], types[type]);
	print_place(spied->file, at);
	if (v && v->name)
		fprintf(spied->file, " %s", v->name);
	if (v && type == UPC_END)
		fprintf(spied->file, " target %d source %d root %d op %d flags %#x, %d x %d, block %d",
		        v->target, v->source, v->root, v->op, v->sync, (int)v->elements, (int)v->bytes,
		        (int)v->block);
	fprintf(spied->file, "\n");
}

static int control(void *thread, int on)
{
	struct spied *spied = thread;
	int before = spied->on;

	spied->on = on;
	fprintf(spied->file, "control %d\n", on);
	return before;
}

static unsigned create_event(void *thread, const char *name, const char *description)
{
	struct spied *spied = thread;

	fprintf(spied->file, "create \"%s\" \"%s\"\n", name, description);
	return spied->next_user++;
}

__attribute__((visibility("default"))) const struct upc_recorder *tarry_upc_recorder(uint32_t version)
{
	static struct upc_recorder recorder = {UPC_LINK_VERSION, begin,   notify,
	                                       wrapped,          control, create_event};
	const char *other = getenv("SPY_VERSION");

	if (other)
		recorder.version = (uint32_t)atoi(other);
	return version == UPC_LINK_VERSION ? &recorder : NULL;
}
