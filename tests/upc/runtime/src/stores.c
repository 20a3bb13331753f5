/* Stores of Clang UPC and structs that are read, on their way to a tool: as functions of libupc, one of which calls the other. */
#include "runtime.h"

void pupc_event_startg(unsigned tag, const char *file, int line, ...);
void pupc_event_endg(unsigned tag, const char *file, int line, ...);
void __getgblk5(void *dst, const void *src, size_t bytes, const char *file, int line);
void __putgblk5(void *dst, const void *src, size_t bytes, const char *file, int line);
void __putsgblk5(void *dst, const void *src, size_t bytes, const char *file, int line);

void pupc_event_startg(unsigned tag, const char *file, int line, ...)
{
	va_list arguments;

	va_start(arguments, line);
	gasp_event_notifyVA(self.context, tag, GASP_START, file, line, 0, arguments);
	va_end(arguments);
}

void pupc_event_endg(unsigned tag, const char *file, int line, ...)
{
	va_list arguments;

	va_start(arguments, line);
	gasp_event_notifyVA(self.context, tag, GASP_END, file, line, 0, arguments);
	va_end(arguments);
}

void __getgblk5(void *dst, const void *src, size_t bytes, const char *file, int line)
{
	pupc_event_startg(GASP_UPC_GET, file, line, 1, dst, (void *)&src, bytes);
	upcr_get(dst, src, bytes, true, (struct upcr_place){NULL, 0, 0});
	pupc_event_endg(GASP_UPC_GET, file, line, 1, dst, (void *)&src, bytes);
}

void __putgblk5(void *dst, const void *src, size_t bytes, const char *file, int line)
{
	pupc_event_startg(GASP_UPC_PUT, file, line, 1, (void *)&dst, src, bytes);
	upcr_put(dst, src, bytes, true, (struct upcr_place){NULL, 0, 0});
	pupc_event_endg(GASP_UPC_PUT, file, line, 1, (void *)&dst, src, bytes);
}

void __putsgblk5(void *dst, const void *src, size_t bytes, const char *file, int line)
{
	pupc_event_startg(GASP_UPC_PUT, file, line, 0, (void *)&dst, src, bytes);
	upcr_put(dst, src, bytes, false, (struct upcr_place){NULL, 0, 0});
	pupc_event_endg(GASP_UPC_PUT, file, line, 0, (void *)&dst, src, bytes);
}
