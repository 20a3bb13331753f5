/* Reports of the program itself to the tool; and the empty tool in the GNU-like runtime. */
#include "runtime.h"

#ifdef UPCR_TOOL

int upcr_control(int on)
{
	return gasp_control(self.context, on);
}

unsigned upcr_create_event(const char *name, const char *description)
{
	return gasp_create_event(self.context, name, description);
}

void upcr_user_event(struct upcr_place at, int type, unsigned tag, ...)
{
	va_list arguments;

	if (!at.report)
		return;
	va_start(arguments, tag);
	gasp_event_notifyVA(self.context, tag, (gasp_evttype_t)type, at.file, at.line, 0, arguments);
	va_end(arguments);
}

#else

int upcr_control(int on)
{
	return on;
}

unsigned upcr_create_event(const char *name, const char *description)
{
	(void)name;
	(void)description;
	return 0;
}

void upcr_user_event(struct upcr_place at, int type, unsigned tag, ...)
{
	(void)at;
	(void)type;
	(void)tag;
}

#endif

#ifndef UPCR_BERKELEY

void deliver(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line,
             int column, ...)
{
	va_list arguments;

	va_start(arguments, column);
	gasp_event_notifyVA(context, tag, type, file, line, column, arguments);
	va_end(arguments);
}

#endif
