/* Finding the recorder. `tarry run` preloads a library that has a door to it; if a launcher drops LD_PRELOAD but passes other
 * variables on, the library is loaded here. */
#include "gasp/gasp.h"

#include "base/settings.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef const struct upc_recorder *door(uint32_t version);

/* A function of each runtime that every program of it has: the headers that the dialect was compiled with must be of the
 * runtime that calls us, or its numbers would mean something else. */
extern void bupc_init_reentrant(void) __attribute__((weak));
extern void __upc_pupc_init(void) __attribute__((weak));

static const char *runtime_here(void)
{
	if (bupc_init_reentrant && !__upc_pupc_init)
		return "berkeley";
	if (__upc_pupc_init && !bupc_init_reentrant)
		return "gupc";
	return NULL;
}

static const char *name_of(const char *implementation)
{
	return strcmp(implementation, "berkeley") == 0 ? "Berkeley UPC" : "GNU UPC or Clang UPC";
}

/* Where `tarry run` looks for what libraries in the job have to say. */
static void write_note(const char *output, const char *sentence)
{
	char path[PATH_MAX];
	int notes;

	if (snprintf(path, sizeof path, "%s" PARTS_SUFFIX "/" NOTES_FILE, output) >= (int)sizeof path)
		return;
	notes = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (notes < 0)
		return;
	if (write(notes, sentence, strlen(sentence)) < 0)
		errno = EIO; /* nobody is left to tell */
	close(notes);
}

static bool is_understood(const struct upc_dialect *dialect, const char *output)
{
	const char *runtime = runtime_here();
	char sentence[256];

	if (!runtime || strcmp(runtime, dialect->implementation) == 0)
		return true;
	snprintf(
		sentence, sizeof sentence,
		"nothing is recorded: the program runs on %s, but its tool library was compiled with headers "
		"of %s; build it anew with 'tarry upcc'\n",
		name_of(runtime), name_of(dialect->implementation));
	if (dialect->my_thread() == 0)
		write_note(output, sentence);
	return false;
}

static door *find_door(void)
{
	const char *library = getenv(SETTING_PRELOAD);
	void *found = dlsym(RTLD_DEFAULT, UPC_RECORDER_SYMBOL);
	void *handle;

	if (!found && library) {
		handle = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
		found = handle ? dlsym(handle, UPC_RECORDER_SYMBOL) : NULL;
	}
	return (door *)found;
}

const struct upc_recorder *tarry_upc_find_recorder(void)
{
	const char *output = getenv(SETTING_OUTPUT);
	const struct upc_recorder *recorder;
	door *open_door;

	if (!output || !is_understood(tarry_upc_dialect(), output))
		return NULL;
	open_door = find_door();
	recorder = open_door ? open_door(UPC_LINK_VERSION) : NULL;
	return recorder && recorder->version == UPC_LINK_VERSION ? recorder : NULL;
}
