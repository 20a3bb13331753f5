/* Functions that read or write files by system calls. */
#include "job/file_calls/file_calls.h"

#include <stdarg.h>
#include <sys/uio.h>
#include <unistd.h>

/* `call` reads or writes at the pointer of the file. */
#define COUNTED(fd, direction, call) \
	({ \
		struct descriptor *const d = file_of(fd); \
		const uint64_t start = d ? file_clock() : 0; \
		const ssize_t done = (call); \
		if (d) \
			count_at_pointer(d, direction, done, start); \
		done; \
	})
/* The same at an offset; −1 means the pointer. */
#define COUNTED_AT(fd, direction, offset, call) \
	({ \
		struct descriptor *const d = file_of(fd); \
		const uint64_t start = d ? file_clock() : 0; \
		const ssize_t done = (call); \
		if (d && (offset) < 0) \
			count_at_pointer(d, direction, done, start); \
		else if (d) \
			count_at(d, d->is_mpi ? FILE_BY_MPI : FILE_BY_SYSTEM_CALL, direction, offset, done, \
			         start); \
		done; \
	})

EXPORT ssize_t read(int fd, void *bytes, size_t count)
{
	return COUNTED(fd, FILE_READ, NEXT(read)(fd, bytes, count));
}

EXPORT ssize_t write(int fd, const void *bytes, size_t count)
{
	return COUNTED(fd, FILE_WRITTEN, NEXT(write)(fd, bytes, count));
}

EXPORT ssize_t readv(int fd, const struct iovec *pieces, int count)
{
	return COUNTED(fd, FILE_READ, NEXT(readv)(fd, pieces, count));
}

EXPORT ssize_t writev(int fd, const struct iovec *pieces, int count)
{
	return COUNTED(fd, FILE_WRITTEN, NEXT(writev)(fd, pieces, count));
}

#define READ_AT(name, type) \
	EXPORT ssize_t name(int fd, void *bytes, size_t count, type offset) \
	{ \
		return COUNTED_AT(fd, FILE_READ, offset, NEXT(name)(fd, bytes, count, offset)); \
	}
#define WRITE_AT(name, type) \
	EXPORT ssize_t name(int fd, const void *bytes, size_t count, type offset) \
	{ \
		return COUNTED_AT(fd, FILE_WRITTEN, offset, NEXT(name)(fd, bytes, count, offset)); \
	}
#define VECTOR_AT(name, direction, type) \
	EXPORT ssize_t name(int fd, const struct iovec *pieces, int count, type offset) \
	{ \
		return COUNTED_AT(fd, direction, offset, NEXT(name)(fd, pieces, count, offset)); \
	}
#define VECTOR_WITH_FLAGS(name, direction, type) \
	EXPORT ssize_t name(int fd, const struct iovec *pieces, int count, type offset, int flags) \
	{ \
		return COUNTED_AT(fd, direction, offset, NEXT(name)(fd, pieces, count, offset, flags)); \
	}
READ_AT(pread, off_t)
READ_AT(pread64, off64_t)
WRITE_AT(pwrite, off_t)
WRITE_AT(pwrite64, off64_t)
VECTOR_AT(preadv, FILE_READ, off_t)
VECTOR_AT(preadv64, FILE_READ, off64_t)
VECTOR_AT(pwritev, FILE_WRITTEN, off_t)
VECTOR_AT(pwritev64, FILE_WRITTEN, off64_t)
VECTOR_WITH_FLAGS(preadv2, FILE_READ, off_t)
VECTOR_WITH_FLAGS(preadv64v2, FILE_READ, off64_t)
VECTOR_WITH_FLAGS(pwritev2, FILE_WRITTEN, off_t)
VECTOR_WITH_FLAGS(pwritev64v2, FILE_WRITTEN, off64_t)

/* Of programs compiled with _FORTIFY_SOURCE. */

EXPORT ssize_t __read_chk(int fd, void *bytes, size_t count, size_t room);
EXPORT ssize_t __read_chk(int fd, void *bytes, size_t count, size_t room)
{
	return COUNTED(fd, FILE_READ, NEXT(__read_chk)(fd, bytes, count, room));
}

#define READ_AT_CHECKED(name, type) \
	EXPORT ssize_t name(int fd, void *bytes, size_t count, type offset, size_t room); \
	EXPORT ssize_t name(int fd, void *bytes, size_t count, type offset, size_t room) \
	{ \
		return COUNTED_AT(fd, FILE_READ, offset, NEXT(name)(fd, bytes, count, offset, room)); \
	}
READ_AT_CHECKED(__pread_chk, off_t)
READ_AT_CHECKED(__pread64_chk, off64_t)

/* Formatted output. A call with variable arguments can only be forwarded as one with a list. */

#define PRINTED(call) ((int)COUNTED(fd, FILE_WRITTEN, call))

EXPORT int vdprintf(int fd, const char *format, va_list values)
{
	return PRINTED(NEXT(vdprintf)(fd, format, values));
}

EXPORT int __vdprintf_chk(int fd, int flag, const char *format, va_list values);
EXPORT int __vdprintf_chk(int fd, int flag, const char *format, va_list values)
{
	return PRINTED(NEXT(__vdprintf_chk)(fd, flag, format, values));
}

EXPORT int dprintf(int fd, const char *format, ...)
{
	va_list values;
	int printed;

	va_start(values, format);
	printed = PRINTED(NEXT(vdprintf)(fd, format, values));
	va_end(values);
	return printed;
}

EXPORT int __dprintf_chk(int fd, int flag, const char *format, ...);
EXPORT int __dprintf_chk(int fd, int flag, const char *format, ...)
{
	va_list values;
	int printed;

	va_start(values, format);
	printed = PRINTED(NEXT(__vdprintf_chk)(fd, flag, format, values));
	va_end(values);
	return printed;
}
