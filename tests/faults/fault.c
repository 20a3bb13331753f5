/* libfault.so, to be preloaded: lets one call of the C library fail, if it was made by one of Tarry's own libraries.
 * The program's own calls, those of MPI and of the C library itself are left alone and not counted.
 *
 * Settings, all in the environment:
 *
 *	FAULT_LOG=PATH   a line "NUMBER FUNCTION PLACE" is added for every call, one with "fault" when it fails
 *	FAULT_AT=N       the Nth call fails, from 1 …
 *	FAULT_ON=NAME    … or, with it, the Nth call of this function and all those of it that follow
 *	FAULT_ERRNO=N    why; 0: reads and writes do half of what they should
 *	FAULT_IN=TEXT    whose calls: of files that have this in their path, or of the program @NAME. Default: libtarry-
 *	FAULT_HASTE=1    calls of nanosleep return at once */
#define _GNU_SOURCE

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static struct {
	long at, count;
	int error;
	const char *on, *whose, *log;
	bool ready, haste;
} fault;

static long number_of(const char *name)
{
	const char *value = getenv(name);

	return value ? strtol(value, NULL, 10) : 0;
}

static void read_settings(void)
{
	fault.at = number_of("FAULT_AT");
	fault.error = (int)number_of("FAULT_ERRNO");
	fault.on = getenv("FAULT_ON");
	fault.whose = getenv("FAULT_IN");
	fault.log = getenv("FAULT_LOG");
	fault.haste = number_of("FAULT_HASTE");
	if (!fault.whose)
		fault.whose = "libtarry-";
	fault.ready = true;
}

static bool is_ours(const void *caller)
{
	struct dl_find_object found;

	if (_dl_find_object((void *)(uintptr_t)caller, &found) != 0 || !found.dlfo_link_map)
		return false;
	if (*fault.whose == '@')
		return !*found.dlfo_link_map->l_name &&
		       strcmp(program_invocation_short_name, fault.whose + 1) == 0;
	return strstr(found.dlfo_link_map->l_name, fault.whose);
}

/* By system calls of its own, so that it is never its own victim. */
static void write_log(const char *what, const char *function, const void *caller)
{
	char line[128];
	Dl_info info = {0};
	int known = dladdr(caller, &info);
	int length = snprintf(line, sizeof line, "%s %s %tx\n", what, function,
	                      known ? (const char *)caller - (const char *)info.dli_fbase : 0);
	long fd = fault.log ? syscall(SYS_openat, AT_FDCWD, fault.log, O_WRONLY | O_APPEND | O_CREAT, 0600)
	                    : -1;

	if (fd >= 0) {
		syscall(SYS_write, fd, line, length);
		syscall(SYS_close, fd);
	}
}

static bool is_chosen(const char *function)
{
	if (!fault.on)
		return ++fault.count == fault.at;
	return strcmp(function, fault.on) == 0 && ++fault.count >= fault.at && fault.at;
}

/* Whether this call has to fail. */
static bool strikes(const char *function, const void *caller)
{
	int error = errno;
	bool chosen;
	char number[32];

	if (!fault.ready)
		read_settings();
	if (!is_ours(caller))
		return false;
	chosen = is_chosen(function);
	snprintf(number, sizeof number, "%ld", fault.count);
	if (chosen || !fault.at)
		write_log(chosen ? "fault" : number, function, caller);
	errno = chosen ? fault.error : error;
	return chosen;
}

#define CALLER __builtin_return_address(0)
#define NEXT(name) \
	static __typeof__(&name) next; \
	if (!next) \
	next = (__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name)

