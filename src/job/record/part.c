#include "job/record/part.h"

#include "base/clock.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/job_identity.h"
#include "base/machine.h"
#include "base/notes.h"
#include "base/settings.h"
#include "job/mpi/held_file.h"
#include "job/record/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 10 };

static struct {
	struct held_file folder, file;
	bool open;
	struct part_header
		*own_header; /* the file system cannot map files: chunks are in memory until they are full */
	uint32_t number;     /* of this process's entry in the table */
	uint64_t start;      /* of this process */
	char name[NAME_MAX + 1];
} part = {.folder.fd = -1, .file.fd = -1};

/* The name */

static bool add_namespace(const char *path, uint64_t *key)
{
	char text[64];
	ssize_t length = readlink(path, text, sizeof text);

	if (length > 0)
		*key = hash_word(*key, hash_bytes(text, (size_t)length));
	return length > 0;
}

/* Processes with the same key can share the memory of a mapped file, and know each other's pids. In containers, the machine, other processes
 * or the file may be hidden. Without `tarry run`, each job has parts of its own, because it writes its own trace. False: the key is unknown. */
static bool find_key(uint64_t *key)
{
	char machine[MACHINE_TEXT], job[JOB_IDENTITY_MAX];
	struct stat about;
	size_t length;

	if (!part.start || !machine_identity(machine) || fstat(part.folder.fd, &about) != 0)
		return false;
	*key = hash_word(about.st_dev, hash_bytes(machine, strlen(machine)));
	if (!add_namespace("/proc/self/ns/pid", key))
		return false;
	add_namespace("/proc/self/ns/time", key); /* older kernels have no time namespaces */
	if (setting_get(SETTING_RUN))
		return true;
	length = job_identity(job);
	*key = hash_word(*key, hash_bytes(job, length));
	return length > 0;
}

static void name_part(uint32_t attempt, bool is_shared, uint64_t key)
{
	char host[64] = "";

	gethostname(host, sizeof host - 1);
	for (char *letter = host; *letter; letter++)
		if (*letter == '/')
			*letter = '_';
	if (is_shared)
		key = hash_word(key, attempt);
	else if (getrandom(&key, sizeof key, GRND_NONBLOCK) != sizeof key)
		key = clock_ticks() + attempt;
	snprintf(part.name, sizeof part.name, "%s-%016llx" PART_SUFFIX, host, (unsigned long long)key);
}

/* The header */

/* Tries again after a signal: a timer of the program must not end the recording. */
static int reserve(uint64_t offset, uint64_t bytes)
{
	struct size_limit held;
	sigset_t all, before;
	int error;

	size_limit_hold(&held);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	do
		error = posix_fallocate(part.file.fd, (off_t)offset, (off_t)bytes);
	while (error == EINTR);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	size_limit_release(&held, error == EFBIG);
	return error;
}

static void *map_file(uint64_t offset, uint64_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, part.file.fd, (off_t)offset);

	return memory == MAP_FAILED ? NULL : memory;
}

