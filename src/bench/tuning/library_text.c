#include "bench/tuning/library_text.h"

#include "base/files.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status map(const char *path, int file, struct library_text *library)
{
	struct stat about;
	if (fstat(file, &about) != 0 || about.st_size <= 0)
		return fail("'%s' cannot be read as a library", path);
	void *bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	if (bytes == MAP_FAILED)
		return fail("cannot map '%s': %s", path, strerror(errno));
	*library = (struct library_text){bytes, (size_t)about.st_size};
	return OK;
}

enum status library_text_open(const char *path, struct library_text *library)
{
	int file = open_regular(AT_FDCWD, path, O_RDONLY);
	if (file < 0)
		return fail("cannot open '%s': %s", path, file_error());
	enum status status = map(path, file, library);
	close(file);
	return status;
}

void library_text_close(struct library_text *library)
{
	munmap((void *)library->bytes, library->size);
	*library = (struct library_text){0};
}

static const char *find_next(const struct library_text *library, const char *from, const char *what)
{
	return memmem(from, library->size - (size_t)(from - library->bytes), what, strlen(what));
}

const char *library_text_find(const struct library_text *library, const char *beginning, const char *part,
                              struct arena *arena)
{
	const char *end = library->bytes + library->size;
	for (const char *at = library->bytes; (at = find_next(library, at, beginning)); at++) {
		const char *zero = memchr(at, 0, (size_t)(end - at));
		if (!zero)
			return NULL;
		if ((at == library->bytes || !at[-1]) && memmem(at, (size_t)(zero - at), part, strlen(part)))
			return arena_bytes_as_text(arena, at, (size_t)(zero - at));
	}
	return NULL;
}

static bool is_name_letter(char letter)
{
	return isalnum((unsigned char)letter) || letter == '_';
}

static size_t add_name(const char **names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return count;
	names[count] = name;
	return count + 1;
}

enum { NAMES_MAX = 256 };

size_t library_text_names(const struct library_text *library, const char *beginning, struct arena *arena,
                          const char ***names)
{
	const char *end = library->bytes + library->size;
	size_t count = 0;
	*names = arena_array(arena, const char *, NAMES_MAX);
	for (const char *at = library->bytes; count < NAMES_MAX && (at = find_next(library, at, beginning));
	     at++) {
		if (at > library->bytes && is_name_letter(at[-1]))
			continue;
		const char *past = at;
		while (past < end && is_name_letter(*past))
			past++;
		count = add_name(*names, count, arena_bytes_as_text(arena, at, (size_t)(past - at)));
	}
	return count;
}

const char *mpich_selection_tree(const struct library_text *library, struct arena *arena)
{
	return library_text_find(library, "{\"collective=", "\"algorithm=MPIR_", arena);
}

const char *mpich_device_tree(const struct library_text *library, struct arena *arena)
{
	return library_text_find(library, "{\"collective=", "\"composition=MPIDI_", arena);
}

const char *collective_short_name(const char *operation, struct arena *arena)
{
	char *name = arena_text(arena, operation + (text_begins(operation, "MPI_") ? 4 : 0));
	for (char *letter = name; *letter; letter++)
		*letter = (char)tolower((unsigned char)*letter);
	return name;
}