/* A function that returns `failure` and sets errno. */
#define FAULTY(type, name, parameters, arguments, failure) \
	type name parameters \
	{ \
		NEXT(name); \
		return strikes(#name, CALLER) ? (failure) : next arguments; \
	}
/* One that returns the error itself. */
#define FAULTY_CODE(name, parameters, arguments) FAULTY(int, name, parameters, arguments, errno ? errno : EIO)
/* One that may also do less than it was asked for. */
#define FAULTY_SIZE(name, parameters, arguments, size) \
	ssize_t name parameters \
	{ \
		NEXT(name); \
		if (!strikes(#name, CALLER)) \
			return next arguments; \
		if (fault.error || size < 2) \
			return -1; \
		size /= 2; \
		return next arguments; \
	}

void *malloc(size_t size)
{
	return strikes("malloc", CALLER) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return strikes("calloc", CALLER) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return strikes("realloc", CALLER) ? NULL : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
	return strikes("reallocarray", CALLER) ? NULL : __libc_realloc(old, count * size);
}

FAULTY(char *, strdup, (const char *text), (text), NULL)
FAULTY(char *, strndup, (const char *text, size_t size), (text, size), NULL)
FAULTY_CODE(posix_memalign, (void **memory, size_t align, size_t size), (memory, align, size))

/* A file system may refuse what memory alone does not. */
void *mmap(void *at, size_t size, int allowed, int flags, int fd, off_t offset)
{
	NEXT(mmap);

	if (strikes(fd >= 0 ? "mmap_file" : "mmap", CALLER))
		return MAP_FAILED;
	return next(at, size, allowed, flags, fd, offset);
}

FAULTY(int, munmap, (void *memory, size_t size), (memory, size), -1)

FAULTY(int, access, (const char *path, int mode), (path, mode), -1)
FAULTY(int, faccessat, (int folder, const char *path, int mode, int flags), (folder, path, mode, flags), -1)
FAULTY(int, mkdir, (const char *path, mode_t mode), (path, mode), -1)
FAULTY(int, mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode), -1)
FAULTY(int, fstatat, (int folder, const char *path, struct stat *about, int flags),
       (folder, path, about, flags), -1)
FAULTY(int, rmdir, (const char *path), (path), -1)
FAULTY(int, unlink, (const char *path), (path), -1)
FAULTY(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags), -1)
FAULTY(int, rename, (const char *from, const char *to), (from, to), -1)
FAULTY(int, renameat, (int from_folder, const char *from, int to_folder, const char *to),
       (from_folder, from, to_folder, to), -1)
FAULTY(int, renameat2, (int from_folder, const char *from, int to_folder, const char *to, unsigned flags),
       (from_folder, from, to_folder, to, flags), -1)
FAULTY(int, linkat, (int folder, const char *from, int other, const char *to, int flags),
       (folder, from, other, to, flags), -1)
FAULTY(int, stat, (const char *path, struct stat *about), (path, about), -1)
FAULTY(int, fstat, (int fd, struct stat *about), (fd, about), -1)
FAULTY(int, flock, (int fd, int operation), (fd, operation), -1)
FAULTY(int, ftruncate, (int fd, off_t size), (fd, size), -1)
FAULTY(int, fsync, (int fd), (fd), -1)
FAULTY_CODE(posix_fallocate, (int fd, off_t offset, off_t size), (fd, offset, size))
FAULTY(off_t, lseek, (int fd, off_t offset, int from), (fd, offset, from), -1)
size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
	NEXT(fwrite);

	return strikes("fwrite", CALLER) ? 0 : next(bytes, size, count, file);
}

FAULTY_SIZE(read, (int fd, void *bytes, size_t size), (fd, bytes, size), size)
FAULTY_SIZE(pread, (int fd, void *bytes, size_t size, off_t offset), (fd, bytes, size, offset), size)
FAULTY_SIZE(write, (int fd, const void *bytes, size_t size), (fd, bytes, size), size)
FAULTY_SIZE(pwrite, (int fd, const void *bytes, size_t size, off_t offset), (fd, bytes, size, offset), size)
FAULTY(DIR *, opendir, (const char *path), (path), NULL)
FAULTY(DIR *, fdopendir, (int fd), (fd), NULL)
FAULTY(struct dirent *, readdir, (DIR * folder), (folder), NULL)
FAULTY(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL)
FAULTY(FILE *, fdopen, (int fd, const char *mode), (fd, mode), NULL)
FAULTY(int, fflush, (FILE * file), (file), EOF)
FAULTY(int, truncate, (const char *path, off_t size), (path, size), -1)
FAULTY(ssize_t, readlink, (const char *path, char *text, size_t size), (path, text, size), -1)
FAULTY(char *, realpath, (const char *path, char *real), (path, real), NULL)
FAULTY(char *, getcwd, (char *path, size_t size), (path, size), NULL)
FAULTY(int, gethostname, (char *name, size_t size), (name, size), -1)
FAULTY(ssize_t, getrandom, (void *bytes, size_t size, unsigned flags), (bytes, size, flags), -1)
FAULTY(int, sched_getaffinity, (pid_t pid, size_t size, cpu_set_t *set), (pid, size, set), -1)
FAULTY(int, clock_gettime, (clockid_t id, struct timespec *time), (id, time), -1)
FAULTY(int, dladdr, (const void *address, Dl_info *info), (address, info), 0)
FAULTY(int, dlinfo, (void *handle, int what, void *info), (handle, what, info), -1)
FAULTY(int, gettimeofday, (struct timeval * time, void *zone), (time, zone), -1)
FAULTY(int, socket, (int family, int kind, int protocol), (family, kind, protocol), -1)
FAULTY(int, socketpair, (int family, int kind, int protocol, int ends[2]), (family, kind, protocol, ends), -1)
FAULTY(ssize_t, send, (int fd, const void *bytes, size_t size, int flags), (fd, bytes, size, flags), -1)
FAULTY(ssize_t, recv, (int fd, void *bytes, size_t size, int flags), (fd, bytes, size, flags), -1)
FAULTY(pid_t, waitpid, (pid_t pid, int *status, int options), (pid, status, options), -1)
FAULTY(int, symlinkat, (const char *target, int folder, const char *name), (target, folder, name), -1)
FAULTY_CODE(posix_spawn,
            (pid_t * pid, const char *path, const posix_spawn_file_actions_t *files,
             const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]),
            (pid, path, files, attributes, arguments, environment))
