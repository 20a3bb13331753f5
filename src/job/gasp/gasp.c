#include "job/gasp/gasp.h"

#include "base/upc_program.h"

#include <tarry_upc_calls.h>

UPC_PROGRAM_NOTE

__thread struct tarry_upc_thread tarry_upc_self;

struct tarry_upc_thread *gasp_init(int model, int *argc, char ***argv)
{
	struct tarry_upc_thread *self = &tarry_upc_self;

	(void)model;
	(void)argc;
	(void)argv;
	self->is_on = true;
	self->is_busy = true;
	self->recorder = tarry_upc_find_recorder();
	if (self->recorder)
		self->recorded = self->recorder->begin(tarry_upc_dialect());
	self->is_busy = false;
	return self;
}

/* If a UPC thread is a process, other threads of that process that access shared memory get the same context,
 * but only one thread may use it. */
static bool is_listening(const struct tarry_upc_thread *context)
{
	return context == &tarry_upc_self && context->recorded && !context->is_busy;
}

static inline void hand_on(struct tarry_upc_thread *context, unsigned tag, int type, struct upc_place at,
                           struct upc_arguments *arguments)
{
	context->is_busy = true;
	context->recorder->notify(context->recorded, tag, type, at, arguments);
	context->is_busy = false;
}

void gasp_event_notifyVA(struct tarry_upc_thread *context, unsigned tag, int type, const char *file, int line,
                         int column, va_list arguments)
{
	struct upc_arguments copy;

	(void)column;
	if (!is_listening(context))
		return;
	va_copy(copy.list, arguments);
	hand_on(context, tag, type, (struct upc_place){file, line}, &copy);
	va_end(copy.list);
}

void gasp_event_notify(struct tarry_upc_thread *context, unsigned tag, int type, const char *file, int line,
                       int column, ...)
{
	struct upc_arguments arguments;

	(void)column;
	if (!is_listening(context))
		return;
	va_start(arguments.list, column);
	hand_on(context, tag, type, (struct upc_place){file, line}, &arguments);
	va_end(arguments.list);
}

int gasp_control(struct tarry_upc_thread *context, int on)
{
	int before;

	if (!context)
		return 0;
	before = context->is_on;
	context->is_on = on != 0;
	return context->recorded ? context->recorder->control(context->recorded, on) : before;
}

/* Without a recorder, any number in the range of user events will do. */
unsigned gasp_create_event(struct tarry_upc_thread *context, const char *name, const char *description)
{
	if (context && context->recorded)
		return context->recorder->create_event(context->recorded, name, description);
	return tarry_upc_user_first();
}
