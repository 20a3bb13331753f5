#include "job/check/buffers/variable_extents.h"

#include "base/files.h"
#include "job/mpi/host.h"
#include "job/mpi/sites.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct known_variable {
	uintptr_t first, end;
	uintptr_t reach; /* the largest end of this and all previous variables */
};

/* The data of a loaded file, and its variables by ascending address. */
struct file_variables {
	uintptr_t start, end; /* of all segments */
	struct known_variable *items;
	size_t count;
	struct file_variables *next;
};

static struct file_variables *files; /* needs the lock */
static uint32_t seen_dlcloses;

/* The file */

struct elf_image {
	const uint8_t *bytes;
	size_t size;
};

static const void *image_at(const struct elf_image *image, uint64_t offset, uint64_t bytes)
{
	return offset <= image->size && bytes <= image->size - offset ? image->bytes + offset : NULL;
}

static struct elf_image image_open(const char *path)
{
	struct elf_image image = {0};
	struct stat status;
	int fd = open_uncounted(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);

	if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
		void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

		if (bytes != MAP_FAILED)
			image = (struct elf_image){bytes, (size_t)status.st_size};
	}
	if (fd >= 0)
		close(fd);
	return image;
}

/* True if this is still the file that was loaded: the build id in its notes is the same. */
static bool is_same_file(const struct elf_image *image, const struct dl_phdr_info *info)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		const void *there = image_at(image, header->p_offset, header->p_filesz);

		/* NOLINTNEXTLINE(performance-no-int-to-ptr): an address in our own memory */
		if (header->p_type == PT_NOTE &&
		    (!there ||
		     memcmp(there, (const void *)(info->dlpi_addr + header->p_vaddr), header->p_filesz) != 0))
			return false;
	}
	return true;
}

/* The table of all symbols, or that of exported symbols. */
static const ElfW(Sym) * find_symbols(const struct elf_image *image, size_t *count)
{
	const ElfW(Ehdr) *header = image_at(image, 0, sizeof *header);
	const ElfW(Shdr) * sections, *best = NULL;
	const ElfW(Sym) * symbols;

	if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
	    header->e_shentsize != sizeof *sections)
		return NULL;
	sections = image_at(image, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections);
	for (size_t i = 0; sections && i < header->e_shnum; i++)
		if (sections[i].sh_type == SHT_SYMTAB || (sections[i].sh_type == SHT_DYNSYM && !best))
			best = &sections[i];
	symbols = best ? image_at(image, best->sh_offset, best->sh_size) : NULL;
	*count = symbols ? best->sh_size / sizeof *symbols : 0;
	return symbols;
}

/* The table */

static int by_address(const void *a, const void *b)
{
	const struct known_variable *left = a, *right = b;

	return left->first < right->first ? -1 : left->first > right->first;
}

static bool is_variable(const ElfW(Sym) * symbol)
{
	return ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT && symbol->st_size &&
	       symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS;
}

static void take_symbols(struct file_variables *file, const struct elf_image *image, uintptr_t base)
{
	size_t symbol_count = 0, count = 0;
	const ElfW(Sym) *symbols = find_symbols(image, &symbol_count);
	uintptr_t reach = 0;

	for (size_t i = 0; i < symbol_count; i++)
		count += is_variable(&symbols[i]);
	file->items = count ? malloc(count * sizeof *file->items) : NULL;
	for (size_t i = 0; file->items && i < symbol_count; i++)
		if (is_variable(&symbols[i]))
			file->items[file->count++] = (struct known_variable){
				.first = base + symbols[i].st_value,
				.end = base + symbols[i].st_value + symbols[i].st_size};
	if (file->items)
		qsort(file->items, file->count, sizeof *file->items, by_address);
	for (size_t i = 0; i < file->count; i++) {
		reach = file->items[i].end > reach ? file->items[i].end : reach;
		file->items[i].reach = reach;
	}
}

struct file_search {
	uintptr_t address;
	struct file_variables *found;
};

static bool has_address(const struct dl_phdr_info *info, uintptr_t address, struct file_variables *extent)
{
	bool found = false;

	extent->start = UINTPTR_MAX;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		const uintptr_t start = info->dlpi_addr + header->p_vaddr, end = start + header->p_memsz;

		if (header->p_type != PT_LOAD)
			continue;
		found |= address >= start && address < end;
		extent->start = start < extent->start ? start : extent->start;
		extent->end = end > extent->end ? end : extent->end;
	}
	return found;
}

static int take_file(struct dl_phdr_info *info, size_t size, void *argument)
{
	struct file_search *search = argument;
	struct file_variables file = {0};
	struct elf_image image;

	(void)size;
	if (!has_address(info, search->address, &file))
		return 0;
	image = image_open(info->dlpi_name && *info->dlpi_name ? info->dlpi_name : "/proc/self/exe");
	if (image.bytes && is_same_file(&image, info))
		take_symbols(&file, &image, info->dlpi_addr);
	if (image.bytes)
		munmap((void *)(uintptr_t)image.bytes, image.size);
	search->found = malloc(sizeof *search->found);
	if (search->found)
		*search->found = file;
	return 1;
}

/* Another file may have been loaded at the same address. */
static void forget_unloaded(void)
{
	const uint32_t dlcloses = RELAXED_LOAD(site_dlcloses);

	while (dlcloses != seen_dlcloses && files) {
		struct file_variables *file = files;

		files = file->next;
		free(file->items);
		free(file);
	}
	seen_dlcloses = dlcloses;
}

static const struct file_variables *find_file(uintptr_t address)
{
	struct file_search search = {.address = address};

	forget_unloaded();
	for (const struct file_variables *file = files; file; file = file->next)
		if (address >= file->start && address < file->end)
			return file;
	dl_iterate_phdr(take_file, &search);
	if (search.found) {
		search.found->next = files;
		files = search.found;
	}
	return search.found;
}

static void find_variable(const struct file_variables *file, uintptr_t address, struct memory_extent *extent)
{
	size_t low = 0, high = file->count;

	/* The last variable that begins at or before the address. */
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (file->items[middle].first <= address)
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- > 0 && file->items[low].reach > address)
		if (file->items[low].end > address && file->items[low].end > extent->end)
			*extent = (struct memory_extent){file->items[low].first, file->items[low].end,
			                                 OWNER_VARIABLE};
}

bool variable_extent_find(uintptr_t address, struct memory_extent *extent)
{
	const struct file_variables *file;

	*extent = (struct memory_extent){.owner = OWNER_UNKNOWN};
	host_lock();
	file = find_file(address);
	if (file)
		find_variable(file, address, extent);
	host_unlock();
	return extent->owner != OWNER_UNKNOWN;
}
