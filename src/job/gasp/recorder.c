/* Finds the recorder through the library that `tarry run` preloads. If a launcher drops LD_PRELOAD but keeps
 * other variables, that library is loaded here. */
#include "job/gasp/gasp.h"

#include "base/settings.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef const struct upc_recorder *door(uint32_t version);

/* Functions by which to tell the runtimes apart. The dialect was compiled with one runtime's headers, and must
 * belong to the runtime that calls us, because event numbers differ. */
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

static void *find_in_preloaded(const char *symbol)
{
	const char *library = getenv(SETTING_PRELOAD);
	void *found = dlsym(RTLD_DEFAULT, symbol);
	void *handle;

	if (!found && library) {
		handle = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
		found = handle ? dlsym(handle, symbol) : NULL;
	}
	return found;
}

static bool is_understood(const struct upc_dialect *dialect)
{
	const char *runtime = runtime_here();
	void (*note)(const char *sentence);
	char sentence[256];

	if (!runtime || strcmp(runtime, dialect->implementation) == 0)
		return true;
	note = (void (*)(const char *))find_in_preloaded(UPC_NOTE_SYMBOL);
	if (!note || dialect->my_thread() != 0)
		return false;
	snprintf(
		sentence, sizeof sentence,
		"nothing is recorded: the program runs on %s, but its tool library was compiled with headers "
		"of %s; rebuild the program with 'tarry upcc'",
		name_of(runtime), name_of(dialect->implementation));
	note(sentence);
	return false;
}

const struct upc_recorder *tarry_upc_find_recorder(void)
{
	const struct upc_recorder *recorder;
	door *open_door;

	if (!getenv(SETTING_OUTPUT) || !is_understood(tarry_upc_dialect()))
		return NULL;
	open_door = (door *)find_in_preloaded(UPC_RECORDER_SYMBOL);
	recorder = open_door ? open_door(UPC_LINK_VERSION) : NULL;
	return recorder && recorder->version == UPC_LINK_VERSION ? recorder : NULL;
}
