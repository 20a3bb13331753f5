#include "job/mpi/sites.h"

#include <link.h>
#include <stddef.h>

/* Maps return addresses to loaded files and offsets. The load map is read at each unknown address, because
 * the program may have loaded more files. Unloaded files are forgotten, because their addresses may be
 * reused. */
#include "job/mpi/host.h"

#include <dlfcn.h>
#include <elf.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MODULES = 4096, BUILD_ID_MAX = 64 };

struct loaded_module {
	uint64_t base, start, end; /* start and end are 0 once it is unloaded */
	bool is_loaded;            /* at the last reading of the load map */
	bool has_sites;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct loaded_module modules[MODULES];
static size_t module_count;

uint32_t site_unloads, site_dlcloses;

static struct loaded_module *find_module(uint64_t address)
{
	for (size_t i = module_count; i-- > 0;)
		if (address >= modules[i].start && address < modules[i].end)
			return &modules[i];
	return NULL;
}

static size_t find_build_id(const ElfW(Phdr) * header, uint64_t base, uint8_t *id)
{
	const uint8_t *at = (const uint8_t *)base +
	                    header->p_vaddr; /* NOLINT: an address in our own memory */
	const uint8_t *end = at + header->p_memsz;

	while (at + sizeof(ElfW(Nhdr)) <= end) {
		const ElfW(Nhdr) *note = (const void *)at;
		const uint8_t *name = at + sizeof *note;
		const uint8_t *body = name + ((note->n_namesz + 3) & ~3u);

		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0 &&
		    note->n_descsz <= BUILD_ID_MAX) {
			memcpy(id, body, note->n_descsz);
			return note->n_descsz;
		}
		at = body + ((note->n_descsz + 3) & ~3u);
	}
	return 0;
}

static void path_of(const struct dl_phdr_info *info, char *path)
{
	ssize_t length = 0;

	if (info->dlpi_name && *info->dlpi_name) {
		if (realpath(info->dlpi_name, path))
			return;
		length = (ssize_t)strnlen(info->dlpi_name, PATH_MAX - 1);
		memcpy(path, info->dlpi_name, (size_t)length);
	} else {
		length = readlink("/proc/self/exe", path, PATH_MAX - 1);
	}
	path[length > 0 ? length : 0] = '\0';
}

static struct loaded_module extent_of(const struct dl_phdr_info *info)
{
	struct loaded_module module = {.base = info->dlpi_addr, .start = UINT64_MAX, .is_loaded = true};

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uint64_t start = module.base + header->p_vaddr;

		if (header->p_type == PT_LOAD && start < module.start)
			module.start = start;
		if (header->p_type == PT_LOAD && start + header->p_memsz > module.end)
			module.end = start + header->p_memsz;
	}
	return module;
}

static void describe_module(const struct dl_phdr_info *info, size_t number,
                            const struct loaded_module *module)
{
	uint8_t id[BUILD_ID_MAX];
	char path[PATH_MAX];
	size_t id_size = 0;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		if (header->p_type == PT_NOTE && !id_size)
			id_size = find_build_id(header, module->base, id);
	}
	path_of(info, path);
	host_module(number, &(struct module_description){
				    .base = module->base,
				    .bytes = module->end - module->base,
				    .build_id = id,
				    .build_id_bytes = id_size,
				    .path = path,
			    });
}

static int add_module(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct loaded_module module = extent_of(info);

	(void)size;
	(void)unused;
	if (module.start >= module.end || module_count == MODULES || find_module(module.start))
		return 0;
	modules[module_count] = module;
	describe_module(info, ++module_count, &module);
	return 0;
}

static int tell_again(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct loaded_module extent = extent_of(info);
	struct loaded_module *module = find_module(extent.start);

	(void)size;
	(void)unused;
	if (module && module->base == extent.base)
		describe_module(info, (size_t)(module - modules) + 1, module);
	return 0;
}

void sites_tell_again(void (*around)(void *whom, bool begins), void *whom)
{
	pthread_mutex_lock(&lock);
	around(whom, true);
	if (module_count)
		dl_iterate_phdr(tell_again, NULL);
	around(whom, false);
	pthread_mutex_unlock(&lock);
}

void site_locate(uint64_t address, uint64_t *module, uint64_t *offset)
{
	struct loaded_module *found;

	pthread_mutex_lock(&lock);
	found = find_module(address);
	if (!found && address) {
		dl_iterate_phdr(add_module, NULL);
		found = find_module(address);
	}
	if (found)
		found->has_sites = true;
	*module = found ? (uint64_t)(found - modules) + 1 : 0;
	*offset = found ? address - found->base : address;
	pthread_mutex_unlock(&lock);
}

void site_peek(uint64_t address, uint64_t *module, uint64_t *offset)
{
	const struct loaded_module *found = find_module(address);

	*module = found ? (uint64_t)(found - modules) + 1 : 0;
	*offset = found ? address - found->base : address;
}

bool site_is_in(uint64_t address, bool (*question)(const char *path))
{
	char path[PATH_MAX];
	Dl_info info;

	if (!dladdr((void *)(uintptr_t)address, &info) || !info.dli_fname) /* NOLINT: an address of our own */
		return false;
	return question(realpath(info.dli_fname, path) ? path : info.dli_fname);
}

uint64_t site_new_module(void)
{
	uint64_t number = 0;

	pthread_mutex_lock(&lock);
	if (module_count < MODULES) {
		modules[module_count] = (struct loaded_module){.is_loaded = true};
		number = ++module_count;
	}
	pthread_mutex_unlock(&lock);
	return number;
}

static int mark_loaded(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct loaded_module extent = extent_of(info);
	struct loaded_module *module = find_module(extent.start);

	(void)size;
	(void)unused;
	if (module && module->base == extent.base)
		module->is_loaded = true;
	return 0;
}

void tarry_unloaded(void)
{
	bool lost = false;

	__atomic_add_fetch(&site_dlcloses, 1, __ATOMIC_RELAXED);
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < module_count; i++)
		modules[i].is_loaded = false;
	if (module_count)
		dl_iterate_phdr(mark_loaded, NULL);
	for (size_t i = 0; i < module_count; i++) {
		lost |= !modules[i].is_loaded && modules[i].has_sites && modules[i].end;
		if (!modules[i].is_loaded)
			modules[i].start = modules[i].end = 0;
	}
	pthread_mutex_unlock(&lock);
	if (lost)
		__atomic_add_fetch(&site_unloads, 1, __ATOMIC_RELAXED);
	host_unloaded();
}

struct search {
	uintptr_t address;
	bool (*question)(const char *path);
	struct load_segment found;
};

static int look_into(struct dl_phdr_info *info, size_t size, void *argument)
{
	struct search *search = argument;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		const uintptr_t start = info->dlpi_addr + header->p_vaddr;
		if (header->p_type != PT_LOAD || search->address - start >= header->p_memsz)
			continue;
		search->found = (struct load_segment){
			.start = start,
			.end = start + header->p_memsz,
			.is_writable = header->p_flags & PF_W,
			.is_asked_for = search->question && search->question(info->dlpi_name),
		};
		return 1;
	}
	return 0;
}

struct load_segment segment_of(uintptr_t address, bool (*question)(const char *path))
{
	struct search search = {.address = address, .question = question};

	dl_iterate_phdr(look_into, &search);
	return search.found;
}
