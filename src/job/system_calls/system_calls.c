/* libtarry-system-calls.so, preloaded with `tarry check --buffers=all`. Functions of the C library in
 * which the kernel reads or writes the program's memory first tell the agent, which opens guarded pages
 * (base/page_hooks.h). Programs may set and block SIGSEGV: the agent's handler stays installed. Without
 * guarded pages all functions only forward their calls. */
#include "base/page_hooks.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#undef fread_unlocked /* macros */
#undef fwrite_unlocked

#define EXPORT __attribute__((visibility("default")))
#define HERE __builtin_return_address(0)

/* The next definition of this function. The C library always has it; a repeated lookup is harmless. */
#define NEXT(function) \
	({ \
		static __typeof__(function) *next; \
		if (__builtin_expect(!next, 0)) \
			next = (__typeof__(next))dlsym(RTLD_NEXT, #function); \
		next; \
	})

EXPORT struct page_hooks tarry_page_hooks;

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

/* Streams copy small data and forward large data to the kernel. */
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

/* Variants that _FORTIFY_SOURCE calls. */

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

static bool is_of_agent(int number)
{
	const int *one = page_hook_signals;

	while (*one && *one != number)
		one++;
	return *one != 0;
}

static void without_agents(sigset_t *set)
{
	for (const int *one = page_hook_signals; *one; one++)
		sigdelset(set, *one);
}

/* The agent's signals are never blocked: a fault while SIGSEGV is blocked would end the program, and a watchpoint would be known too late. */

EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
	int (*const of_agent)(int, const struct sigaction *, struct sigaction *) = __atomic_load_n(
		&tarry_page_hooks.signal_action, __ATOMIC_ACQUIRE);
	struct sigaction ours;

	if (is_of_agent(number) && of_agent)
		return of_agent(number, action, before);
	if (!action || is_of_agent(number))
		return NEXT(sigaction)(number, action, before);
	ours = *action;
	without_agents(&ours.sa_mask);
	return NEXT(sigaction)(number, &ours, before);
}

EXPORT sighandler_t signal(int number, sighandler_t handler)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;

	if (!is_of_agent(number) || !__atomic_load_n(&tarry_page_hooks.signal_action, __ATOMIC_ACQUIRE))
		return NEXT(signal)(number, handler);
	sigemptyset(&action.sa_mask);
	return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	sigset_t ours;

	if (!set || how == SIG_UNBLOCK)
		return NEXT(pthread_sigmask)(how, set, before);
	ours = *set;
	without_agents(&ours);
	return NEXT(pthread_sigmask)(how, &ours, before);
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
	sigset_t ours;

	if (!set || how == SIG_UNBLOCK)
		return NEXT(sigprocmask)(how, set, before);
	ours = *set;
	without_agents(&ours);
	return NEXT(sigprocmask)(how, &ours, before);
}

__attribute__((constructor)) static void begin(void)
{
	tarry_page_hooks.real_sigaction = NEXT(sigaction);
}
