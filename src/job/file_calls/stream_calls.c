/* Functions of stdio that read or write streams. Only the program's calls are visible here: the C library transfers the data itself, when a
 * buffer is full, flushed or closed. */
#include "job/file_calls/file_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#undef fread_unlocked /* macros */
#undef fwrite_unlocked
#undef getc
#undef putc
#undef fgetc
#undef fputc

/* `call` returns what it does to the stream; `bytes` is how much that is, and may use `result`. */
#define COUNTED(stream, direction, type, call, bytes) \
	({ \
		struct descriptor *const d = file_of_stream(stream); \
		const uint64_t start = d ? file_clock() : 0; \
		type const result = (call); \
		if (d) \
			count_in_stream(d, direction, (ssize_t)(bytes), start); \
		result; \
	})

#define READ(name) \
	EXPORT size_t name(void *bytes, size_t size, size_t count, FILE *stream) \
	{ \
		return COUNTED(stream, FILE_READ, size_t, NEXT(name)(bytes, size, count, stream), \
		               result * size); \
	}
#define WRITE(name) \
	EXPORT size_t name(const void *bytes, size_t size, size_t count, FILE *stream) \
	{ \
		return COUNTED(stream, FILE_WRITTEN, size_t, NEXT(name)(bytes, size, count, stream), \
		               result * size); \
	}
#define READ_LINE(name) \
	EXPORT char *name(char *line, int size, FILE *stream) \
	{ \
		return COUNTED(stream, FILE_READ, char *, NEXT(name)(line, size, stream), \
		               result ? strlen(result) : 0); \
	}
#define WRITE_TEXT(name) \
	EXPORT int name(const char *text, FILE *stream) \
	{ \
		return COUNTED(stream, FILE_WRITTEN, int, NEXT(name)(text, stream), \
		               result < 0 ? -1 : (ssize_t)strlen(text)); \
	}
READ(fread)
READ(fread_unlocked)
WRITE(fwrite)
WRITE(fwrite_unlocked)
READ_LINE(fgets)
READ_LINE(fgets_unlocked)
WRITE_TEXT(fputs)
WRITE_TEXT(fputs_unlocked)

/* Of programs compiled with _FORTIFY_SOURCE. */
#define READ_CHECKED(name) \
	EXPORT size_t name(void *bytes, size_t room, size_t size, size_t count, FILE *stream); \
	EXPORT size_t name(void *bytes, size_t room, size_t size, size_t count, FILE *stream) \
	{ \
		return COUNTED(stream, FILE_READ, size_t, NEXT(name)(bytes, room, size, count, stream), \
		               result * size); \
	}
#define READ_LINE_CHECKED(name) \
	EXPORT char *name(char *line, size_t room, int size, FILE *stream); \
	EXPORT char *name(char *line, size_t room, int size, FILE *stream) \
	{ \
		return COUNTED(stream, FILE_READ, char *, NEXT(name)(line, room, size, stream), \
		               result ? strlen(result) : 0); \
	}
READ_CHECKED(__fread_chk)
READ_CHECKED(__fread_unlocked_chk)
READ_LINE_CHECKED(__fgets_chk)
READ_LINE_CHECKED(__fgets_unlocked_chk)

/* Single letters: reading the clock would take much longer than the call. */
#define READ_LETTER(name) \
	EXPORT int name(FILE *stream) \
	{ \
		struct descriptor *const d = file_of_stream(stream); \
		const int result = NEXT(name)(stream); \
		if (d) \
			count_in_stream(d, FILE_READ, result == EOF ? 0 : 1, 0); \
		return result; \
	}
#define WRITE_LETTER(name) \
	EXPORT int name(int letter, FILE *stream) \
	{ \
		struct descriptor *const d = file_of_stream(stream); \
		const int result = NEXT(name)(letter, stream); \
		if (d) \
			count_in_stream(d, FILE_WRITTEN, result == EOF ? -1 : 1, 0); \
		return result; \
	}
EXPORT int _IO_getc(FILE *stream); /* of old programs */
EXPORT int _IO_putc(int letter, FILE *stream);
READ_LETTER(fgetc)
READ_LETTER(getc)
READ_LETTER(_IO_getc)
WRITE_LETTER(fputc)
WRITE_LETTER(putc)
WRITE_LETTER(_IO_putc)

/* Of inlined getline(). */
EXPORT ssize_t get_until(char **line, size_t *room, int end, FILE *stream) __asm__("__getdelim");
EXPORT ssize_t get_until(char **line, size_t *room, int end, FILE *stream)
{
	return COUNTED(stream, FILE_READ, ssize_t,
	               NEXT_NAMED(get_until, "__getdelim")(line, room, end, stream), result < 0 ? 0 : result);
}

EXPORT ssize_t getdelim(char **line, size_t *room, int end, FILE *stream)
{
	return COUNTED(stream, FILE_READ, ssize_t, NEXT(getdelim)(line, room, end, stream),
	               result < 0 ? 0 : result);
}

