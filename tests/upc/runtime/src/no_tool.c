/* The GNU-like runtime's own definitions, which a tool replaces. */
#include <stdarg.h>
#include <stddef.h>

#include <gasp.h>

#define WEAK __attribute__((weak))

WEAK gasp_context_t gasp_init(gasp_model_t srcmodel, int *argc, char ***argv)
{
	(void)srcmodel;
	(void)argc;
	(void)argv;
	return NULL;
}

WEAK void gasp_event_notify(gasp_context_t context, unsigned evttag, gasp_evttype_t type,
                            const char *filename, int linenum, int colnum, ...)
{
	(void)context;
	(void)evttag;
	(void)type;
	(void)filename;
	(void)linenum;
	(void)colnum;
}

WEAK void gasp_event_notifyVA(gasp_context_t context, unsigned evttag, gasp_evttype_t type,
                              const char *filename, int linenum, int colnum, va_list arguments)
{
	(void)context;
	(void)evttag;
	(void)type;
	(void)filename;
	(void)linenum;
	(void)colnum;
	(void)arguments;
}

WEAK int gasp_control(gasp_context_t context, int on)
{
	(void)context;
	return on;
}

WEAK unsigned gasp_create_event(gasp_context_t context, const char *name, const char *desc)
{
	(void)context;
	(void)name;
	(void)desc;
	return 0;
}
