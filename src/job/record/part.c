#include "job/record/part.h"

#include "base/clock.h"
#include "base/files.h"
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
	bool unmappable; /* the file system cannot map files: chunks are in memory until they are full */
	uint64_t size;
	char name[NAME_MAX + 1];
} part = {.folder.fd = -1, .file.fd = -1};

static void name_part(uint32_t attempt)
{
	char host[64] = "";
	uint32_t random = 0;

	gethostname(host, sizeof host - 1);
	for (char *letter = host; *letter; letter++)
		if (*letter == '/')
			*letter = '_';
	/* In containers, processes on hosts of the same name may have the same pid. */
	if (getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random)
		random = (uint32_t)clock_ticks() + attempt;
	snprintf(part.name, sizeof part.name, "%s-%d-%08x" PART_SUFFIX, host, (int)getpid(), random);
}

static int create_part(void)
{
	int fd = -1;

	for (uint32_t i = 0; i < ATTEMPTS && fd < 0; i++) {
		name_part(i);
		fd = private_file_create(part.folder.fd, part.name, 0600);
		if (fd < 0 && errno != EEXIST && errno != EINTR)
			break;
	}
	return fd;
}

bool part_open(const char *output)
{
	char path[PATH_MAX];
	int error;

	if (!held_file_take(&part.folder, parts_folder_open(output, path)))
		return false;
	if (held_file_take(&part.file, create_part())) {
		part.size = 0;
		part.open = true;
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

void part_close(void)
{
	part.open = false;
	held_file_close(&part.file);
	held_file_close(&part.folder);
}

void part_discard(void)
{
	int error = errno;

	if (part.open && held_file_is_ours(&part.folder))
		unlinkat(part.folder.fd, part.name, 0);
	part_close();
	errno = error;
}

static void *map_chunk(const struct chunk_place *place)
{
	int kind = part.unmappable ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
	void *chunk = mmap(NULL, place->bytes, PROT_READ | PROT_WRITE, kind,
	                   part.unmappable ? -1 : part.file.fd, part.unmappable ? 0 : (off_t)place->offset);

	return chunk == MAP_FAILED ? NULL : chunk;
}

static bool refuses_mapping(int error)
{
	return error == ENODEV || error == EACCES || error == EINVAL || error == EPERM || error == EOPNOTSUPP;
}

/* Repeats after signals: a program with a timer would otherwise end the recording. */
static int reserve(const struct chunk_place *place)
{
	struct size_limit held;
	sigset_t all, before;
	int error;

	size_limit_hold(&held);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	do
		error = posix_fallocate(part.file.fd, (off_t)place->offset, (off_t)place->bytes);
	while (error == EINTR);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	size_limit_release(&held, error == EFBIG);
	return error;
}

static void *map_or_live_without(const struct chunk_place *place)
{
	void *chunk = map_chunk(place);

	if (chunk || part.unmappable || !refuses_mapping(errno))
		return chunk;
	process_note(
		"the file system of the trace cannot be mapped into memory (%s): a killed process loses its "
		"last events; choose another place with --output",
		strerror(errno));
	part.unmappable = true;
	return map_chunk(place);
}

void *part_chunk(size_t *bytes, struct chunk_place *place)
{
	void *chunk;
	int error;

	*bytes = (*bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
	*place = (struct chunk_place){part.size, *bytes};
	if (!part.open || !held_file_is_ours(&part.file)) {
		errno = EBADF;
		return NULL;
	}
	error = reserve(place);
	if (error) {
		errno = error;
		return NULL;
	}
	chunk = map_or_live_without(place);
	if (chunk)
		part.size += place->bytes;
	return chunk;
}

void part_save(const void *chunk, const struct chunk_place *place)
{
	if (!part.unmappable || !part.open)
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

bool part_finish(uint64_t world, uint32_t rank, uint32_t others)
{
	char done[NAME_MAX + 1], more[16] = "";
	int length = (int)(strlen(part.name) - strlen(PART_SUFFIX));
	bool finished;

	if (!part.open || !held_file_is_ours(&part.folder))
		return false;
	if (others)
		snprintf(more, sizeof more, "+%u", others);
	finished = snprintf(done, sizeof done, "%016llx-%u%s-%.*s" DONE_SUFFIX, (unsigned long long)world,
	                    rank, more, length, part.name) < (int)sizeof done &&
	           renameat(part.folder.fd, part.name, part.folder.fd, done) == 0;
	part.open = false;
	return finished;
}
