/* A tool that does nothing. */
#include <stdarg.h>
#include <stddef.h>

void *gasp_init(int model, int *argc, char ***argv);
void gasp_event_notify(void *context, unsigned tag, int type, const char *file, int line, int column, ...);

void *gasp_init(int model, int *argc, char ***argv)
{
	(void)model;
	(void)argc;
	(void)argv;
	return NULL;
}

void gasp_event_notify(void *context, unsigned tag, int type, const char *file, int line, int column, ...)
{
	va_list arguments;

	va_start(arguments, column);
	(void)context;
	(void)tag;
	(void)type;
	(void)file;
	(void)line;
	va_end(arguments);
}
