/* libtarry-system-calls.so, preloaded by `tarry check --buffers=all`. Functions of the C library in which
 * the kernel reads or writes the program's memory first notify the agent, which opens guarded pages
 * (base/page_hooks.h). Without guarded pages all functions only forward their calls. */
#include "job/system_calls/forwarding.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#undef fread_unlocked /* macros */
#undef fwrite_unlocked

enum { READS, WRITES };

static inline void tell(const void *bytes, size_t count, bool is_write, const void *site)
{
	const uintptr_t first = (uintptr_t)bytes, end = first + count;

	if (__builtin_expect(first < __atomic_load_n(&tarry_page_hooks.high, __ATOMIC_RELAXED), 0) &&
	    end > __atomic_load_n(&tarry_page_hooks.low, __ATOMIC_RELAXED))
		tarry_page_hooks.access(first, end, is_write, site);
}

static void tell_all(const struct iovec *pieces, size_t count, bool is_write, const void *site)
{
	if (__atomic_load_n(&tarry_page_hooks.high, __ATOMIC_RELAXED) ==
	    __atomic_load_n(&tarry_page_hooks.low, __ATOMIC_RELAXED))
		return;
	for (size_t i = 0; i < count; i++)
		tell(pieces[i].iov_base, pieces[i].iov_len, is_write, site);
}

EXPORT ssize_t read(int fd, void *bytes, size_t count)
{
	tell(bytes, count, WRITES, HERE);
	return NEXT(read)(fd, bytes, count);
}

EXPORT ssize_t write(int fd, const void *bytes, size_t count)
{
	tell(bytes, count, READS, HERE);
	return NEXT(write)(fd, bytes, count);
}

EXPORT ssize_t pread(int fd, void *bytes, size_t count, off_t offset)
{
	tell(bytes, count, WRITES, HERE);
	return NEXT(pread)(fd, bytes, count, offset);
}

EXPORT ssize_t pread64(int fd, void *bytes, size_t count, off64_t offset)
{
	tell(bytes, count, WRITES, HERE);
	return NEXT(pread64)(fd, bytes, count, offset);
}

EXPORT ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset)
{
	tell(bytes, count, READS, HERE);
	return NEXT(pwrite)(fd, bytes, count, offset);
}

EXPORT ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset)
{
	tell(bytes, count, READS, HERE);
	return NEXT(pwrite64)(fd, bytes, count, offset);
}

EXPORT ssize_t readv(int fd, const struct iovec *pieces, int count)
{
	tell_all(pieces, count > 0 ? (size_t)count : 0, WRITES, HERE);
	return NEXT(readv)(fd, pieces, count);
}

EXPORT ssize_t writev(int fd, const struct iovec *pieces, int count)
{
	tell_all(pieces, count > 0 ? (size_t)count : 0, READS, HERE);
	return NEXT(writev)(fd, pieces, count);
}

EXPORT ssize_t preadv(int fd, const struct iovec *pieces, int count, off_t offset)
{
	tell_all(pieces, count > 0 ? (size_t)count : 0, WRITES, HERE);
	return NEXT(preadv)(fd, pieces, count, offset);
}

EXPORT ssize_t pwritev(int fd, const struct iovec *pieces, int count, off_t offset)
{
	tell_all(pieces, count > 0 ? (size_t)count : 0, READS, HERE);
	return NEXT(pwritev)(fd, pieces, count, offset);
}

EXPORT ssize_t send(int fd, const void *bytes, size_t count, int flags)
{
	tell(bytes, count, READS, HERE);
	return NEXT(send)(fd, bytes, count, flags);
}

EXPORT ssize_t recv(int fd, void *bytes, size_t count, int flags)
{
	tell(bytes, count, WRITES, HERE);
	return NEXT(recv)(fd, bytes, count, flags);
}

