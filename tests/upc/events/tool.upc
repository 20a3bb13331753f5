/* A tool that writes what the runtime tells it, without times: for each thread a file in the folder UPC_EVENTS. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gasp.h>
#include <gasp_upc.h>
#include <upc.h>

#include "names.h"

#pragma pupc off

struct _gasp_context_S {
	FILE *out;
	int depth;
	int is_on;
	unsigned user_events;
};

/* Letters of arguments: I F O R int, z size_t, p pointer, P K pointer to a pointer-to-shared, s string, H handle. */
static const struct {
	unsigned tag;
	const char *name;
	const char *at_start;
	const char *at_end;
} events[] = {
	{GASP_C_FUNC, "C_FUNC", "s", "s"},
	{GASP_C_MALLOC, "C_MALLOC", "z", "zp"},
	{GASP_C_REALLOC, "C_REALLOC", "pz", "pzp"},
	{GASP_C_FREE, "C_FREE", "p", "p"},
	{GASP_UPC_COLLECTIVE_EXIT, "COLLECTIVE_EXIT", "I", "I"},
	{GASP_UPC_NONCOLLECTIVE_EXIT, "NONCOLLECTIVE_EXIT", "I", "I"},
	{GASP_UPC_NOTIFY, "NOTIFY", "II", "II"},
	{GASP_UPC_WAIT, "WAIT", "II", "II"},
	{GASP_UPC_BARRIER, "BARRIER", "II", "II"},
	{GASP_UPC_FORALL, "FORALL", "", ""},
	{GASP_UPC_GLOBAL_ALLOC, "GLOBAL_ALLOC", "zz", "zzP"},
	{GASP_UPC_ALL_ALLOC, "ALL_ALLOC", "zz", "zzP"},
	{GASP_UPC_ALLOC, "ALLOC", "z", "zP"},
	{GASP_UPC_FREE, "FREE", "P", "P"},
	{GASP_UPC_GLOBAL_LOCK_ALLOC, "GLOBAL_LOCK_ALLOC", "", "K"},
	{GASP_UPC_ALL_LOCK_ALLOC, "ALL_LOCK_ALLOC", "", "K"},
	{GASP_UPC_LOCK_FREE, "LOCK_FREE", "K", "K"},
	{GASP_UPC_LOCK, "LOCK", "K", "K"},
	{GASP_UPC_LOCK_ATTEMPT, "LOCK_ATTEMPT", "K", "KI"},
	{GASP_UPC_UNLOCK, "UNLOCK", "K", "K"},
	{GASP_UPC_MEMCPY, "MEMCPY", "PPz", "PPz"},
	{GASP_UPC_MEMGET, "MEMGET", "pPz", "pPz"},
	{GASP_UPC_MEMPUT, "MEMPUT", "Ppz", "Ppz"},
	{GASP_UPC_MEMSET, "MEMSET", "PIz", "PIz"},
	{GASP_UPC_GET, "GET", "IpPz", "IpPz"},
	{GASP_UPC_PUT, "PUT", "IPpz", "IPpz"},
	{GASP_UPC_NB_SYNC, "NB_SYNC", "H", "H"},
	{GASP_BUPC_NB_TRYSYNC, "NB_TRYSYNC", "H", "HI"},
	{GASP_BUPC_NB_MEMGET_INIT, "NB_MEMGET_INIT", "pPz", "pPzH"},
	{GASP_BUPC_NB_MEMPUT_INIT, "NB_MEMPUT_INIT", "Ppz", "PpzH"},
	{GASP_BUPC_NB_MEMCPY_INIT, "NB_MEMCPY_INIT", "PPz", "PPzH"},
	{GASP_BUPC_STATIC_SHARED, "STATIC_SHARED", "zzPpzss", "zzPpzss"},
	{GASP_UPC_ALL_BROADCAST, "ALL_BROADCAST", "PPzF", "PPzF"},
	{GASP_UPC_ALL_SCATTER, "ALL_SCATTER", "PPzF", "PPzF"},
	{GASP_UPC_ALL_GATHER, "ALL_GATHER", "PPzF", "PPzF"},
	{GASP_UPC_ALL_GATHER_ALL, "ALL_GATHER_ALL", "PPzF", "PPzF"},
	{GASP_UPC_ALL_EXCHANGE, "ALL_EXCHANGE", "PPzF", "PPzF"},
	{GASP_UPC_ALL_PERMUTE, "ALL_PERMUTE", "PPPzF", "PPPzF"},
	{GASP_UPC_ALL_REDUCE, "ALL_REDUCE", "PPOzzpFR", "PPOzzpFR"},
	{GASP_UPC_ALL_PREFIX_REDUCE, "ALL_PREFIX_REDUCE", "PPOzzpFR", "PPOzzpFR"},
};

gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv)
{
	const char *folder = getenv("UPC_EVENTS");
	gasp_context_t context = calloc(1, sizeof(*context));
	char path[4096];

	(void)argc;
	(void)argv;
	snprintf(path, sizeof(path), "%s/%d", folder ? folder : ".", (int)MYTHREAD);
	context->out = fopen(path, "w");
	if (!context->out)
		exit(1);
	setlinebuf(context->out);
	context->is_on = 1;
	context->user_events = GASP_UPC_USEREVT_START;
	fprintf(context->out, "thread %d of %d, model %d\n", (int)MYTHREAD, (int)THREADS, (int)model);
	return context;
}

static void write_argument(FILE *out, char letter, va_list *arguments)
{
	switch (letter) {
	case 'z':
		fprintf(out, " %zu", va_arg(*arguments, size_t));
		break;
	case 'p':
		fprintf(out, " %s", va_arg(*arguments, void *) ? "private" : "null");
		break;
	case 'P':
	case 'K':
		fprintf(out, " on-%zu", (size_t)upc_threadof(*(shared void **)va_arg(*arguments, void *)));
		break;
	case 's':
		fprintf(out, " \"%s\"", va_arg(*arguments, const char *));
		break;
	case 'H':
		fprintf(out, " %s", (intptr_t)va_arg(*arguments, gasp_upc_nb_handle_t) > 0 ? "handle" : "trivial");
		break;
	default:
		fprintf(out, " %d", va_arg(*arguments, int));
	}
}

static void write_name(gasp_context_t context, unsigned tag, gasp_evttype_t type, va_list *arguments)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		const char *letters = type == GASP_END ? events[i].at_end : events[i].at_start;

		if (events[i].tag != tag)
			continue;
		fprintf(context->out, " %s", events[i].name);
		for (; *letters; letters++)
			write_argument(context->out, *letters, arguments);
		return;
	}
	fprintf(context->out, " %s %u", tag >= GASP_UPC_USEREVT_START && tag <= GASP_UPC_USEREVT_END ? "user" : "unknown",
	        tag);
}

void gasp_event_notifyVA(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line,
                         int column, va_list arguments)
{
	static const char *const types[] = {"start", "end", "atomic"};
	const char *name = file && strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
	va_list copy;

	if (!context->is_on)
		return;
	context->depth -= type == GASP_END;
	va_copy(copy, arguments);
	fprintf(context->out, "%*s%s", context->depth * 2, "", types[type]);
	write_name(context, tag, type, &copy);
	fprintf(context->out, " at %s:%d:%d\n", name ? name : "nowhere", line, column);
	va_end(copy);
	context->depth += type == GASP_START;
}

void gasp_event_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line,
                       int column, ...)
{
	va_list arguments;

	va_start(arguments, column);
	gasp_event_notifyVA(context, tag, type, file, line, column, arguments);
	va_end(arguments);
}

int gasp_control(gasp_context_t context, int on)
{
	int was = context->is_on;

	fprintf(context->out, "control %d\n", on);
	context->is_on = on;
	return was;
}

unsigned gasp_create_event(gasp_context_t context, const char *name, const char *desc)
{
	fprintf(context->out, "create %u %s: %s\n", context->user_events, name, desc);
	return context->user_events++;
}
