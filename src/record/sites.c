/* Call sites: which loaded file a return address lies in, and where. The load map is read when the first
 * unknown address turns up, and again when a later one does: the program may have loaded more since. */
#include "record/process.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MODULES = 1024, BUILD_ID_MAX = 64 };

struct module {
	uint64_t base, start, end;
};

static struct module modules[MODULES];
static size_t module_count;

static const struct module *find_module(uint64_t address)
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

static void write_module(size_t number, const struct module *module, const uint8_t *id, size_t id_size,
                         const char *path)
{
	uint8_t body[4 * VARINT_MAX + BUILD_ID_MAX + PATH_MAX];
	uint8_t *at = put_varint(body, number);

	at = put_varint(at, module->base);
	at = put_varint(at, module->end - module->base);
	at = put_varint(at, id_size);
	at = put_bytes(at, id, id_size);
	at = put_bytes(at, path, strlen(path));
	process_write(RECORD_MODULE, body, (size_t)(at - body));
}

static int add_module(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct module module = {.base = info->dlpi_addr, .start = UINT64_MAX};
	uint8_t id[BUILD_ID_MAX];
	char path[PATH_MAX];
	size_t id_size = 0;

	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uint64_t start = module.base + header->p_vaddr;

		if (header->p_type == PT_LOAD && start < module.start)
			module.start = start;
		if (header->p_type == PT_LOAD && start + header->p_memsz > module.end)
			module.end = start + header->p_memsz;
		if (header->p_type == PT_NOTE && !id_size)
			id_size = find_build_id(header, module.base, id);
	}
	if (module.start >= module.end || module_count == MODULES || find_module(module.start))
		return 0;
	path_of(info, path);
	modules[module_count] = module;
	write_module(++module_count, &module, id, id_size, path);
	return 0;
}

void site_locate(uint64_t address, uint64_t *module, uint64_t *offset)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	const struct module *found;

	pthread_mutex_lock(&lock);
	found = find_module(address);
	if (!found && address) {
		dl_iterate_phdr(add_module, NULL);
		found = find_module(address);
	}
	*module = found ? (uint64_t)(found - modules) + 1 : 0;
	*offset = found ? address - found->base : address;
	pthread_mutex_unlock(&lock);
}
