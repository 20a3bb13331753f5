#include "job/preload/preload.h"

#include "base/libc_dlsym.h"
#include "base/loaded_mpi.h"
#include "base/notes.h"
#include "base/probe.h"
#include "base/settings.h"
#include "base/upc_link.h"
#include "job/preload/openmp_calls.h"
#include "job/preload/other_tools.h"
#include "job/preload/shmem_calls.h"
#include "job/preload/tool_calls.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returned by MPI functions without an MPI library: any value except 0, which is MPI_SUCCESS in all libraries. */
enum { NO_MPI = 16 };

/* Atomic, because several threads may make their first MPI call concurrently. */
static const char *mpi_path;
/* Our libraries. */
enum { RECORDER, CHECKER, COLL, LIBRARIES };
static void (*tell_unloaded[LIBRARIES])(void);
static void *mpi_recorder, *upc_recorder; /* at most one of the two */

#define SET(variable, value) __atomic_store_n(&(variable), value, __ATOMIC_RELEASE)
#define GET(variable) __atomic_load_n(&(variable), __ATOMIC_ACQUIRE)

/* Connects the recorder with the wrappers of functions that the user's rules trace. */
__attribute__((visibility("default"))) struct probe_link tarry_probe_link;

static int no_mpi(void)
{
	return NO_MPI;
}

/* Some programs call a weak MPI_Initialized to find out whether they run under MPI. The answer is no. */
static int no_mpi_yet(int *flag)
{
	*flag = 0;
	return 0;
}

/* The function that serves a call without the recorder: the MPI library's, if it can be found. */
static void *stand_in(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	if (found)
		return found;
	if (strcmp(name, "MPI_Initialized") == 0 || strcmp(name, "MPI_Finalized") == 0)
		return (void *)(uintptr_t)no_mpi_yet;
	return (void *)(uintptr_t)no_mpi;
}

/* libmpi_abi libraries from before the standard fixed handles and constants. There is no recorder for them. */
static const char DRAFT_ABI[] = "draft";

/* Libraries that translate calls of one MPI library into calls of another. The program uses handles of the first one, or of the translator,
 * which the recorder for the second one would misinterpret. */
static const char TRANSLATED[] = "translated";
static const struct translator {
	const char *file; /* the beginning of its file name */
	const char *name;
	const char *
		serves; /* a function that it exports if it implements the standard ABI; NULL: it never does */
} translators[] = {
	{"/libmpitrampoline.", "MPItrampoline", NULL},
	{"/libwi4mpi_", "wi4mpi", NULL},
	{"/libmuk.", "Mukautuva", "PMPI_Abi_get_version"},
};
static const char *translator_name; /* of the translator that was found; NULL: none */

static bool is_served(const char *flavour)
{
	return flavour != DRAFT_ABI && flavour != TRANSLATED;
}

static const char *reason_unserved(void)
{
	return translator_name ? "it translates between MPI libraries"
	                       : "a draft of MPI's standard binary interface";
}

static void find_translator(const struct link_map *file)
{
	const char *slash = strrchr(file->l_name, '/');
	void *library;

	for (size_t i = 0; slash && i < sizeof translators / sizeof *translators; i++) {
		const struct translator *known = &translators[i];
		if (strncmp(slash, known->file, strlen(known->file)) != 0)
			continue;
		library = dlopen(file->l_name, RTLD_LAZY | RTLD_NOLOAD);
		if (!known->serves || !library || !dlsym(library, known->serves))
			translator_name = known->name;
	}
}

/* Tarry has one library per supported ABI. The standard ABI has PMPI_Abi_get_version of MPI 5.0, but not the conversions of Fortran handles.
 * Libraries with an ABI of their own have both since MPI 5.0. */
static const char *flavour_of(void *library, const char *name)
{
	const bool is_named_abi = strncmp(name, "/libmpi_abi", 11) == 0;

	if (dlsym(library, "PMPI_Abi_get_version") && (is_named_abi || !dlsym(library, "PMPI_Comm_c2f")))
		return "abi";
	if (is_named_abi)
		return DRAFT_ABI;
	return dlsym(library, "ompi_mpi_comm_world") ? "openmpi" : "mpich";
}

/* An MPI library with the standard ABI. NULL: none. */
static void *standard_library;