static void *map_memory(uint64_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

static bool refuses_mapping(int error)
{
	return error == ENODEV || error == EACCES || error == EINVAL || error == EPERM || error == EOPNOTSUPP;
}

/* NULL: see errno. */
static struct part_header *header_take(void)
{
	if (!held_file_is_ours(&part.file))
		return NULL;
	return part.own_header ? part.own_header : map_file(0, PART_PAGE);
}

static bool header_release(struct part_header *header)
{
	int error = errno;
	bool written = true;

	if (header == part.own_header)
		written = pwrite_fully(part.file.fd, header, PART_PAGE, 0);
	else
		munmap(header, PART_PAGE);
	if (written)
		errno = error;
	return written;
}

/* Whether the process was killed. A part with such a process stays as it is, for `tarry recover`. */
static bool is_gone(const struct part_entry *entry)
{
	struct process_status status;

	return entry->state == PART_LEFT ? entry->rank != PROCESS_UNKNOWN
	                                 : entry->state == PART_RUNNING &&
	                                           (!read_process_status((int)entry->pid, &status) ||
	                                            status.state == 'Z' || status.start != entry->start);
}

static bool has_gone_processes(const struct part_header *header)
{
	for (uint32_t i = 0; i < part_entry_count(header); i++)
		if (is_gone(&header->processes[i]))
			return true;
	return false;
}

static bool join(bool is_shared)
{
	struct part_header *header = header_take();
	int number = -1;

	if (!header && !is_shared && refuses_mapping(errno)) {
		process_note(
			"the file system of the trace cannot be mapped into memory (%s): a killed process loses its "
			"last events; choose another place with --output",
			strerror(errno));
		header = part.own_header = map_memory(PART_PAGE);
	}
	if (!header)
		return false;
	errno = EEXIST;
	if (!is_shared || !has_gone_processes(header))
		number = part_join(header, (uint32_t)getpid(), part.start);
	if (!header_release(header) || number < 0)
		return false;
	part.number = (uint32_t)number;
	return true;
}

/* Opening and ending */

static void close_file(void)
{
	int error = errno;

	held_file_close(&part.file);
	errno = error;
}

/* Creates a part for this process alone. */
static bool create_part(uint32_t attempt)
{
	int error;

	name_part(attempt, false, 0);
	if (!held_file_take(&part.file, private_file_create(part.folder.fd, part.name, 0600)))
		return false;
	error = reserve(0, PART_PAGE);
	errno = error;
	if (!error && join(false))
		return true;
	error = errno;
	unlinkat(part.folder.fd, part.name, 0);
	errno = error;
	close_file();
	return false;
}

static bool join_part(uint32_t attempt, uint64_t key)
{
	name_part(attempt, true, key);
	if (!held_file_take(&part.file, open_regular(part.folder.fd, part.name, O_RDWR | O_NOFOLLOW)))
		return false;
	if (join(true))
		return true;
	close_file();
	return false;
}

/* Joins the part of this node, or creates it and gives it the common name. The header is written before that, so that no other process finds a
 * part without a header. If the file system has no links, the part keeps its own name and belongs to this process alone. */
static bool share_part(uint32_t attempt, uint64_t key)
{
	char own[sizeof part.name];

	if (join_part(attempt, key))
		return true;
	if (errno != ENOENT || !create_part(attempt))
		return false;
	memcpy(own, part.name, sizeof own);
	name_part(attempt, true, key);
	if (linkat(part.folder.fd, own, part.folder.fd, part.name, 0) == 0) {
		unlinkat(part.folder.fd, own, 0);
		return true;
	}
	if (errno != EEXIST) {
		memcpy(part.name, own, sizeof own);
		return true;
	}
	unlinkat(part.folder.fd, own, 0);
	close_file();
	return join_part(attempt, key);
}

static bool find_part(void)
{
	struct process_status self;
	uint64_t key;

	part.start = read_process_status(getpid(), &self) ? self.start : 0;
	if (find_key(&key))
		for (uint32_t i = 0; i < ATTEMPTS; i++) {
			if (share_part(i, key))
				return true;
			if (errno != EEXIST)
				break; /* it cannot be shared */
		}
	for (uint32_t i = 0; i < ATTEMPTS; i++) {
		if (create_part(i))
			return true;
		if (errno != EEXIST && errno != EINTR)
			break;
	}
	return false;
}

bool part_open(const char *output, uint64_t *world)
{
	char path[PATH_MAX];
	int error;

	if (!held_file_take(&part.folder, parts_folder_open(output, path)))
		return false;
	if (find_part()) {
		part.open = true;
		*world = part_token(part.number);
		return true;
	}
	error = errno;
	held_file_close(&part.folder);
	rmdir(path); /* fails if it has other parts */
	errno = error;
	return false;
}

bool part_is_open(void)
{
	return part.open;
}

int part_folder(void)
{
	return held_file_is_ours(&part.folder) ? part.folder.fd : -1;
}

const char *part_name(void)
{
	return part.name;
}

void part_close(void)
{
	part.open = false;
	held_file_close(&part.file);
	held_file_close(&part.folder);
}

/* Ends the entries of this process, also those of earlier programs that it replaced by execve(). */
static bool leave(struct part_header *header, bool closes)
{
	const uint32_t pid = (uint32_t)getpid();
	bool last = false;

	for (uint32_t i = 0; i < part_entry_count(header); i++) {
		const struct part_entry *entry = &header->processes[i];
		if (entry->pid == pid && entry->start == part.start)
			last |= part_leave(header, i,
			                   entry->rank == PROCESS_UNKNOWN ? PART_LEFT : PART_FINISHED,
			                   closes);
		else if (closes && is_gone(entry))
			last |= part_leave(header, i, PART_LEFT, closes);
	}
	return last;
}

/* Closes the file: a network file system then writes all of it, before another node reads it. */
bool part_finish(bool closes, bool *last)
{
	struct part_header *header = part.open ? header_take() : NULL;
	bool finished = false;

	*last = false;
	if (header) {
		*last = leave(header, closes);
		finished = header_release(header);
	}
	close_file();
	part.open = false;
	return finished;
}

void part_discard(void)
{
	int error = errno;
	bool last, is_single = false;
	struct part_header *header = part.open ? header_take() : NULL;

	if (header) {
		last = leave(header, true);
		is_single = last && part_entry_count(header) == 1;
		header_release(header);
	}
	if (is_single && held_file_is_ours(&part.folder))
		unlinkat(part.folder.fd, part.name, 0);
	part_close();
	errno = error;
}

/* Ranks */

bool part_identify(uint64_t world, uint32_t rank, uint32_t size)
{
	struct part_header *header = part.open ? header_take() : NULL;

	if (!header)
		return false;
	part_set_rank(&header->processes[part.number], world, rank, size);
	return header_release(header);
}

bool part_add_rank(uint64_t world, uint32_t rank, uint32_t size)
{
	struct part_header *header = part.open ? header_take() : NULL;
	int number;

	if (!header)
		return false;
	number = part_join(header, (uint32_t)getpid(), part.start);
	if (number >= 0)
		part_set_rank(&header->processes[number], world, rank, size);
	return header_release(header) && number >= 0;
}

/* Chunks */

static bool take_place(uint64_t bytes, uint64_t *offset)
{
	struct part_header *header = header_take();
	int error;
	bool taken;

	if (!header)
		return false;
	taken = part_take(header, bytes, offset);
	error = taken ? reserve(*offset, bytes) : errno;
	if (error == EBADMSG)
		process_note(
			"the counter of '%s' was overwritten: its processes record nothing more; what they "
			"recorded is kept",
			part.name);
	if (taken && error)
		part_give_back(header, bytes, *offset);
	errno = error;
	return header_release(header) && !error;
}

void *part_chunk(size_t *bytes, struct chunk_place *place)
{
	*bytes = (*bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
	*place = (struct chunk_place){0, *bytes};
	errno = EBADF;
	if (!part.open || !take_place(place->bytes, &place->offset))
		return NULL;
	return part.own_header ? map_memory(place->bytes) : map_file(place->offset, place->bytes);
}

void part_save(const void *chunk, const struct chunk_place *place)
{
	if (!part.own_header || !part.open)
		return;
	if (!held_file_is_ours(&part.file) ||
	    !pwrite_fully(part.file.fd, chunk, place->bytes, (off_t)place->offset))
		process_note("process %u lost a piece of its trace: it could not be written: %s",
		             process.rank, strerror(errno));
}

void part_release(void *chunk, const struct chunk_place *place)
{
	part_save(chunk, place);
	munmap(chunk, place->bytes);
}
