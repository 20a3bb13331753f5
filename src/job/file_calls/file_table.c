#include "job/file_calls/file_calls.h"

#include "base/hash.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NAME_BYTES = 1 << 20 };

static bool begin(void);

EXPORT struct file_hooks tarry_file_hooks = {.begin = begin};
struct descriptor *descriptors;

static char *names; /* of all files; used up to `names_used` */
static uint64_t names_used;
static uint32_t file_count;
static int process_id;

/* Not allocated by malloc(), which the program may have replaced. Pages that are not used take no memory. */
static void *new_table(size_t count, size_t size)
{
	void *table = mmap(NULL, count * size, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return table == MAP_FAILED ? NULL : table;
}

static bool begin(void)
{
	struct counted_file *files = new_table(FILES_MAX + 1, sizeof *files);

	descriptors = new_table(DESCRIPTORS, sizeof *descriptors);
	names = new_table(NAME_BYTES, 1);
	process_id = (int)syscall(SYS_getpid);
	tarry_file_hooks.files = files;
	return files && descriptors && names;
}

void *find_next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

extern struct next_function __start_next_functions[], __stop_next_functions[];

__attribute__((constructor)) static void find_all(void)
{
	for (struct next_function *entry = __start_next_functions; entry < __stop_next_functions; entry++)
		entry->address = find_next(entry->name);
}

/* A child of vfork() shares our tables, but its descriptors are its own. */
static bool is_other_process(void)
{
	return (int)syscall(SYS_getpid) != process_id;
}

/* Paths */

/* System files, which are not the program's, and no files of disks. */
static const char *const excluded_folders[] = {"/dev/", "/proc/",    "/sys/",     "/etc/",       "/usr/",
                                               "/lib",  "/bin/",     "/sbin/",    "/boot/",      "/run/",
                                               "/opt/", "/var/lib/", "/var/run/", "/var/cache/", NULL};
/* Folders in which MPI libraries keep files of the running job, and files with which they test a file system. */
static const char *const job_folders[] = {"/ompi.", "/openmpi-sessions-", "/pmix-",
                                          "/prte.", ".locktest.",         NULL};

static bool is_excluded(const char *path)
{
	for (const char *const *folder = excluded_folders; *folder; folder++)
		if (strncmp(path, *folder, strlen(*folder)) == 0)
			return true;
	for (const char *const *folder = job_folders; *folder; folder++)
		if (strstr(path, *folder))
			return true;
	return false;
}

/* "/proc/self/fd/5" */
static void put_link_name(char *out, int fd)
{
	char digits[12];
	int count = 0;

	memcpy(out, "/proc/self/fd/", 14);
	out += 14;
	do
		digits[count++] = (char)('0' + fd % 10);
	while (fd /= 10);
	while (count)
		*out++ = digits[--count];
	*out = '\0';
}

/* The real path of an open file. Returns its length; 0: unknown. */
static size_t path_of_descriptor(int fd, char *path)
{
	char name[32];
	ssize_t length;

	put_link_name(name, fd);
	length = syscall(SYS_readlinkat, AT_FDCWD, name, path, PATH_MAX - 1);
	if (length <= 0 || *path != '/')
		length = 0;
	path[length] = '\0';
	return (size_t)length;
}

/* Files */

static const char *keep_name(const char *path, size_t length)
{
	const uint64_t end = ADD(names_used, length + 1);
	char *kept = names + end - length - 1;

	if (end > NAME_BYTES)
		return NULL;
	memcpy(kept, path, length + 1);
	return kept;
}

static uint32_t find_file(const char *path, size_t length, bool adds)
{
	const uint64_t hash = hash_bytes(path, length), key = hash ? hash : 1;
	uint32_t number = hash_fold(key) % FILES_MAX;

	for (uint32_t i = 0; i < FILES_MAX; i++, number = (number + 1) % FILES_MAX) {
		struct counted_file *file = &tarry_file_hooks.files[number];
		uint64_t found = __atomic_load_n(&file->key, __ATOMIC_ACQUIRE);

		if (found == key)
			return number;
		if (found)
			continue;
		if (!adds || GET(file_count) >= FILES_MAX - FILES_MAX / 8 ||
		    GET(names_used) + length >= NAME_BYTES)
			break;
		if (__atomic_compare_exchange_n(&file->key, &found, key, false, __ATOMIC_ACQ_REL,
		                                __ATOMIC_ACQUIRE)) {
			ADD(file_count, 1);
			__atomic_store_n(&file->path, keep_name(path, length), __ATOMIC_RELEASE);
			return number;
		}
		if (found == key)
			return number;
	}
	return FILES_MAX;
}

static void use_file(struct counted_file *file, uint64_t start, uint64_t end)
{
	uint64_t unused = 0;

	__atomic_compare_exchange_n(&file->first_ns, &unused, start, false, __ATOMIC_RELAXED,
	                            __ATOMIC_RELAXED);
	SET(file->last_ns, end);
}

/* Descriptors */

static void set_descriptor(int fd, uint32_t file, bool is_mpi, bool appends)
{
	struct descriptor *d = &descriptors[fd];

	d->is_mpi = is_mpi;
	d->appends = appends;
	SET(d->position, 0);
	__atomic_store_n(&d->file, file + 1, __ATOMIC_RELEASE);
}

/* A signal stack may be too small for paths. Files that are first used there have no entry. */
static bool has_room_for_paths(void)
{
	stack_t stack;

	return sigaltstack(NULL, &stack) != 0 || !(stack.ss_flags & SS_ONSTACK);
}

enum { EXCLUDED = UINT32_MAX };

static NOINLINE uint32_t file_at(int fd)
{
	char path[PATH_MAX];
	const size_t length = path_of_descriptor(fd, path);

	return is_excluded(path) ? EXCLUDED : length ? find_file(path, length, true) : FILES_MAX;
}

static void note_open(int fd, bool appends, uint64_t start, uint64_t end, const void *site)
{
	const enum file_caller caller = tarry_file_hooks.caller(site);
	struct counted_file *file;
	struct stat info;
	uint32_t number;

	SET(descriptors[fd].file, 0);
	if (caller == FILE_CALLER_OTHER || syscall(SYS_fstat, fd, &info) != 0 || !S_ISREG(info.st_mode))
		return;
	number = has_room_for_paths() ? file_at(fd) : FILES_MAX;
	if (number == EXCLUDED)
		return;
	file = &tarry_file_hooks.files[number];
	ADD(file->opens, 1);
	ADD(file->other_ns, end - start);
	use_file(file, start, end);
	if (number < FILES_MAX && !GET(file->opener))
		SET(file->opener, tarry_file_hooks.opener(site, caller));
	set_descriptor(fd, number, caller == FILE_CALLER_MPI, appends);
}

void count_open(int fd, bool appends, uint64_t start, const void *site)
{
	const uint64_t end = file_clock();
	const int saved = errno;

	if (fd >= 0 && fd < DESCRIPTORS && !is_other_process())
		note_open(fd, appends, start, end, site);
	errno = saved;
}

struct counted_file *forget_descriptor(int fd)
{
	struct descriptor *d = file_of(fd);
	struct counted_file *file;

	if (!d || is_other_process())
		return NULL;
	file = counted_file(d);
	SET(d->file, 0);
	return file;
}

void forget_descriptors(unsigned first, unsigned last)
{
	if (!files_are_on() || is_other_process())
		return;
	for (unsigned fd = first; fd <= last && fd < DESCRIPTORS; fd++)
		if (GET(descriptors[fd].file))
			SET(descriptors[fd].file, 0);
}

void copy_descriptor(int fd, int copy)
{
	const int saved = errno;
	const struct descriptor *from;

	if (copy >= 0 && copy < DESCRIPTORS && copy != fd && files_are_on() && !is_other_process()) {
		from = file_of(fd);
		SET(descriptors[copy].file, 0);
		if (from) {
			set_descriptor(copy, GET(from->file) - 1, from->is_mpi, from->appends);
			SET(descriptors[copy].position, GET(from->position));
		}
	}
	errno = saved;
}

struct descriptor *file_of_stream(FILE *stream)
{
	int saved, fd;

	if (!files_are_on() || !stream)
		return NULL;
	saved = errno;
	fd = fileno(stream);
	errno = saved;
	return file_of(fd);
}

/* Accesses */

static uint32_t size_class(uint64_t bytes)
{
	const uint32_t bits = bytes ? 64 - (uint32_t)__builtin_clzll(bytes) : 0;
	const uint32_t number = bits <= FILE_SIZE_FIRST_BITS
	                                ? 0
	                                : (bits - FILE_SIZE_FIRST_BITS - 1) / FILE_SIZE_STEP_BITS + 1;

	return number < FILE_SIZE_CLASSES ? number : FILE_SIZE_CLASSES - 1;
}

static void extend(struct counted_file *file, uint64_t begin, uint64_t end)
{
	uint64_t known = GET(file->begin_and_1);

	while ((!known || begin + 1 < known) &&
	       !__atomic_compare_exchange_n(&file->begin_and_1, &known, begin + 1, false, __ATOMIC_RELAXED,
	                                    __ATOMIC_RELAXED))
		;
	known = GET(file->end);
	while (end > known && !__atomic_compare_exchange_n(&file->end, &known, end, false, __ATOMIC_RELAXED,
	                                                   __ATOMIC_RELAXED))
		;
}

void count_at(struct descriptor *d, enum file_interface interface, enum file_direction direction,
              int64_t offset, ssize_t done, uint64_t start)
{
	const uint64_t end = start ? file_clock() : 0;
	struct counted_file *file = counted_file(d);
	struct file_accesses *accesses = &file->accesses[direction][interface];
	struct file_sizes *sizes;
	int64_t step;

	if (done < 0)
		return;
	if (done && offset >= 0)
		extend(file, (uint64_t)offset, (uint64_t)offset + (uint64_t)done);
	sizes = &accesses->sizes[size_class((uint64_t)done)];
	step = offset - GET(accesses->last_begin);
	if (ADD(accesses->count, 1) > 1) {
		if (offset == GET(accesses->last_end))
			ADD(sizes->consecutive, 1);
		else if (step && step == GET(accesses->last_step))
			ADD(sizes->strided, 1);
		SET(accesses->last_step, step);
	}
	SET(accesses->last_begin, offset);
	SET(accesses->last_end, offset + done);
	ADD(sizes->calls, 1);
	ADD(sizes->bytes, (uint64_t)done);
	if (end) {
		ADD(sizes->ns, end - start);
		use_file(file, start, end);
	}
}

static void move_and_count(struct descriptor *d, enum file_interface interface, enum file_direction direction,
                           ssize_t done, uint64_t start)
{
	int64_t offset = GET(d->position);

	if (done < 0)
		return;
	if (d->appends && direction == FILE_WRITTEN) /* at the end, wherever that is */
		offset = GET(counted_file(d)->accesses[direction][interface].last_end);
	SET(d->position, offset + done);
	count_at(d, interface, direction, offset, done, start);
}

void count_at_pointer(struct descriptor *d, enum file_direction direction, ssize_t done, uint64_t start)
{
	move_and_count(d, d->is_mpi ? FILE_BY_MPI : FILE_BY_SYSTEM_CALL, direction, done, start);
}

void count_in_stream(struct descriptor *d, enum file_direction direction, ssize_t done, uint64_t start)
{
	move_and_count(d, FILE_BY_STREAM, direction, done, start);
}

void count_other(struct counted_file *file, uint64_t *calls, uint64_t start)
{
	const uint64_t end = file_clock();

	if (calls)
		ADD(*calls, 1);
	ADD(file->other_ns, end - start);
	use_file(file, start, end);
}

/* Questions */

/* Makes a path absolute, without resolving links. Returns its length; 0: it cannot be known cheaply. */
static size_t absolute_path(int folder, const char *path, char *out)
{
	size_t length = strnlen(path, PATH_MAX), before = 0;
	long room;

	if (*path != '/') {
		if (folder != AT_FDCWD)
			return 0;
		room = syscall(SYS_getcwd, out, PATH_MAX);
		if (room <= 1)
			return 0;
		before = (size_t)room - 1;
		out[before++] = '/';
		while (path[0] == '.' && path[1] == '/') {
			path += 2;
			length -= 2;
		}
	}
	if (before + length >= PATH_MAX)
		return 0;
	memcpy(out + before, path, length);
	out[before + length] = '\0';
	return before + length;
}

static NOINLINE uint32_t file_named(int folder, const char *path, bool exists)
{
	char name[PATH_MAX];
	const size_t length = absolute_path(folder, path, name);

	return !length ? FILES_MAX : is_excluded(name) ? EXCLUDED : find_file(name, length, exists);
}

void count_stat(int folder, const char *path, int result, const struct stat *found, uint64_t start,
                const void *site)
{
	const int saved = errno;
	uint32_t number;

	if ((result == 0 && found && !S_ISREG(found->st_mode)) ||
	    (result != 0 && saved != ENOENT && saved != ENOTDIR && saved != EACCES))
		return;
	if (tarry_file_hooks.caller(site) == FILE_CALLER_PROGRAM) {
		number = has_room_for_paths() ? file_named(folder, path, result == 0 && found) : FILES_MAX;
		if (number != EXCLUDED)
			count_other(&tarry_file_hooks.files[number], &tarry_file_hooks.files[number].stats,
			            start);
	}
	errno = saved;
}

void count_stat_of(int fd, uint64_t start)
{
	struct descriptor *d = file_of(fd);
	struct counted_file *file = d ? counted_file(d) : NULL;

	if (file)
		count_other(file, &file->stats, start);
}