static const struct link_map *file_of(const void *address)
{
	struct link_map *file = NULL;
	Dl_info info;

	return address && dladdr1(address, &info, (void **)&file, RTLD_DL_LINKMAP) ? file : NULL;
}

/* PMPI_Comm_rank of the MPI library that the code at `site` was linked with. NULL: none. */
static void *rank_function_of(const void *site)
{
	const struct link_map *caller = file_of(site);

	return caller ? dlsym((void *)(uintptr_t)caller, "PMPI_Comm_rank") : NULL; /* handles are link maps */
}

static void take_library(struct mpi_libraries *found, void *library, const char *path)
{
	found->flavour = flavour_of(library, strrchr(path, '/'));
	SET(standard_library, strcmp(found->flavour, "abi") == 0 ? library : NULL);
	found->path = path;
	found->init = dlsym(library, "PMPI_Init");
	SET(mpi_path, path);
}

/* Of several MPI libraries, chooses the one that the caller is linked with. Its files become the first ones. */
static void prefer_called(struct mpi_libraries *found, const void *site)
{
	void *rank_function = rank_function_of(site);
	const struct link_map *file = file_of(rank_function);
	int own = 0;

	if (!rank_function || !loaded_file_is_mpi(file))
		return;
	for (int i = 0; i < found->count; i++) {
		void *handle = found->handles[i];

		if (dlsym(handle, "PMPI_Comm_rank") != rank_function)
			continue;
		memmove(&found->handles[own + 1], &found->handles[own], (size_t)(i - own) * sizeof handle);
		found->handles[own++] = handle;
	}
	if (!own)
		return;
	take_library(found, (void *)(uintptr_t)file, file->l_name);
	found->is_called = true;
}

/* `site`: where the program calls MPI; NULL: the program is still being loaded. */
static struct mpi_libraries find_mpi(const void *site)
{
	struct mpi_libraries found = {.count = 0};

	for (const struct link_map *file = loaded_files(); file && found.count < MPI_LIBRARIES;
	     file = file->l_next) {
		find_translator(file);
		void *library = loaded_file_is_part_of_mpi(file)
		                        ? dlopen(file->l_name, RTLD_LAZY | RTLD_NOLOAD)
		                        : NULL;

		if (!library)
			continue;
		found.handles[found.count++] = library;
		if (!loaded_file_is_mpi(file))
			continue;
		if (found.flavour)
			found.others++;
		else
			take_library(&found, library, file->l_name);
	}
	if (found.others)
		prefer_called(&found, site);
	if (found.flavour && translator_name)
		found.flavour = TRANSLATED;
	return found;
}

