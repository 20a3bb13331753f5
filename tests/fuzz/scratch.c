/* nftw() */
#define _GNU_SOURCE

#include "fuzz.h"

#include "base/memory.h"
#include "base/text.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void give_up(const char *what)
{
	fprintf(stderr, "fuzz: %s\n", what);
	abort();
}

static char folder[64];

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place)
{
	(void)about;
	(void)kind;
	(void)place;
	return remove(path);
}

static void remove_folder(void)
{
	nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void make_folder(void)
{
	const char *parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";

	snprintf(folder, sizeof folder, "%s/tarry-fuzz-XXXXXX", parent);
	if (!mkdtemp(folder))
		give_up("cannot make a folder for scratch files");
	atexit(remove_folder);
}

const char *scratch_path(const char *name)
{
	struct text path = {0};

	if (!*folder)
		make_folder();
	text_add(&path, "%s/%s", folder, name);
	return text_take(&path);
}

void scratch_write(const char *path, const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		give_up("cannot write a scratch file");
	close(fd);
}

char *scratch_read(const char *path, size_t *size)
{
	FILE *file = fopen(path, "re");
	struct text text = {0};
	char buffer[1 << 14];
	size_t got;

	if (!file)
		give_up("cannot read a scratch file");
	while ((got = fread(buffer, 1, sizeof buffer, file)) > 0)
		text_add_bytes(&text, buffer, got);
	fclose(file);
	*size = text.length;
	return text.length ? text_take(&text) : memory_copy_text("");
}
