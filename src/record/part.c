#include "record/part.h"

#include "base/notes.h"
#include "base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

static struct {
	int fd;
	bool open;
	bool unmappable; /* the file system refused: chunks live in memory until they are full */
	uint64_t size;
	char path[PATH_MAX];
} part;

static bool name_part(const char *folder)
{
	char host[HOST_NAME_MAX + 1] = "";
	uint32_t random = 0;
	int length;

	gethostname(host, sizeof host - 1);
	for (char *letter = host; *letter; letter++)
		if (*letter == '/')
			*letter = '_';
	if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0)
		random = (uint32_t)getpid();
	length = snprintf(part.path, sizeof part.path, "%s/%s-%d-%08x" PART_SUFFIX, folder, host,
	                  (int)getpid(), random);
	return length > 0 && (size_t)length < sizeof part.path;
}

bool part_open(const char *output)
{
	char folder[PATH_MAX];

	if (!parts_folder(output, folder) || !name_part(folder))
		return false;
	part.fd = open(part.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (part.fd < 0) {
		rmdir(folder); /* only if nobody else is in it */
		return false;
	}
	part.size = 0;
	part.open = true;
	return true;
}

bool part_is_open(void)
{
	return part.open;
}

static void *map_chunk(const struct chunk_place *place)
{
	int kind = part.unmappable ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
	void *chunk = mmap(NULL, place->bytes, PROT_READ | PROT_WRITE, kind, part.unmappable ? -1 : part.fd,
	                   part.unmappable ? 0 : (off_t)place->offset);

	return chunk == MAP_FAILED ? NULL : chunk;
}

/* Without interruption: where a signal ends it, a program with a timer would end the recording. */
static int reserve(const struct chunk_place *place)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = posix_fallocate(part.fd, (off_t)place->offset, (off_t)place->bytes);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

void *part_chunk(size_t *bytes, struct chunk_place *place)
{
	void *chunk;
	int error;

	*bytes = (*bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
	*place = (struct chunk_place){part.size, *bytes};
	if (!part.open) { /* the number of its file may be that of another by now */
		errno = EBADF;
		return NULL;
	}
	error = reserve(place);
	if (error) {
		errno = error;
		return NULL;
	}
	chunk = map_chunk(place);
	if (!chunk && (errno == ENODEV || errno == EACCES || errno == EINVAL)) {
		part.unmappable = true;
		chunk = map_chunk(place);
	}
	if (chunk)
		part.size += place->bytes;
	return chunk;
}

static bool write_all(const void *bytes, size_t size, uint64_t offset)
{
	while (size > 0) {
		ssize_t written = pwrite(part.fd, bytes, size, (off_t)offset);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		bytes = (const char *)bytes + written;
		size -= (size_t)written;
		offset += (uint64_t)written;
	}
	return true;
}

void part_save(const void *chunk, const struct chunk_place *place)
{
	if (part.unmappable && part.open && !write_all(chunk, place->bytes, place->offset))
		part.open = false;
}

void part_release(void *chunk, const struct chunk_place *place)
{
	part_save(chunk, place);
	munmap(chunk, place->bytes);
}

bool part_finish(const char *output, uint64_t world, uint32_t rank)
{
	char folder[PATH_MAX], path[PATH_MAX];
	const char *name = strrchr(part.path, '/') + 1;
	int length = (int)(strlen(name) - strlen(PART_SUFFIX));
	bool finished;

	if (!part.open || !parts_folder(output, folder))
		return false;
	finished = snprintf(path, sizeof path, "%s/%016llx-%u-%.*s" DONE_SUFFIX, folder,
	                    (unsigned long long)world, rank, length, name) < PATH_MAX &&
	           ftruncate(part.fd, (off_t)part.size) == 0 && rename(part.path, path) == 0;
	close(part.fd);
	part.open = false;
	return finished;
}