/* Loads a library from our folder and stores its path in `path` (PATH_MAX bytes). NULL: it cannot be loaded. */
static void *load_beside(const char *name, const char *flavour, char *path)
{
	const char *slash;
	Dl_info own;

	*path = '\0';
	if (!dladdr((const void *)(uintptr_t)load_beside, &own) || !own.dli_fname)
		return NULL;
	slash = strrchr(own.dli_fname, '/');
	if (snprintf(path, PATH_MAX, "%.*s/libtarry-%s-%s.so", slash ? (int)(slash - own.dli_fname) : 0,
	             own.dli_fname, name, flavour) >= PATH_MAX)
		return NULL;
	return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* Our libraries are not linked with MPI: they use the library of the process. If it was loaded with
 * RTLD_LOCAL, as for a Python extension, it is made global. False: ours would use another library. */
static bool make_visible(const struct mpi_libraries *libraries)
{
	const void *found = dlsym(RTLD_DEFAULT, "PMPI_Init");
	Dl_info file;

	if (found || !libraries->others || libraries->is_called) {
		dlopen(libraries->path, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
		found = dlsym(RTLD_DEFAULT, "PMPI_Init");
		if (!found || found == libraries->init || !dladdr(found, &file) || !file.dli_fname)
			return true;
		/* A definition in the program itself is a jump to the library's function. */
		if (!loaded_file_is_mpi(loaded_file_find(file.dli_fname)))
			return true;
	}
	preload_note(
		"the process has two MPI libraries, and Tarry does nothing, because it could call functions of the wrong one: let "
		"the program load only one");
	return false;
}

static void *load_recorder(const char *flavour)
{
	const char *output = setting_get(SETTING_OUTPUT);
	char path[PATH_MAX], sentence[PATH_MAX + 400];
	void *recorder = NULL;

	if (!output || !*output)
		return NULL;
	recorder = load_beside("record", flavour, path);
	if (!recorder && !*path) {
		note_write(output, "nothing is recorded: Tarry's libraries cannot be found");
		return NULL;
	}
	if (recorder)
		return recorder;
	if (GET(mpi_path))
		snprintf(
			sentence, sizeof sentence,
			"nothing is recorded: this installation does not support '%s' (%s); build Tarry with that library's mpicc",
			GET(mpi_path), dlerror());
	else
		snprintf(sentence, sizeof sentence,
		         "nothing is recorded: '%s' is missing (%s); install Tarry again", path, dlerror());
	note_write(output, sentence);
	return NULL;
}

/* Calls that the user excludes from recording go directly to MPI. */
static bool lets_through(void *recorder, const char *name)
{
	void *found = recorder ? dlsym(recorder, "tarry_lets_through") : NULL;
	int (*ask)(const char *symbol);

	if (!found)
		return false;
	memcpy(&ask, &found, sizeof ask);
	return ask(name);
}

static void hear_unloads(int library, void *loaded)
{
	SET(tell_unloaded[library], (void (*)(void))(uintptr_t)dlsym(loaded, "tarry_unloaded"));
}

/* The recorder or the checker. */
static void connect_shmem(void *library)
{
	void (*link_shmem)(struct shmem_link * link) = (void (*)(struct shmem_link *))(
		uintptr_t)(library ? dlsym(library, "tarry_shmem_link") : NULL);

	if (link_shmem)
		link_shmem(&shmem_link);
}

static void introduce(void *recorder)
{
	void (*link_probes)(struct probe_link * link) = (void (*)(struct probe_link *))(uintptr_t)dlsym(
		recorder, "tarry_probes_link");

	void (*link_openmp)(struct openmp_link * link) = (void (*)(struct openmp_link *))(uintptr_t)dlsym(
		recorder, "tarry_openmp_link");

	hear_unloads(RECORDER, recorder);
	if (link_probes)
		link_probes(&tarry_probe_link);
	if (link_openmp)
		link_openmp(&openmp_link);
	connect_shmem(recorder);
}

/* A process has one recorder. If UPC starts first and MPI is loaded later, MPI calls are not intercepted. */
static void *recorder_of_mpi(const char *flavour)
{
	void *recorder;

	if (GET(upc_recorder)) {
		note_write(
			setting_get(SETTING_OUTPUT),
			"MPI calls are not recorded: the program loaded MPI after UPC had started; link it with MPI");
		return NULL;
	}
	if (flavour == DRAFT_ABI) {
		tarry_upc_note("nothing is recorded: this libmpi_abi has a draft of MPI's standard binary "
		               "interface; use one of MPI 5.0, or Open MPI's or MPICH's own library");
		return NULL;
	}
	if (flavour == TRANSLATED) {
		char sentence[300];
		snprintf(
			sentence, sizeof sentence,
			"nothing is recorded: the program uses %s, which translates between MPI libraries; run it directly with "
			"the MPI library that it was compiled for",
			translator_name);
		preload_note(sentence);
		return NULL;
	}
	recorder = load_recorder(flavour);
	if (recorder)
		introduce(recorder);
	return recorder;
}

/* Loads a library if a setting names its folder for messages. `what`: the consequence of a failure, for
 * the message. */
static void *load_for_folder(int number, const char *setting, const char *library, const char *flavour,
                             const char *what)
{
	const char *folder = setting_get(setting);
	char path[PATH_MAX], sentence[PATH_MAX + 400];
	void *loaded;

	if (!folder || !*folder)
		return NULL;
	loaded = is_served(flavour) ? load_beside(library, flavour, path) : NULL;
	if (loaded) {
		hear_unloads(number, loaded);
		return loaded;
	}
	snprintf(sentence, sizeof sentence,
	         "%s: this installation does not support '%s' (%s); build Tarry with that library's mpicc",
	         what, GET(mpi_path), is_served(flavour) ? dlerror() : reason_unserved());
	preload_note_in(folder, sentence);
	return NULL;
}

/* Makes `upper` pass its calls on to `lower`. Either may be missing. */
static void chain(void *upper, const char *function, void *lower)
{
	void (*chain_to)(void *library) = upper && lower ? (void (*)(void *))(uintptr_t)dlsym(upper, function)
	                                                 : NULL;

	if (chain_to)
		chain_to(lower);
}

/* Our libraries must not call a tool that precedes them. */
static void *next_behind_ours(const char *name)
{
	uint32_t slot = 0;

	while (slot < preload_count && strcmp(preload_entries[slot].name, name) != 0)
		slot++;
	return slot < preload_count && tool_comes_first(slot) ? NULL : other_tools_next(name);
}

/* MPICH 5.0.2's libmpi_abi has MPI_File_close without its profiling name, which our libraries normally call. */
static void *only_plain_name(const char *name)
{
	char profiling[64];

	if (strncmp(name, "MPI_", 4) != 0 || snprintf(profiling, sizeof profiling, "P%s", name) >= 64)
		return NULL;
	return dlsym(GET(standard_library), profiling) ? NULL : dlsym(standard_library, name);
}

/* Inserts the functions that `next` returns between ours and MPI. */
static void chain_to(void *library, void *(*next)(const char *name))
{
	void (*chain_others)(void *(*find)(const char *name)) = (void (*)(void *(*)(const char *)))(
		uintptr_t)(library ? dlsym(library, "tarry_chain_others") : NULL);

	if (chain_others)
		chain_others(next);
}

/* If a tool precedes our libraries, the first of them asks tool_calls_site() for the program's call site. */
static void tell_sites(void *library)
{
	void (*set_site)(const void *(*site)(const void *return_address)) = (void (*)(
		const void *(*)(const void *)))(uintptr_t)(library ? dlsym(library, "tarry_called_through")
	                                                           : NULL);

	if (set_site)
		set_site(tool_calls_site);
}

/* Those of our libraries that serve calls; each may be missing. */
struct servers {
	void *checker, *recorder, *coll;
	bool has_others;     /* other tools */
	bool has_tool_first; /* a tool precedes ours (tool_calls.h) */
};

static struct servers load_servers(const struct mpi_libraries *libraries)
{
	struct servers servers = {.has_others = other_tools_find(libraries)};

	if (!make_visible(libraries))
		return servers;
	servers.recorder = recorder_of_mpi(libraries->flavour);
	SET(mpi_recorder, servers.recorder);
	servers.checker = load_for_folder(CHECKER, SETTING_CHECK, "check", libraries->flavour,
	                                  "nothing is checked");
	connect_shmem(servers.checker);
	servers.coll = load_for_folder(COLL, SETTING_COLL, "coll", libraries->flavour,
	                               "collectives are left to MPI");
	servers.has_tool_first = servers.has_others && (servers.checker || servers.recorder) &&
	                         tool_calls_find();
	if (servers.has_tool_first)
		tell_sites(servers.checker ? servers.checker : servers.recorder);
	for (int i = 0; i < LIBRARIES; i++) {
		void *const ours[LIBRARIES] = {servers.recorder, servers.checker, servers.coll};

		if (GET(standard_library))
			chain_to(ours[i], only_plain_name);
		if (servers.has_others)
			chain_to(ours[i], next_behind_ours);
	}
	/* The order of calls: program, checker, recorder, collectives, MPI; each of our three may be missing. Calls that the recorder does not
	 * need go from the checker to the one after it. */
	chain(servers.recorder, "tarry_record_chain", servers.coll);
	chain(servers.checker, "tarry_check_chain", servers.coll);
	chain(servers.checker, "tarry_check_chain", servers.recorder);
	return servers;
}

static void *find_in_mpi(const struct mpi_libraries *libraries, const char *name)
{
	void *found = NULL;

	for (int i = 0; i < libraries->count && !found; i++)
		found = dlsym(libraries->handles[i], name);
	return found ? found : stand_in(name);
}

static void *find_server(const struct servers *servers, const struct mpi_libraries *libraries,
                         const char *name)
{
	void *found = servers->checker ? dlsym(servers->checker, name) : NULL;

	if (!found && servers->recorder && !lets_through(servers->recorder, name))
		found = dlsym(servers->recorder, name);
	if (!found && servers->coll)
		found = dlsym(servers->coll, name);
	if (!found && servers->has_others)
		found = other_tools_next(name);
	return found ? found : find_in_mpi(libraries, name);
}

/* Whether MPI has a function that our libraries do not wrap, because it was missing when they were built. */
static bool is_unknown(const struct servers *servers, size_t slot)
{
	const char *name = preload_entries[slot].name;

	return preload_entries[slot].returns_error && (servers->checker || servers->recorder) &&
	       !(servers->checker && dlsym(servers->checker, name)) &&
	       !(servers->recorder && dlsym(servers->recorder, name)) && dlsym(RTLD_NEXT, name);
}

static bool fill_slots(const void *site)
{
	const struct mpi_libraries libraries = find_mpi(site);
	struct servers servers;

	if (!libraries.flavour)
		return false;
	servers = load_servers(&libraries);
	for (size_t i = 0; i < preload_count; i++)
		if (is_unknown(&servers, i)) {
			SET(preload_unknown[i], true);
		} else {
			void *server = find_server(&servers, &libraries, preload_entries[i].name);

			/* If a tool is first, preload_find_server() must be called for every call. */
			if (servers.has_tool_first)
				tool_calls_serve((uint32_t)i, server,
				                 find_in_mpi(&libraries, preload_entries[i].name));
			else
				SET(preload_slots[i], server);
		}
	if (servers.has_tool_first)
		tool_calls_begin();
	return true;
}

/* Serves the first call of a function that our libraries do not wrap. It is reported only if the program calls it. */
static void *serve_unknown(uint32_t slot)
{
	void *function = stand_in(preload_entries[slot].name);
	char sentence[400];

	snprintf(
		sentence, sizeof sentence,
		"%s is neither recorded nor checked: Tarry was built for an older version of '%.200s'; build "
		"Tarry with that library's mpicc",
		preload_entries[slot].name, GET(mpi_path));
	preload_note(sentence);
	SET(preload_slots[slot], function);
	return function;
}

void *preload_find_server(uint32_t slot, const void *site)
{
	void *server = tool_calls_next(slot, site);

	if (server)
		return server;
	slot &= ~(uint32_t)GATE; /* a gate to a function that our libraries do not wrap */
	if (!GET(preload_slots[slot]) && !GET(preload_unknown[slot]) && fill_slots(site))
		server = tool_calls_next(slot, site);
	server = server ? server : GET(preload_slots[slot]);
	if (!server && GET(preload_unknown[slot]))
		return serve_unknown(slot);
	return server ? server : stand_in(preload_entries[slot].name);
}

/* Threads may do this concurrently: each step is idempotent. */
static void *recorder_of_upc(void)
{
	void *recorder;

	if (GET(mpi_recorder) || GET(mpi_path))
		return GET(mpi_recorder);
	recorder = load_recorder("upc");
	if (recorder) {
		introduce(recorder);
		/* Regions and marks of tarry.h have entry points like MPI functions. */
		for (size_t i = 0; i < preload_count; i++) {
			void *found = dlsym(recorder, preload_entries[i].name);
			if (found)
				SET(preload_slots[i], found);
		}
		SET(upc_recorder, recorder);
	}
	return recorder;
}

void preload_load_recorder(void)
{
	(void)recorder_of_upc();
}

__attribute__((visibility("default"))) const struct upc_recorder *tarry_upc_recorder(uint32_t version)
{
	void *recorder = recorder_of_upc(), *found = recorder ? dlsym(recorder, UPC_RECORDER_SYMBOL) : NULL;
	const struct upc_recorder *(*ask)(uint32_t version);

	if (!found)
		return NULL;
	memcpy(&ask, &found, sizeof ask);
	return ask(version);
}

__attribute__((visibility("default"))) void tarry_upc_note(const char *sentence)
{
	const char *output = setting_get(SETTING_OUTPUT);

	if (output)
		note_write(output, sentence);
}

/* After an unload, addresses of call sites may be reused. */
__attribute__((visibility("default"))) int dlclose(void *library)
{
	int (*real_dlclose)(void *library) = (int (*)(void *))(uintptr_t)dlsym(RTLD_NEXT, "dlclose");
	int result = real_dlclose ? real_dlclose(library) : -1;

	__atomic_add_fetch(&openmp_unloads, 1, __ATOMIC_RELEASE);
	for (int i = 0; i < LIBRARIES; i++) {
		void (*tell)(void) = GET(tell_unloaded[i]);
		if (tell)
			tell();
	}
	return result;
}

/* If the program is linked with MPI, it is already loaded. Other programs, such as Python, may load it
 * later. */
__attribute__((constructor)) static void start(void)
{
	fill_slots(NULL);
}