FAULTY(int, setsockopt, (int fd, int level, int option, const void *value, socklen_t size),
       (fd, level, option, value, size), -1)
FAULTY(ssize_t, sendto,
       (int fd, const void *bytes, size_t size, int flags, const struct sockaddr *to, socklen_t to_size),
       (fd, bytes, size, flags, to, to_size), -1)
FAULTY(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags), -1)
FAULTY(int, poll, (struct pollfd * files, nfds_t count, int ms), (files, count, ms), -1)
FAULTY(int, getaddrinfo,
       (const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **found),
       (host, port, hints, found), EAI_MEMORY)
FAULTY_CODE(pthread_key_create, (pthread_key_t * key, void (*end)(void *)), (key, end))
FAULTY_CODE(pthread_setspecific, (pthread_key_t key, const void *value), (key, value))
FAULTY_CODE(pthread_getname_np, (pthread_t thread, char *name, size_t size), (thread, name, size))

extern int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *handle);
FAULTY_CODE(__register_atfork,
            (void (*prepare)(void), void (*parent)(void), void (*child)(void), void *handle),
            (prepare, parent, child, handle))

/* The file is closed, with or without an error. */
int close(int fd)
{
	NEXT(close);
	int error = strikes("close", CALLER) ? errno : 0, result = next(fd);

	if (!error)
		return result;
	errno = error;
	return -1;
}

int closedir(DIR *folder)
{
	NEXT(closedir);
	int error = strikes("closedir", CALLER) ? errno : 0, result = next(folder);

	if (!error)
		return result;
	errno = error;
	return -1;
}

static mode_t take_mode(int flags, va_list rest)
{
	return flags & O_CREAT ? (mode_t)va_arg(rest, unsigned) : 0;
}

int open(const char *path, int flags, ...)
{
	NEXT(open);
	va_list rest;
	mode_t mode;

	va_start(rest, flags);
	mode = take_mode(flags, rest);
	va_end(rest);
	return strikes("open", CALLER) ? -1 : next(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
	NEXT(openat);
	va_list rest;
	mode_t mode;

	va_start(rest, flags);
	mode = take_mode(flags, rest);
	va_end(rest);
	return strikes("openat", CALLER) ? -1 : next(folder, path, flags, mode);
}

/* Tarry opens files in this way, past other tools. */
long syscall(long number, ...)
{
	NEXT(syscall);
	long words[6];
	va_list rest;

	va_start(rest, number);
	for (int i = 0; i < 6; i++)
		words[i] = va_arg(rest, long);
	va_end(rest);
	return number == SYS_openat && strikes("openat", CALLER)
	               ? -1
	               : next(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
	NEXT(nanosleep);

	if (strikes("nanosleep", CALLER))
		return -1;
	return fault.haste && is_ours(CALLER) ? 0 : next(time, left);
}

/* dlopen() looks at its caller to find the file's search path: ours has none that matters. */
void *dlopen(const char *path, int flags)
{
	NEXT(dlopen);

	return strikes("dlopen", CALLER) ? NULL : next(path, flags);
}