EXPORT ssize_t getline(char **line, size_t *room, FILE *stream)
{
	return COUNTED(stream, FILE_READ, ssize_t, NEXT(getline)(line, room, stream),
	               result < 0 ? 0 : result);
}

/* Formatted output. A call with variable arguments can only be forwarded as one with a list. */

#define PRINTED(call) COUNTED(stream, FILE_WRITTEN, int, call, result)

EXPORT int vfprintf(FILE *stream, const char *format, va_list values)
{
	return PRINTED(NEXT(vfprintf)(stream, format, values));
}

EXPORT int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list values);
EXPORT int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list values)
{
	return PRINTED(NEXT(__vfprintf_chk)(stream, flag, format, values));
}

EXPORT int fprintf(FILE *stream, const char *format, ...)
{
	va_list values;
	int printed;

	va_start(values, format);
	printed = PRINTED(NEXT(vfprintf)(stream, format, values));
	va_end(values);
	return printed;
}

EXPORT int __fprintf_chk(FILE *stream, int flag, const char *format, ...);
EXPORT int __fprintf_chk(FILE *stream, int flag, const char *format, ...)
{
	va_list values;
	int printed;

	va_start(values, format);
	printed = PRINTED(NEXT(__vfprintf_chk)(stream, flag, format, values));
	va_end(values);
	return printed;
}

/* Formatted input. The number of bytes is the distance by which the stream has moved. */

/* ftello() of the C library, past other tools: the program does not call it. */
static off_t place_in(FILE *stream)
{
	static off_t (*tell)(FILE * stream);
	const int saved = errno;
	off_t place;

	if (!tell) {
		void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
		tell = (off_t(*)(FILE *))(uintptr_t)(library ? dlsym(library, "ftello") : NULL);
	}
	place = tell ? tell(stream) : 0;
	errno = saved;
	return place;
}

#define SCANNED(call) \
	({ \
		struct descriptor *const d = file_of_stream(stream); \
		const off_t from = d ? place_in(stream) : 0; \
		const uint64_t start = d ? file_clock() : 0; \
		const int result = (call); \
		if (d) \
			count_in_stream(d, FILE_READ, place_in(stream) - from, start); \
		result; \
	})
#define SCAN_LIST(name, symbol) \
	EXPORT int name(FILE *stream, const char *format, va_list values) __asm__(symbol); \
	EXPORT int name(FILE *stream, const char *format, va_list values) \
	{ \
		return SCANNED(NEXT_NAMED(name, symbol)(stream, format, values)); \
	}
#define SCAN(name, symbol, list, list_symbol) \
	EXPORT int name(FILE *stream, const char *format, ...) __asm__(symbol); \
	EXPORT int name(FILE *stream, const char *format, ...) \
	{ \
		va_list values; \
		int scanned; \
		va_start(values, format); \
		scanned = SCANNED(NEXT_NAMED(list, list_symbol)(stream, format, values)); \
		va_end(values); \
		return scanned; \
	}
/* <stdio.h> may rename these functions. Each C standard has its own. */
SCAN_LIST(scan_list_plain, "vfscanf")
SCAN_LIST(scan_list_c99, "__isoc99_vfscanf")
SCAN_LIST(scan_list_c23, "__isoc23_vfscanf")
SCAN(scan_plain, "fscanf", scan_list_plain, "vfscanf")
SCAN(scan_c99, "__isoc99_fscanf", scan_list_c99, "__isoc99_vfscanf")
SCAN(scan_c23, "__isoc23_fscanf", scan_list_c23, "__isoc23_vfscanf")

/* Other calls */

EXPORT int fflush(FILE *stream)
{
	struct descriptor *const d = file_of_stream(stream);
	const uint64_t start = d ? file_clock() : 0;
	const int result = NEXT(fflush)(stream);

	if (d)
		count_other(counted_file(d), NULL, start);
	return result;
}

/* Offsets from the end stay unknown until the next position that is known: they matter for the pattern only. */
static void note_seek(struct descriptor *d, int result, int64_t offset, int whence, uint64_t start)
{
	if (result == 0 && whence != SEEK_END)
		SET(d->position, whence == SEEK_SET ? offset : GET(d->position) + offset);
	count_other(counted_file(d), &counted_file(d)->seeks, start);
}

#define SEEK_STREAM(name, type) \
	EXPORT int name(FILE *stream, type offset, int whence) \
	{ \
		struct descriptor *const d = file_of_stream(stream); \
		const uint64_t start = d ? file_clock() : 0; \
		const int result = NEXT(name)(stream, offset, whence); \
		if (d) \
			note_seek(d, result, offset, whence, start); \
		return result; \
	}
SEEK_STREAM(fseek, long)
SEEK_STREAM(fseeko, off_t)
SEEK_STREAM(fseeko64, off64_t)

EXPORT void rewind(FILE *stream)
{
	struct descriptor *const d = file_of_stream(stream);
	const uint64_t start = d ? file_clock() : 0;

	NEXT(rewind)(stream);
	if (d)
		note_seek(d, 0, 0, SEEK_SET, start);
}