EXPORT ssize_t sendto(int fd, const void *bytes, size_t count, int flags, const struct sockaddr *to,
                      socklen_t length)
{
	tell(bytes, count, READS, HERE);
	return NEXT(sendto)(fd, bytes, count, flags, to, length);
}

EXPORT ssize_t recvfrom(int fd, void *bytes, size_t count, int flags, struct sockaddr *from,
                        socklen_t *length)
{
	tell(bytes, count, WRITES, HERE);
	return NEXT(recvfrom)(fd, bytes, count, flags, from, length);
}

EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	if (message)
		tell_all(message->msg_iov, message->msg_iovlen, READS, HERE);
	return NEXT(sendmsg)(fd, message, flags);
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	if (message)
		tell_all(message->msg_iov, message->msg_iovlen, WRITES, HERE);
	return NEXT(recvmsg)(fd, message, flags);
}

EXPORT void *mremap(void *old, size_t bytes, size_t new_bytes, int flags, ...)
{
	void (*const moves)(uintptr_t first, uintptr_t end) = __atomic_load_n(&tarry_page_hooks.moves,
	                                                                      __ATOMIC_ACQUIRE);
	va_list more;
	void *to;

	va_start(more, flags);
	to = flags & MREMAP_FIXED ? va_arg(more, void *) : NULL;
	va_end(more);
	if (moves && bytes)
		moves((uintptr_t)old, (uintptr_t)old + bytes);
	return NEXT(mremap)(old, bytes, new_bytes, flags, to);
}

/* Streams copy small data themselves; the kernel copies large data. */
EXPORT size_t fread(void *bytes, size_t size, size_t count, FILE *stream)
{
	tell(bytes, size * count, WRITES, HERE);
	return NEXT(fread)(bytes, size, count, stream);
}

EXPORT size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream)
{
	tell(bytes, size * count, READS, HERE);
	return NEXT(fwrite)(bytes, size, count, stream);
}

EXPORT size_t fread_unlocked(void *bytes, size_t size, size_t count, FILE *stream)
{
	tell(bytes, size * count, WRITES, HERE);
	return NEXT(fread_unlocked)(bytes, size, count, stream);
}

EXPORT size_t fwrite_unlocked(const void *bytes, size_t size, size_t count, FILE *stream)
{
	tell(bytes, size * count, READS, HERE);
	return NEXT(fwrite_unlocked)(bytes, size, count, stream);
}

/* Variants for programs compiled with _FORTIFY_SOURCE. */

EXPORT ssize_t __read_chk(int fd, void *bytes, size_t count, size_t room);
EXPORT ssize_t __read_chk(int fd, void *bytes, size_t count, size_t room)
{
	tell(bytes, count, WRITES, HERE);
	return NEXT(__read_chk)(fd, bytes, count, room);
}

EXPORT ssize_t __pread64_chk(int fd, void *bytes, size_t count, off64_t offset, size_t room);
EXPORT ssize_t __pread64_chk(int fd, void *bytes, size_t count, off64_t offset, size_t room)
{
	tell(bytes, count, WRITES, HERE);
	return NEXT(__pread64_chk)(fd, bytes, count, offset, room);
}

EXPORT ssize_t __recv_chk(int fd, void *bytes, size_t count, size_t room, int flags);
EXPORT ssize_t __recv_chk(int fd, void *bytes, size_t count, size_t room, int flags)
{
	tell(bytes, count, WRITES, HERE);
	return NEXT(__recv_chk)(fd, bytes, count, room, flags);
}

EXPORT size_t __fread_chk(void *bytes, size_t room, size_t size, size_t count, FILE *stream);
EXPORT size_t __fread_chk(void *bytes, size_t room, size_t size, size_t count, FILE *stream)
{
	tell(bytes, size * count, WRITES, HERE);
	return NEXT(__fread_chk)(bytes, room, size, count, stream);
}

__attribute__((constructor)) static void begin(void)
{
	tarry_page_hooks.has_system_calls = true;
}
